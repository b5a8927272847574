#!/usr/bin/perl
# The best full-domain recoding of a table, by trying every node of the lattice that could be it: counted on combinations of values, with no code of
# the extension.
#   full_domain.pl TAXONOMIES TABLE.csv --k K [--out SHARE] column ...
# A column with a file TAXONOMIES/column.csv (leaf to root) takes the depths of its taxonomy; any other one holds numbers, and its levels are what comes
# of cutting every interval where the most width is saved, again and again. Prints NCP, who is out losing everything, C_DM, classes and levels.
use strict;
use warnings;
use List::Util qw(sum0 min);

my ($folder, $file, %o, @columns) = (shift, shift);
while (@ARGV) { my $a = shift; $a =~ /^--(k|out)$/ ? $o{$1} = shift : push @columns, $a }
open my $in, '<', $file or die "$file: $!\n";
chomp(my $head = <$in>);
my %at; @at{ split /,/, $head } = 0 .. 100;
my (%count, $n);
while (my $line = <$in>) { chomp $line; my @v = (split /,/, $line, -1)[ @at{@columns} ]; $count{ join "\1", @v }++; $n++ }
my @cells = map { [ split /\x01/, $_, -1 ] } sort keys %count;
my @weight = @count{ map { join "\1", @$_ } @cells };
my $limit = int(($o{out} // 0) * $n + 1e-9);

# Per column and level: value -> what it shows, and what that costs.
my (@shows, @costs);
for my $c (0 .. $#columns)
{
	my %mass;
	$mass{ $cells[$_][$c] } += $weight[$_] for 0 .. $#cells;
	my $taxonomy = "$folder/$columns[$c].csv";
	if (-e $taxonomy)
	{
		open my $t, '<', $taxonomy or die;
		<$t>;
		my (%path, %leaves);
		while (my $l = <$t>)
		{
			chomp $l;
			my @p;
			for (reverse split /,/, $l) { push @p, $_ if !@p || $p[-1] ne $_ }
			$path{ $p[-1] } = \@p;
			$leaves{$_}++ for @p;
		}
		my $deep = (sort { $b <=> $a } map { $#{ $path{$_} } } keys %mass)[0];
		my $all = keys %path;
		for my $d (0 .. $deep)
		{
			$shows[$c][$d] = { map { $_ => $path{$_}[ min($d, $#{ $path{$_} }) ] } keys %mass };
			$costs[$c][$d] = { map { my $l = $leaves{ $shows[$c][$d]{$_} }; $_ => $l > 1 ? $l / $all : 0 } keys %mass };
		}
		next;
	}
	my @values = sort { $a <=> $b } keys %mass;
	my $width = $values[-1] - $values[0] || 1;
	my @pieces = ([ 0, scalar @values ]);    # [first, end) of values
	for my $d (0 .. 15)
	{
		for my $p (@pieces)
		{
			my $to = $p->[1] < @values ? $values[ $p->[1] ] : $values[-1];
			$shows[$c][$d]{$_} = $p->[0], $costs[$c][$d]{$_} = ($to - $values[ $p->[0] ]) / $width for @values[ $p->[0] .. $p->[1] - 1 ];
		}
		my @next = map { halves($_, \@values, \%mass) } @pieces;
		last if @next == @pieces;
		@pieces = @next;
	}
}

sub halves
{
	my ($p, $values, $mass) = @_;
	my ($a, $end) = @$p;
	my ($from, $to) = ($values->[$a], $end < @$values ? $values->[$end] : $values->[-1]);
	my ($left, $all) = (0, sum0(@$mass{ @$values[ $a .. $end - 1 ] }));
	my ($best, $gain) = (0, -1);
	for my $m ($a + 1 .. $end - 1)
	{
		$left += $mass->{ $values->[ $m - 1 ] };
		my $g = $left * ($to - $values->[$m]) + ($all - $left) * ($values->[$m] - $from);
		($best, $gain) = ($m, $g) if $g > $gain + 1e-9;
	}
	return $best ? ([ $a, $best ], [ $best, $end ]) : $p;
}

# What a node costs by its levels alone; nodes in that order, until none can be better.
my @alone;
for my $c (0 .. $#columns)
{
	for my $d (0 .. $#{ $shows[$c] }) { $alone[$c][$d] = sum0(map { $weight[$_] * $costs[$c][$d]{ $cells[$_][$c] } } 0 .. $#cells) }
}
my @nodes = ([]);
for my $c (0 .. $#columns)
{
	my @deeper;
	for my $d (0 .. $#{ $shows[$c] })
	{
		my ($one, undef) = look([ map { $_ == $c ? $d : 0 } 0 .. $#columns ], [$c]);
		last if $one > $limit;    # by itself: all that is finer breaks the limit as well
		push @deeper, map { [ @$_, $d ] } @nodes;
	}
	@nodes = @deeper;
}

# Who is out at a node, as the columns given show it; what all lose, and the classes.
sub look
{
	my ($node, $of) = @_;
	my (%size, %cost);
	for my $i (0 .. $#cells)
	{
		my $cell = $cells[$i];
		my $key = join "\1", map { $shows[$_][ $node->[$_] ]{ $cell->[$_] } } @$of;
		$cost{$key} //= sum0(map { $costs[$_][ $node->[$_] ]{ $cell->[$_] } } @$of);
		$size{$key} += $weight[$i];
	}
	my ($out, $loss, $cdm, $classes) = (0, 0, 0, 0);
	for (keys %size)
	{
		if ($size{$_} < $o{k}) { $out += $size{$_}; next }
		$loss += $size{$_} * $cost{$_}, $cdm += $size{$_}**2, $classes++;
	}
	return ($out, $loss + $out * @columns, $cdm + $out * $n, $classes);
}

my (%pair, @broken, @best);
my $looks = 0;
my @bound = map { my $node = $_; sum0(map { $alone[$_][ $node->[$_] ] } 0 .. $#columns) } @nodes;
NODE: for my $i (sort { $bound[$a] <=> $bound[$b] || $a <=> $b } 0 .. $#nodes)
{
	last if @best && $bound[$i] >= $best[1];
	my $node = $nodes[$i];
	for my $a (0 .. $#columns)
	{
		for my $b ($a + 1 .. $#columns)
		{
			$pair{"$a $b $node->[$a] $node->[$b]"} //= (look($node, [ $a, $b ]))[0] > $limit ? 1 : 0;
			next NODE if $pair{"$a $b $node->[$a] $node->[$b]"};
		}
	}
	for my $known (@broken) { next NODE if !grep { $node->[$_] < $known->[$_] } 0 .. $#columns }
	$looks++;
	my @found = look($node, [ 0 .. $#columns ]);
	if ($found[0] > $limit) { push @broken, $node; next }
	@best = (@found, $node) if !@best || $found[1] < $best[1];
}
die "no node keeps k\n" if !@best;
printf "ncp %.4f, out %d, C_DM %d, classes %d, levels %s; %d nodes, %d looked at\n", $best[1] / $n / @columns, @best[ 0, 2, 3 ], join(' ', @{ $best[4] }), scalar @nodes, $looks;
