# Lossy joins of Adult: eight quasi columns, occupation sensitive, k = 2 with alpha 0.33, and k = 5, 10, 50 with alpha 0.2 and 0.5, in each form and with each
# kind of classes; the whole grid on the first 5,000 people, and k = 2 with alpha 0.33, but for simulatable decisions, on all 45,222 as well. Last,
# demands that cannot be met.
#
# Releases are read as everybody reads them, by COPY, and counted again here: classes hold what was asked; NSS and SS are the source's columns, row for
# row; put side by side as they are stored, they give back no more rows than other arrangements of the same classes, drawn here, do.
#
# Two releases of one population are refused, so each policy has its own.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use List::Util qw(max min shuffle sum0);
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $data = $ENV{ANON_SEQ_SHARED_DATA};
plan skip_all => 'ANON_SEQ_SHARED_DATA names no folder' unless $data && -d $data;
srand(13);

my @quasi = qw(age workclass education marital_status race sex native_country income);
my $quasi = join(',', @quasi);
my @trees = @quasi[ 1 .. $#quasi ];
my $node = cluster('main');
$node->safe_psql('postgres', 'CREATE EXTENSION anon_seq');
load($node, 'adult', "$data/adult.csv", id => 'int', age => 'int');
for my $attribute (@trees)
{
	load($node, "paths $attribute", "$data/taxonomy_alpha/$attribute.csv");
	$node->safe_psql('postgres', qq{SELECT anon_seq.create_taxonomy_from_paths('$attribute', '"paths $attribute"')});
}
$node->safe_psql('postgres', 'CREATE TABLE sample AS SELECT * FROM adult WHERE id <= 5000');
my $taxonomies = join(', ', map { qq{"$_": "$_"} } @trees);
my $folder = PostgreSQL::Test::Utils::tempdir();

# Lines that COPY prints for a query.
sub lines
{
	my $sql = shift;
	$node->safe_psql('postgres', qq{\\copy ($sql) to '$folder/lines'});
	return split /\n/, slurp_file("$folder/lines");
}

sub bag { my %bag; $bag{$_}++ for @_; return \%bag }

# How many items two bags have in common.
sub common { my ($a, $b) = @_; return sum0(map { min($a->{$_}, $b->{$_} // 0) } keys %$a) }

my %source;    # table -> its bags
for my $table (qw(adult sample))
{
	my @rows = lines("SELECT $quasi, occupation FROM $table");
	$source{$table} = { rows => scalar @rows, both => bag(@rows), quasi => bag(map { /^(.*)\t/ } @rows), values => bag(map { /([^\t]*)$/ } @rows) };
}

# --- publishing ---
my $count = 0;

# A policy on a table: its name, and the error of publish.
sub publish
{
	my ($table, $form, $classes, $decisions, $alpha, $k, $values) = @_;
	my $p = 'p' . ++$count;
	my ($demands, $l) = $classes eq 'anatomy' ? ('NULL, NULL', ", l => $k") : ("$alpha, $k", '');
	my $listed = $values ? ", sensitive_values => '$values'" : '';
	my $options = $decisions ? qq{, options => '{"decisions": "$decisions"}'} : '';
	my ($status, $out, $err) = $node->psql('postgres', qq{
		SET client_min_messages = error;
		SELECT anon_seq.create_lossy_join_policy('$p', '$table', 'id', '{$quasi}', '{occupation}', $demands, '$form', '$classes'$l$listed, taxonomies => '{$taxonomies}', population => '$p'$options);
		SELECT FROM anon_seq.publish('$p')}, on_error_stop => 1);
	return ($p, $status ? $err : '');
}

# --- counting again ---
# Classes, each a bag of its values, that are not what was asked: fewer than k rows, or more of a value, or of all that are listed together, than alpha of them.
sub refused
{
	my ($classes, $alpha, $k, $values) = @_;
	my %listed = map { $_ => 1 } ($values // '') =~ /([^{},]+)/g;
	my $bad = 0;
	for my $bag (@$classes)
	{
		my $rows = sum0(values %$bag);
		my $held = $values ? sum0(map { $bag->{$_} // 0 } keys %listed) : max(values %$bag);
		$bad++ if $rows < $k || $held > $rows * $alpha + 1e-9;
	}
	return $bad;
}

# Rows of the source that come back if members of classes stand beside its values, in these orders.
sub recovered
{
	my ($table, $members, $values) = @_;
	my %pairs;
	for my $class (keys %$members)
	{
		my ($rows, $held) = ($members->{$class}, $values->{$class});
		$pairs{"$rows->[$_]\t$held->[$_]"}++ for 0 .. $#$rows;
	}
	return common(\%pairs, $source{$table}{both});
}

sub check_projections
{
	my ($name, $p, $table, $alpha, $k, $values, $draws) = @_;
	my $source = $source{$table};
	my (%members, %values, %bags);
	for (lines("TABLE ${p}_nss")) { my ($class, $row) = split /\t/, $_, 2; push @{ $members{$class} }, $row }
	for (lines("TABLE ${p}_ss"))
	{
		my ($class, $value, $n) = split /\t/;
		push @{ $values{$class} }, ($value) x $n;
		$bags{$class}{$value} += $n;
	}
	is(join(' ', grep { @{ $members{$_} } != @{ $values{$_} // [] } } keys %members), '', "$name: NSS and SS have classes of the same sizes");
	is(scalar keys %values, scalar keys %members, "$name: and the same classes");
	is(refused([ values %bags ], $alpha, $k, $values), 0, "$name: all of ${\ scalar keys %bags} classes hold k and alpha, re-counted");
	is_deeply(bag(map { @$_ } values %members), $source->{quasi}, "$name: NSS is the source's quasi columns");
	is_deeply(bag(map { @$_ } values %values), $source->{values}, "$name: SS is its occupations");

	my @others = map { recovered($table, \%members, { map { $_ => [ shuffle @{ $values{$_} } ] } keys %values }) } 1 .. $draws;
	my $mean = sum0(@others) / @others;
	my $deviation = sqrt(sum0(map { ($_ - $mean)**2 } @others) / $#others);
	my $stored = recovered($table, \%members, \%values);
	cmp_ok($stored, '<=', $mean + 5 * $deviation, sprintf '%s: by position %d of %d rows come back, by chance %.0f +- %.0f', $name, $stored, $source->{rows}, $mean, $deviation);
	is($node->safe_psql('postgres', "SELECT classes, differing, recovered FROM anon_seq.audit_projections('${p}_nss', '${p}_ss', 'class_id', 'occupation', original => '$table')"),
		keys(%members) . "|0|$stored", "$name: audit_projections counts the same");
	return scalar keys %members;
}

sub check_generalized
{
	my ($name, $p, $table, $alpha, $k, $values) = @_;
	my (%bags, %held);
	for (lines("SELECT $quasi, occupation FROM $p")) { my ($shown, $value) = /^(.*)\t(.*)$/; $bags{$shown}{$value}++; $held{$value}++ }
	is(refused([ values %bags ], $alpha, $k, $values), 0, "$name: all of ${\ scalar keys %bags} classes hold k and alpha, re-counted");
	is_deeply(\%held, $source{$table}{values}, "$name: the occupations are the source's");
	return scalar keys %bags;
}

# Publishes and checks; returns the name of the policy and the error.
sub check
{
	my ($table, $form, $classes, $decisions, $alpha, $k, $values) = @_;
	my $name = join(' ', $table, $form, $classes, $decisions || (), $classes eq 'anatomy' ? "l = $k" : "alpha = $alpha, k = $k");
	my ($p, $err) = publish(@_);
	return ($name, $err) if $err;
	$form eq 'projections' ? check_projections($name, $p, $table, $alpha, $k, $values, $table eq 'adult' ? 8 : $classes eq 'anatomy' ? 30 : 10) : check_generalized($name, $p, $table, $alpha, $k, $values);
	return ($name, '');
}

my @kinds = ([ 'projections', 'regional', '' ], [ 'projections', 'topdown', 'paper' ], [ 'projections', 'topdown', 'simulatable' ],
	[ 'generalized', 'topdown', 'paper' ], [ 'generalized', 'topdown', 'simulatable' ]);
my @anatomy = ('projections', 'anatomy', '', 0.25, 4);
for my $kind (@kinds)
{
	for ($kind->[2] eq 'simulatable' ? () : [ 'adult', 0.33, 2 ], [ 'sample', 0.33, 2 ], map { my $k = $_; map { [ 'sample', $_, $k ] } 0.2, 0.5 } 5, 10, 50)
	{
		my ($table, $alpha, $k) = @$_;
		my ($name, $err) = check($table, @$kind, $alpha, $k);
		is($err, '', "$name: published");
		is($node->safe_psql('postgres', "SELECT bool_and(ok) FROM anon_seq.audit('p$count', everything => true)"), 't', "$name: the audit says the same") if $table eq 'adult';
	}
}
for my $table (qw(adult sample)) { my ($name, $err) = check($table, @anatomy); is($err, '', "$name: published") }

# --- what cannot be: the most frequent occupation has 13 % of the people, two of them together 26 % ---
for my $kind (@kinds[ 0, 2, 3 ])
{
	for ([ 0.1, 2, '' ], [ 0.2, 10, '{Craft-repair,Prof-specialty}' ])
	{
		my ($alpha, $k, $values) = @$_;
		my ($name, $err) = check('sample', @$kind, $alpha, $k, $values);
		my ($would) = $err =~ /HINT: +Alpha (0\.\d+) would do/;
		ok($would, "$name is refused with an alpha that would do") or diag($err), next;
		unlike($err, qr/Craft|Prof/, "$name: the error names no value");
		(undef, $err) = check('sample', @$kind, $would, $k, $values);
		is($err, '', "$name: published with $would, as the error says");
		(undef, $err) = publish('sample', @$kind, $would - 0.0001, $k, $values);
		like($err, qr/would do/, "$name: no lower alpha would have done");
	}
}
my (undef, $refused) = publish('sample', 'projections', 'anatomy', '', undef, 8);
my ($l) = $refused =~ /HINT: +l = (\d+) would do/;
is($l, 7, 'anatomy with l = 8 is refused with an l that would do') or diag($refused);
my ($name, $err) = check('sample', 'projections', 'anatomy', '', 1 / 7, 7);
is($err, '', 'and is published with that');

$node->stop;
done_testing();
