# What rules of a sequential release say, by enumeration: doc/semantics.md and doc/reference.md, point by point, and nothing else. Every
# combination of rows is made, so instances must be small.
#
# A release is { name, columns => [ { attr, kind, ranges, whole, tax, domain } ], rows => [ [ value, ... ] ], persons => [ key, ... ] };
# kind is label, number, time or other; ranges: the column shows ranges; whole: whole numbers, or days; values are those of value().
package RuleOracle;
use strict;
use warnings;
use List::Util qw(any first max min uniq);
use Time::Local qw(timegm);

# Taxonomies: name -> { kind: tree, range or prefix; root; parent (tree), lower, upper, widths (range), lengths (prefix) }.
sub new { my ($class, %taxonomies) = @_; return bless { taxonomies => \%taxonomies }, $class }

# ---- Values

sub number { my $t = shift; return $t =~ /^-?\d{1,18}$/ ? int($t) : $t + 0 }

sub seconds
{
	my $t = shift;
	my ($y, $m, $d, $h, $i, $s) = $t =~ /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d(?:\.\d+)?))?(?:\+00)?$/ or die "no time: $t\n";
	return timegm(0, 0, 0, $d, $m - 1, $y) + ($h // 0) * 3600 + ($i // 0) * 60 + ($s // 0);
}

# A number as text, so that equal ones are equal texts.
sub plain { my $t = shift; $t =~ s/(\.\d*?)0+$/$1/; $t =~ s/\.$//; $t =~ s/^-0$/0/; return $t }

sub point { my ($column, $t) = @_; return $column->{kind} eq 'time' ? seconds($t) : number($t) }

# What a text of a column stands for: key (equal values have equal keys), unknown (may be unknown), general (says nothing), from and to.
sub value
{
	my ($self, $column, $t) = @_;
	return $column->{values}{ $t // "\0" } //= $self->make_value($column, $t);
}

sub make_value
{
	my ($self, $column, $t) = @_;
	return { null => 1, unknown => 1, key => 'NULL', text => undef } if !defined $t;
	my $v = { text => $t, key => "=$t" };
	if ($column->{kind} eq 'label')
	{
		my $tax = $self->{taxonomies}{ $column->{tax} };
		$t =~ s/, ?(\d+)[\[)]$/,$1)/ if $tax->{kind} eq 'range'; # a spelling of others: [0, 2[
		$v->{path} = $self->path($tax, $t);
		$v->{text} = $v->{path}[0];
		$v->{key} = "=$v->{path}[0]";
		$v->{general} = $v->{unknown} = $v->{path}[0] eq $tax->{root};
		$self->bounds($v, { kind => 'number' }, $v->{general} ? '(,)' : $v->{path}[0]) if $tax->{kind} eq 'range';
	}
	elsif ($column->{kind} ne 'other')
	{
		$self->bounds($v, $column, $t);
		$v->{general} = 1 if $column->{ranges} && !$v->{empty} && !defined $v->{from} && !defined $v->{to};
		$v->{unknown} = $v->{general};
	}
	return $v;
}

sub bounds
{
	my ($self, $v, $column, $t) = @_;
	if ($t eq 'empty') { $v->{empty} = 1 }
	elsif ($t =~ /^([\[(])"?([^",]*)"?,"?([^",]*)"?([\])])$/)
	{
		my ($open, $from, $to, $close) = ($1, $2, $3, $4);
		($v->{from}, $v->{from_in}) = (point($column, $from), $open eq '[') if $from ne '';
		($v->{to}, $v->{to_in}) = (point($column, $to), $close eq ']') if $to ne '';
		$v->{key} = $open . plain($from) . ',' . plain($to) . $close if $column->{kind} eq 'number';
	}
	else
	{
		$v->{from} = $v->{to} = point($column, $t);
		$v->{from_in} = $v->{to_in} = 1;
		$v->{key} = '=' . plain($t) if $column->{kind} eq 'number';
	}
}

# A label and what is above it, the root last.
sub path
{
	my ($self, $tax, $label) = @_;
	my @path = ($label);
	if ($tax->{kind} eq 'tree')
	{
		while ($path[-1] ne $tax->{root}) { push @path, $tax->{parent}{ $path[-1] } // die "no label: $path[-1]\n" }
		return \@path;
	}
	if ($tax->{kind} eq 'prefix')
	{
		my ($stem) = $label =~ /^([^*]*)/;
		for my $n (sort { $b <=> $a } @{ $tax->{lengths} })
		{
			push @path, substr($label, 0, $n) . '*' x (length($label) - $n) if $n < length $stem;
		}
		push @path, '*' if $label ne '*';
		return \@path;
	}
	my ($from, $to) = $label =~ /^\[(.*),(.*)\)$/ ? ($1, $2) : ($label, undef);
	$path[0] = plain($label) if !defined $to;
	for my $width (@{ $tax->{widths} })
	{
		my $lower = $tax->{lower} + $width * int(($from - $tax->{lower}) / $width);
		my $upper = min($lower + $width, $tax->{upper});
		push @path, "[$lower,$upper)" if !defined $to || $lower <= $from && $to <= $upper && $upper - $lower > $to - $from;
	}
	push @path, $tax->{root} if $path[-1] ne $tax->{root};
	return [ uniq @path ];
}

# ---- Matching

# How two columns of one attribute are compared: label, interval, text, or not at all.
sub comparison
{
	my ($self, $a, $b) = @_;
	return 'label' if $a->{kind} eq 'label' && $b->{kind} eq 'label' && $a->{tax} eq $b->{tax};
	my ($p, $q) = map { $_->{kind} eq 'label' && $self->{taxonomies}{ $_->{tax} }{kind} eq 'range' ? 'number' : $_->{kind} } $a, $b;
	return undef if $p ne $q || $p eq 'label' || $a->{kind} eq 'label' && $b->{kind} eq 'label';
	return $p eq 'other' ? 'text' : 'interval';
}

# Some value, or unknown, is in both.
sub meet
{
	my ($a, $b) = @_;
	return 1 if $a->{unknown} && $b->{unknown};
	return 0 if $a->{null} || $b->{null} || $a->{empty} || $b->{empty};
	my ($from, $from_in, $to, $to_in);
	for my $v ($a, $b)
	{
		($from, $from_in) = ($v->{from}, $v->{from_in})
			if defined $v->{from} && (!defined $from || $v->{from} > $from || $v->{from} == $from && !$v->{from_in});
		($to, $to_in) = ($v->{to}, $v->{to_in}) if defined $v->{to} && (!defined $to || $v->{to} < $to || $v->{to} == $to && !$v->{to_in});
	}
	return 1 if !defined $from || !defined $to;
	return $from < $to || $from == $to && $from_in && $to_in;
}

sub agree
{
	my ($self, $ca, $a, $cb, $b) = @_;
	my $how = $self->comparison($ca, $cb);
	return $a->{key} eq $b->{key} if $how eq 'text';
	return meet($a, $b) if $how eq 'interval';
	return $a->{unknown} && $b->{unknown} if $a->{null} || $b->{null};
	return any { $_ eq $b->{path}[0] } @{ $a->{path} } if @{ $a->{path} } >= @{ $b->{path} };
	return any { $_ eq $a->{path}[0] } @{ $b->{path} };
}

# Columns of two releases that are compared, as pairs of indexes; and those that are waived.
sub compared
{
	my ($self, $r, $s, $options) = @_;
	my (@pairs, @waived);
	for my $i (0 .. $#{ $r->{columns} })
	{
		my $a = $r->{columns}[$i];
		my $j = first { $s->{columns}[$_]{attr} eq $a->{attr} } 0 .. $#{ $s->{columns} };
		next if !defined $j;
		my $b = $s->{columns}[$j];
		if (grep { $_ eq $a->{attr} } @{ $options->{not_common} // [] }) { push @waived, $a->{attr}; next }
		my $how = $self->comparison($a, $b) // die "attribute $a->{attr} cannot be compared\n";
		my $exact = !$a->{ranges} && !$b->{ranges}; # a label beside an exact number is compared as a label
		if ($how eq 'interval' && !($options->{overlap} // 1) && !$exact) { push @waived, $a->{attr}; next }
		push @pairs, [ $i, $j ];
	}
	return (\@pairs, \@waived);
}

# What is below a value, as far as statements can tell it apart: leaves, of an open taxonomy its smallest nodes or one leaf that no
# statement names; "?" is unknown.
sub leaves
{
	my ($self, $column, $v) = @_;
	return [ ['?'] ] if $v->{null} && $column->{kind} ne 'label';
	return [ $v->{path} ] if $column->{kind} eq 'label' && !$v->{null} && $self->is_leaf($column->{tax}, $v->{text});
	return [ [ $v->{text} ] ] if $column->{kind} ne 'label';
	my $tax = $self->{taxonomies}{ $column->{tax} };
	my @unknown = $v->{unknown} ? [ '?', $tax->{root} ] : ();
	return \@unknown if $v->{null};
	my @below;
	@below = grep { my $p = $_; any { $_ eq $v->{text} } @$p } map { $self->path($tax, $_) } grep { $self->is_leaf($column->{tax}, $_) } keys %{ $tax->{parent} }
		if $tax->{kind} eq 'tree';
	@below = map { [ 'x', @$_ ] } $v->{path} if $tax->{kind} eq 'prefix';
	if ($tax->{kind} eq 'range')
	{
		for (my $n = $tax->{lower}; $n < $tax->{upper}; $n += $tax->{widths}[0])
		{
			my $path = $self->path($tax, $n);
			$path->[0] = 'x';
			push @below, $path if any { $_ eq $v->{text} } @$path;
		}
	}
	return [ @below, @unknown ];
}

sub is_leaf
{
	my ($self, $name, $label) = @_;
	my $tax = $self->{taxonomies}{$name};
	return !grep { $_ eq $label } values %{ $tax->{parent} } if $tax->{kind} eq 'tree';
	return $label !~ /\*$/ if $tax->{kind} eq 'prefix';
	return $label !~ /^\[/;
}

# True if statements [a, u, b, v] say that nobody has both values.
sub excluded
{
	my ($self, $ca, $a, $cb, $b, @statements) = @_;
	my @stated = map { $_->[0] eq $ca->{attr} && $_->[2] eq $cb->{attr} ? [ @$_[ 1, 3 ] ] : $_->[2] eq $ca->{attr} && $_->[0] eq $cb->{attr} ? [ @$_[ 3, 1 ] ] : () } @statements;
	return 0 if !@stated;
	for my $p (@{ $self->leaves($ca, $a) })
	{
		for my $q (@{ $self->leaves($cb, $b) })
		{
			return 0 if !grep { my ($u, $v) = @$_; (grep { $_ eq $u } @$p) && grep { $_ eq $v } @$q } @stated;
		}
	}
	return 1;
}

# Which rows of two releases match.
sub matches
{
	my ($self, $r, $s, $options) = @_;
	my ($pairs) = $self->compared($r, $s, $options);
	my %waived = map { $_ => 1 } @{ $options->{not_common} // [] }; # as statements are about what is compared
	my @statements = grep { !$waived{ $_->[0] } && !$waived{ $_->[2] } } @{ $options->{inconsistent} // [] };
	my @cross;
	if (@statements)
	{
		for my $i (0 .. $#{ $r->{columns} }) { for my $j (0 .. $#{ $s->{columns} }) { push @cross, [ $i, $j ] if $r->{columns}[$i]{attr} ne $s->{columns}[$j]{attr} } }
	}
	my @matrix;
	for my $p (@{ $r->{rows} })
	{
		push @matrix, [ map {
			my $q = $_;
			!(grep { my ($i, $j) = @$_; !$self->agree($r->{columns}[$i], $p->[$i], $s->{columns}[$j], $q->[$j]) } @$pairs)
				&& !grep { my ($i, $j) = @$_; $self->excluded($r->{columns}[$i], $p->[$i], $s->{columns}[$j], $q->[$j], @statements) } @cross
		} @{ $s->{rows} } ];
	}
	return \@matrix;
}

# The join of releases, the first being this one: tuples of row numbers, undef for an empty partner; and per release how many dangle.
sub join_of
{
	my ($self, $releases, $options) = @_;
	my @fits;
	for my $i (0 .. $#$releases) { for my $j ($i + 1 .. $#$releases) { $fits[$i][$j] = $self->matches($releases->[$i], $releases->[$j], $options) } }
	my $fit = sub { my ($i, $a, $j, $b) = @_; return !defined $a || $fits[$i][$j][$a][$b] };
	my $n = $#$releases;
	my @all = map { [$_] } 0 .. $#{ $releases->[0]{rows} };
	for my $j (1 .. $n)
	{
		@all = map {
			my $t = $_;
			map { [ @$t, $_ ] } (grep { my $b = $_; !grep { !$fit->($_, $t->[$_], $j, $b) } 0 .. $j - 1 } 0 .. $#{ $releases->[$j]{rows} }), $options->{outer} ? undef : ();
		} @all;
	}
	my @complete = grep { !grep { !defined } @$_ } @all;
	my @dangling = map { my $r = $_; my %seen = map { $_->[$r] => 1 } @complete; scalar grep { !$seen{$_} } 0 .. $#{ $releases->[$r]{rows} } } 0 .. $n;
	@all = grep { my $t = $_; !grep { my $j = $_; !defined $t->[$j] && grep { my $b = $_; !grep { my $i = $_; $i != $j && defined $t->[$i] && !($i < $j ? $fits[$i][$j][ $t->[$i] ][$b] : $fits[$j][$i][$b][ $t->[$i] ]) } 0 .. $n } 0 .. $#{ $releases->[$j]{rows} } } 1 .. $n } @all
		if $options->{outer};
	return (\@all, \@dangling);
}

# ---- Counting

# The parts of a term in a tuple: [ release index, column index ], column 'person' or 'record'. undef: an empty partner.
sub part
{
	my ($releases, $tuple, $term) = @_;
	my ($r, $c) = @$term;
	my $row = $tuple->[$r];
	return undef if !defined $row;
	return { key => "person $releases->[$r]{persons}[$row]" } if $c eq 'person';
	return { key => "record $row" } if $c eq 'record';
	return $releases->[$r]{rows}[$row][$c];
}

sub listed
{
	my ($self, $column, $v, $listed) = @_;
	return 0 if !$v;
	return $v->{null} // 0 if !defined $listed;
	return 0 if $v->{null};
	return any { $_ eq $self->value($column, $listed)->{text} } @{ $v->{path} } if $column->{kind} eq 'label';
	return $v->{from} == $listed if $column->{kind} eq 'number' && !$column->{ranges};
	return $v->{text} eq $listed;
}

# Counts a rule { kind, x, y, values, each, nulls } over the join: the smallest anonymity, or [ matching, all ] of each bound.
sub count
{
	my ($self, $releases, $tuples, $rule) = @_;
	my (%groups, @order);
	for my $t (@$tuples)
	{
		my $key = join "\1", map { my $v = part($releases, $t, $_); $v ? $v->{key} : 'EMPTY' } @{ $rule->{x} };
		push @{ $groups{$key} }, [ map { part($releases, $t, $_) } @{ $rule->{y} } ];
	}
	if ($rule->{kind} eq 'anonymity')
	{
		return min map { my %y = map { join("\1", map { $_->{key} } @$_) => 1 } grep { !grep { !$_ || $_->{null} || $_->{general} } @$_ } @$_; scalar keys %y } values %groups;
	}
	my @columns = map { $releases->[ $_->[0] ]{columns}[ $_->[1] ] } @{ $rule->{y} };
	my @sets = !$rule->{values} ? undef : $rule->{each} || $rule->{object} ? map { [$_] } @{ $rule->{values} } : $rule->{values};
	my @found;
	for my $set (@sets)
	{
		my $best = [ 0, 1 ];
		for my $rows (values %groups)
		{
			my %n;
			for my $y (@$rows)
			{
				if ($set) { $n{any}++ if grep { my @l = ref $_ ? @$_ : $_; !grep { !$self->listed($columns[$_], $y->[$_], $l[$_]) } 0 .. $#columns } @$set }
				else { $n{ join "\1", map { $_->{key} } @$y }++ if !grep { !$_ || $_->{null} && !$rule->{nulls} || $_->{general} } @$y }
			}
			my $most = max 0, values %n;
			$best = [ $most, scalar @$rows ] if $most * $best->[1] > $best->[0] * @$rows;
		}
		push @found, $best;
	}
	return $rule->{object} ? @found : (sort { $b->[0] * $a->[1] <=> $a->[0] * $b->[1] } @found)[0];
}

1;
