# A publish of a serial policy that is cut off charges nobody, in whatever phase; one that is through has charged everybody who was shown. With classes of ten rows or more and one value listed,
# everybody of a version is in the one class.
use strict;
use warnings;
BEGIN { $ENV{PG_TEST_TIMEOUT_DEFAULT} = 60 }
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "restart_after_crash = on\nlog_min_messages = warning");
$node->start;
$node->safe_psql('postgres', q{
	SET client_min_messages = error;
	CREATE EXTENSION anon_seq;
	CREATE TABLE person (id int PRIMARY KEY, age int, illness text);
	INSERT INTO person SELECT i, 20 + i, CASE WHEN i = 1 THEN 'hiv' ELSE 'flu' END FROM generate_series(1, 18) AS i;
	CREATE FUNCTION next(ill int) RETURNS void LANGUAGE sql AS $$ UPDATE person SET illness = CASE WHEN id = ill THEN 'hiv' ELSE 'flu' END $$;
	SELECT anon_seq.create_serial_policy('p', 'person', 'id', '{age}', '{illness}', '{hiv}', 2, 'projections', 'fixed', 6);
	SELECT anon_seq.publish('p');
	SELECT anon_seq.forget('public.person', '18');
	DELETE FROM person WHERE id = 18;
	INSERT INTO person VALUES (19, 39, 'flu'), (18, 38, 'flu');
	SELECT next(2)});

my $state = q{SELECT (SELECT count(*) || ' ' || md5(string_agg(p::text, ' ' ORDER BY p::text)) FROM anon_seq_ledger.p1_pair AS p) || ', ' || (SELECT md5(string_agg(f::text, ' ' ORDER BY f::text)) FROM anon_seq_ledger.p1_forgotten AS f)
	|| ', ' || (SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relname ~ '^p_|^p$') || ', ' || (SELECT count(*) FROM anon_seq.release) || ' releases, version ' || (SELECT version FROM anon_seq.policy)
	|| ', ' || (SELECT count(*) FROM anon_seq_ledger.p1_cell) || ' cells, ' || (SELECT count(*) FROM anon_seq_ledger.p1_member) || ' members, ' || (SELECT count(*) FROM anon_seq_ledger.p1_note) || ' notes, '
	|| (SELECT count(*) FROM pg_locks WHERE pid <> pg_backend_pid() AND (locktype = 'advisory' OR relation IN (SELECT oid FROM pg_class WHERE relname IN ('policy', 'population', 'person', 'p1_pair')))) || ' locks'};
my $before = $node->safe_psql('postgres', $state);
like($before, qr/ 1 releases, version 1, 18 cells, .* 0 locks/, 'before');

# Where a publish can be stopped, by a lock on what it needs next: before it reads, before budgets are written, once they are.
my %lock = (read => 'person IN ACCESS EXCLUSIVE', ledger => 'anon_seq_ledger.p1_pair IN EXCLUSIVE', forgotten => 'anon_seq_ledger.p1_forgotten IN EXCLUSIVE', note => 'anon_seq_ledger.p1_note IN EXCLUSIVE', audit => 'anon_seq.release IN SHARE');

sub background
{
	my ($sql, $err) = @_;
	return IPC::Run::start([ 'psql', '-X', '-q', '-d', $node->connstr('postgres'), '-c', $sql ], '<', \'', '>', \my $out, '2>', $err, IPC::Run::timeout(120));
}

# Stops a publish there, does what is asked to its process, and lets everybody go.
sub cut_off
{
	my ($where, $how) = @_;
	my ($holder_err, $err) = ('', '');
	my $holder = background("BEGIN; LOCK TABLE $lock{$where} MODE; SELECT pg_sleep(100)", \$holder_err);
	$node->poll_query_until('postgres', q{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(100)' AND wait_event = 'PgSleep')});
	my $publish = background(q{SELECT anon_seq.publish('p')}, \$err);
	my $stopped = q{wait_event_type = 'Lock' AND query LIKE '%publish%'};
	$node->poll_query_until('postgres', qq{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE $stopped)}) or return 'not met';
	my $pid = $node->safe_psql('postgres', qq{SELECT pid FROM pg_stat_activity WHERE $stopped});
	if ($how eq 'KILL') { kill 'KILL', $pid }
	else { $node->safe_psql('postgres', "SELECT $how($pid)") }
	IPC::Run::finish($publish);
	$node->poll_query_until('postgres', q{SELECT count(pg_terminate_backend(pid)) = 0 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(100)' AND pid <> pg_backend_pid()});
	IPC::Run::finish($holder);
	return $err;
}

for my $where (sort keys %lock)
{
	like(cut_off($where, 'pg_cancel_backend'), qr/canceling statement due to user request/, "cancelled at $where");
	is($node->safe_psql('postgres', $state), $before, 'charges nobody');
}
for my $where (qw(ledger note audit))
{
	like(cut_off($where, 'KILL'), qr/server closed the connection unexpectedly|terminating connection/, "killed at $where");
	$node->poll_query_until('postgres', 'SELECT true');
	is($node->safe_psql('postgres', $state), $before, 'charges nobody');
}
$node->safe_psql('postgres', q{SET client_min_messages = error; BEGIN; SELECT anon_seq.publish('p'); ROLLBACK});
is($node->safe_psql('postgres', $state), $before, 'rolled back: charges nobody');

is($node->safe_psql('postgres', q{SET client_min_messages = error; SELECT version, published FROM anon_seq.publish('p')}), '2|19', 'the next publish works');
$node->stop('immediate');
$node->start;
is($node->safe_psql('postgres', q{SELECT times, count(*), string_agg(DISTINCT n || '/' || d, ' ') FROM anon_seq_ledger.p1_pair, unnest(met, num, den) AS u (times, n, d) WHERE version = 2 GROUP BY 1 ORDER BY 1}),
	"1|1|18/19\n2|18|17/19", 'after a crash: everybody is charged, the one who was forgotten as well');
is($node->safe_psql('postgres', q{SELECT string_agg(check_name, ', ') FROM anon_seq.audit('p', everything => true) WHERE NOT ok}), '', 'and the audit holds');

done_testing();
