# A publish that is cut off leaves nothing: killed, terminated or cancelled, in every phase.
use strict;
use warnings;
BEGIN { $ENV{PG_TEST_TIMEOUT_DEFAULT} = 30 }
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$node->append_conf('postgresql.conf', "restart_after_crash = on\nlog_min_messages = warning");
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION anon_seq;
	CREATE TABLE visit (id int PRIMARY KEY, job text, age int, disease text);
	INSERT INTO visit SELECT i, 'job ' || i % 20, i * 7 % 80, 'disease ' || i % 11 FROM generate_series(1, 2000) AS i;
	SELECT anon_seq.create_flat_taxonomy('job', (SELECT array_agg(DISTINCT job) FROM visit));
	SELECT anon_seq.create_sequential_policy('p', 'visit', 'id', '{job,age}', 20, sensitive => '{disease}', max_link => 0.9, population => 'visit', options => '{"valid_split": true, "dangling": "outer"}');
});

my $state = q{SELECT (SELECT count(*) FROM pg_class WHERE relname ~ '^p_r|^p$') || ' relations, ' || (SELECT count(*) FROM anon_seq.release) || ' releases, version ' || (SELECT version FROM anon_seq.policy)
	|| ', ' || (SELECT count(*) FROM anon_seq_ledger.p1_cell) || ' cells, ' || (SELECT count(*) FROM anon_seq_ledger.p1_person) || ' persons, ' || (SELECT count(*) FROM anon_seq_ledger.p1_note) || ' notes, '
	|| (SELECT count(*) FROM pg_locks WHERE pid <> pg_backend_pid() AND (locktype = 'advisory' OR relation IN (SELECT oid FROM pg_class WHERE relname IN ('policy', 'population', 'visit', 'p1_cell')))) || ' locks'};
my $nothing = '0 relations, 0 releases, version 0, 0 cells, 0 persons, 0 notes, 0 locks';
is($node->safe_psql('postgres', $state), $nothing, 'before');

# Where each phase can be stopped: by a lock on what it needs next.
my %lock = (read => 'visit IN ACCESS EXCLUSIVE', ledger => 'anon_seq_ledger.p1_cell IN EXCLUSIVE', views => 'anon_seq_ledger.p1_person IN SHARE UPDATE EXCLUSIVE',
	audit => 'anon_seq.release IN SHARE');

sub background
{
	my ($sql, $err) = @_;
	return IPC::Run::start([ 'psql', '-X', '-q', '-d', $node->connstr('postgres'), '-c', $sql ], '<', \'', '>', \my $out, '2>', $err, IPC::Run::timeout(60));
}

# Stops a publish in the phase, does what is asked to its process, and lets everybody go.
sub cut_off
{
	my ($phase, $how) = @_;
	my ($holder_err, $err) = ('', '');
	my $holder = background("BEGIN; LOCK TABLE $lock{$phase} MODE; SELECT pg_sleep(50)", \$holder_err);
	$node->poll_query_until('postgres', q{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(50)' AND wait_event = 'PgSleep')});
	my $publish = background(q{SELECT anon_seq.publish('p')}, \$err);
	my $stopped = q{wait_event_type = 'Lock' AND query LIKE '} . ($phase eq 'read' ? q{%publish%'} : qq{anon_seq publish%: $phase (%'});
	$node->poll_query_until('postgres', qq{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE $stopped)}) or return 'not met';
	my $pid = $node->safe_psql('postgres', qq{SELECT pid FROM pg_stat_activity WHERE $stopped});
	if ($how eq 'KILL') { kill 'KILL', $pid }
	else { $node->safe_psql('postgres', "SELECT $how($pid)") }
	IPC::Run::finish($publish);
	$node->poll_query_until('postgres', q{SELECT count(pg_terminate_backend(pid)) = 0 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(50)' AND pid <> pg_backend_pid()});
	IPC::Run::finish($holder);
	return $err;
}

for my $phase (qw(read ledger views audit))
{
	like(cut_off($phase, 'pg_cancel_backend'), qr/canceling statement due to user request/, "cancelled in phase $phase");
	is($node->safe_psql('postgres', $state), $nothing, 'leaves nothing');
	like(cut_off($phase, 'pg_terminate_backend'), qr/terminating connection/, "terminated in phase $phase");
	is($node->safe_psql('postgres', $state), $nothing, 'leaves nothing');
}

# kill -9: the server recovers, and it is as if nothing had been.
for my $phase (qw(ledger audit))
{
	like(cut_off($phase, 'KILL'), qr/server closed the connection unexpectedly|terminating connection/, "killed in phase $phase");
	$node->poll_query_until('postgres', 'SELECT true');
	is($node->safe_psql('postgres', $state), $nothing, 'leaves nothing');
}
like($node->safe_psql('postgres', q{SELECT version, published FROM anon_seq.publish('p')}), qr/^\d+\|2000$/, 'the next publish works');
is($node->safe_psql('postgres', q{SELECT bool_and(ok) FROM anon_seq.audit('p', everything => true)}), 't', 'and its audit holds');

is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation WHERE c.relname IN ('policy', 'population') AND l.pid <> pg_backend_pid()}), '0', 'no lock is left');

done_testing();
