# An incremental policy survives dump and restore after its fourth version: the same update gives the same regions there as here. Dumped and
# restored by a superuser, and by a database owner who is none, with --no-owner. And two publishes at the same time make one version each, in turn.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

# Numbers (some unknown, one with an odd name), dates, numerics, a taxonomy with odd labels; keys of type text.
my $make = q{
	CREATE SCHEMA out; CREATE SCHEMA private;
	CREATE TABLE private.visit (id text PRIMARY KEY, "the age" int, weight numeric(5,1), day date, job text, disease text, at timestamptz DEFAULT now());
	CREATE FUNCTION private.arrive(first int, last int) RETURNS void LANGUAGE sql AS $$
	  INSERT INTO private.visit SELECT 'n° ' || i, CASE WHEN i % 31 > 0 THEN 18 + (i * 7919) % 61 END, 40 + ((i * 104729) % 600) / 10.0, date '2024-01-01' + (i * 6007) % 400,
	    (ARRAY['nurse', 'the "boss"', 'baker', 'miner', E'back\\\\slash', NULL])[1 + (i * 31) % 6], (ARRAY['flu', E'tab\t', NULL])[1 + i % 3] FROM generate_series(first, last) AS i $$;
	SELECT anon_seq.create_taxonomy('job', '{"ANY": {"Service": ["nurse", "the \"boss\""], "Manual": ["baker", "miner", "back\\\\slash"]}}');
	SELECT anon_seq.create_incremental_policy('regions', 'private.visit', 'id', '{"the age",weight,day,job}', 4, sensitive => '{disease}', publish_as => 'out.regions', population => 'a');
	SELECT anon_seq.create_incremental_policy('boxes', 'private.visit', 'id', '{"the age",weight,job}', 3, publish_as => 'out.boxes', population => 'b',
	  options => '{"shape": "box", "categorical": "order", "object_id": true, "arrivals": "known", "domains": {"the age": [20, 70]}}');
	SELECT anon_seq.create_incremental_policy('recent', 'private.visit', 'id', '{"the age",day}', 3, publish_as => 'out.recent', population => 'c',
	  options => '{"choice": "entropy", "changed_since": "at"}');
	SELECT anon_seq.create_incremental_policy('once', 'private.visit', 'id', '{"the age",weight,day,job}', 4, sensitive => '{disease}', publish_as => 'out.once', population => 'd', options => '{"storage": "shared"}');
	SELECT private.arrive(1, 600);
	SELECT anon_seq.publish(p) FROM unnest('{regions,boxes,recent,once}'::text[]) AS p;
	SELECT private.arrive(601, 800); DELETE FROM private.visit WHERE length(id) = 5 AND "the age" < 40;
	SELECT anon_seq.publish(p) FROM unnest('{regions,boxes,recent,once}'::text[]) AS p;
	SELECT private.arrive(801, 1000); UPDATE private.visit SET job = 'miner', at = clock_timestamp() WHERE "the age" = 44; DELETE FROM private.visit WHERE day > '2024-12-20';
	SELECT anon_seq.publish(p) FROM unnest('{regions,boxes,recent,once}'::text[]) AS p;
	SELECT private.arrive(1001, 1100); SELECT anon_seq.add_to_taxonomy('job', 'Service', 'cook'); UPDATE private.visit SET disease = 'none', at = clock_timestamp() WHERE weight > 95;
	SELECT anon_seq.publish(p) FROM unnest('{regions,boxes,recent,once}'::text[]) AS p;
	SELECT anon_seq.retire_release('regions/1')};
my $update = q{
	SELECT private.arrive(1101, 1700);
	UPDATE private.visit SET job = 'cook', at = clock_timestamp() WHERE "the age" = 52;
	UPDATE private.visit SET "the age" = "the age" + 1, at = clock_timestamp() WHERE "the age" = 33;
	DELETE FROM private.visit WHERE weight BETWEEN 60 AND 62;
	SELECT string_agg((x).policy || ' ' || (x).version, ', ') FROM (SELECT anon_seq.publish(p) AS x FROM unnest('{regions,boxes,recent,once}'::text[]) AS p) AS y};
my %quasi = (regions => '"the age", weight, day, job', boxes => '"the age", weight, job', once => '"the age", weight, day, job', recent => '"the age", day');

# What the releases of a version show, without object ids, which are random.
sub regions
{
	my ($node, $user, $db, $version) = @_;
	return join("\n", map { "$_/$version:\n" . as($node, $user, $db, "COPY (SELECT $quasi{$_}, count(*) FROM out.${_}_r$version GROUP BY $quasi{$_} ORDER BY $quasi{$_}) TO STDOUT") } sort keys %quasi);
}

# All else that can be said of them. Digests are over rows, so of those with object ids new ones differ.
sub contents
{
	my ($node, $user, $db) = @_;
	my @said = map { scalar as($node, $user, $db, $_) } (
		q{SELECT policy, version, published, waiting, deferred, withheld, classes, smallest_class, CASE WHEN policy <> 'boxes' OR version < 5 THEN digest END FROM anon_seq.releases ORDER BY 1, 2},
		q{SELECT r, m.metric, m.value FROM unnest('{regions,boxes,recent,once,regions/2,recent/3,once/2}'::text[]) AS r, anon_seq.measure(r) AS m ORDER BY 1, 2},
		q{SELECT md5(string_agg(release_row::text, ',' ORDER BY release_row::text COLLATE "C")) FROM anon_seq.release_rows('regions/1')});
	return join("\n\n", @said);
}

sub unsound { as($_[0], $_[1], $_[2], q{SELECT string_agg(p || ': ' || check_name || ' of ' || scope || ': ' || observed, '; ') FROM unnest('{regions,boxes,recent,once}'::text[]) AS p, anon_seq.audit(p, everything => true) WHERE NOT ok}) }

my $source = cluster('source');
$source->safe_psql('postgres', 'CREATE ROLE landlord LOGIN');
my $super = $source->safe_psql('postgres', 'SELECT current_user');
my %installer = (by_super => $super, by_owner => 'landlord');
my (%dump, %before, %after);
for my $db (sort keys %installer)
{
	my $owner = $installer{$db};
	$source->safe_psql('postgres', "CREATE DATABASE $db OWNER $owner");
	my ($out, $err) = as($source, $owner, $db, "CREATE EXTENSION anon_seq; $make");
	is($err, '', "$db: four versions");
	$before{$db} = contents($source, $owner, $db) . regions($source, $owner, $db, 4);
	like($before{$db}, qr/^boxes\|4\|.*^once\|4\|.*^recent\|4\|.*^regions\|4\|/ms, "$db: of four policies");
	$dump{$db} = $source->backup_dir . "/$db.dump";
	command_ok([ 'pg_dump', '-U', $owner, '-Fc', '-f', $dump{$db}, $source->connstr($db) ], "$db: dumped by $owner");

	# On without a restore.
	($out, $err) = as($source, $owner, $db, $update);
	is("$out$err", 'regions 5, boxes 5, recent 5, once 5', "$db: a fifth version");
	$after{$db} = contents($source, $owner, $db) . regions($source, $owner, $db, 5);
	is(unsound($source, $owner, $db), '', "$db: the audit finds nothing");
}

my $target = cluster('target');
$target->safe_psql('postgres', 'CREATE ROLE newcomer LOGIN');
my $count = 0;
for my $of (sort keys %dump)
{
	for my $owner ($super, 'newcomer')
	{
		my $db = 'restored_' . ++$count;
		my $name = "$of restored by $owner";
		$target->safe_psql('postgres', "CREATE DATABASE $db OWNER $owner");
		my ($stdout, $stderr) = run_command([ 'pg_restore', '-U', $owner, '-d', $target->connstr($db), '--no-owner', '-j2', $dump{$of} ]);
		is(join("\n", grep { /error: / && !/role "landlord" does not exist/ } split(/\n/, $stderr)), '', "$name: no error");
		is(contents($target, $owner, $db) . regions($target, $owner, $db, 4), $before{$of}, "$name: the same releases");
		is(as($target, $owner, $db, 'SELECT string_agg(policy || $$ $$ || version, $$, $$) FROM anon_seq.confirm_ledgers()'), 'boxes 4, once 4, recent 4, regions 4', "$name: nothing was published since");
		is(unsound($target, $owner, $db), '', "$name: the audit finds nothing");
		my ($out, $err) = as($target, $owner, $db, q{SELECT string_agg((x).policy || ' ' || (x).version, ', ') FROM (SELECT anon_seq.publish(p) AS x FROM unnest('{regions,boxes,recent,once}'::text[]) AS p) AS y});
		is("$out$err", 'regions 4, boxes 4, recent 4, once 4', "$name: nothing has changed");

		($out, $err) = as($target, $owner, $db, $update);
		is("$out$err", 'regions 5, boxes 5, recent 5, once 5', "$name: a fifth version after the same update");
		is(contents($target, $owner, $db) . regions($target, $owner, $db, 5), $after{$of}, "$name: with the same regions as without dump and restore");
		is(unsound($target, $owner, $db), '', "$name: the audit finds nothing");
		($out, $err) = as($target, $owner, $db, q{SELECT count(*) = count(o.object_id) AND count(*) > 400 FROM out.boxes_r4 AS n LEFT JOIN out.boxes_r5 AS o USING (object_id) WHERE o."the age" <@ n."the age" AND o.weight <@ n.weight});
		is("$out$err", 't', "$name: objects keep their ids, in regions inside the earlier ones");

		($out, $err) = as($target, $owner, $db, q{SELECT string_agg(relname || array_to_string(reloptions, ''), ', ' ORDER BY relname) FROM pg_class WHERE relname ~ '^p4_shown'});
		is("$out$err", join(', ', map { "p4_shown${_}security_barrier=true" } '', map { "_$_" } 1 .. 5), "$name: cells that are stored once are fenced");
		($out, $err) = as($target, $owner, $db, q{SELECT (SELECT count(*) FROM out.once) = (SELECT count(*) FROM out.once_r5), (SELECT sum(n) FROM out.once_flat) = (SELECT count(*) FROM out.once_r5), (SELECT string_agg(version::text, '') FROM anon_seq.releases WHERE policy = 'once' AND shown)});
		is("$out$err", 't|t|5', "$name: and their stable names show the fifth version");
		($out, $err) = as($target, $owner, $db, q{SELECT anon_seq.retire_release('regions/2'); SELECT to_regclass('out.regions_r2') IS NULL, count(*) FROM anon_seq.release_rows('regions/2')});
		like("$out$err", qr/^t\|\d{3}$/, "$name: a version is retired, and remembered");
		($out, $err) = as($target, $owner, $db, q{SELECT string_agg(release || CASE WHEN still_shown THEN ' shows' ELSE '' END, ', ' ORDER BY release) FROM anon_seq.forget('a', 'n° 1099')});
		is("$out$err", 'regions/4 shows, regions/5 shows', "$name: a person is forgotten");
		is(as($target, $owner, $db, q{SELECT count(*) FROM anon_seq_ledger.p1_object WHERE person = 'n° 1099'}), '0', "$name: and not in the ledger any more");
		($out, $err) = as($target, $owner, $db, q{DELETE FROM private.visit WHERE id = 'n° 1099'; SELECT version FROM anon_seq.publish('regions')});
		is("$out$err", '6', "$name: and a sixth version is made without him");
		is(unsound($target, $owner, $db), '', "$name: the audit finds nothing");
		($out, $err) = as($target, $owner, $db, q{DELETE FROM anon_seq_ledger.p1_member});
		like($err, qr/not changed by hand/, "$name: triggers guard the ledger");
		is(as($target, $owner, $db, q{SELECT count(*) FROM pg_class AS c, aclexplode(c.relacl) AS a WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relkind <> 'S' AND a.grantee <> c.relowner}), '0', "$name: which is closed");
	}
}

# --- an update arrives while another publish runs ---
my $db = 'by_super';

# Persons arrive and are published in a transaction that stays open while in another session others arrive and are published; returns both versions.
sub two_publishes
{
	my ($first, $second) = @_;
	my ($in_a, $out_a, $in_b, $out_b) = ('', '', '', '');
	my @psql = ('psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $source->connstr($db));
	my $timer = IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default);
	my $a = IPC::Run::start([@psql], '<', \$in_a, '>', \$out_a, '2>', '/dev/null', $timer);
	my $b = IPC::Run::start([@psql], '<', \$in_b, '>', \$out_b, '2>', '/dev/null', $timer);
	$in_a = "SELECT private.arrive($first) \\g /dev/null\nBEGIN; SELECT 'a ' || version FROM anon_seq.publish('regions');\n";
	$a->pump until $out_a =~ /^a \d+\n/;
	$in_b = "SELECT private.arrive($second) \\g /dev/null\nSELECT 'b ' || version FROM anon_seq.publish('regions');\n";
	$b->pump_nb;
	$source->poll_query_until($db, q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%publish%' AND pid <> pg_backend_pid()});
	$in_a = "COMMIT;\n\\q\n";
	$a->finish;
	$in_b .= "\\q\n";
	$b->finish;
	return "$out_a$out_b";
}
is(two_publishes('2001, 2060', '2061, 2120'), "a 6\nb 7\n", 'a publish waits for another, then publishes what has come meanwhile');
is(two_publishes('2121, 2180', '0, -1'), "a 8\nb 8\n", 'or finds that all of it has been published');
is($source->safe_psql($db, q{SELECT string_agg(check_name || ' of ' || scope, ', ') FROM anon_seq.audit('regions', everything => true) WHERE NOT ok}), '', 'the audit finds nothing');

done_testing();
