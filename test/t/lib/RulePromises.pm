# What a random instance (RuleInstance.pm) promises: k, max_link and rules with bounds that the most general state keeps, mostly as tight as
# it allows; and join audits.
package RulePromises;
use strict;
use warnings;
use List::Util qw(first uniq);
use JSON::PP;
use RuleValues;

my $json = JSON::PP->new->canonical->allow_nonref;

# A term of json, for column c of release r (0: this one).
sub term { my ($self, $r, $c) = @_; return $r ? { release => "e$r", column => $self->{earlier}[ $r - 1 ]{columns}[$c][0] } : $self->{columns_of}[$c] }

# A random rule over this release and those of the given numbers: json, what the oracle counts, joins.
sub random_rule
{
	my ($self, $releases, @joined) = @_;
	my %rule = (kind => pick('anonymity', 'linkability'));
	my @columns = map { my $r = $_; map { [ $r, $_ ] } grep { $releases->[$r]{columns}[$_]{attr} ne "\0" } 0 .. $#{ $releases->[$r]{columns} } } 0, @joined;
	my @x = some(0.4, grep { $_->[0] == 0 } @columns);
	push @x, some(0.25, grep { $_->[0] } @columns);
	my ($partial, %holders, %in_x) = (0);
	$holders{ $releases->[ $_->[0] ]{columns}[ $_->[1] ]{attr} }++ for @columns;
	$in_x{ $releases->[ $_->[0] ]{columns}[ $_->[1] ]{attr} }++ for @x;
	if (chance(0.6)) { @x = grep { $in_x{ $releases->[ $_->[0] ]{columns}[ $_->[1] ]{attr} } } @columns }
	else { $partial = 1 if grep { $holders{$_} > $in_x{$_} } keys %in_x }
	@x = ($columns[0]) if !@x;
	$partial = 1 if @x == 1;
	my @free = grep { my $c = $_; !grep { "@$c" eq "@$_" } @x } @columns;
	my @y;
	push @y, [ 0, 'person' ] if $rule{kind} eq 'anonymity' && chance(0.5);
	push @y, pick(@free) if @free && (!@y || chance(0.3));
	push @y, pick(@free) if @free && chance(0.15);
	push @y, [ pick(@joined), 'record' ] if $rule{kind} eq 'anonymity' && @joined && chance(0.25);
	my %seen;
	@y = grep { !$seen{"@$_"}++ } @y;
	return if !@y;
	$rule{x} = [ map { $self->term(@$_) } @x ];
	$rule{y} = [ map { $_->[1] eq 'person' ? 'person' : $_->[1] eq 'record' ? { release => "e$_->[0]" } : $self->term(@$_) } @y ];
	$rule{partial_x} = JSON::PP::true if $partial && chance(0.98) || chance(0.1);
	my %named = map { $_->[0] => 1 } @x, @y;
	my @with = grep { !$named{$_} } @joined;
	$rule{with} = [ map { "e$_" } @with ] if @with;
	my %count = (kind => $rule{kind}, x => \@x, y => \@y, joins => [@joined]);
	$self->random_values(\%rule, \%count, $releases, @y) if $rule{kind} eq 'linkability';
	return (\%rule, \%count);
}

# A value that may be listed for a column.
sub listable
{
	my ($self, $release, $c) = @_;
	my $column = $release->{columns}[$c];
	return pick('true', 'false') if $column->{attr} eq 'b';
	my $v = pick(@{ $release->{rows} })->[$c];
	return chance(0.2) ? undef : $column->{kind} eq 'label' ? pick(@{ $oracle->path($taxonomies{ $column->{tax} }, true_value($column->{attr})) }) : true_value($column->{attr}) if $v->{null};
	return pick(@{ $v->{path} }, @{ $oracle->path($taxonomies{ $column->{tax} }, true_value($column->{attr})) }) if $column->{kind} eq 'label';
	return pick($v->{text}, $v->{text}, true_value($column->{attr}));
}

sub random_values
{
	my ($self, $rule, $count, $releases, @y) = @_;
	$rule->{nulls} = $count->{nulls} = JSON::PP::true if chance(0.15);
	return if chance(0.4) || grep { $_->[0] == 0 && $releases->[0]{columns}[ $_->[1] ]{ranges} } @y;
	return if grep { my $c = $releases->[ $_->[0] ]{columns}[ $_->[1] ]; $c->{ranges} && $c->{whole} } @y; # their text is not ours
	delete $rule->{nulls}, delete $count->{nulls};
	my (@values, %seen);
	for (1 .. 1 + rnd(3))
	{
		my @v = map { $self->listable($releases->[ $_->[0] ], $_->[1]) } @y;
		@v = map { defined $_ ? "$_" : undef } @v;
		push @values, @y == 1 ? $v[0] : \@v if !$seen{ $json->encode(\@v) }++;
	}
	$rule->{values} = $count->{values} = \@values;
	my $how = rnd(3);
	$rule->{each} = $count->{each} = JSON::PP::true if $how == 1;
	if ($how == 2 && @y == 1 && !grep { !defined } @values)
	{
		$count->{object} = 1; # made an object with a bound for each, once bounds are known
	}
}

# Bounds that the most general state keeps, most of the time as tight as it allows.
sub at_most
{
	my ($n, $of) = @_;
	my @steps = ('0.2', '0.25', '0.3', '0.4', '0.5', '0.6', '0.7', '0.75', '0.8', '0.9', '1');
	my $tight = (first { $_ * $of >= $n - 1e-9 } @steps) // '1';
	return 0 + (chance(0.6) ? $tight : chance(0.6) ? pick(grep { $_ >= $tight } @steps) : pick(@steps));
}

sub random_promises
{
	my $self = shift;
	my @releases = $self->releases;
	$self->{columns_of} = [ map { $_->{attr} } @{ $releases[0]{columns} } ];
	my %options = $self->oracle_options;
	my $n = $#releases;
	my %tuples;
	my $joined = sub { my @j = @_; eval { ($tuples{"@j"}) = $oracle->join_of([ @releases[ 0, @j ] ], \%options) if !$tuples{"@j"}; 1 } or $tuples{"@j"} = []; return $tuples{"@j"} };
	my $persons = uniq @{ $releases[0]{persons} };
	$self->{k} = 1 + rnd(chance(0.9) && $persons < 4 ? $persons : 4) if chance(0.8);
	my @sensitive = $self->sensitive_terms(\@releases);
	if (chance($n ? 0.45 : 0.3) && @sensitive)
	{
		my $worst = [ 0, 1 ];
		my $nulls = chance(0.8);
		$self->{options}{null_is_public} = JSON::PP::true if !$nulls;
		for my $rule ($self->max_link_rules(\@releases))
		{
			my ($f) = eval { $oracle->count([ @releases[ 0, @{ $rule->{joins} } ] ], $joined->(@{ $rule->{joins} }), local_rule($rule)) };
			$worst = $f if $f && $f->[0] * $worst->[1] > $worst->[0] * $f->[1];
		}
		$self->{max_link} = at_most(@$worst);
	}
	my %reached = $self->{max_link} ? map { $_ => 1 } map { @{ $_->{joins} } } $self->max_link_rules(\@releases) : ();
	for (1 .. 8)
	{
		my @missing = grep { !$reached{$_} } 1 .. $n;
		last if !@missing && $self->{k} && $self->{few_rules};
		last if @{ $self->{rules} } > 4 || !@missing && @{ $self->{rules} } && chance(0.5) || !@missing && ($self->{k} || $self->{max_link}) && chance(0.3);
		my @joined = sort { $a <=> $b } uniq @missing ? $missing[0] : (), some(0.35, 1 .. $n);
		my ($rule, $count) = $self->random_rule(\@releases, @joined);
		next if !$rule;
		my @f = eval { $oracle->count([ @releases[ 0, @joined ] ], $joined->(@joined), local_rule($count)) };
		if ($rule->{kind} eq 'anonymity')
		{
			my $least = $f[0] // 1;
			next if $least < 1 && chance(0.95);
			$rule->{min} = $count->{min} = chance(0.9) ? 1 + rnd($least || 1) : $least + 1;
		}
		else
		{
			my @max = map { ref $_ ? at_most(@$_) : 1 } @f ? @f : [ 1, 1 ];
			if ($count->{object}) { $rule->{values} = { map { $count->{values}[$_] => $max[$_] // 1 } 0 .. $#{ $count->{values} } }; $count->{max} = [ map { $max[$_] // 1 } 0 .. $#{ $count->{values} } ] }
			else { my ($m) = sort { $b <=> $a } @max; $rule->{max} = $m; $count->{max} = [ map { $m } @max ] }
		}
		push @{ $self->{rules} }, $rule;
		push @{ $self->{counted} }, $count;
		$reached{$_} = 1 for @joined;
	}
	$self->{k} = 1 if !$self->{k} && !$self->{max_link} && !@{ $self->{rules} };
}

# A rule of release numbers as one of positions in its join.
sub local_rule
{
	my $rule = shift;
	my @joins = (0, @{ $rule->{joins} });
	my %at = map { $joins[$_] => $_ } 0 .. $#joins;
	return { %$rule, map { my $side = $_; $side => [ map { [ $at{ $_->[0] }, $_->[1] ] } @{ $rule->{$side} } ] } qw(x y) };
}

# The columns that max_link speaks of, as [ release, column ].
sub sensitive_terms
{
	my ($self, $releases) = @_;
	my $own = $releases->[0];
	my %sensitive = map { $_ => 1 } @{ $self->{sensitive} }, "\0";
	my %shown = map { $_->{attr} => 1 } @{ $own->{columns} };
	return ((map { [ 0, $_ ] } grep { $sensitive{ $own->{columns}[$_]{attr} } } 0 .. $#{ $own->{columns} }),
		map { my $r = $_; map { [ $r, $_ ] } grep { !$shown{ $releases->[$r]{columns}[$_]{attr} } } 0 .. $#{ $releases->[$r]{columns} } } 1 .. $#$releases);
}

# max_link as rules.
sub max_link_rules
{
	my ($self, $releases) = @_;
	my $n = $#$releases;
	my @x = map { [ 0, $_ ] } 0 .. $#{ $self->{quasi} };
	my @rules;
	for my $joins ([], (map { [$_] } 1 .. $n), $n > 1 ? [ 1 .. $n ] : ())
	{
		my %in = map { $_ => 1 } 0, @$joins;
		push @rules, map { +{ kind => 'linkability', x => \@x, y => [$_], joins => $joins, nulls => !$self->{options}{null_is_public}, max => [ $self->{max_link} // 1 ] } } grep { $in{ $_->[0] } } $self->sensitive_terms($releases);
	}
	return @rules;
}

# All rules: k, max_link's, then those that are written.
sub all_rules
{
	my ($self, $releases) = @_;
	my @rules;
	push @rules, { kind => 'anonymity', x => [ map { [ 0, $_ ] } 0 .. $#{ $self->{quasi} } ], y => [ [ 0, 'person' ] ], joins => [], min => $self->{k} } if $self->{k};
	push @rules, $self->max_link_rules($releases) if $self->{max_link};
	return (@rules, @{ $self->{counted} // [] });
}

sub oracle_options
{
	my $self = shift;
	my $o = $self->{options};
	return (outer => ($o->{dangling} // ($self->{max_suppressed} ? 'outer' : '')) eq 'outer', overlap => $o->{overlap} // 1, not_common => $o->{not_common} // [], inconsistent => $self->{inconsistent} // []);
}

sub random_audit
{
	my $self = shift;
	my $n = @{ $self->{earlier} // [] };
	my @tables = mixed(0, some(0.6, 1 .. $n));
	@tables = mixed(1 .. $n) if $n && chance(0.15);
	@tables = (0, grep { $_ } @tables) if chance(0.5);
	my @releases = $self->releases;
	my @columns = map { my $r = $_; map { [ $r, $_ ] } grep { $releases[$r]{columns}[$_]{attr} ne "\0" } 0 .. $#{ $releases[$r]{columns} } } @tables;
	my @x = some(0.3, @columns);
	my @free = grep { my $c = $_; !grep { "@$c" eq "@$_" } @x } @columns;
	my @y = @free ? (pick(@free), chance(0.2) ? pick(@free) : ()) : ();
	push @y, [ pick(@tables), 'record' ] if !@y || chance(0.25);
	my %seen;
	@y = grep { !$seen{"@$_"}++ } @y;
	my $columns_only = !grep { $_->[1] eq 'record' } @y;
	my (%rule, %count);
	$self->random_values(\%rule, \%count, \@releases, @y) if $columns_only;
	delete $count{object};
	my %options = (%rule, overlap => chance(0.2) ? JSON::PP::false : JSON::PP::true, chance(0.6) ? (outer => JSON::PP::true) : ());
	delete $options{overlap} if $options{overlap} && chance(0.3);
	my $first = $tables[0];
	my $name = sub { my $r = shift; return $r ? "e$r" : 'p' };
	my $of = sub { my ($r, $c) = @_; return $r ? $self->{earlier}[ $r - 1 ]{columns}[$c][1] : $releases[0]{columns}[$c]{attr} };
	my $to = sub { my ($r, $c) = @$_; return $c eq 'record' ? { release => $name->($r) } : { release => $name->($r), column => $r ? $self->{earlier}[ $r - 1 ]{columns}[$c][0] : $releases[0]{columns}[$c]{attr} } };
	my %at = map { $tables[$_] => $_ } 0 .. $#tables;
	push @{ $self->{audits} }, {
		tables => \@tables, releases => [ map { $name->($_) } @tables ], x => [ map { $to->() } @x ], y => [ map { $to->() } @y ], options => \%options, links => $columns_only,
		rule => { %count, x => [ map { [ $at{ $_->[0] }, $_->[1] ] } @x ], y => [ map { [ $at{ $_->[0] }, $_->[1] ] } @y ] } };
}

1;
