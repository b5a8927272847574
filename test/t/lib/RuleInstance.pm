# Random small instances for tests of rules: a source, earlier releases that partly come of it, a policy, join audits; and their SQL. The same
# seed gives the same instance.
package RuleInstance;
use strict;
use warnings;
use List::Util qw(first shuffle uniq);
use JSON::PP;
use RuleOracle;

my $json = JSON::PP->new->canonical->allow_nonref;

# As new() of RuleOracle takes them, and how they are made.
our %taxonomies = (
	tree => { kind => 'tree', root => '*', parent => { a => 'A', b => 'A', c => 'B1', d => 'B1', e => 'B', B1 => 'B', A => '*', B => '*' } },
	flat => { kind => 'tree', root => 'ANY', parent => { x => 'ANY', y => 'ANY', z => 'ANY' } },
	'type boolean' => { kind => 'tree', root => 'ANY', parent => { true => 'ANY', false => 'ANY' } },
	pre => { kind => 'prefix', root => '*', lengths => [ 2, 1 ] },
	rng => { kind => 'range', root => '[0,8)', lower => 0, upper => 8, widths => [ 2, 4 ] });
our $setup = q{
CREATE EXTENSION IF NOT EXISTS anon_seq;
SELECT anon_seq.create_taxonomy('tree', '{"*": {"A": ["a", "b"], "B": {"B1": ["c", "d"], "e": []}}}'), anon_seq.create_flat_taxonomy('flat', '{x,y,z}'),
  anon_seq.create_prefix_taxonomy('pre', '{2,1}'), anon_seq.create_range_taxonomy('rng', 0, 8, '{2,4}');
};
# What each instance's script begins with, once per session.
our $session = q{
SET client_min_messages = error; SET TimeZone = 'UTC'; SET search_path = public, anon_seq;
CREATE FUNCTION pg_temp.said(statement text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE r jsonb; d text; h text;
BEGIN
  EXECUTE 'SELECT coalesce(jsonb_agg(to_jsonb(r)), ''[]'') FROM (' || statement || ') AS r' INTO r;
  RETURN jsonb_build_object('rows', r);
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS d = PG_EXCEPTION_DETAIL, h = PG_EXCEPTION_HINT;
  RETURN jsonb_build_object('state', sqlstate, 'message', sqlerrm, 'detail', d, 'hint', h);
END $$;
};

# ---- Random choices, of a generator of their own: srand would be the same for a seed, but others may call rand.

my $state;
sub rnd { $state = ($state * 1103515245 + 12345) % 2147483648; return ($state >> 8) % shift }
sub seed { $state = (shift() * 7919 + 12345) % 2147483647; rnd(2) for 1 .. 5 }
sub chance { return rnd(1000) < 1000 * shift }
sub pick { return $_[ rnd(scalar @_) ] }
sub some { my ($p, @all) = @_; return grep { chance($p) } @all }
sub mixed { my @all = @_; for my $i (reverse 1 .. $#all) { my $j = rnd($i + 1); @all[ $i, $j ] = @all[ $j, $i ] } return @all }

# ---- Attributes: what is true of a person, and how a release may show it

my @numbers = qw(qi qb qn qf);
my @times = qw(qd qt qz);
my %type = (qi => 'int', qb => 'bigint', qn => 'numeric', qf => 'float8', qd => 'date', qt => 'timestamp', qz => 'timestamptz', b => 'boolean', rng => 'int');
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

my $oracle = RuleOracle->new(%taxonomies);

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

# ---- Instances

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
	my $aligned = chance(0.45);
	$self->random_earlier($_, \@pool, \@all, $aligned) for 1 .. pick(0, 1, 1, 1, 1, 2, 2, 3);
	$self->random_inconsistent if chance(0.2);
	$self->random_options($aligned);
	$self->random_promises;
	$self->random_audit for 1 .. 3;
	return $self;
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
	$o{valid_split} = JSON::PP::true if chance(0.2);
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

# ---- Rules

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
	return (outer => ($o->{dangling} // '') eq 'outer', overlap => $o->{overlap} // 1, not_common => $o->{not_common} // [], inconsistent => $self->{inconsistent} // []);
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

# ---- SQL

sub quoted { my $t = shift; return 'NULL' if !defined $t; $t =~ s/'/''/g; return "'$t'" }
sub list { return quoted('{' . join(',', @_) . '}') }

sub declared
{
	my $self = shift;
	my @tables;
	push @tables, 'CREATE TABLE src (id ' . $self->{person_type} . join('', map { ", $_ $self->{types}{$_}" } @{ $self->{columns} }) . ');';
	push @tables, 'INSERT INTO src VALUES ' . join(', ', map { '(' . join(', ', map { quoted($_) } @$_) . ')' } @{ $self->{rows} }) . ';';
	for my $e (@{ $self->{earlier} })
	{
		push @tables, "CREATE TABLE $e->{name} (" . join(', ', map { "$_->[0] $_->[2]" } @{ $e->{columns} }) . ');';
		push @tables, "INSERT INTO $e->{name} VALUES " . join(', ', map { '(' . join(', ', map { quoted($_) } @$_) . ')' } @{ $e->{rows} }) . ';';
	}
	return join "\n", @tables;
}

# The calls, by what they are: registrations and declaration, then what is asked.
sub calls
{
	my $self = shift;
	my @calls;
	for my $e (@{ $self->{earlier} })
	{
		my %attributes = map { $_->[1] => $_->[3] ? { column => $_->[0], taxonomy => $_->[3] } : $_->[0] } @{ $e->{columns} };
		push @calls, [ "register $e->{name}", "SELECT register_release('$e->{name}', '$e->{name}', 'pop', " . quoted($json->encode(\%attributes)) . ')' ];
	}
	push @calls, [ 'inconsistent', 'SELECT declare_inconsistent(' . join(', ', map { quoted($_) } @$_) . ')' ] for @{ $self->{inconsistent} };
	my @p = ("'p', 'src'", $self->{person} eq 'none' ? 'NULL' : "'id'", list(@{ $self->{quasi} }));
	push @p, "k => $self->{k}" if $self->{k};
	push @p, "max_link => $self->{max_link}" if $self->{max_link};
	push @p, 'sensitive => ' . list(@{ $self->{sensitive} }) if @{ $self->{sensitive} };
	push @p, 'publish_as_is => ' . list(@{ $self->{as_is} }) if @{ $self->{as_is} };
	push @p, "label => '$self->{label}'" if $self->{label};
	push @p, 'rules => ' . quoted($json->encode($self->{rules})) if @{ $self->{rules} };
	push @p, q{taxonomies => '{"rng": "rng"}'} if grep { $_ eq 'rng' } @{ $self->{quasi} };
	push @p, "population => 'pop'", 'options => ' . quoted($json->encode($self->{options}));
	push @calls, [ 'declare', 'SELECT create_sequential_policy(' . join(', ', @p) . ')' ];
	push @calls, [ 'preview', q{SELECT feasible, reason, classes, published FROM preview('p')} ];
	push @calls, [ 'publish', q{SELECT published, classes FROM publish('p')} ];
	push @calls, [ 'audit', q{SELECT check_name, scope, required, observed, ok, detail FROM audit('p')} ];
	push @calls, [ 'shown p', 'SELECT ' . join(', ', map { "${_}::text" } @{ $self->{quasi} }, @{ $self->{sensitive} }, @{ $self->{as_is} }) . ' FROM p' ];
	push @calls, [ "shown $_->{name}", "SELECT ctid AS place, @{[ join(', ', map { $_->[0] . '::text' } @{ $_->{columns} }) ]} FROM $_->{name}" ] for @{ $self->{earlier} };
	my $i = 0;
	push @calls, [ 'join ' . $i++, "SELECT smallest_anonymity, largest_linkability, matches, dangling FROM audit_join(" . list(@{ $_->{releases} }) . ', ' . quoted($json->encode($_->{x})) . ', ' . quoted($json->encode($_->{y})) . ', options => ' . quoted($json->encode($_->{options})) . ')' ]
		for @{ $self->{audits} };
	return @calls;
}

# The script that tells what comes of it, one json per line: seed, what, answer.
sub script
{
	my $self = shift;
	my $sql = "BEGIN;\n" . $self->declared . "\n";
	$sql .= "SELECT json_build_array($self->{seed}, " . quoted($_->[0]) . ', pg_temp.said(' . quoted($_->[1]) . "));\n" for $self->calls;
	return $sql . "ROLLBACK;\n";
}

# The script for people.
sub plain
{
	my $self = shift;
	return "-- seed $self->{seed}\n" . $self->declared . "\n" . join("\n", map { "$_->[1];" } $self->calls) . "\n";
}

1;
