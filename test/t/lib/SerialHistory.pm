# Versions of Adult (test/data/histories.sql) and what a serial policy tells of everybody in them, counted from what was published and from who was where.
#
# A reader is taken to know who is in which class: of a table by the classes it shows, of projections by their quasi-identifiers. That is read from the ledger,
# and held against the source. All else is read from the relations as everybody reads them. A chance is a product of floating point numbers; where it comes near 1/l
# it is computed again in whole numbers.
package SerialHistory;
use strict;
use warnings;
use Exporter 'import';
use FindBin;
use List::Util qw(max sum0);
use Math::BigInt;
use PostgreSQL::Test::Utils;
use Servers;
our @EXPORT = qw(adult $quasi $taxonomies);

my @trees = qw(workclass education marital_status race sex native_country income);
our $quasi = join(',', 'age', @trees);
our $taxonomies = join(', ', map { qq{"$_": "$_"} } @trees);

# Makes table adult, its taxonomies and the first version of history.person.
sub adult
{
	my ($node, $data, $seed) = @_;
	load($node, 'adult', "$data/adult.csv", id => 'int', age => 'int');
	for my $attribute (@trees)
	{
		load($node, "paths $attribute", "$data/taxonomy_alpha/$attribute.csv");
		$node->safe_psql('postgres', qq{SELECT anon_seq.create_taxonomy_from_paths('$attribute', '"paths $attribute"')});
	}
	$node->safe_psql('postgres', slurp_file("$FindBin::RealBin/../data/histories.sql"));
	$node->safe_psql('postgres', "SELECT history.begin($seed)");
}

# The chances that policy `policy` leaves: of persons and `listed` values, under `l`; `window`: over so many versions in a row, else over all.
sub new
{
	my ($class, %of) = @_;
	return bless { version => 0, chances => {}, folder => PostgreSQL::Test::Utils::tempdir(), %of }, $class;
}

# Lines that COPY prints for a query. Joins with what the ledger has many of to a row are hard to plan.
sub lines
{
	my ($self, $sql) = @_;
	$self->{node}->safe_psql('postgres', qq{SET enable_nestloop = off;\n\\copy ($sql) to '$self->{folder}/lines'});
	return split /\n/, slurp_file("$self->{folder}/lines");
}

# What classes hold as published: a query of (class_id, occupation, n).
sub shown
{
	my ($self) = @_;
	return $self->{form} eq 'generalized' ? "SELECT class_id, occupation, count(*) AS n FROM $self->{policy} GROUP BY 1, 2" : "SELECT class_id, occupation, n::bigint FROM $self->{policy}_ss";
}

# Who is in which class: a query of (class_id, id).
sub members
{
	my ($self) = @_;
	my $class = 'c.c' . (2 + ($quasi =~ tr/,//) + 1);
	return "SELECT $class AS class_id, unnest(p.persons) AS id FROM anon_seq_ledger.$self->{ledger}_cell AS c JOIN anon_seq_ledger.$self->{ledger}_person AS p USING (version, cell) WHERE version = $self->{version}";
}

# Takes the newest version; `members`: who is in its classes is held against the source. Returns what is wrong with it, in words: nothing.
sub add
{
	my ($self, $members) = @_;
	my $policy = $self->{policy};
	$self->{version}++;
	$self->{ledger} //= 'p' . $self->{node}->safe_psql('postgres', "SELECT id FROM anon_seq.policy WHERE name = '$policy'");
	my $relation = $self->{form} eq 'generalized' ? $policy : "${policy}_nss";
	my %size = map { split /\t/ } $self->lines("SELECT class_id, count(*) FROM $relation GROUP BY 1");
	@$self{qw(rows classes)} = (sum0(values %size), scalar keys %size);
	my $wrong = $members ? $self->misplaced : '';

	my $listed = join(', ', map { "'$_'" } @{ $self->{listed} });
	my %held;
	for ($self->lines('SELECT * FROM (' . $self->shown . ") AS s WHERE occupation IN ($listed)")) { my ($class, $value, $n) = split /\t/; $held{$class}{$value} = $n }
	my %met;
	my $of = join(', ', keys %held) || 'NULL';
	for ($self->lines('SELECT * FROM (' . $self->members . ") AS m WHERE class_id IN ($of)"))
	{
		my ($class, $person) = split /\t/;
		$met{"$person $_"} = 1, $self->{chances}{"$person $_"} .= pack('l3', $self->{version}, $held{$class}{$_}, $size{$class}) for keys %{ $held{$class} };
	}
	my @above = grep { $self->is_above($_) } keys %met;
	$wrong .= sprintf ' %d persons and values are above 1/%s, as %s', scalar @above, $self->{l}, $above[0] if @above;
	return $wrong;
}

# Whether classes have the members that the source says: each in one class, as many, with these values.
sub misplaced
{
	my ($self) = @_;
	my ($bad) = $self->lines('WITH shown AS (' . $self->shown . '), member AS (' . $self->members . '), held AS (SELECT class_id, occupation, count(*) AS n FROM member JOIN history.person USING (id) GROUP BY 1, 2), '
		. 'other AS ((TABLE held EXCEPT TABLE shown) UNION ALL (TABLE shown EXCEPT TABLE held)) SELECT (SELECT count(*) FROM other) + (SELECT count(*) - count(DISTINCT id) FROM member)');
	return $bad ? "$bad counts of classes are of other members" : '';
}

# Counts of a person and value that count: [held, size] of each version in which they met.
sub factors
{
	my ($self, $pair) = @_;
	my @packed = unpack('l*', $self->{chances}{$pair});
	my @factors;
	while (my ($version, $held, $size) = splice @packed, 0, 3) { push @factors, [ $held, $size ] if !$self->{window} || $version > $self->{version} - $self->{window} }
	return @factors;
}

sub chance
{
	my ($self, $pair) = @_;
	my $kept = 1;
	$kept *= 1 - $_->[0] / $_->[1] for $self->factors($pair);
	return 1 - $kept;
}

sub is_above
{
	my ($self, $pair) = @_;
	return 0 if $self->chance($pair) < 1 / $self->{l} - 1e-9;
	my ($kept, $all) = (Math::BigInt->new(1), Math::BigInt->new(1));
	for ($self->factors($pair)) { $kept *= $_->[1] - $_->[0]; $all *= $_->[1] }
	return $kept * $self->{l} < $all * ($self->{l} - 1);
}

# value -> how many persons met it, and the largest chance: as budget() says it.
sub budget
{
	my ($self) = @_;
	my %lines;
	for my $pair (keys %{ $self->{chances} })
	{
		my ($value) = $pair =~ / (.*)/;
		next if !$self->factors($pair);
		$lines{$value}{persons}++;
		$lines{$value}{largest} = max($lines{$value}{largest} // 0, $self->chance($pair));
	}
	return \%lines;
}

1;
