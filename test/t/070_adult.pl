# The experiments of KDD'06 section 6 on Adult: T1 has education, occupation, workclass, marital_status, relationship, sex (Set B: six
# continuous columns more); T2, released earlier and raw, has marital_status, relationship, sex, native_country, race. Every release is
# re-counted by a script that counts the join its own way, and is locally maximal: no value of its cut could have been split.
#
# X of TopN is the N first of marital_status, relationship, sex, education, occupation, workclass, and all of T2. T1's attributes that are
# not in X are left out of the release: as they are they would be exact, and generalized they would be in X.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $data = $ENV{ANON_SEQ_SHARED_DATA};
plan skip_all => 'ANON_SEQ_SHARED_DATA names no folder' unless $data && -d $data;
my $recount = "test/audit/recount.pl";
plan skip_all => 'not run from the top folder' unless -e $recount;

my $node = cluster('main');
my @ranked = qw(marital_status relationship sex education occupation workclass);
my @t2 = qw(marital_status relationship sex native_country race);
my %in_t2 = map { $_ => 1 } @t2;
$node->safe_psql('postgres', 'CREATE EXTENSION anon_seq');

load($node, 'adult', "$data/adult.csv", map { $_ => 'int' } qw(id age fnlwgt education_num capital_gain capital_loss hours_per_week));
for my $attribute (@ranked, 'native_country', 'race')
{
	load($node, "paths $attribute", "$data/taxonomy/$attribute.csv");
	$node->safe_psql('postgres', qq{SELECT anon_seq.create_taxonomy_from_paths('$attribute', '"paths $attribute"')});
}
$node->safe_psql('postgres', 'CREATE TABLE t2 AS SELECT ' . join(', ', @t2) . ' FROM adult');
my $folder = PostgreSQL::Test::Utils::tempdir();
sub save { my ($file, $sql) = @_; $node->safe_psql('postgres', qq{\\copy ($sql) to '$folder/$file' with (format csv, header)}) }
save('t2.csv', 'TABLE t2');

my $count = 0;

# Publishes T1 with the given quasi columns against T2; returns the policy's name and what went wrong.
sub publish
{
	my ($quasi, $parameters) = @_;
	my $p = 'p' . ++$count;
	my $taxonomies = join(', ', map { qq{"$_": "$_"} } @t2);
	my ($status, $out, $err) = $node->psql('postgres', qq{
		SET client_min_messages = error;
		SELECT anon_seq.register_release('t2 of $p', 't2', '$p', '{@{[ join(', ', map { qq{"$_": {"taxonomy": "$_"}} } @t2) ]}}');
		SELECT anon_seq.create_sequential_policy('$p', 'adult', 'id', '{@{[ join(',', @$quasi) ]}}', population => '$p', $parameters);
		SELECT smallest_class FROM anon_seq.publish('$p')}, on_error_stop => 1);
	return ($p, $status ? $err : '');
}

# X of a rule as json: the quasi columns and all of T2.
sub x_of
{
	my ($p, @quasi) = @_;
	return '[' . join(', ', (map { qq{"$_"} } @quasi), map { qq{{"release": "t2 of $p", "column": "$_"}} } @t2) . ']';
}

sub recounted
{
	my ($p, $quasi, $y, $k, $maximal) = @_;
	my $columns = join(', ', @$quasi);
	save("$p.csv", "SELECT $columns FROM $p");
	save("$p.cut.csv", "SELECT * FROM anon_seq.cut('$p')");
	save("$p.source.csv", "SELECT $columns FROM adult") if $maximal;
	my ($out, $err) = run_command([ $^X, $recount, "$data/taxonomy", "$folder/$p.csv", "$folder/t2.csv", "$folder/$p.cut.csv", '--x', join(',', @$quasi), '--y', $y, '--k', $k,
			$maximal ? ('--source', "$folder/$p.source.csv") : () ]);
	return $out . $err;
}

# Set A, anonymity. ANON_SEQ_GRID=full has all of the paper's parameters.
my $full = ($ENV{ANON_SEQ_GRID} // '') eq 'full';
for my $top ($full ? 3 .. 6 : (3, 6))
{
	my @quasi = @ranked[ 0 .. $top - 1 ];
	for my $k ($full ? (40, 80, 120, 160, 200) : (40, 120, 200))
	{
		for my $y ('1', '12')
		{
			my $name = "Set A, Top$top, k = $k, Y = " . ($y eq '1' ? 'K1' : 'K1 and K2');
			my $p = 'p' . ($count + 1);
			my $persons = $y eq '1' ? '["person"]' : qq{["person", {"release": "t2 of $p"}]};
			my (undef, $err) = publish(\@quasi, qq{rules => '[{"kind": "anonymity", "x": @{[ x_of($p, @quasi) ]}, "y": $persons, "min": $k}]'});
			is($err, '', "$name: published");
			my $counted = recounted($p, \@quasi, $y, $k, 1);
			my ($a) = $counted =~ /^A (\d+)/;
			cmp_ok($a // 0, '>=', $k, "$name: A is $a, re-counted") or diag($counted);
			like($counted, qr/^maximal$/m, "$name: no further specialization is valid");
			is($node->safe_psql('postgres', qq{SELECT string_agg(observed, ',') || ' ' || bool_and(ok) FROM anon_seq.audit('$p', everything => true) WHERE check_name = 'anonymity'}), "$a true", "$name: the audit says the same");
		}
	}
}

# Set B: six continuous columns more.
my @continuous = qw(age fnlwgt education_num capital_gain capital_loss hours_per_week);
for my $k (40, 200)
{
	my @quasi = (@ranked[ 0 .. 2 ], qw(education capital_gain age));
	my $p = 'p' . ($count + 1);
	my (undef, $err) = publish(\@quasi, qq{label => 'income', rules => '[{"kind": "anonymity", "x": @{[ x_of($p, @quasi) ]}, "y": ["person", {"release": "t2 of $p"}], "min": $k}]'});
	is($err, '', "Set B, k = $k: published");
	my ($a) = recounted($p, \@quasi, '12', $k, 0) =~ /^A (\d+)/;
	cmp_ok($a, '>=', $k, "Set B, k = $k: A is $a, re-counted");
	my @all = (@ranked, @continuous);
	(undef, $err) = publish(\@all, "k => $k, label => 'income', rules => '[" . qq({"kind": "anonymity", "x": @{[ x_of('p' . ($count + 1), @all) ]}, "y": ["person"], "min": $k}) . "]'");
	is($err, '', "Set B, all twelve, k = $k: published");
	$p = "p$count";
	($a) = recounted($p, \@all, '1', $k, 0) =~ /^A (\d+)/;
	cmp_ok($a, '>=', $k, "Set B, all twelve, k = $k: A is $a, re-counted");
}

# Linkability Top1..Top4: Y holds the N first attributes of T1 as they are, listed are the rarer half of their values; X is the rest of T1
# and what T2 shares with it. Held exactly, or refused with the numbers; the share is re-counted in SQL, by joining rows.
for my $top (1 .. 4)
{
	my @y = @ranked[ 0 .. $top - 1 ];
	my %is_y = map { $_ => 1 } @y;
	my @quasi = grep { !$is_y{$_} } @ranked;
	# Once Y holds all common attributes, no column of T2 is in X: "with" joins it all the same.
	my @theirs = grep { $in_t2{$_} } @quasi;
	my %shown = map { $_ => 1 } @theirs, grep { $in_t2{$_} } @ranked;
	for my $percent ($full ? (10, 30, 50, 70, 90) : (10, 50, 90))
	{
		my $name = "linkability Top$top at $percent %";
		my $p = 'p' . ($count + 1);
		my @rules;
		my @listed;
		for my $y (@y)
		{
			my @values = split(/\n/, $node->safe_psql('postgres', qq{SELECT $y FROM (SELECT $y, row_number() OVER (ORDER BY count(*), $y) AS n, count(*) OVER () AS all FROM adult GROUP BY 1) AS r WHERE n <= r.all / 2}));
			push @listed, [ $y, @values ];
			push @rules, qq({"kind": "linkability", "x": [@{[ join(', ', (map { qq{"$_"} } @quasi), map { qq{{"release": "t2 of $p", "column": "$_"}} } @theirs) ]}], "y": ["$y"], "values": [@{[ join(', ', map { qq{"$_"} } @values) ]}], "each": true, "with": ["t2 of $p"], "max": @{[ $percent / 100 ]}});
		}
		my (undef, $err) = publish(\@quasi, qq{publish_as_is => '{@{[ join(',', @y) ]}}', label => 'income', rules => '[@{[ join(', ', @rules) ]}]'});
		if ($err ne '')
		{
			like($err, qr/cannot be met.*best that was reached is [0-9.e-]+ \(\d+ of \d+\)/s, "$name: infeasible, with the numbers");
			next;
		}
		# Joined with the number of partners of each combination of common attributes.
		my $on = join(' AND ', map { qq{EXISTS (SELECT FROM up AS u WHERE u.attribute = '$_' AND (u.lower, u.upper) IN ((a.$_, b.$_), (b.$_, a.$_)))} } grep { $in_t2{$_} } @ranked);
		for (@listed)
		{
			my ($y, @values) = @$_;
			my $list = join(', ', map { "'$_'" } @values);
			my $columns = join(', ', @ranked);
			my $common = join(', ', grep { $in_t2{$_} } @ranked);
			my $of_t2 = join(', ', sort keys %shown);
			my $share = $node->safe_psql('postgres', qq{
				WITH up AS MATERIALIZED (SELECT DISTINCT attribute, leaf AS lower, upper FROM (@{[ join(' UNION ALL ', map { qq{SELECT '$_' AS attribute, value AS leaf, anon_seq.generalize('$_', value, l) AS upper FROM anon_seq.taxonomy_tree('$_'), generate_series(0, 6) AS l} } grep { $in_t2{$_} } @ranked) ]}) AS u),
				a AS MATERIALIZED (SELECT $columns, count(*) AS n FROM $p GROUP BY $columns), b AS MATERIALIZED (SELECT $of_t2, count(*) AS n FROM t2 GROUP BY $of_t2),
				c AS MATERIALIZED (SELECT DISTINCT $common FROM a), m AS MATERIALIZED (SELECT @{[ join(', ', (map { "a.$_ AS a_$_" } grep { $in_t2{$_} } @ranked), map { "b.$_ AS b_$_" } sort keys %shown) ]}, b.n FROM c AS a JOIN b ON $on),
				j AS (SELECT @{[ join(', ', (map { "a.$_" } @quasi), map { "m.b_$_" } @theirs) ]}, a.$y AS y, sum(a.n * m.n) AS n FROM a JOIN m ON @{[ join(' AND ', map { "a.$_ = m.a_$_" } grep { $in_t2{$_} } @ranked) ]} GROUP BY @{[ join(', ', 1 .. @quasi + @theirs) ]}, a.$y),
				s AS (SELECT y, n, sum(n) OVER (PARTITION BY @{[ join(', ', @quasi, map { "b_$_" } @theirs) ]}) AS of FROM j)
				SELECT coalesce(max(n / of), 0) <= $percent / 100.0 FROM s WHERE y IN ($list)});
			is($share, 't', "$name: the rarer half of $y is linked to nobody with more, re-counted");
		}
		is($node->safe_psql('postgres', qq{SELECT bool_and(ok) FROM anon_seq.audit('$p', everything => true)}), 't', "$name: the audit says the same");
	}
}

done_testing();
