# Numbers that look random and depend on a seed alone: the same on every machine and in every version of perl.
package Random;
use strict;
use warnings;

sub new
{
	my ($class, $seed) = @_;
	my $self = bless { state => $seed }, $class;
	$self->below(2) for 1 .. 4;
	return $self;
}

# A whole number from 0 to below n. The multiplier and the increment are Knuth's (MMIX); only the upper bits are used.
sub below
{
	my ($self, $n) = @_;
	{
		use integer; # 64 bits that wrap around
		$self->{state} = $self->{state} * 6364136223846793005 + 1442695040888963407;
	}
	return ($self->{state} >> 33 & 0x7fffffff) % $n;
}

sub pick { my $self = shift; return $_[ $self->below(scalar @_) ] }

sub chance { my ($self, $percent) = @_; return $self->below(100) < $percent }

# One of several [ weight, value ], as often as its weight says.
sub weighted
{
	my $self = shift;
	my $sum = 0;
	$sum += $_->[0] for @_;
	my $at = $self->below($sum);
	for (@_) { return $_->[1] if ($at -= $_->[0]) < 0 }
}

# Up to n different ones, in any order.
sub some
{
	my ($self, $n, @from) = @_;
	my @some;
	push @some, splice(@from, $self->below(scalar @from), 1) while @some < $n && @from;
	return @some;
}

1;
