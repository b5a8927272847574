#!/usr/bin/perl
# recount.pl TAXONOMIES T1.csv T2.csv CUT.csv [OPTIONS]: re-counts a release of Set A or B of KDD'06 section 6 its own way.
#
# T1.csv are the published rows, T2.csv those of an earlier release that is raw, SOURCE.csv (option --source, rows in the order of
# T1's taxonomy columns) what T1 was made from, CUT.csv attribute,value of the cut. TAXONOMIES is a folder with a CSV per categorical
# attribute, leaf first. Rows are counted by distinct combinations; two rows match if every common attribute lies on one path.
#
#   --x a,b,...           columns of T1 in X (all columns of T2 always are)
#   --k N --y 1|12        anonymity: fewest persons of T1, or of T1 times T2, per x
#   --source FILE         also: no value of the cut can be replaced by its children without breaking --k
# Prints "A N" and, with --source, "maximal" or the attribute and value that could be split.
use strict;
use warnings;

my ($folder, $t1, $t2, $cut_file, %option) = (shift, shift, shift, shift);
while (@ARGV) { my $name = shift; $option{ $name =~ s/^--//r } = shift }
my @x = split /,/, $option{x};

sub rows_of
{
	open my $in, '<', shift or die "$!\n";
	my @lines = <$in>;
	chomp @lines;
	my @names = split /,/, shift @lines;
	my %n;
	$n{$_}++ for @lines;
	my @rows;
	for my $line (sort keys %n) { my %row; @row{@names} = cells($line); push @rows, { row => \%row, n => $n{$line} } }
	return \@rows, \@names;
}

sub cells
{
	my @cells;
	push @cells, defined $1 ? $1 =~ s/""/"/gr : $2 while $_[0] =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(?:,|\z)/g && $-[0] < length $_[0];
	return @cells;
}

# $above{attribute}{label}: itself and all that is above it; $children{attribute}{label}.
my (%above, %children);
sub load
{
	my $attribute = shift;
	return if $above{$attribute} || !-e "$folder/$attribute.csv";
	open my $in, '<', "$folder/$attribute.csv" or die "$!\n";
	<$in>;
	while (my $line = <$in>)
	{
		$line =~ s/\r?\n//;
		my @path;
		for my $label (cells($line)) { push @path, $label unless @path && $path[-1] eq $label }
		for my $i (0 .. $#path)
		{
			$above{$attribute}{ $path[$i] }{$_} = 1 for @path[$i .. $#path];
			$children{$attribute}{ $path[ $i + 1 ] }{ $path[$i] } = 1 if $i < $#path;
		}
	}
}

my ($rows1, $names1) = rows_of($t1);
my ($rows2, $names2) = rows_of($t2);
load($_) for @$names1, @$names2;
my %in2 = map { $_ => 1 } @$names2;
my @common = grep { $in2{$_} } @$names1;

# The fewest persons of an x, over rows of T1 (a list of { row, n }).
sub smallest
{
	my ($rows) = @_;
	my %groups;  # rows of T1 with the same X and the same common attributes match the same rows of T2
	for my $r (@$rows) { my $key = join "\x1f", map { $_ // '' } @{ $r->{row} }{ @x, @common }; $groups{$key}{row} //= $r->{row}; $groups{$key}{n} += $r->{n} }
	my (%ax, %partners);
	for my $g (values %groups)
	{
		my $join = join "\x1f", @{ $g->{row} }{@common};
		my $matched = $partners{$join} //= do {
			my @m;
			PARTNER: for my $p (@$rows2)
			{
				for my $a (@common) { next PARTNER unless $above{$a}{ $g->{row}{$a} }{ $p->{row}{$a} } || $above{$a}{ $p->{row}{$a} }{ $g->{row}{$a} } }
				push @m, [ join("\x1f", @{ $p->{row} }{@$names2}), $p->{n} ];
			}
			\@m;
		};
		die "a row without partner\n" unless @$matched;
		my $x1 = join "\x1f", map { $_ // '' } @{ $g->{row} }{@x};
		for my $p (@$matched) { $ax{"$x1\x1e$p->[0]"} += $option{y} eq '12' ? $g->{n} * $p->[1] : $g->{n} }
	}
	my $smallest;
	for (values %ax) { $smallest = $_ if !defined $smallest || $_ < $smallest }
	return $smallest;
}

my $a = smallest($rows1);
print "A $a\n";
exit unless $option{source};

my ($source, undef) = rows_of($option{source});
my ($cut) = rows_of($cut_file);
my %cut;
push @{ $cut{ $_->{row}{attribute} } }, $_->{row}{value} for @$cut;

# Every source row below the cut, and what one more specialization would make of it.
sub shown
{
	my ($attribute, $leaf, $split) = @_;
	return $leaf unless $above{$attribute};
	for my $value (@{ $cut{$attribute} })
	{
		next unless $above{$attribute}{$leaf}{$value};
		return $value unless defined $split && $value eq $split;
		for (keys %{ $children{$attribute}{$value} }) { return $_ if $above{$attribute}{$leaf}{$_} }
	}
	die "the cut does not cover a value of $attribute\n";
}
my $could = 0;
for my $attribute (sort grep { $above{$_} } keys %cut)
{
	for my $value (@{ $cut{$attribute} })
	{
		next unless $children{$attribute}{$value};
		my (%split, $occurs);
		for my $r (@$source)
		{
			my %row = map { ($_ => exists $cut{$_} ? shown($_, $r->{row}{$_}, $_ eq $attribute ? $value : undef) : $r->{row}{$_}) } @$names1;
			my $key = join "\x1f", map { $_ // '' } @row{@$names1};
			$split{$key}{row} //= \%row;
			$split{$key}{n} += $r->{n};
			$occurs ||= $above{$attribute}{ $r->{row}{$attribute} }{$value};
		}
		next unless $occurs;
		my $then = smallest([ values %split ]);
		next if $then < $option{k};
		print "could split $attribute $value: $then\n";
		$could = 1;
	}
}
print "maximal\n" unless $could;
