# The recipe of doc/reference.md for another database, as it stands there: by logical replication, and by pg_dump.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my ($section) = slurp_file("$FindBin::RealBin/../../doc/reference.md") =~ /^### Another database\n(.*?)^### /ms or die 'no recipe';
my ($here, $there, $nightly) = $section =~ /^```sql\n(.*?)^```/msg;
ok($here && $there && $nightly, 'the recipe has three parts');

my $clinic = cluster('clinic');
$clinic->append_conf('postgresql.conf', "wal_level = logical\nmax_wal_senders = 4");
$clinic->restart;
my $elsewhere = cluster('elsewhere');
my $source = $clinic->connstr('clinic');
my $quoted = $source =~ s/'/''/gr;
ok($there =~ s/CONNECTION '[^']*'/CONNECTION '$quoted'/, 'of the second only the connection is another');

$clinic->safe_psql('postgres', 'CREATE DATABASE clinic');
$clinic->safe_psql('clinic', q{
	CREATE EXTENSION anon_seq;
	CREATE TABLE admissions AS SELECT i AS id, (ARRAY['nurse', 'clerk', 'baker', 'miner'])[1 + i % 4] AS job, 20 + i * 7 % 50 AS age, (ARRAY['flu', NULL])[1 + i % 2] AS ill FROM generate_series(1, 300) AS i;
	SELECT anon_seq.create_flat_taxonomy('job', '{nurse,clerk,baker,miner}');
	SELECT anon_seq.create_incremental_policy('admissions_nightly', 'admissions', 'id', '{job,age}', 10, publish_as_is => '{ill}');
	SELECT anon_seq.publish('admissions_nightly');
});
$clinic->safe_psql('clinic', $here);
my $schema = "$PostgreSQL::Test::Utils::tmp_check/outbox.sql";
$clinic->command_ok([ 'pg_dump', '--schema-only', '--table', 'outbox.admissions', '--file', $schema, '-d', $source ], 'its definition is dumped');
$elsewhere->safe_psql('postgres', 'CREATE SCHEMA outbox');
$elsewhere->safe_psql('postgres', slurp_file($schema));
$elsewhere->safe_psql('postgres', $there);
$elsewhere->wait_for_subscription_sync($clinic, 'outbox');

my $recomputed = slurp_file("$FindBin::RealBin/../data/recomputed.sql");
my $check = sub {
	my ($node, $db, $what) = @_;
	my $digest = $clinic->safe_psql('clinic', q{SELECT digest FROM anon_seq.releases ORDER BY version DESC LIMIT 1});
	is($node->safe_psql($db, "BEGIN; $recomputed; SELECT recomputed('outbox.admissions'); ROLLBACK"), $digest, $what);
};
$check->($elsewhere, 'postgres', 'the copy is what was published');
$clinic->safe_psql('clinic', q{INSERT INTO admissions SELECT 1000 + i, 'nurse', 30 + i % 9, 'flu' FROM generate_series(1, 40) AS i; SELECT anon_seq.publish('admissions_nightly')});
$clinic->safe_psql('clinic', $nightly);
$clinic->wait_for_catchup('outbox');
$check->($elsewhere, 'postgres', 'and so is the next version');
$elsewhere->safe_psql('postgres', 'CREATE DATABASE copy');
my $dump = "$PostgreSQL::Test::Utils::tmp_check/copy.sql";
$clinic->command_ok([ 'pg_dump', '--table', 'outbox.admissions', '--file', $dump, '-d', $source ], 'the table is dumped');
$elsewhere->safe_psql('copy', 'CREATE SCHEMA outbox');
$elsewhere->safe_psql('copy', slurp_file($dump));
$check->($elsewhere, 'copy', 'its dump as well');
is($elsewhere->safe_psql('postgres', q{SELECT count(*) FROM pg_namespace WHERE nspname ~ '^anon_seq'}), '0', 'nothing of ours is there');

done_testing();
