# An update of the extension: a database with two policies, six versions and a registered release, made by this version, goes to a later one, which
# has another signature and keeps another format of ledgers. In place, and as a dump that is restored beside it. The library stays the same file:
# anon_seq.next_version makes it behave as the later one would (test/module/next_version.h), and test/update has the script of that.
use strict;
use warnings;
use File::Copy;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $source = cluster('source');
my ($extensions) = run_command([ 'pg_config', '--sharedir' ]);
$extensions .= '/extension';
my $script = 'anon_seq--0.2.0--0.2.1.sql';
plan skip_all => 'the library has no functions for tests' if !has_selftests($source);
plan skip_all => "$extensions cannot be written" if !-w $extensions;
copy("$FindBin::RealBin/../update/$script", "$extensions/$script") or die "$script: $!";

my $make = q{
	CREATE SCHEMA out; CREATE SCHEMA private;
	CREATE TABLE private.visit AS SELECT i AS id, 20 + i * 7 % 50 AS age, (ARRAY['nurse', 'clerk', 'baker', 'miner'])[1 + i % 4] AS job, (ARRAY['flu', 'cold', NULL])[1 + i % 3] AS disease FROM generate_series(1, 400) AS i;
	CREATE TABLE private.old AS SELECT job, disease AS dx FROM private.visit;
	SELECT anon_seq.create_flat_taxonomy('job', '{nurse,clerk,baker,miner}');
	SELECT anon_seq.register_release('old', 'private.old', 'a');
	SELECT anon_seq.create_sequential_policy('seq', 'private.visit', 'id', '{job,age}', k => 8, max_link => 0.9, sensitive => '{disease}', publish_as => 'out.seq', population => 'a', options => '{"dangling": "outer"}',
	  rules => '[{"kind": "linkability", "x": ["job"], "y": [{"release": "old", "column": "dx"}], "max": 0.9, "partial_x": true}]');
	SELECT anon_seq.create_incremental_policy('inc', 'private.visit', 'id', '{job,age}', k => 6, sensitive => '{disease}', publish_as => 'out.inc', population => 'b');
	SELECT anon_seq.publish('seq'), anon_seq.publish('inc');
	INSERT INTO private.visit SELECT i, 20 + i * 11 % 50, 'nurse', 'flu' FROM generate_series(401, 440) AS i;
	SELECT anon_seq.publish('seq'), anon_seq.publish('inc');
	UPDATE private.visit SET age = age + 1 WHERE id % 50 = 0; DELETE FROM private.visit WHERE id % 37 = 0;
	SELECT anon_seq.publish('seq'), anon_seq.publish('inc')};
my $next = q{INSERT INTO private.visit SELECT i, 30 + i % 9, 'clerk', 'cold' FROM generate_series(501, 530) AS i;
	SELECT string_agg((x).policy || ' ' || (x).version, ', ') FROM (SELECT anon_seq.publish(p) AS x FROM unnest('{seq,inc}'::text[]) AS p) AS y};

sub audits { scalar as($_[0], $_[1], $_[2], q{SELECT p, check_name, scope, required, observed, ok FROM unnest('{seq,inc}'::text[]) AS p, anon_seq.audit(p, everything => true)}) }
sub releases { scalar as($_[0], $_[1], $_[2], q{SELECT policy, version, published, waiting, deferred, classes, digest FROM anon_seq.releases ORDER BY 1, 2}) }
sub rows_of_new { scalar as($_[0], $_[1], $_[2], q{SELECT md5(string_agg(t, ',' ORDER BY t COLLATE "C")) FROM (SELECT 's' || s::text FROM out.seq AS s UNION ALL SELECT 'i' || i::text FROM out.inc AS i) AS x (t)}) }
sub formats { $_[0]->safe_psql($_[1], q{SELECT string_agg(name || ' ' || format, ', ' ORDER BY name) FROM anon_seq.ledger WHERE name ~ '^[pr]'}) }

# --- this version; one database goes on without an update, as the measure ---
my $super = $source->safe_psql('postgres', 'SELECT current_user');
$source->safe_psql('postgres', 'CREATE ROLE landlord LOGIN; CREATE ROLE stranger LOGIN');
for my $db (qw(plain updated))
{
	$source->safe_psql('postgres', "CREATE DATABASE $db OWNER landlord");
	my ($out, $err) = as($source, 'landlord', $db, "CREATE EXTENSION anon_seq VERSION '0.2.0'; $make");
	is($err, '', "$db: two policies, six versions, a registered release");
	is(formats($source, $db), 'p1 1, p2 1, r1 1', "$db: ledgers have a format");
}
my ($audits, $releases) = (audits($source, 'landlord', 'updated'), releases($source, 'landlord', 'updated'));
unlike($audits, qr/\|f$/m, 'the audits are clean');
my $dump = $source->backup_dir . '/updated.dump';
command_ok([ 'pg_dump', '-U', $super, '-Fc', '-f', $dump, $source->connstr('updated') ], 'dumped before the update');
my ($out, $err) = as($source, 'landlord', 'plain', $next);
is("$out$err", 'seq 4, inc 4', 'without an update: a fourth version of each');
my ($fourth, $shown) = (releases($source, 'landlord', 'plain'), rows_of_new($source, 'landlord', 'plain'));

# --- the later library; a publisher put a trigger on his ledger, which nobody runs ---
as($source, 'landlord', 'updated', q{CREATE TABLE private.ran (by text); CREATE FUNCTION private.spy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO private.ran VALUES (current_user); RETURN NULL; END $$;
	CREATE TRIGGER spy AFTER INSERT OR UPDATE ON anon_seq_ledger.p1_note FOR EACH STATEMENT EXECUTE FUNCTION private.spy()});
$source->append_conf('postgresql.conf', 'anon_seq.next_version = on');
$source->restart;
($out, $err) = as($source, 'landlord', 'updated', q{ALTER EXTENSION anon_seq UPDATE TO '0.2.1'; SELECT extversion FROM pg_extension WHERE extname = 'anon_seq'});
is("$out$err", '0.2.1', 'updated in place, by an owner of the database who is no superuser');
is(formats($source, 'updated'), 'p1 1, p2 1, r1 1', 'the script has touched no ledger');
($out, $err) = as($source, 'landlord', 'updated', q{BEGIN READ ONLY; SELECT count(*) FROM anon_seq.cut('inc')});
like($err, qr/made by an older version of anon_seq.*format 1; this library makes and reads format 2.*read-only/s, 'a ledger is not brought up to date where nothing can be changed');
($out, $err) = as($source, 'landlord', 'updated', q{SELECT count(*) FROM anon_seq.audit('seq')});
like($err, qr/ledger relation "p1_note" was altered.*trigger spy/s, 'nor with a trigger of its owner on it');
is(formats($source, 'updated'), 'p1 1, p2 1, r1 1', 'which stays as it is');
as($source, 'landlord', 'updated', 'DROP TRIGGER spy ON anon_seq_ledger.p1_note');
is(audits($source, 'landlord', 'updated'), $audits, 'audits as before');
is(formats($source, 'updated'), 'p1 2, p2 2, r1 1', 'and the ledgers of policies are up to date then; what was registered has not changed its format');
is(as($source, 'landlord', 'updated', q{SELECT string_agg(version || ' ' || made_in, ', ' ORDER BY version) FROM anon_seq_ledger.p2_note}), '1 1, 2 1, 3 1', 'a column more');
($out, $err) = as($source, 'landlord', 'updated', q{SELECT anon_seq.point('seq') AND anon_seq.point('inc', patience => '1 s')});
is("$out$err", 't', 'the new signature answers old calls and new ones');
($out, $err) = as($source, 'landlord', 'updated', $next);
is("$out$err", 'seq 4, inc 4', 'a fourth version of each');
is(releases($source, 'landlord', 'updated'), $fourth, 'equal to those without an update');
is(rows_of_new($source, 'landlord', 'updated'), $shown, 'row for row');
is(as($source, 'landlord', 'updated', q{SELECT count(*) FROM private.ran}), '0', 'what a publisher put on his ledger never ran');
is(as($source, 'landlord', 'updated', q{SELECT string_agg(version || ' ' || made_in, ', ' ORDER BY version) FROM anon_seq_ledger.p2_note}), '1 1, 2 1, 3 1, 4 2', 'in the new format');

# --- the dump of the older one, restored beside the later library; the script never runs there on ledgers ---
my $target = cluster('target');
$target->append_conf('postgresql.conf', 'anon_seq.next_version = on');
$target->restart;
$target->safe_psql('postgres', 'CREATE ROLE landlord LOGIN');
$target->safe_psql('postgres', 'CREATE DATABASE restored OWNER landlord');
command_ok([ 'pg_restore', '-d', $target->connstr('restored'), $dump ], 'restored beside the later version');
$target->safe_psql('restored', q{ALTER EXTENSION anon_seq UPDATE TO '0.2.1'; SELECT anon_seq.grant_publish('landlord')});
is(formats($target, 'restored'), 'p1 1, p2 1, r1 1', 'with ledgers of the older format');
as($target, 'landlord', 'restored', 'SELECT FROM anon_seq.confirm_ledgers()');
is(audits($target, 'landlord', 'restored'), $audits, 'audits as before');
($out, $err) = as($target, 'landlord', 'restored', $next);
is("$out$err", 'seq 4, inc 4', 'a fourth version of each');
is(releases($target, 'landlord', 'restored'), $fourth, 'equal to those without an update');
is(rows_of_new($target, 'landlord', 'restored'), $shown, 'row for row');
is(formats($target, 'restored'), 'p1 2, p2 2, r1 1', 'the ledgers are up to date');
($out, $err) = as($target, 'landlord', 'restored', q{SELECT string_agg(release, ', ' ORDER BY release) FROM anon_seq.forget('b', '17')});
is("$out$err", 'inc/1, inc/2, inc/3, inc/4', 'a person is forgotten in ledgers of either format');

# --- and the older library meets a ledger of the later one ---
$source->append_conf('postgresql.conf', 'anon_seq.next_version = off');
$source->restart;
for my $call (q{publish('inc')}, q{audit('seq', everything => true)}, q{preview('seq')}, q{forget('b', '18')}, q{cut('inc')})
{
	($out, $err) = as($source, 'landlord', 'updated', "SELECT * FROM anon_seq.$call");
	like($err, qr/made by a newer version of anon_seq.*It has format 2; this library makes and reads format 1.*Install that version/s, "$call: a newer ledger is not touched");
}
unlink("$extensions/$script");
done_testing();
