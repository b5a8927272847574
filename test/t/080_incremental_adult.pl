# Incremental releases of Adult under attack: 12,000 rows, then ten updates of 600 to 3,000 (arrivals, departures, returns, other quasi values), several
# policies side by side. The attacker is InferenceAttack.pm, which knows the published rows with their object ids, the taxonomies, and the values of
# his victims. All subsets of the first six versions, then all prefixes.
#
# What doc/semantics.md promises, for any set of versions: whoever is in its last version is one of k in every reading; everybody at his true point
# (cover). Who has left may be alone under equal and contain: his last region was cut later. With "arrivals": "known" all of it holds among those who
# came and went with him, for everybody.
#
# Last, today's practice beside it: two partitions of the same data made without knowing each other.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use InferenceAttack;
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $data = $ENV{ANON_SEQ_SHARED_DATA};
plan skip_all => 'ANON_SEQ_SHARED_DATA names no folder' unless $data && -d $data;

# --- the attacker himself, on the examples of doc/semantics.md, k = 2 ---
sub small_attack
{
	my @releases = @_;
	my $attack = InferenceAttack->new(2, undef);
	$attack->release(@$_) for @releases;
	$attack->victim(@$_) for [ a => 1 ], [ b => 7 ], [ c => 2 ], [ d => 8 ];
	$attack->prepare(InferenceAttack::subsets(scalar @releases));
	return $attack;
}
my $withheld = small_attack([ [ a => '[0,10)' ], [ b => '[0,10)' ] ], [ [ a => '[0,5)' ], [ c => '[0,5)' ], [ b => '[5,10)' ], [ d => '[5,10)' ] ], [ [ b => '[5,10)' ], [ d => '[5,10)' ] ]);
is($withheld->attack(0, 0, 2)->{cover}{gone}, 1, 'a withheld region gives somebody away to a reader of two versions of three');
is($withheld->attack(0, 0, 1, 2)->{cover}{gone}, 0, 'but not to a reader of all three');
my $paper = small_attack([ [ a => '[1,6)' ], [ b => '[3,10)' ] ], [ [ a => '[3,10)' ], [ b => '[3,10)' ] ], [ [ a => '[3,6)' ], [ b => '[3,6)' ] ]);
is_deeply([ map { $paper->attack(0, @$_)->{equal}{live} } [ 0, 1 ], [ 0, 1, 2 ] ], [ 2, 0 ], 'equal is not monotone in the set of releases');
is($paper->strays, 1, 'a region that grew is found');
is($paper->liars, 2, 'and one that does not hold its object');
my $cohorts = small_attack([ [ a => '[0,10)' ], [ b => '[0,10)' ] ], [ [ a => '[0,10)' ], [ b => '[0,10)' ], [ c => '[0,10)' ] ]);
is_deeply([ map { $cohorts->attack($_, 0, 1)->{cover}{live} } 0, 1 ], [ 0, 1 ], 'who came alone is found by one who knows when');

# --- the data ---
my $node = cluster('main');
$node->safe_psql('postgres', 'CREATE EXTENSION anon_seq');
my $folder = PostgreSQL::Test::Utils::tempdir();

# Lines that COPY prints for a query.
sub lines
{
	my $sql = shift;
	$node->safe_psql('postgres', qq{\\copy ($sql) to '$folder/lines'});
	return split /\n/, slurp_file("$folder/lines");
}

my @quasi = qw(age hours_per_week education workclass marital_status sex native_country);
my $quasi = join(',', @quasi);
my %tree;
load($node, 'adult', "$data/adult.csv", map { $_ => 'int' } qw(id age fnlwgt education_num capital_gain capital_loss hours_per_week));
for my $attribute (@quasi[ 2 .. $#quasi ])
{
	load($node, "paths $attribute", "$data/taxonomy/$attribute.csv");
	$node->safe_psql('postgres', qq{SELECT anon_seq.create_taxonomy_from_paths('$attribute', '"paths $attribute"')});
	my (undef, @paths) = split /\r?\n/, slurp_file("$data/taxonomy/$attribute.csv");
	$tree{$attribute} = InferenceAttack::tree(map { [ split /,/ ] } @paths);
}

# Some values are unknown. A number that is the same in every run decides on turns.
$node->safe_psql('postgres', qq{
	UPDATE adult SET hours_per_week = NULL WHERE id % 53 = 0;
	UPDATE adult SET workclass = NULL WHERE id % 59 = 0;
	CREATE FUNCTION turn(int, int) RETURNS bigint IMMUTABLE LANGUAGE sql AS 'SELECT (\$1::bigint * 7919 + \$2 * 104729) * 6007 % 1000003';
	CREATE TABLE person AS SELECT id, $quasi, income FROM adult WHERE id <= 12000;
	CREATE TABLE gone (LIKE person, before int)});

# Changes the table by so many rows: a quarter goes, in odd updates all from one corner; an eighth gets other quasi values, some of them those of
# another row; of the others, a few who had gone come back as they were, and the rest is new.
sub update
{
	my ($version, $rows) = @_;
	my ($gone, $changed) = (int($rows / 4), int($rows / 8));
	my $order = $version % 2 ? "native_country = 'United-States', marital_status, age, id" : "turn(id, $version)";
	my $returning = $version > 3 ? 40 : 0;
	my $new = $rows - $gone - $changed - $returning;
	$node->safe_psql('postgres', qq{
		WITH back AS (DELETE FROM gone WHERE id IN (SELECT id FROM gone WHERE before < $version - 1 ORDER BY turn(id, $version) LIMIT $returning) RETURNING *)
			INSERT INTO person SELECT id, $quasi, income FROM back;
		WITH left_us AS (DELETE FROM person WHERE id IN (SELECT id FROM person ORDER BY $order LIMIT $gone) RETURNING *) INSERT INTO gone SELECT *, $version FROM left_us;
		UPDATE person AS p SET age = p.age + 1 + $version % 5, workclass = CASE WHEN p.id % 3 = 0 THEN o.workclass ELSE p.workclass END, native_country = CASE WHEN p.id % 7 = 0 THEN 'Cuba' ELSE p.native_country END
			FROM adult AS o WHERE o.id = p.id + 1 AND p.id IN (SELECT id FROM person ORDER BY turn(id, -$version) LIMIT $changed);
		INSERT INTO person SELECT id, $quasi, income FROM adult WHERE id > (SELECT max(id) FROM (SELECT id FROM person UNION ALL SELECT id FROM gone) AS x) ORDER BY id LIMIT $new;
		UPDATE person SET income = CASE income WHEN '<=50K' THEN '>50K' ELSE '<=50K' END WHERE turn(id, $version + 1000) % 100 = 0;
		INSERT INTO everybody SELECT DISTINCT $quasi FROM person});
}

# --- the policies: a name, k, options ---
my @policies = (
	[ 'two', 2, '' ], [ 'five', 5, '"choice": "entropy"' ], [ 'ten', 10, '' ], [ 'twenty_five', 25, '"categorical": "order"' ], [ 'fifty', 50, '' ],
	[ 'box', 5, '"shape": "box"' ], [ 'known', 10, '"arrivals": "known"' ], [ 'known_box', 3, '"arrivals": "known", "shape": "box", "categorical": "order"' ]);
my @sizes = (600, 900, 3000, 600, 1200, 600, 1500, 600, 600, 900);
my $versions = 1 + @sizes;

sub publish
{
	my $version = shift;
	for (@policies)
	{
		my $p = $_->[0];
		my $made = $node->safe_psql('postgres', qq{
			SET client_min_messages = error;
			SELECT version FROM anon_seq.publish('$p');
			INSERT INTO truth SELECT '$p', x.object, x.person, $quasi FROM anon_seq_ledger.$p AS x JOIN person ON person.id = x.person
				WHERE x.version = $version AND x.arrived = $version});
		is($made, $version, "$p: version $version") if $made ne $version;
	}
}

$node->safe_psql('postgres', qq{
	SET client_min_messages = error;
	CREATE TABLE truth AS SELECT ''::text AS policy, 0::bigint AS object, 0 AS person, $quasi FROM adult LIMIT 0;
	CREATE INDEX ON truth (policy, object);
	CREATE TABLE everybody AS SELECT DISTINCT $quasi FROM person;
	@{[ map { qq{SELECT anon_seq.create_incremental_policy('$_->[0]', 'person', 'id', '{$quasi}', $_->[1], publish_as_is => '{income}', population => '$_->[0]',
			options => '{"object_id": true@{[ $_->[2] && ", $_->[2]" ]}}'); } } @policies ]};
	-- Which object is whose is not published; the ledger knows.
	DO \$\$ DECLARE p record; BEGIN
		FOR p IN SELECT id, name FROM anon_seq.policy LOOP
			EXECUTE format('CREATE VIEW anon_seq_ledger.%I AS SELECT version, arrived, person, object FROM anon_seq_ledger.p%s_object', p.name, p.id);
		END LOOP;
	END \$\$});
publish(1);
for my $u (0 .. $#sizes) { update($u + 2, $sizes[$u]); publish($u + 2) }

# --- the attack ---
my $full = ($ENV{ANON_SEQ_GRID} // '') eq 'full';
my $early = $full ? 6 : 4; # of so many first versions every set
my @sets = (InferenceAttack::subsets($early), map { [ 0 .. $_ ] } $early .. $versions - 1);
my @everybody = lines("SELECT DISTINCT $quasi FROM everybody");

# What everybody can read, version by version: rows of object and region.
sub published
{
	my $p = shift;
	my @rows;
	for (lines(join(' UNION ALL ', map { "SELECT $_, object_id, $quasi FROM ${p}_r$_" } 1 .. $versions)))
	{
		my ($version, $object, $region) = split /\t/, $_, 3;
		push @{ $rows[ $version - 1 ] }, [ $object, $region ];
	}
	return @rows;
}

for (@policies)
{
	my ($p, $k, $options) = @$_;
	my ($known, $box) = ($options =~ /known/ ? 1 : 0, $options =~ /box/);
	my $attack = InferenceAttack->new($k, map { $tree{$_} } @quasi);
	$attack->release(@$_) for published($p);
	$attack->victim(split /\t/, $_, 2) for lines("SELECT object, $quasi FROM truth WHERE policy = '$p'");
	# To who knows arrivals he can hardly ever move, as those who leave for good have to be k by themselves.
	my $least = $known ? -1 : 20;
	is($node->safe_psql('postgres', qq{SELECT count(*) > $least, count(*) FILTER (WHERE n = 1) FROM (SELECT count(DISTINCT object) AS n FROM truth WHERE policy = '$p' GROUP BY person HAVING count(DISTINCT ($quasi)) > 1) AS x}),
		't|0', "$p: whose quasi values change becomes a new object");

	is(join(' ', grep { $_ < $k } map { $attack->smallest_class($_) } 0 .. $versions - 1), '', "$p: every version is $k-anonymous");
	is($attack->strays, 0, "$p: every later region lies in the earlier one");
	$attack->prepare(@sets);
	is($attack->liars, 0, "$p: and holds its person");

	my ($coarse, %risk) = (0);
	my @readings = qw(equal contain cover);
	for my $set (@sets)
	{
		my $found = $attack->attack($known, @$set);
		$risk{$_}{live} += $found->{$_}{live}, $risk{$_}{gone} += $found->{$_}{gone} for @readings;
		$risk{seen} += $found->{seen};
		$coarse = $found->{equal}{gone} if $found->{equal}{gone} > $coarse;
	}
	is(join(' ', map { "$_ $risk{$_}{live}" } @readings), 'equal 0 contain 0 cover 0', "$p: all who are in the last version of a set are safe in all readings");
	is($risk{cover}{gone}, 0, "$p: and who has left is one of $k who may have been there");
	is("$risk{equal}{gone} $risk{contain}{gone}", '0 0', "$p: and is one of $k in all readings") if $known;
	note(sprintf '%s: %d sets of versions, %d objects seen in all, %d left alone under equal at most', $p, scalar @sets, $risk{seen}, $coarse);

	# Cuts in order leave no part of the space without somebody, so the same holds at every point, for whoever was never published too.
	is(join(' ', grep { $_ < $k } map { $attack->fewest_covering($_, @everybody) } @sets), '', "$p: wherever somebody lives, $k may have been, in any set of versions") if $p eq 'twenty_five';
	is($node->safe_psql('postgres', qq{SELECT count(*) > 40, coalesce(string_agg(check_name || ' of ' || scope || ': ' || observed, '; ') FILTER (WHERE NOT ok), '') FROM anon_seq.audit('$p', everything => true)}), 't|', "$p: the audit finds nothing");
}

# --- today's practice: the first 12,000 rows, later the first 18,000, each partitioned by itself ---
# Both are first versions, so Mondrian and nothing else, as it is usually published: leaves of taxonomies in their order, tight boxes. The
# ledger tells which row is whose.
my $audited = $node->safe_psql('postgres', q{SELECT count(*) FROM pg_proc WHERE proname = 'audit_inference_relations'});
for my $k ($full ? (10, 25, 50) : 25)
{
	my $attack = InferenceAttack->new($k, map { $tree{$_} } @quasi);
	for my $rows (12000, 18000)
	{
		my $name = "alone_${k}_$rows";
		$node->safe_psql('postgres', qq{
			SET client_min_messages = error;
			CREATE TABLE first_$name AS SELECT id, $quasi FROM adult WHERE id <= $rows;
			SELECT anon_seq.create_incremental_policy('$name', 'first_$name', 'id', '{$quasi}', $k, population => '$name', options => '{"shape": "box", "categorical": "order"}');
			SELECT anon_seq.publish('$name')});
		my $ledger = $node->safe_psql('postgres', qq{SELECT 'anon_seq_ledger.p' || id || '_object' FROM anon_seq.policy WHERE name = '$name'});
		$node->safe_psql('postgres', "CREATE TABLE shown_$name AS SELECT person, " . join(', ', map { "c@{[ $_ + 1 ]} AS $quasi[$_]" } 0 .. $#quasi) . " FROM $ledger");
		$attack->release(map { [ split /\t/, $_, 2 ] } lines("SELECT person, $quasi FROM shown_$name"));
	}
	$attack->victim(split /\t/, $_, 2) for lines("SELECT id, $quasi FROM adult WHERE id <= 18000");
	$attack->prepare([0], [1], [ 0, 1 ]);
	is(join(' ', map { my $set = $_; map { my $r = $_; map { $attack->attack(0, @$set)->{$r}{$_} } qw(live gone) } qw(equal contain cover) } [0], [1]), join(' ', (0) x 12),
		"independent, k = $k: each release by itself is safe in all readings");
	my $found = $attack->attack(0, 0, 1);
	my %unsafe = map { $_ => $found->{$_}{live} + $found->{$_}{gone} } qw(equal contain cover);
	note(sprintf 'independent, k = %d: of %d %s', $k, $found->{seen}, join(', ', map { sprintf '%.1f %% at risk under %s', 100 * $unsafe{$_} / $found->{seen}, $_ } sort keys %unsafe));
	cmp_ok($unsafe{equal}, '>', 0.4 * $found->{seen}, "independent, k = $k: together they leave more than 40 % at risk");
	SKIP:
	{
		skip 'there is no audit_inference_relations', 1 unless $audited;
		my $taxonomies = join(', ', map { qq{"$_": {"taxonomy": "$_"}} } @quasi[ 2 .. $#quasi ]);
		my $said = $node->safe_psql('postgres', join(' UNION ALL ', map { qq{SELECT (inferred ->> 'at_risk') || ' of ' || (inferred ->> 'objects') FROM anon_seq.audit_inference_relations('{shown_alone_${k}_12000,shown_alone_${k}_18000}',
			'person', '{$quasi}', $k, '$_', '{$taxonomies}') WHERE object IS NULL} } qw(equal contain)));
		is($said, "$unsafe{equal} of $found->{seen}\n$unsafe{contain} of $found->{seen}", "independent, k = $k: audit_inference_relations counts the same");
	}
}

done_testing();
