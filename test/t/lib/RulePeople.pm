# Rules of a random instance (RuleInstance.pm) about the people whom its records may be of: a table of them, what is demanded, and what an
# enumeration of classes and people says of it: a class holds so many persons, and so many people fit it, each of whose values it covers.
package RulePeople;
use strict;
use warnings;
use List::Util qw(sum0 uniq);
use RuleValues;

my %range = (int => 'int4range', bigint => 'int8range', numeric => 'numrange', float8 => 'numrange', date => 'daterange', timestamp => 'tsrange', timestamptz => 'tstzrange');

sub random_people
{
	my $self = shift;
	my @columns = map { [ $_, chance(0.8) ? $_ : "${_}_there", $self->people_type($_) ] } @{ $self->{quasi} };
	my $town = { columns => \@columns, counted => chance(0.5) };
	my %at;
	@at{ @{ $self->{columns} } } = 1 .. @{ $self->{columns} };
	my @of = chance(0.8) ? @{ $self->{rows} } : ();
	push @of, map { chance(0.6) ? pick(@{ $self->{rows} }) : undef } 0 .. rnd(20);
	for my $row (@of)
	{
		push @{ $town->{rows} }, [ (map { $self->value_there($_, $row && chance(0.85) ? $row->[ $at{ $_->[0] } ] : true_value($_->[0])) } @columns), $town->{counted} ? 1 + rnd(4) : 1 ];
	}
	$self->{town} = $town;
	$self->random_demand for 1 .. 1 + rnd(2);
}

sub people_type
{
	my ($self, $a) = @_;
	return pick('boolean', 'text') if $a eq 'b';
	return pick('int', 'text') if $a eq 'rng';
	my $type = $self->{types}{$a};
	return $range{$type} ? pick($type, $type, $range{$type}) : 'text';
}

# As it is, coarser, or what no release knows.
sub value_there
{
	my ($self, $column, $v) = @_;
	my ($a, undef, $type) = @$column;
	return undef if !defined $v;
	my $tax = $a eq 'b' ? 'type boolean' : $a;
	return $v if $type eq 'boolean' || $type eq 'int' && $a eq 'rng';
	if (my $tree = $taxonomies{$tax})
	{
		return 'zz' if $tree->{kind} eq 'tree' && chance(0.03);
		return chance(0.1) ? pick(@{ $oracle->path($tree, $v) }) : $oracle->path($tree, $v)->[0];
	}
	return $v if $type !~ /range$/;
	while (1) { my $r = RuleValues::around($type, $v); return $r if $r ne 'empty' }
}

sub random_demand
{
	my $self = shift;
	my @x = some(0.8, 0 .. $#{ $self->{quasi} });
	@x = (0) if !@x;
	my $all = @x == @{ $self->{quasi} };
	my %rule = (population => 'town', $all && chance(0.7) ? () : (x => [ map { $self->{quasi}[$_] } @x ]));
	my %count = (x => \@x);
	my ($own) = $self->releases;
	my ($class) = $self->classes_of($own, \@x); # as a rule, in the most general state, there is one
	my ($f, $people) = @$class{qw(persons people)};
	if (chance(0.5))
	{
		@rule{qw(kind min)} = ('k_map', 1 + rnd(chance(0.9) ? $people || 1 : $people + 2));
		push @{ $self->{demands} }, { %count, kind => 'k_map', bound => $rule{min} };
	}
	else
	{
		$rule{kind} = 'presence';
		if (chance(0.8))
		{
			my $upper = pick('max', 'below');
			$rule{$upper} = RulePromises::at_most($f, $people || 1);
			push @{ $self->{demands} }, { %count, kind => $upper, bound => $rule{$upper} };
		}
		my $least = pick(0.01, 0.02, 0.05, 0.1);
		if (!defined($rule{max} // $rule{below}) || chance(0.2) && $least < ($rule{max} // $rule{below}))
		{
			$rule{min} = $least;
			push @{ $self->{demands} }, { %count, kind => 'min', bound => $least };
		}
	}
	push @{ $self->{people_rules} }, \%rule;
}

# Whether everything that a value may be lies within what is shown.
sub within
{
	my ($column, $shown, $v) = @_;
	return $shown->{unknown} ? 1 : 0 if $v->{null};
	return 0 if $shown->{null};
	return scalar grep { $_ eq $shown->{text} } @{ $v->{path} } if $column->{kind} eq 'label';
	return $shown->{general} ? 1 : 0 if $v->{general};
	return 0 if defined $shown->{from} && (!defined $v->{from} || $v->{from} < $shown->{from} || $v->{from} == $shown->{from} && $v->{from_in} && !$shown->{from_in});
	return 0 if defined $shown->{to} && (!defined $v->{to} || $v->{to} > $shown->{to} || $v->{to} == $shown->{to} && $v->{to_in} && !$shown->{to_in});
	return 1;
}

# What a person's value is, as the oracle takes it; none: nobody knows it.
sub there
{
	my ($self, $i, $own, $t) = @_;
	my ($a, undef, $type) = @{ $self->{town}{columns}[$i] };
	return if defined $t && $t eq 'zz';
	my $column = { %{ $own->{columns}[$i] }, ranges => $type =~ /range$/ ? 1 : 0, domain => undef, values => {} };
	my $v = $oracle->value($column, $t);
	$v = { %$v, to => $v->{to} - 1, to_in => 1 } if $type =~ /^int/ && defined $v->{to} && !$v->{to_in};    # [6,11) is within [0,10]
	return $v;
}

# The classes of x: persons, people who fit; and `left` in list context: people who fit none.
sub classes_of
{
	my ($self, $own, $x) = @_;
	my %classes;
	for my $r (0 .. $#{ $own->{rows} })
	{
		my $class = $classes{ join "\1", map { $own->{rows}[$r][$_]{key} } @$x } //= { shown => [ map { $own->{rows}[$r][$_] } @$x ], people => 0 };
		$class->{of}{ $own->{persons}[$r] } = 1;
	}
	$_->{persons} = keys %{ $_->{of} } for values %classes;
	my $left = 0;
	for my $row (@{ $self->{town}{shown} // $self->{town}{rows} })
	{
		my $placed = 0;
		for my $class (values %classes)
		{
			my $fits = 1;
			for my $j (0 .. $#$x)
			{
				my $v = $self->there($x->[$j], $own, $row->[ $x->[$j] ]);
				$fits &&= $v && within($own->{columns}[ $x->[$j] ], $class->{shown}[$j], $v);
			}
			$class->{people} += $row->[-1] if $fits;
			$placed ||= $fits;
		}
		$left += $row->[-1] if !$placed;
	}
	$self->{left} = $left;
	return map { $classes{$_} } sort keys %classes;
}

# Each demand on this release: [ demand, worst as text, holds ].
sub demanded
{
	my ($self, $own) = @_;
	my @found;
	for my $demand (@{ $self->{demands} // [] })
	{
		my @classes = $self->classes_of($own, $demand->{x});
		my $left = $self->{left};
		if ($demand->{kind} eq 'k_map')
		{
			my ($least) = sort { $a <=> $b } map { $_->{people} } @classes;
			push @found, [ $demand, $least, $least >= $demand->{bound} ];
			next;
		}
		my @shares = sort { $a->{persons} * $b->{people} <=> $b->{persons} * $a->{people} } @classes;
		my $worst = $shares[ $demand->{kind} eq 'min' ? 0 : -1 ];
		my ($f, $people) = @$worst{qw(persons people)};
		my $holds = $demand->{kind} eq 'min' ? $f + 1e-9 >= $demand->{bound} * $people && !$left : $demand->{kind} eq 'max' ? $f <= $demand->{bound} * $people + 1e-9 : $f < $demand->{bound} * $people - 1e-9;
		push @found, [ $demand, $demand->{kind} eq 'min' && $left ? 'left' : $people ? RuleCheck::fraction($f, $people) : 'nobody', $holds ? 1 : 0 ];
	}
	return @found;
}

# The kind, bound and x of a rule as json, as of a demand.
sub sign_of_demand { my ($self, $demand) = @_; return "$demand->{kind} $demand->{bound} " . join(',', sort map { $self->{quasi}[$_] } @{ $demand->{x} }) }

sub sign_of_rule
{
	my ($self, $rule) = @_;
	my $kind = $rule->{kind} eq 'k_map' ? 'k_map' : (grep { exists $rule->{$_} } qw(max below min))[0];
	return "$kind " . (0 + $rule->{ $kind eq 'k_map' ? 'min' : $kind }) . ' ' . join(',', sort @{ $rule->{x} // $self->{quasi} });
}

1;
