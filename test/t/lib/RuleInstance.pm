# Random small instances for tests of rules: a source, earlier releases that partly come of it, a policy, join audits; and their SQL. The same
# seed gives the same instance.
package RuleInstance;
use strict;
use warnings;
use List::Util qw(uniq);
use JSON::PP;
use RuleValues;
use parent qw(RulePromises RulePeople RuleScript); # rules and join audits; rules about people; the SQL of it all

sub random
{
	my ($class, $seed) = @_;
	seed($seed);
	my $self = bless { seed => $seed, rules => [] }, $class;
	my @attributes = mixed('tree', 'tree', 'flat', 'pre', 'rng', 'b', pick(@numbers), pick(@numbers), pick(@times));
	my @quasi = (uniq @attributes)[ 0 .. pick(0, 1, 1, 2, 3) ];
	my @others = grep { my $a = $_; !grep { $_ eq $a } @quasi } uniq('s', 's', @attributes);
	my @sensitive = some(0.7, 's');
	push @sensitive, pick(@others) if chance(0.25);
	@sensitive = uniq @sensitive;
	my @as_is = chance(0.25) ? grep { my $a = $_; !grep { $_ eq $a } @sensitive } pick(@others) : ();
	$self->{$_->[0]} = $_->[1] for [ quasi => \@quasi ], [ sensitive => \@sensitive ], [ as_is => \@as_is ];
	$self->{label} = pick('s', 'lab', $quasi[0]) if chance(0.15);
	delete $self->{label} if $self->{label} && !(grep { $_ eq $self->{label} } @quasi, @sensitive, @as_is) && chance(0.8);
	my @all = uniq(@attributes, 's', 'lab', 'w', 'v');
	my %null = map { $_ => chance(0.4) ? 0.25 : 0 } @all;
	my @pool = map { +{ map { $_ => chance($null{$_}) ? undef : true_value($_) } @all } } 0 .. 1 + rnd(8);
	my $n = 2 + rnd(7);
	$self->{person} = pick('unique', 'unique', 'several', 'none');
	$self->{person_type} = pick('int', 'text', 'numeric');
	$self->{columns} = [ uniq @quasi, @sensitive, @as_is, $self->{label} // () ];
	$self->{types} = { map { $_ => $_ eq 'rng' && !(grep { $_ eq 'rng' } @sensitive, @as_is) ? pick('int', 'text', 'numeric') : $type{$_} // 'text' } @{ $self->{columns} } };
	for my $i (1 .. $n)
	{
		my $id = $self->{person} eq 'several' ? 1 + rnd(4) : $i;
		$id = pick($id, "$id.0") if $self->{person_type} eq 'numeric';
		push @{ $self->{rows} }, [ $id, @{ pick(@pool) }{ @{ $self->{columns} } } ];
	}
	my $blank = chance(0.3);
	for my $more ($blank ? (10, 20, 30) : ())    # many alike beside few
	{
		my @as = @{ pick(@{ $self->{rows} }) };
		push @{ $self->{rows} }, [ $_, @as[ 1 .. $#as ] ] for $more .. $more + 2 + rnd(3);
	}
	$self->{few_rules} = $blank && chance(0.8);    # which leave room for several classes
	my $aligned = chance(0.45);
	$self->random_earlier($_, \@pool, \@all, $aligned) for 1 .. ($blank && chance(0.7) ? 0 : pick(0, 1, 1, 1, 1, 2, 2, 3));
	$self->random_inconsistent if chance(0.2);
	$self->random_options($aligned);
	$self->random_promises;
	$self->{max_suppressed} = pick(0.2, 0.4) if $self->{k} && $self->{person} ne 'none' && chance(0.4);
	$self->random_blanked if $blank && $self->{k} && $self->{person} ne 'none' && ($self->{options}{dangling} // '') ne 'error';
	$self->{options}{weights} = { map { $_ => 1 + rnd(5) } grep { chance(0.5) } @{ $self->{quasi} } } if chance(0.3);
	$self->{options}{finest} = { map { $_ => 1 + rnd(3) } grep { chance(0.5) } @{ $self->{quasi} } } if chance(0.3);
	$self->{options}{linked} = [ [ @{ $self->{quasi} }[ 0, 1 ] ] ] if @{ $self->{quasi} } > 1 && chance(0.3);
	$self->random_audit for 1 .. 3;
	my $cells = ($self->{options}{suppress} // '') eq 'cells';
	if (chance(0.4)) { $self->random_people unless $cells }    # these are not offered together, nor with boxes
	elsif (!$self->{label} && chance(0.7)) { $self->{options}{recoding} = 'local' }
	return $self;
}

# Whoever may not be shown is so without quasi values: k persons, which are 2 of few rows.
sub random_blanked
{
	my $self = shift;
	$self->{options}{suppress} = pick('rows', 'cells', 'cells', 'cells');
	$self->{max_suppressed} = pick(0.5, 0.7);
	$self->{k} = 2 if chance(0.8);
}

sub random_earlier
{
	my ($self, $number, $pool, $all, $aligned) = @_;
	my @attributes = uniq((some(0.5, @{ $self->{columns} })), some(0.35, 'w', 'v', 's'), chance(0.2) ? pick(@$all) : ());
	@attributes = grep { $_ ne 'lab' } @attributes;
	@attributes = ($self->{quasi}[0]) if !@attributes;
	my $earlier = { name => "e$number", columns => [ map { earlier_column($_) } @attributes ] };
	my $coarse = pick(0, 0.5, 0.9);
	if ($aligned)
	{
		for my $row (@{ $self->{rows} })
		{
			my %v;
			@v{ @{ $self->{columns} } } = @$row[ 1 .. $#$row ];
			my $other = pick(@$pool);
			push @{ $earlier->{rows} }, [ map { shown_then($_, exists $v{ $_->[1] } ? $v{ $_->[1] } : $other->{ $_->[1] }, $coarse) } @{ $earlier->{columns} } ];
		}
	}
	else
	{
		for (0 .. rnd(6))
		{
			my %v = %{ pick(@$pool) };
			chance(0.1) and $v{$_} = undef for sort keys %v;
			push @{ $earlier->{rows} }, [ map { shown_then($_, $v{ $_->[1] }, $coarse) } @{ $earlier->{columns} } ];
		}
	}
	push @{ $self->{earlier} }, $earlier;
}

sub random_inconsistent
{
	my $self = shift;
	my @of = uniq(map { $_->{attr} } grep { $_->{kind} eq 'label' && $_->{tax} ne 'rng' || $_->{kind} eq 'other' } map { @{ $_->{columns} } } $self->releases);
	@of = grep { $_ ne "\0" } @of;
	return if @of < 2;
	for (1 .. 1 + rnd(3))
	{
		my ($a, $b) = mixed(@of);
		my @v = map {
			my $a = $_;
			my $tax = $a eq 'b' ? 'type boolean' : $a;
			!$taxonomies{$tax} ? true_value($a) : $a ne 'b' && chance(0.1) ? $taxonomies{$tax}{root} : $a eq 'b' ? true_value($a) : pick(@{ $oracle->path($taxonomies{$tax}, true_value($a)) })
		} $a, $b;
		push @{ $self->{inconsistent} }, [ $a, $v[0], $b, $v[1] ];
	}
}

sub random_options
{
	my ($self, $aligned) = @_;
	my %o = (allow_unique => [ uniq @{ $self->{sensitive} }, @{ $self->{as_is} } ]);
	delete $o{allow_unique} if !@{ $o{allow_unique} };
	$o{dangling} = 'outer' if chance($aligned ? 0.3 : 0.85);
	$o{overlap} = chance(0.8) ? JSON::PP::false : JSON::PP::true if chance(0.2);
	$o{valid_split} = JSON::PP::false if chance(0.3);
	$o{search} = JSON::PP::true if chance(0.25);
	$o{pruning} = 'paper' if chance(0.15);
	my %there = map { $_->[1] => 1 } map { @{ $_->{columns} } } @{ $self->{earlier} };
	my @common = grep { $there{$_} } @{ $self->{quasi} }, @{ $self->{sensitive} }, @{ $self->{as_is} };
	$o{not_common} = [ pick(@common) ] if @common && chance(0.1);
	for my $q (@{ $self->{quasi} }) { $o{domains}{$q} = [ 0, 10 ] if $q =~ /^q[inf]$/ && chance(0.3) }
	$self->{options} = \%o;
}

# Releases as the oracle takes them, this one first, in the most general state, or in the finest one: "\0" is the attribute of a column that is not published.
sub releases
{
	my ($self, $finest) = @_;
	my @own;
	for my $c (@{ $self->{quasi} }, @{ $self->{sensitive} }, @{ $self->{as_is} })
	{
		my $quasi = grep { $_ eq $c } @{ $self->{quasi} };
		my $column = column($c, $self->{types}{$c}, $quasi, $taxonomies{$c} && ($quasi || $self->{types}{$c} eq 'text') ? $c : '');
		my $domains = $self->{options}{domains};
		$column->{domain} = $domains->{$c} if $domains && $domains->{$c};
		push @own, $column;
	}
	my $label = $self->{label};
	my $hidden = $label && !grep { $_->{attr} eq $label } @own;
	push @own, { %{ column($label, $self->{types}{$label}, 0, '') }, attr => "\0" } if $hidden;
	my %at;
	@at{ @{ $self->{columns} } } = 1 .. @{ $self->{columns} };
	my $n = @{ $self->{quasi} };
	my @rows;
	for my $row (@{ $self->{rows} })
	{
		push @rows, [ map {
			my $c = $own[$_];
			my $v = $row->[ $at{ $c->{attr} eq "\0" ? $label : $c->{attr} } ];
			$_ >= $n || $finest && $c->{kind} eq 'label' ? $oracle->value($c, $v) : $finest ? $self->cut($c, $at{ $c->{attr} }, $v, $finest) : $self->uncut($c, $at{ $c->{attr} })
		} 0 .. $#own ];
	}
	my $i = 0;
	my $own = { name => 'p', columns => \@own, rows => \@rows, persons => [ map { $i++; $self->{person} eq 'none' ? $i : $self->{person_type} eq 'numeric' ? RuleOracle::plain($_->[0]) : $_->[0] } @{ $self->{rows} } ] };
	return ($own, map {
		my $e = $_;
		my @columns = map { column($_->[1], $_->[2], 0, $_->[3]) } @{ $e->{columns} };
		+{ name => $e->{name}, columns => \@columns, rows => [ map { my $row = $_; [ map { $oracle->value($columns[$_], $row->[$_]) } 0 .. $#columns ] } @{ $e->{shown} // $e->{rows} } ] }
	} @{ $self->{earlier} });
}

sub uncut
{
	my ($self, $column, $at) = @_;
	return $oracle->value($column, $taxonomies{ $column->{tax} }{root}) if $column->{kind} eq 'label';
	my $unknown = grep { !defined $_->[$at] } @{ $self->{rows} };
	return $oracle->value($column, undef) if $unknown == @{ $self->{rows} }; # nobody has a value
	return $oracle->value($column, '(,)') if $unknown || !$column->{domain};
	return $oracle->value($column, "[$column->{domain}[0],$column->{domain}[1]]");
}

# The interval of a value when all neighbours are cut apart: "least" what it has at least, "most" at most, wherever bounds lie.
sub cut
{
	my ($self, $column, $at, $t, $finest) = @_;
	my $exact = { %$column, ranges => 0, domain => undef, values => {} };
	my $v = $oracle->value($exact, $t);
	my @others = map { $_->{from} } grep { !$_->{null} } map { $oracle->value($exact, $_->[$at]) } @{ $self->{rows} };
	return $self->uncut($column, $at) if uniq(@others) == 1; # no bound lies between: nothing sets unknown apart
	return $v if $v->{null};
	my ($below) = sort { $b <=> $a } grep { $_ < $v->{from} } @others;
	my ($above) = sort { $a <=> $b } grep { $_ > $v->{from} } @others;
	my %cell = (%$v, key => "cut $v->{from}");
	if (!defined $below) { delete $cell{from} }
	elsif ($finest eq 'most') { @cell{qw(from from_in)} = ($below, 0) }
	if (!defined $above) { delete $cell{to} }
	elsif ($finest eq 'most') { @cell{qw(to to_in)} = ($above, 0) }
	my $unknown = grep { !defined $_->[$at] } @{ $self->{rows} };
	if ($column->{domain})
	{
		@cell{qw(from from_in)} = ($column->{domain}[0], 1) if !defined $cell{from};
		@cell{qw(to to_in)} = ($column->{domain}[1], 1) if !defined $cell{to};
	}
	$cell{unknown} = 1 if !defined $below && !defined $above && !$unknown && !$column->{domain};
	return \%cell;
}

1;
