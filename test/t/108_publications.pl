# Ledgers beside publications: every table of a ledger has a primary key, so all that changes them works where all tables are published; and an
# audit names the publications that contain a ledger. Then what a steward sees whose neighbour holds a prepared transaction over a restart, and what
# a standby says.
use strict;
use warnings;
BEGIN { $ENV{PG_TEST_TIMEOUT_DEFAULT} = 60 }
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ], allows_streaming => 'logical');
$node->append_conf('postgresql.conf', 'max_prepared_transactions = 5');
$node->start;
my $db = 'postgres';
$node->safe_psql($db, q{
	CREATE EXTENSION anon_seq;
	CREATE TABLE visit AS SELECT i AS id, 20 + i % 9 AS age, CASE WHEN i % 80 = 0 THEN 'flu' ELSE (ARRAY['cold', 'ok', 'well'])[1 + i % 3] END AS ill FROM generate_series(1, 400) AS i;
	CREATE TABLE visits AS SELECT i, 1 + i % 200 AS id, 20 + i % 200 % 9 AS age FROM generate_series(1, 400) AS i;
	ALTER TABLE visit ADD PRIMARY KEY (id); ALTER TABLE visits ADD PRIMARY KEY (i);
	SELECT anon_seq.create_sequential_policy('seq', 'visit', 'id', '{age}', 4, previous => '{}', population => 'seq', publish_as => 'seq'),
		anon_seq.create_sequential_policy('many', 'visits', 'id', '{age}', 4, previous => '{}', population => 'many', publish_as => 'many'),
		anon_seq.create_incremental_policy('inc', 'visit', 'id', '{age}', 4, publish_as_is => '{ill}', population => 'inc', publish_as => 'inc', options => '{"storage": "copied"}'),
		anon_seq.create_incremental_policy('shared', 'visit', 'id', '{age}', 4, publish_as_is => '{ill}', population => 'shared', publish_as => 'shared', options => '{"storage": "shared"}'),
		anon_seq.create_lossy_join_policy('table', 'visit', 'id', '{age}', '{ill}', 0.9, 2, 'generalized', population => 'table', publish_as => 'tab', options => '{"unguarded_again": true}'),
		anon_seq.create_lossy_join_policy('lossy', 'visit', 'id', '{age}', '{ill}', 0.9, 2, 'projections', population => 'lossy', publish_as => 'lossy', options => '{"unguarded_again": true}'),
		anon_seq.create_serial_policy('serial', 'visit', 'id', '{age}', '{ill}', '{flu}', 2, 'projections', population => 'serial', publish_as => 'serial'),
		anon_seq.create_serial_policy('window', 'visit', 'id', '{age}', '{ill}', '{flu}', 2, 'generalized', plan => 'window', options => '{"window": 3}', population => 'window', publish_as => 'win'),
		anon_seq.create_serial_policy('lives', 'visit', 'id', '{age}', '{ill}', '{flu}', 2, 'projections', persistence => 'permanent', population => 'lives', publish_as => 'lives'),
		anon_seq.register_release('old', 'visit', 'old'), anon_seq.watch_source('visit', '{id}')});
my @policies = split /\n/, $node->safe_psql($db, 'SELECT name FROM anon_seq.policies ORDER BY name');
is($node->safe_psql($db, q{SELECT count(DISTINCT method) = (SELECT count(*) FROM pg_proc WHERE pronamespace = 'anon_seq'::regnamespace AND proname LIKE 'create_%_policy') FROM anon_seq.policies}), 't', 'every method is here');
my $bare = q{SELECT coalesce(string_agg(regexp_replace(c.relname, '\d+', ''), ' ' ORDER BY 1), 'none') FROM pg_class AS c
	WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relkind IN ('r', 'p') AND NOT EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisprimary)};
is($node->safe_psql($db, $bare), 'w_queue', 'only the queue of a watch has no primary key: its rows are alike');
is($node->safe_psql($db, q{SELECT relreplident FROM pg_class WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relkind = 'r' GROUP BY 1, relname ~ 'queue' ORDER BY relname ~ 'queue'}), "d\nf", 'replica identity');
is($node->safe_psql($db, q{SELECT count(*) FROM anon_seq.policies AS p, anon_seq.audit(p.name) AS a WHERE a.check_name = 'publications'}), '0', 'no publication, no row');
$node->safe_psql($db, 'CREATE PUBLICATION everything FOR ALL TABLES');

sub publishes
{
	my ($what) = @_;
	for my $policy (@policies)
	{
		my ($code, undef, $err) = $node->psql($db, "SET client_min_messages = error; SELECT anon_seq.publish('$policy')", on_error_stop => 1);
		is($err, '', "$policy, $what");
	}
}
publishes('first version');
$node->safe_psql($db, q{UPDATE visit SET age = 20 + (age + 3) % 9 WHERE id % 10 = 0; DELETE FROM visit WHERE id % 17 = 3; INSERT INTO visit SELECT i, 20 + i % 9, 'ok' FROM generate_series(501, 540) AS i; DELETE FROM visits WHERE id < 9});
publishes('second version');
$node->safe_psql($db, q{UPDATE visit SET ill = 'ok' WHERE id % 13 = 0; DELETE FROM visit WHERE id % 19 = 3});
publishes('third version');
for my $policy (@policies)
{
	my $population = $node->safe_psql($db, "SELECT population FROM anon_seq.policies WHERE name = '$policy'");
	my ($code, undef, $err) = $node->psql($db, "SET client_min_messages = error; SELECT * FROM anon_seq.forget('$population', '5'); SELECT * FROM anon_seq.forget('$population', '26')", on_error_stop => 1);
	is($err, '', "$policy forgets");
}
$node->safe_psql($db, q{DELETE FROM visit WHERE id IN (5, 26); UPDATE visit SET age = 28 WHERE id % 23 = 2});
publishes('after that');
$node->safe_psql($db, q{INSERT INTO visit VALUES (5, 25, 'ok'), (26, 22, 'ok')});
publishes('who was forgotten returns');
is($node->safe_psql($db, q{SELECT string_agg(DISTINCT concat_ws(' ', a.check_name, a.observed, a.ok), '; ') FROM anon_seq.policies AS p, anon_seq.audit(p.name) AS a WHERE NOT a.ok AND a.check_name <> 'unguarded'}),
	'publications "everything" f', 'all audits are good, but for the publication');
is($node->safe_psql($db, q{SELECT count(DISTINCT p.name) FROM anon_seq.policies AS p, anon_seq.audit(p.name) AS a WHERE a.check_name = 'publications'}), scalar(@policies), 'each of them says so');
$node->safe_psql($db, 'DROP PUBLICATION everything; CREATE PUBLICATION harmless FOR TABLE visit; CREATE PUBLICATION schema FOR TABLES IN SCHEMA anon_seq_ledger');
my $table = $node->safe_psql($db, q{SELECT 'anon_seq_ledger.p' || id || '_cell' FROM anon_seq.policy WHERE name = 'seq'});
$node->safe_psql($db, "CREATE PUBLICATION one FOR TABLE $table");
is($node->safe_psql($db, q{SELECT p.name, a.observed FROM anon_seq.policies AS p, anon_seq.audit(p.name) AS a WHERE a.check_name = 'publications' AND p.name IN ('seq', 'inc') ORDER BY 1}), qq{inc|"schema"\nseq|"one", "schema"}, 'by schema and by table');
$node->safe_psql($db, 'DROP PUBLICATION one; DROP PUBLICATION schema');

# --- a neighbour's prepared transaction stays over a restart, and the wait for it ends ---
$node->safe_psql($db, q{INSERT INTO visit VALUES (601, 25, 'ok'); BEGIN; SELECT anon_seq.publish('inc'); PREPARE TRANSACTION 'left behind'});
$node->restart;
my ($code, undef, $err) = $node->psql($db, q{SET anon_seq.lock_wait = '200ms'; SELECT anon_seq.publish('inc')});
like($err, qr/ERROR:  population "inc" is in use by another transaction\nDETAIL:  Waited 200 ms.* prepared transaction 'left behind' of role "\w+", prepared at /, 'who holds it is named');
like($err, qr/HINT:  .*ROLLBACK PREPARED 'left behind';/, 'and how to end it');
unlike($err, qr/CONTEXT/, 'without our SQL');
is($node->safe_psql($db, q{SET client_min_messages = error; SELECT version FROM anon_seq.publish('shared')}), '6', 'another policy of the watched source goes on');
$node->safe_psql($db, q{ROLLBACK PREPARED 'left behind'});
is($node->safe_psql($db, q{SET client_min_messages = error; SELECT version FROM anon_seq.publish('inc')}), '6', 'afterwards it is published');

# --- a standby ---
$node->backup('copy');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'copy', has_streaming => 1);
$standby->start;
for my $call ("publish('inc')", "forget('inc', '7')", "point('inc')", "drop_policy('inc')", "watch_source('visit', '{id}')", "create_flat_taxonomy('x', '{a}')")
{
	my ($name) = $call =~ /^(\w+)/;
	($code, undef, $err) = $standby->psql($db, "SELECT anon_seq.$call");
	like($err, qr/^psql:<stdin>:1: ERROR:  cannot execute anon_seq\.$name\(\) on a standby\nDETAIL:  It writes\.\nHINT:  Call it on the primary server\.$/, "$name on a standby");
}
is($standby->safe_psql($db, q{SET client_min_messages = error; SELECT count(*) > 3 FROM anon_seq.audit('inc')}), 't', 'audits run there');
is($standby->safe_psql($db, q{SET client_min_messages = error; SELECT feasible FROM anon_seq.preview('inc')}), 't', 'and previews');
$standby->stop;
$node->stop;
done_testing();
