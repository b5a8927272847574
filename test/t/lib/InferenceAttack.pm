# The inference attack on versions of a release whose rows carry an object id (Pei et al., SSDBM'07, section 2), by its own count.
#
# It knows what was published, the taxonomies, and the true point of a victim where a reading asks for it. I(o) is the intersection of what
# an object shows in those releases of a set that have it. Nothing is assumed of regions: they may overlap, and grow. The readings:
#   equal    at least k objects with the same I
#   contain  at least k objects whose I contains I(o)
#   cover    at least k objects whose I holds o's true point
# An attacker who knows when people came and went counts only the objects that are in the very releases of the set in which his victim is.
package InferenceAttack;
use strict;
use warnings;

# The number line: unknown values (NULL) lie below all others, as "(,5)" holds them and NULL shows only them.
use constant { UNKNOWN => -1e18, KNOWN => -1e17, ABOVE => 1e18, ABSENT => -1, EMPTY => -2 };

# One entry per quasi column: undef for a line, else what tree() returns.
sub new
{
	my ($class, $k, @columns) = @_;
	return bless {
		k => $k, columns => \@columns, regions => [], id => {}, text => {}, parts => [ map { [] } @columns ], part => [ map { +{} } @columns ],
		releases => 0, path => {}, point => {}, meets => {} }, $class;
}

# A taxonomy from its paths, leaf first: node -> bits of its leaves. Bit 0 is the unknown value, which only the root holds.
sub tree
{
	my (%bits, %leaf);
	for my $path (@_)
	{
		my $bit = 1 << ($leaf{ $path->[0] } //= 1 + keys %leaf);
		die "too many leaves\n" if keys %leaf > 62;
		$bits{$_} = ($bits{$_} // 0) | $bit for @$path;
		$bits{ $path->[-1] } |= 1;
	}
	return \%bits;
}

# Adds a release: rows [ object, region ], a region being the quasi columns as COPY prints them.
sub release
{
	my ($self, @rows) = @_;
	my $r = $self->{releases}++;
	for my $row (@rows)
	{
		my $path = $self->{path}{ $row->[0] } //= [];
		die "an object is twice in a release\n" if defined $path->[$r];
		push @$path, ABSENT while @$path < $r;
		$self->{sizes}[$r]{ $path->[$r] = $self->{text}{ $row->[1] } //= $self->region($row->[1]) }++;
	}
}

# What is true of an object: its quasi values as COPY prints them.
sub victim { my ($self, $object, $values) = @_; $self->{point}{$object} = $values }

sub region
{
	my ($self, $text) = @_;
	my @parts = split /\t/, $text, -1;
	return $self->intern(map { $self->part($_, $self->{columns}[$_] ? nodes($self->{columns}[$_], $parts[$_]) : interval($parts[$_])) } 0 .. $#parts);
}

sub interval
{
	my $text = shift;
	return [ UNKNOWN, KNOWN ] if $text eq '\N';
	my ($from, $below) = $text =~ /^[\[(](-?\d*),(-?\d*)\)$/ or die "no range: $text\n";
	return [ $from eq '' ? UNKNOWN : $from, $below eq '' ? ABOVE : $below ];
}

# One label, or an array of them.
sub nodes
{
	my ($tree, $text) = @_;
	return $text eq '\N' ? 1 : $tree->{$text} // die "no node: $text\n" unless $text =~ /^\{/;
	my $bits = 0;
	while ($text =~ /\G(?:^\{|,)(?:"([^"]*)"|([^,}"]*))/g)
	{
		my $node = $1 // $2;
		$bits |= defined $2 && $2 eq 'NULL' ? 1 : $tree->{$node} // die "no node: $node\n";
	}
	return $bits;
}

sub part
{
	my ($self, $a, $part) = @_;
	return $self->{part}[$a]{ ref $part ? "@$part" : $part } //= do { push @{ $self->{parts}[$a] }, $part; $#{ $self->{parts}[$a] } };
}

sub intern
{
	my ($self, @parts) = @_;
	return $self->{id}{"@parts"} //= do { push @{ $self->{regions} }, \@parts; $#{ $self->{regions} } };
}

# The intersection of two regions.
sub meet
{
	my ($self, $r, $s) = @_;
	return $r if $r == $s;
	return $self->{meet}{"$r $s"} //= do {
		my @parts;
		for my $a (0 .. $#{ $self->{columns} })
		{
			my ($p, $q) = map { $self->{parts}[$a][ $self->{regions}[$_][$a] ] } $r, $s;
			my $both = ref $p ? [ $p->[0] > $q->[0] ? $p->[0] : $q->[0], $p->[1] < $q->[1] ? $p->[1] : $q->[1] ] : $p & $q;
			last unless ref $both ? $both->[0] < $both->[1] : $both;
			push @parts, $self->part($a, $both);
		}
		@parts == @{ $self->{columns} } ? $self->intern(@parts) : EMPTY;
	};
}

# Objects that show, in a later release, more than what they show and showed is: those whose region has grown or moved.
sub strays
{
	my $self = shift;
	my $strays = 0;
	for my $path (values %{ $self->{path} })
	{
		my @seen = grep { $_ >= 0 } @$path;
		$strays++ if grep { $self->meet($seen[ $_ - 1 ], $seen[$_]) != $seen[$_] } 1 .. $#seen;
	}
	return $strays;
}

# The fewest objects that show the same in one release.
sub smallest_class { my ($self, $r) = @_; return (sort { $a <=> $b } values %{ $self->{sizes}[$r] })[0] }

# Puts objects with the same history together, and indexes regions by what they hold: per attribute and value a string of bits, one per
# region. REQUIRES: all releases and victims, and the sets of releases that will be asked about.
sub prepare
{
	my ($self, @sets) = @_;
	my (%history, @histories);
	for my $object (keys %{ $self->{path} })
	{
		my $path = $self->{path}{$object};
		push @$path, ABSENT while @$path < $self->{releases};
		my $h = $history{"@$path"} //= do { push @histories, { path => $path, n => 0, points => {} }; $#histories };
		$histories[$h]{n}++;
		$histories[$h]{points}{ $self->{point}{$object} // die "an object without its true point\n" }++;
	}
	$self->{histories} = \@histories;
	$self->intersections(@$_) for @sets;
	for my $a (0 .. $#{ $self->{columns} })
	{
		my @bits = ('') x @{ $self->{parts}[$a] };
		vec($bits[ $self->{regions}[$_][$a] ], $_, 1) = 1 for 0 .. $#{ $self->{regions} };
		$self->{bits}[$a] = \@bits;
	}
	for my $history (@histories)
	{
		my %places;
		$places{ $self->place($_) } += $history->{points}{$_} for keys %{ $history->{points} };
		$history->{places} = [ map { [ $_, $places{$_} ] } keys %places ];
		$history->{lies} = 0;
		for my $place (keys %places)
		{
			my %holds = map { $_ => 1 } @{ $self->{places}[$place] };
			$history->{lies} += $places{$place} if grep { $_ >= 0 && !$holds{$_} } @{ $history->{path} };
		}
		$history->{when} |= $history->{path}[$_] >= 0 ? 1 << $_ : 0 for 0 .. $self->{releases} - 1;
	}
}

# I of every history over a set of releases, ascending.
sub intersections
{
	my ($self, @set) = @_;
	return $self->{meets}{"@set"} //= do {
		my $last = pop @set;
		my $before = @set ? $self->intersections(@set) : [ (ABSENT) x @{ $self->{histories} } ];
		my $i = 0;
		[ map {
			my ($old, $new) = ($before->[ $i++ ], $_->{path}[$last]);
			$new == ABSENT || $old == $new || $old == EMPTY ? $old : $old == ABSENT ? $new : $self->meet($old, $new)
		} @{ $self->{histories} } ];
	};
}

sub ones
{
	my $bits = unpack 'b*', shift;
	my ($i, @ones) = (-1);
	push @ones, $i while ($i = index $bits, '1', $i + 1) >= 0;
	return \@ones;
}

# Regions for which every attribute's part passes the test.
sub regions_with
{
	my ($self, $cache, $keys, $test) = @_;
	my $all;
	for my $a (0 .. $#$keys)
	{
		my $of_key = $self->{$cache}[$a]{ $keys->[$a] } //= do {
			my ($any, $parts) = ('', $self->{parts}[$a]);
			$test->($a, $keys->[$a], $parts->[$_]) and $any |= $self->{bits}[$a][$_] for 0 .. $#$parts;
			$any;
		};
		$all = defined $all ? $all & $of_key : $of_key;
	}
	return ones($all);
}

# The number of a set of regions: those that hold a point. Points that the same regions hold are in one place.
sub place
{
	my ($self, $point) = @_;
	return $self->{place_of}{$point} //= do {
		my @values = split /\t/, $point, -1;
		my $holding = $self->regions_with('holding', \@values, sub {
			my ($a, $value, $part) = @_;
			return $part & ($value eq '\N' ? 1 : $self->{columns}[$a]{$value} // die "no leaf: $value\n") unless ref $part;
			$value = UNKNOWN if $value eq '\N';
			return $part->[0] <= $value && $value < $part->[1];
		});
		$self->{place}{"@$holding"} //= do { push @{ $self->{places} }, $holding; $#{ $self->{places} } };
	};
}

# Regions that contain one.
sub containers
{
	my ($self, $region) = @_;
	return $self->{containers}{$region} //= $self->regions_with('above', $self->{regions}[$region], sub {
		my ($a, $part, $other) = @_;
		$part = $self->{parts}[$a][$part];
		return ref $part ? $other->[0] <= $part->[0] && $part->[1] <= $other->[1] : ($part & $other) == $part;
	});
}

# Objects that show a region which does not hold their true point.
sub liars { my $n = 0; $n += $_->{lies} for @{ $_[0]{histories} }; return $n }

# The attack with a set of releases. Returns how many objects are in it (seen; live: those in its last release), and of those, per reading,
# how many are at risk, live and gone ones apart; and contradictions, objects whose I is empty, which are at risk in every reading.
sub attack
{
	my ($self, $arrivals_known, @set) = @_;
	my %found = (seen => 0, live => 0, contradictions => 0, map { $_ => { live => 0, gone => 0 } } qw(equal contain cover));
	my ($k, $meets, $last, $mask, $h) = ($self->{k}, $self->intersections(@set), $set[-1], 0, -1);
	$mask |= 1 << $_ for @set;
	my %crowds; # by when they are there: region -> how many are known to be in it
	for my $history (@{ $self->{histories} })
	{
		my $i = $meets->[ ++$h ];
		next if $i == ABSENT;
		$found{seen} += $history->{n};
		$found{live} += $history->{n} if $history->{path}[$last] >= 0;
		$crowds{ $arrivals_known ? $history->{when} & $mask : 0 }[$i] += $history->{n} if $i >= 0;
	}
	$h = -1;
	for my $history (@{ $self->{histories} })
	{
		my $i = $meets->[ ++$h ];
		next if $i == ABSENT;
		my ($n, $crowd) = ($history->{n}, $crowds{ $arrivals_known ? $history->{when} & $mask : 0 });
		next if $i >= 0 && $crowd->[$i] >= $k && $history->{lies} == 0; # all those hold what he shows, so where he is
		my $state = $history->{path}[$last] >= 0 ? 'live' : 'gone';
		if ($i == EMPTY)
		{
			$found{contradictions} += $n;
			$found{$_}{$state} += $n for qw(equal contain cover);
			next;
		}
		my $few = sub { my $sum = 0; ($sum += $crowd->[$_] // 0) >= $k and return 0 for @{ $_[0] }; 1 };
		$found{equal}{$state} += $n if $crowd->[$i] < $k;
		$found{contain}{$state} += $n if $few->($self->containers($i));
		$few->($self->{places}[ $_->[0] ]) and $found{cover}{$state} += $_->[1] for @{ $history->{places} };
	}
	return \%found;
}

# The fewest objects that may be somebody at one of the given points, seen there or not.
sub fewest_covering
{
	my ($self, $set, @points) = @_;
	my ($fewest, @n, %done);
	my ($meets, $h) = ($self->intersections(@$set), 0);
	for my $history (@{ $self->{histories} }) { my $i = $meets->[ $h++ ]; $n[$i] += $history->{n} if $i >= 0 }
	for my $place (grep { !$done{$_}++ } map { $self->place($_) } @points)
	{
		my $sum = 0;
		$sum += $n[$_] // 0 for @{ $self->{places}[$place] };
		$fewest = $sum if !defined $fewest || $sum < $fewest;
	}
	return $fewest;
}

# All sets of the releases 0 .. n - 1.
sub subsets
{
	my $n = shift;
	return map { my $mask = $_; [ grep { $mask >> $_ & 1 } 0 .. $n - 1 ] } 1 .. (1 << $n) - 1;
}

1;
