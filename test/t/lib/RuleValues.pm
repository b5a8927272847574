# What random instances are made of (RuleInstance.pm): choices of a generator of its own, true values of attributes, and how a release
# may show them.
package RuleValues;
use strict;
use warnings;
use Exporter 'import';
use RuleOracle;

our @EXPORT = qw(%taxonomies %type $oracle @numbers @times seed rnd chance pick some mixed true_value column earlier_column shown_then);

# As new() of RuleOracle takes them; RuleScript.pm makes them.
our %taxonomies = (
	tree => { kind => 'tree', root => '*', parent => { a => 'A', b => 'A', c => 'B1', d => 'B1', e => 'B', B1 => 'B', A => '*', B => '*' } },
	flat => { kind => 'tree', root => 'ANY', parent => { x => 'ANY', y => 'ANY', z => 'ANY' } },
	'type boolean' => { kind => 'tree', root => 'ANY', parent => { true => 'ANY', false => 'ANY' } },
	pre => { kind => 'prefix', root => '*', lengths => [ 2, 1 ] },
	rng => { kind => 'range', root => '[0,8)', lower => 0, upper => 8, widths => [ 2, 4 ] });
our $oracle = RuleOracle->new(%taxonomies);

# ---- Choices. srand would be the same for a seed, but others may call rand.

my $state;
sub rnd { $state = ($state * 1103515245 + 12345) % 2147483648; return ($state >> 8) % shift }
sub seed { $state = (shift() * 7919 + 12345) % 2147483647; rnd(2) for 1 .. 5 }
sub chance { return rnd(1000) < 1000 * shift }
sub pick { return $_[ rnd(scalar @_) ] }
sub some { my ($p, @all) = @_; return grep { chance($p) } @all }
sub mixed { my @all = @_; for my $i (reverse 1 .. $#all) { my $j = rnd($i + 1); @all[ $i, $j ] = @all[ $j, $i ] } return @all }

# ---- Attributes

our @numbers = qw(qi qb qn qf);
our @times = qw(qd qt qz);
our %type = (qi => 'int', qb => 'bigint', qn => 'numeric', qf => 'float8', qd => 'date', qt => 'timestamp', qz => 'timestamptz', b => 'boolean', rng => 'int');
my %range = (int => 'int4range', bigint => 'int8range', numeric => 'numrange', float8 => 'numrange', date => 'daterange', timestamp => 'tsrange', timestamptz => 'tstzrange');

sub day { my $n = shift; return sprintf '2020-%02d-%02d', 1 + int($n / 28), 1 + $n % 28 }

sub true_value
{
	my $a = shift;
	return pick(qw(a b c d e)) if $a eq 'tree';
	return pick(qw(x y z)) if $a eq 'flat';
	return pick(qw(111 112 121 211 212)) if $a eq 'pre';
	return rnd(8) if $a eq 'rng';
	return pick('true', 'false') if $a eq 'b';
	return pick(0 .. 9) if $a eq 'qi';
	return pick(0 .. 5, 9007199254740993, 9007199254740994) if $a eq 'qb';
	return pick('0', '0.5', '1', '1.0', '1.25', '2.50', '7') if $a eq 'qn' || $a eq 'qf';
	return day(rnd(40)) if $a eq 'qd';
	return day(rnd(3)) . pick(' 00:00:00', ' 06:00:00', ' 18:30:00') . ($a eq 'qz' ? '+00' : '') if $a eq 'qt' || $a eq 'qz';
	return pick(qw(flu hiv ok));
}

sub kind_of_type
{
	my $t = shift;
	return 'number' if $t =~ /^(int|bigint|numeric|float8|int4range|int8range|numrange)$/;
	return 'time' if $t =~ /^(date|timestamp|timestamptz|daterange|tsrange|tstzrange)$/;
	return 'other';
}

# A column as the oracle takes it. shown: quasi, or as it is.
sub column
{
	my ($attr, $type, $quasi, $tax) = @_;
	return { attr => $attr, kind => 'label', tax => 'type boolean' } if $type eq 'boolean';
	return { attr => $attr, kind => 'label', tax => $tax } if $tax;
	my $kind = kind_of_type($type);
	return { attr => $attr, kind => $kind, ranges => $quasi || $type =~ /range$/ ? 1 : 0, whole => $type =~ /^(int|bigint|date|int4range|int8range|daterange)$/ ? 1 : 0 };
}

# An interval around a value, as a text of a range type.
sub around
{
	my ($type, $v) = @_;
	return '(,)' if chance(0.15);
	return 'empty' if chance(0.02);
	my ($from, $to);
	if (kind_of_type($type) eq 'number')
	{
		my $step = $type eq 'numrange' ? 0.5 : 1;
		($from, $to) = ($v - $step * rnd(4), $v + $step * rnd(4));
		($from, $to) = map { sprintf '%d', $_ } $from, $to if $step == 1 || $v > 1e9;
	}
	else
	{
		my ($y, $m, $d, $rest) = $v =~ /^(\d+)-(\d+)-(\d+)(.*)$/;
		my $n = ($m - 1) * 28 + $d - 1;
		my $time = $type eq 'daterange' ? '' : $rest eq '' ? ' 00:00:00' : $rest;
		($from, $to) = map { day($_ < 0 ? 0 : $_) . $time } $n - rnd(4), $n + rnd(4);
	}
	$to = $from if kind_of_type($type) eq 'number' && $to < $from;
	($from, $to) = ($from, $from) if chance(0.1) && kind_of_type($type) eq 'number';
	return "[$from,$from]" if $from eq $to;
	return pick("[$from,$to)", "[$from,$to]", "($from,$to]", "[$from,)", "(,$to]", "[$from,$to]");
}

# A column of an earlier release that shows an attribute: [ name, attr, type, tax, how ].
sub earlier_column
{
	my $a = shift;
	my $name = chance(0.85) ? $a : "${a}_then";
	return [ $name, $a, 'text', $a ] if $a =~ /^(tree|flat|pre)$/;
	return [ $name, $a, 'boolean', '' ] if $a eq 'b';
	return [ $name, $a, chance(0.5) ? ('text', 'rng') : (pick(qw(int numeric int4range numrange)), '') ] if $a eq 'rng';
	return [ $name, $a, pick(qw(int bigint numeric float8 int4range int8range numrange numrange)), '' ] if grep { $_ eq $a } qw(qi qb qn qf);
	return [ $name, $a, pick(qw(date daterange daterange)), '' ] if $a eq 'qd';
	return [ $name, $a, pick(qw(timestamp tsrange)), '' ] if $a eq 'qt';
	return [ $name, $a, pick(qw(timestamptz tstzrange)), '' ] if $a eq 'qz';
	return [ $name, $a, 'text', '' ];
}

# How a column of an earlier release shows a true value; coarse: how likely not as it is.
sub shown_then
{
	my ($c, $v, $coarse) = @_;
	my (undef, $a, $type, $tax) = @$c;
	if ($tax)
	{
		return chance(0.5) ? undef : $taxonomies{$tax}{root} if !defined $v;
		my @path = @{ $oracle->path($taxonomies{$tax}, $v) };
		my $label = chance($coarse) ? pick(@path) : $path[0];
		$label =~ s/,(\d+)\)$/', ' . $1 . '['/e if chance(0.2);
		return $label;
	}
	return chance(0.5) ? undef : '(,)' if !defined $v && $type =~ /range$/;
	return undef if !defined $v;
	$v = int($v) if $type =~ /^(int|bigint|int4range|int8range)$/;
	$v = $v % 2147483648 if $type =~ /^int/ && $v > 2147483647;
	return $type =~ /range$/ ? around($type, $v) : $v;
}

1;
