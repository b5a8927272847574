# Releases survive dump and restore into another cluster, whatever has become of the source: made by a superuser or by a database owner
# who is none, restored by either. The same rows, and the next publish counts what was released before.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;
use Digest::SHA;

# The digest of every release, and what COPY prints of its relation.
sub contents
{
	my ($node, $user, $db) = @_;
	my $digests = as($node, $user, $db, q{SELECT policy, version, digest, published FROM anon_seq.releases ORDER BY 1, 2});
	my $rows = join("\n", map { "$_:\n" . as($node, $user, $db, "COPY (TABLE $_) TO STDOUT") } qw(out.visits_r1 out.visits_r2 out.visits out.ages out.study_r1_nss out.study_ss out.tables));
	$rows .= as($node, $user, $db, 'SELECT * FROM out.study_joined ORDER BY class_id, age, illness, weight');
	my $log = as($node, $user, $db, q{SELECT at, policy, version, step, ok FROM anon_seq.log ORDER BY at});
	return "$digests\n$rows\n$log";
}

my $make = q{
	CREATE SCHEMA out; CREATE SCHEMA private;
	CREATE TYPE private.mood AS ENUM ('low', 'high');
	CREATE TABLE private.visit (id int PRIMARY KEY, job text, age int, day date, mood private.mood, disease text);
	INSERT INTO private.visit SELECT i, (ARRAY['nurse', 'teacher', 'baker', 'miner'])[1 + i % 4], 20 + i * 7 % 40, date '2024-01-01' + i % 30, (ARRAY['low', 'high'])[1 + i % 2]::private.mood,
	  (ARRAY['flu', E'back\\\\slash', NULL])[1 + i % 3] FROM generate_series(1, 120) AS i;
	CREATE TABLE private.old AS SELECT job AS "Job", disease AS "Dx" FROM private.visit;
	SELECT anon_seq.create_taxonomy('job', '{"ANY": {"Service": ["nurse", "teacher"], "Manual": ["baker", "miner"]}}');
	SELECT anon_seq.register_release('old', 'private.old', 'patients', '{"job": {"column": "Job", "taxonomy": "job"}, "disease": "Dx"}');
	SELECT anon_seq.register_release('wrong', 'private.old', 'patients', '{"disease": "Dx"}');
	SELECT anon_seq.withdraw_release('wrong', 'another clinic''s');
	SELECT anon_seq.create_sequential_policy('visits', 'private.visit', 'id', '{job,age,mood}', k => 6, max_link => 0.9, sensitive => '{disease}', publish_as => 'out.visits',
	  population => 'patients', options => '{"valid_split": true, "dangling": "outer"}');
	SELECT anon_seq.publish('visits');
	UPDATE private.visit SET age = 41 WHERE id = 5;
	SELECT anon_seq.publish('visits');
	SELECT anon_seq.create_sequential_policy('ages', 'private.visit', '{job,id}', '{age,day}', k => 9, max_link => 0.95, sensitive => '{disease}', publish_as => 'out.ages', population => 'patients',
	  options => '{"recoding": "local", "dangling": "outer"}');
	SELECT anon_seq.publish('ages');
	SELECT anon_seq.declare_inconsistent('job', 'miner', 'disease', 'none of them');
	SELECT anon_seq.create_incremental_policy('grows', 'private.visit', 'id', '{age}', 5, publish_as => 'out.grows', population => 'grows', options => '{"arrivals": "known"}');
	SELECT anon_seq.publish('grows');
	UPDATE private.visit SET age = 21 WHERE id = 40;
	SELECT anon_seq.publish('grows');
	SELECT anon_seq.withdraw_release('grows/2', 'half of it');
	CREATE TABLE private.clinic AS SELECT i AS id, 20 + i * 7 % 40 AS age, 'd' || i * 11 % 6 AS illness FROM generate_series(1, 240) AS i;
	SELECT anon_seq.create_lossy_join_policy('study', 'private.clinic', 'id', '{age}', '{illness}', 0.4, 3, 'projections', publish_as => 'out.study', population => 'study');
	SELECT anon_seq.publish('study');
	SELECT anon_seq.create_lossy_join_policy('tables', 'private.clinic', 'id', '{age}', '{illness}', 0.4, 3, 'generalized', publish_as => 'out.tables', population => 'tables');
	SELECT anon_seq.publish('tables');
	CREATE TABLE private.town AS SELECT age, 3 AS n FROM private.clinic;
	SELECT anon_seq.register_population('town', 'private.town', 'n');
	SELECT anon_seq.create_sequential_policy('mapped', 'private.clinic', 'id', '{age}', rules => '[{"kind": "k_map", "population": "town", "min": 40}, {"kind": "presence", "population": "town", "below": 0.5}]', publish_as => 'out.mapped', population => 'mapped');
	SELECT anon_seq.publish('mapped');
};

my $source = cluster('source');
$source->safe_psql('postgres', 'CREATE ROLE landlord LOGIN');
my $super = $source->safe_psql('postgres', 'SELECT current_user');
my %installer = (by_super => $super, by_owner => 'landlord');
my $withdrawn = q{SELECT policy, version, relations = '{}', withdrawn_by, withdrawn_at, withdrawn_reason FROM anon_seq.releases WHERE withdrawn_at IS NOT NULL ORDER BY 1};
my (%dump, %expected, %expected_withdrawn);
for my $db (sort keys %installer)
{
	$source->safe_psql('postgres', "CREATE DATABASE $db OWNER $installer{$db}");
	my ($out, $err) = as($source, $installer{$db}, $db, "CREATE EXTENSION anon_seq; $make");
	is($err, '', "$db: released");
	$expected{$db} = contents($source, $installer{$db}, $db);
	$expected_withdrawn{$db} = as($source, $installer{$db}, $db, $withdrawn);
	like($expected_withdrawn{$db}, qr/^grows\|2\|t\|.*half of it\nwrong\|0\|f\|.*another clinic's$/, "$db: two were withdrawn");
	like($expected{$db}, qr/ages\|1\|.*visits\|2\|/s, "$db: releases are there");
	# The digest is that of doc/reference.md, here by a library of its own.
	my @rows = split /\n/, as($source, $installer{$db}, $db, q{SELECT encode(convert_to(ROW(r.*)::text, 'UTF8'), 'hex') || ' ' || count(*) FROM out.visits_r2 AS r GROUP BY ROW(r.*)::text});
	my %bucket;
	push @{ $bucket{ substr $_, 0, 1 } }, $_ for map { my ($row, $n) = split / /; Digest::SHA::sha256(pack('H*', $row) . pack 'Q>', $n) } @rows;
	my $digest = Digest::SHA::sha256_hex(join '', map { $_ . Digest::SHA::sha256(join '', sort @{ $bucket{$_} }) } sort keys %bucket);
	is(as($source, $installer{$db}, $db, q{SELECT digest FROM anon_seq.releases WHERE policy = 'visits' AND version = 2}), $digest, "$db: the digest is that of the rows");
	# The source changes after the release and before the dump; one is even gone.
	($out, $err) = as($source, $installer{$db}, $db, q{UPDATE private.visit SET age = age + 3, disease = 'changed' WHERE id % 2 = 0; DELETE FROM private.visit WHERE id < 10; DROP TABLE private.old});
	is($err, '', "$db: the source has changed");
	for my $format ('c', 'd')
	{
		$dump{"$db.$format"} = $source->backup_dir . "/$db.$format";
		command_ok([ 'pg_dump', '-U', $installer{$db}, "-F$format", $format eq 'd' ? '-j2' : (), '-f', $dump{"$db.$format"}, $source->connstr($db) ], "$db: dumped as -F$format");
	}
}

my $target = cluster('target');
$target->safe_psql('postgres', 'CREATE ROLE newcomer LOGIN');
my $count = 0;
for my $dump (sort keys %dump)
{
	my ($of) = split(/\./, $dump);
	for my $owner ($super, 'newcomer')
	{
		my $db = 'restored_' . ++$count;
		my $name = "$dump restored by $owner";
		$target->safe_psql('postgres', "CREATE DATABASE $db OWNER $owner");
		my ($stdout, $stderr) = run_command([ 'pg_restore', '-U', $owner, '-d', $target->connstr($db), '--no-owner', '-j2', $dump{$dump} ]);
		is(join("\n", grep { /error: / && !/role "landlord" does not exist/ } split(/\n/, $stderr)), '', "$name: no error");
		is(contents($target, $owner, $db), $expected{$of}, "$name: the same rows and digests");
		cmp_ok(as($target, $owner, $db, q{SELECT count(*) FROM anon_seq.confirm_ledgers()}), '>=', 4, "$name: nothing was published since");
		is(as($target, $owner, $db, $withdrawn), $expected_withdrawn{$of}, "$name: and what was withdrawn");
		# REFRESH does no harm: the views stand on the ledger.
		my ($out, $err) = as($target, $owner, $db, join ';', map { "REFRESH MATERIALIZED VIEW out.$_" } qw(visits_r1 study_r1_nss study_r1_ss tables_r1));
		is($err, '', "$name: refreshed");
		is(contents($target, $owner, $db), $expected{$of}, "$name: the same rows after REFRESH");
		is(as($target, $owner, $db, q{SELECT string_agg(DISTINCT check_name, ',') FROM anon_seq.audit('visits', everything => true) WHERE NOT ok}), 'unchanged', "$name: the audit misses the table that is gone, nothing else");
		is(as($target, $owner, $db, q{SELECT bool_and(ok) FROM anon_seq.audit('ages', everything => true) WHERE check_name <> 'unchanged'}), 't', "$name: the other policy's audit holds");
		is(as($target, $owner, $db, q{SELECT bool_and(ok), count(*) FROM (SELECT * FROM anon_seq.audit('study') UNION ALL SELECT * FROM anon_seq.audit('tables')) AS c}), 't|8', "$name: the audits of lossy joins hold");
		is(as($target, $owner, $db, q{SELECT string_agg(check_name || ' ' || ok || ' ' || (detail->>'population_changed'), ', ' ORDER BY check_name) FROM anon_seq.audit('mapped') WHERE check_name IN ('k_map', 'presence')}),
			'k_map true false, presence true false', "$name: rules about people hold on the same population");
		is(as($target, $owner, $db, q{SELECT string_agg(version::text, ',') FROM unnest('{study,tables}'::text[]) AS p, LATERAL anon_seq.publish(p)}), '1,1', "$name: and nothing of theirs is new");
		($out, $err) = as($target, $owner, $db, q{SELECT version FROM anon_seq.publish('visits')});
		is("$out$err", '3', "$name: the next publish works");
		is(as($target, $owner, $db, q{SELECT string_agg(DISTINCT substring(scope FROM 'visits/3 with (.*)'), ',' ORDER BY substring(scope FROM 'visits/3 with (.*)')) FROM anon_seq.audit('visits', everything => true) WHERE scope LIKE 'visits/3 with %'}),
			'ages/1,old,old, ages/1,visits/1,visits/2', "$name: and counts all that was released before");
		($out, $err) = as($target, $owner, $db, q{DELETE FROM anon_seq_ledger.p1_cell});
		like($err, qr/not changed by hand/, "$name: triggers guard the ledger");
		is(as($target, $owner, $db, q{SELECT count(*) FROM pg_class AS c, aclexplode(c.relacl) AS a WHERE c.relnamespace = 'anon_seq_ledger'::regnamespace AND c.relkind <> 'S' AND a.grantee <> c.relowner}), '0', "$name: the ledger is closed");
		($out, $err) = as($target, $owner, $db, q{SELECT anon_seq.create_sequential_policy('new', 'private.visit', 'id', '{day}', 5, population => 'new'); SELECT anon_seq.publish('new')});
		is($err, '', "$name: a new policy gets a new number");
		($out, $err) = as($target, $owner, $db, q{SELECT anon_seq.withdraw_release('ages/1', 'x')});
		like($err, qr/may have been read.*in another database/s, "$name: who could read a version elsewhere, nobody knows here");
		($out, $err) = as($target, $owner, $db, q{SELECT anon_seq.withdraw_release('visits/3', 'x'); SELECT anon_seq.withdraw_release('grows/1', 'x')});
		like($err, qr/^[^\n]*"grows\/1" may have been read/, "$name: what was published here can be withdrawn");
		is(as($target, $owner, $db, q{SELECT string_agg(scope, ',') FROM anon_seq.audit('visits', everything => true) WHERE check_name = 'withdrawn'}), 'wrong,visits/3', "$name: audits say so");
	}
}

done_testing();
