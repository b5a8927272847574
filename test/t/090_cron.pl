# pg_cron publishes a table that a second session keeps filling: five versions, and nobody is found in them.
#
# Debian's pg_cron 1.4 knows no step below a minute, and five minutes are too much for a test of many: there pg_cron makes two versions, and the others
# are made by hand at once, by the same command, while the table is still being filled. ANON_SEQ_GRID=full has it make all of them. From 1.6 on
# it makes all of them, every five seconds.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

chomp(my ($library, $share) = map { scalar qx(pg_config --$_) } qw(pkglibdir sharedir));
plan skip_all => 'pg_cron is not installed' unless -e "$library/pg_cron.so" && -e "$share/extension/pg_cron.control";

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
# Jobs log in by the socket, without a password. Without background workers, a slow job of pg_cron 1.4 does not hold up the others.
$node->append_conf('postgresql.conf', "fsync = off
shared_preload_libraries = 'pg_cron'
cron.database_name = 'postgres'
cron.host = '@{[ $node->host ]}'
cron.use_background_workers = off");
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION pg_cron;
	CREATE EXTENSION anon_seq;
	CREATE ROLE clinic LOGIN;
	GRANT USAGE ON SCHEMA cron TO clinic;
	GRANT USAGE ON SEQUENCE anon_seq.publishers TO clinic;
	CREATE SCHEMA clinic AUTHORIZATION clinic});

# The owner of the table is no superuser; the jobs run as he.
sub clinic
{
	my ($status, $out, $err) = $node->psql('postgres', "SET client_min_messages = warning; SET search_path = clinic; $_[0]", extra_params => [ '-U', 'clinic' ], on_error_stop => 1);
	die $err if $status;
	$out =~ s/^\s+|\s+$//g; # lines of void
	return $out;
}

clinic(q{
	CREATE TABLE visit (id int PRIMARY KEY, age int, job text, day date, disease text);
	CREATE FUNCTION arrive(first int, last int) RETURNS void LANGUAGE sql SET search_path = clinic AS $$
	  INSERT INTO visit SELECT i, 18 + (i * 7919) % 61, (ARRAY['nurse', 'teacher', 'baker', 'miner'])[1 + (i * 31) % 4], date '2024-01-01' + (i * 6007) % 400, (ARRAY['flu', 'cold', NULL])[1 + i % 3]
	    FROM generate_series(first, last) AS i $$;
	-- Some thirty come, a few go and a few get other values, several times a second, until told to stop.
	CREATE PROCEDURE fill() LANGUAGE plpgsql AS $$
	DECLARE
	  i int := 1000;
	BEGIN
	  LOOP
	    PERFORM arrive(i, i + 29);
	    DELETE FROM visit WHERE id IN (SELECT id FROM visit ORDER BY (id::bigint * 104729 + i) % 9973 LIMIT 5);
	    UPDATE visit SET age = age + 1 WHERE id IN (SELECT id FROM visit ORDER BY (id::bigint * 6007 + i) % 9973 LIMIT 3);
	    COMMIT;
	    EXIT WHEN EXISTS (SELECT FROM pg_class WHERE relname = 'told to stop');
	    PERFORM pg_sleep(0.5);
	    i := i + 30;
	  END LOOP;
	END $$;
	SELECT arrive(1, 500);
	SELECT anon_seq.create_taxonomy('job', '{"ANY": {"Service": ["nurse", "teacher"], "Manual": ["baker", "miner"]}}');
	SELECT anon_seq.create_incremental_policy('visits', 'clinic.visit', 'id', '{age,job,day}', 5, sensitive => '{disease}', publish_as => 'clinic.visits', options => '{"object_id": true}')});

my $filling = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres') . ' user=clinic', '-c', 'SET search_path = clinic', '-c', 'CALL fill()' ],
	'<', \undef, '>', \my $said, '2>', \my $complaints, IPC::Run::timeout(10 * $PostgreSQL::Test::Utils::timeout_default));

my $command = q{CALL anon_seq.nightly('visits')};
my ($status) = $node->psql('postgres', "SELECT cron.schedule('nightly', '5 seconds', \$\$$command\$\$)", extra_params => [ '-U', 'clinic' ], on_error_stop => 1);
my $by_cron = $status ? ($ENV{ANON_SEQ_GRID} // '') eq 'full' ? 5 : 2 : 5;
clinic(qq{SELECT cron.schedule('nightly', '* * * * *', \$\$$command\$\$)}) if $status;

my $began = time;
for my $version (1 .. $by_cron)
{
	ok($node->poll_query_until('postgres', "SELECT count(*) >= $version FROM cron.job_run_details WHERE status = 'succeeded'"), "pg_cron has run $version times");
}
note("$by_cron runs of pg_cron took " . (time - $began) . ' s');
clinic(q{SELECT cron.unschedule('nightly')});
is($node->safe_psql('postgres', q{SELECT count(*) FROM cron.job_run_details WHERE status NOT IN ('succeeded', 'starting', 'running') OR username <> 'clinic'}), '0', 'each as the owner of the table, none with an error')
  or diag($node->safe_psql('postgres', 'SELECT status, return_message FROM cron.job_run_details'));
$node->poll_query_until('postgres', q{SELECT NOT EXISTS (SELECT FROM cron.job_run_details WHERE status IN ('starting', 'running'))});
my $made = clinic(q{SELECT max(version) FROM anon_seq.releases WHERE policy = 'visits'});
cmp_ok($made, '>=', $by_cron, 'each has made a version');

for my $version ($made + 1 .. 5)
{
	my $n = clinic('SELECT count(*) FROM visit');
	$node->poll_query_until('postgres', "SELECT count(*) > $n + 20 FROM clinic.visit");
	clinic($command);
}
clinic('CREATE TABLE "told to stop" ()');
is(clinic(q{SELECT version >= 5 AND audit_ok AND ran_ok FROM anon_seq.status WHERE policy = 'visits'}), 't', 'status tells of the last release and its audit');
is(clinic(q{SELECT count(*) >= 5 AND bool_and(ok) FROM anon_seq.log WHERE policy = 'visits' AND step = 'publish'}), 't', 'every night has its line in the log');
is(clinic(q{SELECT count(DISTINCT at) >= 5 AND bool_and(ok) FROM anon_seq.audits WHERE policy = 'visits'}), 't', 'every audit is kept');
ok($filling->finish && $complaints eq '', 'the second session has filled the table all the time') or diag($complaints);

is(clinic(q{SELECT count(*) >= 5, bool_and(after > before) FROM (SELECT published AS after, lag(published, 1, 0) OVER (ORDER BY version) AS before FROM anon_seq.releases WHERE policy = 'visits') AS x}),
	't|t', 'five versions, of more and more persons');
is(clinic(q{SELECT count(*) >= 20, coalesce(string_agg(check_name || ' of ' || scope || ': ' || observed, '; ') FILTER (WHERE NOT ok), '') FROM anon_seq.audit('visits', everything => true)}), 't|', 'the audit finds nothing');
is(clinic(q{SELECT count(*) FROM (SELECT FROM clinic.visits GROUP BY age, job, day HAVING count(*) < 5) AS x}), '0', 'and so says the last of them');

done_testing();
