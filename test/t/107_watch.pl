# Watched sources with writers beside publishes, after a restore, after a crash, and under logical replication: what is published from what was noted is
# what a read of everything gives.
use strict;
use warnings;
BEGIN { $ENV{PG_TEST_TIMEOUT_DEFAULT} = 60 }
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--locale=C', '--encoding=UTF8' ], allows_streaming => 'logical');
$node->append_conf('postgresql.conf', "max_prepared_transactions = 5\nrestart_after_crash = on");
$node->start;
my $db = 'postgres';
$node->safe_psql($db, q{
	CREATE EXTENSION anon_seq;
	CREATE TABLE visit (id int, age int, ward int) PARTITION BY LIST (ward);
	CREATE TABLE visit_0 PARTITION OF visit FOR VALUES IN (0);
	CREATE TABLE visit_1 PARTITION OF visit FOR VALUES IN (1);
	INSERT INTO visit SELECT i, i * 7 % 40, i % 2 FROM generate_series(1, 400) AS i;
	CREATE VIEW visits AS SELECT id, age, ward FROM visit;
	SELECT anon_seq.create_sequential_policy('watched', 'visit', 'id', '{age,ward}', 4, previous => '{}', population => 'watched', publish_as => 'watched', options => '{"full_read_every": 1000}');
	SELECT anon_seq.create_sequential_policy('plain', 'visits', 'id', '{age,ward}', 4, previous => '{}', population => 'plain', publish_as => 'plain', options => '{"full_read_every": 1000}');
	SELECT anon_seq.watch_source('visit', '{id}')});

# Publishes both under one snapshot; whether they show the same, and what the watched one was.
my $both = q{
	BEGIN ISOLATION LEVEL REPEATABLE READ;
	SELECT CASE WHEN a.digest = b.digest THEN 'same' ELSE 'differs: ' || a.version END || ' ' || a.version FROM anon_seq.publish('watched') AS a, anon_seq.publish('plain') AS b;
	COMMIT};

sub night
{
	my ($name) = @_;
	my ($code, $out, $err) = $node->psql($name // $db, $both, on_error_stop => 1);
	return ($out, $err, $code);
}

is((night())[0], 'same 1', 'all is read first');
is((night())[0], 'same 1', 'nothing has changed');

# --- writers, slow enough that some publishes see one change, and some none ---
my $script = $node->basedir . '/write.sql';
append_to_file($script, q{
\set id random(1, 500)
\set what random(1, 6)
BEGIN;
\if :what = 1
INSERT INTO visit VALUES (:id, :id % 40, :id % 2);
\elif :what = 2
UPDATE visit SET age = (age + 1) % 40 WHERE id = :id;
\elif :what = 3
DELETE FROM visit_1 WHERE id = :id;
\elif :what = 4
UPDATE visit SET ward = 1 - ward, id = 501 - id WHERE id = :id;
\elif :what = 5
SAVEPOINT s;
DELETE FROM visit WHERE id < 100;
ROLLBACK TO s;
INSERT INTO visit_0 VALUES (:id, 3, 0);
\else
UPDATE visit SET age = 5 WHERE id = :id;
PREPARE TRANSACTION 'w:client_id';
SELECT pg_sleep(0.05);
COMMIT PREPARED 'w:client_id';
BEGIN;
\endif
SELECT pg_sleep(random() / 5);
END;
});
my $writers = IPC::Run::start([ 'pgbench', '-n', '-c', 3, '-T', 5, '-f', $script, '-h', $node->host, '-p', $node->port, $db ], '<', \'', '>', \my $out, '2>', \my $err);
my ($until, @said) = (time + 5);
while (time < $until)
{
	my ($said, $problem, $code) = night();
	push @said, $code == 0 ? $said : $problem;
}
$writers->finish;
is($writers->result(0), 0, 'writers met no error') or diag $err;
is_deeply([ grep { !/^same / } @said ], [], 'every version beside writers is that of a full read');
my %versions = map { $_ => 1 } @said;
cmp_ok(scalar(keys %versions), '>', 5, 'there were ' . keys(%versions) . ' versions in ' . @said . ' publishes');
like((night())[0], qr/^same/, 'when they are done, too');
my $queue = $node->safe_psql($db, q{SELECT queue::regclass FROM anon_seq.watch});
is($node->safe_psql($db, "SELECT count(*) FROM $queue"), 0, 'nothing is left in the queue');

# --- a crash: what was noted, and what was taken out, is with the rows that it is about ---
$node->safe_psql($db, q{INSERT INTO visit VALUES (900, 1, 1)});
$node->stop('immediate');
$node->start;
is($node->safe_psql($db, "SELECT count(*) FROM $queue"), 1, 'a note survives a crash');
like((night())[0], qr/^same/, 'and is heeded');

# --- dump and restore ---
$node->safe_psql($db, q{INSERT INTO visit VALUES (901, 1, 1)});
my $dump = $node->basedir . '/dump';
$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, $node->connstr($db) ], 'dumped');
$node->safe_psql($db, q{CREATE DATABASE other});
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('other'), $dump ], 'restored');
$node->safe_psql('other', 'SELECT FROM anon_seq.confirm_ledgers()');
$node->safe_psql('other', q{INSERT INTO visit VALUES (902, 2, 1)});
my ($said, $problem) = night('other');
like($said, qr/^same/, 'a restored source is read as a whole');
like($problem, qr/watched, but read as a whole: it was restored, and is not watched here\nHINT:  Let its owner SELECT anon_seq\.watch_source\('public\.visit', '\{id\}'\);/, 'which is told');
is($node->safe_psql('other', q{SELECT count(*) FROM anon_seq.watches}), 0, 'no watch there');
$node->safe_psql('other', q{SELECT anon_seq.watch_source('public.visit', '{id}')});
like((night('other'))[1], qr/read as a whole: its changes since/, 'watched there, and read once more');
unlike((night('other'))[1], qr/read as a whole/, 'and then no more');
$node->safe_psql('other', q{DELETE FROM visit_1 WHERE id = 902});
like((night('other'))[0], qr/^same/, 'and noted');
is($node->safe_psql('other', q{SELECT count(*) || ' ' || (SELECT count(*) FROM pg_class WHERE relname ~ '^w[0-9]+_queue$') FROM anon_seq.watch}), '1 1', 'nothing is left of the watch that was restored');
like((night())[0], qr/^same/, 'nothing of that is known where it came from');

# --- rows that a subscription applies ---
$node->safe_psql($db, q{CREATE TABLE sent (id int PRIMARY KEY, age int, ward int); CREATE PUBLICATION sent FOR TABLE sent; SELECT pg_create_logical_replication_slot('sent', 'pgoutput')});
$node->safe_psql('other', q{CREATE TABLE sent (id int PRIMARY KEY, age int, ward int); INSERT INTO sent SELECT i, i % 5, 0 FROM generate_series(1, 50) AS i; CREATE VIEW sents AS TABLE sent;
	SELECT anon_seq.create_sequential_policy('sent', 'sent', 'id', '{age}', 4, previous => '{}', population => 'sent', publish_as => 'out_sent');
	SELECT anon_seq.watch_source('sent', '{id}'); SELECT anon_seq.publish('sent'); SELECT anon_seq.publish('sent')});
$node->safe_psql('other', "CREATE SUBSCRIPTION sent CONNECTION \$\$" . $node->connstr($db) . "\$\$ PUBLICATION sent WITH (create_slot = false, slot_name = 'sent', copy_data = false)");
$node->safe_psql($db, q{INSERT INTO sent SELECT i, 7, 0 FROM generate_series(101, 120) AS i});
$node->poll_query_until('other', q{SELECT count(*) = 70 FROM sent}) or die 'nothing was applied';
my $sent = $node->safe_psql('other', q{SELECT queue::regclass FROM anon_seq.watch WHERE source_name = 'sent'});
is($node->safe_psql('other', "SELECT count(*) FROM $sent WHERE k1 BETWEEN 101 AND 120"), 20, 'rows that were applied are noted');
is($node->safe_psql('other', q{SELECT published FROM anon_seq.publish('sent')}), 70, 'and published');
$node->safe_psql($db, q{UPDATE sent SET id = 200, age = 8 WHERE id = 101; DELETE FROM sent WHERE id = 102});
$node->poll_query_until('other', q{SELECT count(*) = 69 FROM sent}) or die 'nothing was applied';
is($node->safe_psql('other', "SELECT string_agg(k1::text, ' ' ORDER BY k1) FROM $sent"), '101 102 200', 'so are keys that changed');
is($node->safe_psql('other', q{SELECT published FROM anon_seq.publish('sent')}), 69, 'and gone');
$node->safe_psql($db, q{TRUNCATE sent; INSERT INTO sent SELECT i, 7, 0 FROM generate_series(1, 30) AS i});
$node->poll_query_until('other', q{SELECT count(*) = 30 FROM sent}) or die 'nothing was applied';
is($node->safe_psql('other', q{SELECT published FROM anon_seq.publish('sent')}), 30, 'TRUNCATE as well');
$node->safe_psql('other', q{DROP SUBSCRIPTION sent});

# --- without the extension no trigger is left ---
my (undef, undef, $drop) = $node->psql('other', q{DROP EXTENSION anon_seq});
like($drop, qr/cannot drop extension anon_seq because other objects depend on it/, 'triggers hold the extension');
$node->safe_psql('other', q{DROP EXTENSION anon_seq CASCADE});
is($node->safe_psql('other', q{SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'anon_seq%'}), 0, 'and go with it');
$node->safe_psql('other', q{INSERT INTO visit VALUES (903, 2, 1)});
$node->stop;
done_testing();
