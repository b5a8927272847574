#!/usr/bin/perl
# brute_force.pl [OPTIONS] T1.csv T2.csv [T3.csv ...]: the join attack of KDD'06, counted its own way.
#
# An oracle for audits and algorithms: no SQL, no taxonomy code of the extension, only perl's core. It goes
# through every combination of distinct rows, one table after the other, and tests every common attribute of
# every pair. CSV files have a header; an empty cell that is not quoted is NULL.
#
#   --taxonomy NAME=FILE   a CSV with a row per leaf, leaf first, root last, as in ARX hierarchies (or leave
#                          out the header: --no-header); one table's column matches another's of the same name
#   --attribute NAME[=TAXONOMY]   a common attribute; without taxonomy values must be equal
#   --x T.COLUMN,...       X; T counts from 1
#   --y T.COLUMN,... | T   Y; a T alone stands for the records of that table
#   --value V              a listed value of Y's one column, or a node above values; repeat for any-of
#   --outer                rows of T1 without partners have one empty partner in every other table
# Prints: matches N, dangling N per table, A_Y(X) N or -, L_Y(X) N/N or - (the largest share; with records in Y: -).
use strict;
use warnings;

my (%tree, %leaves, @attributes, @x, @y, @values, $outer, @files);
my $header = 1;
while (@ARGV) {
  my $arg = shift;
  if ($arg eq '--taxonomy') { my ($name, $file) = split /=/, shift, 2; read_taxonomy($name, $file) }
  elsif ($arg eq '--no-header') { $header = 0 }
  elsif ($arg eq '--attribute') { my ($name, $taxonomy) = split /=/, shift, 2; push @attributes, [$name, $taxonomy] }
  elsif ($arg eq '--x') { push @x, split /,/, shift }
  elsif ($arg eq '--y') { push @y, split /,/, shift }
  elsif ($arg eq '--value') { push @values, shift }
  elsif ($arg eq '--outer') { $outer = 1 }
  else { push @files, $arg }
}
die "two tables and a y are needed\n" if @files < 2 || !@y;

# One line of CSV as a list; undef for NULL.
sub cells {
  my ($line) = @_;
  my @cells;
  while ($line =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/g) {
    my ($quoted, $plain, $end) = ($1, $2, $3);
    if (defined $quoted) { $quoted =~ s/""/"/g; push @cells, $quoted }
    else { push @cells, $plain eq '' ? undef : $plain }
    last if $end eq '';
  }
  return @cells;
}

sub lines {
  my ($file) = @_;
  open my $in, '<:raw', $file or die "$file: $!\n";
  my @lines = map { s/\r?\n\z//r } <$in>;
  return @lines;
}

# $tree{NAME}{LABEL}: what the label is or stands below, the root among it.
sub read_taxonomy {
  my ($name, $file) = @_;
  my @rows = map { [cells($_)] } lines($file);
  shift @rows if $header;
  for my $row (@rows) {
    for my $i (0 .. $#$row) { $tree{$name}{$row->[$i]}{$_} = 1 for @$row[$i .. $#$row] }
    $tree{$name}{"\0root"} = $row->[-1];
  }
}

# Tables: distinct rows of the columns that matter, with their count.
my @tables;
for my $t (0 .. $#files) {
  my ($first, @lines) = lines($files[$t]);
  my @names = cells($first);
  my %number = map { $names[$_] => $_ } 0 .. $#names;
  my %needed = map { $_->[0] => 1 } @attributes;
  for (@x, @y) { $needed{$2} = 1 if /^(\d+)\.(.*)$/s && $1 == $t + 1 }
  my @kept = grep { exists $number{$_} } sort keys %needed;
  my %rows;
  for my $line (@lines) {
    my @cells = (cells($line))[map { $number{$_} } @kept];
    $rows{join "\x1f", map { defined $_ ? "v$_" : 'n' } @cells}++;
  }
  my @rows;
  for my $key (sort keys %rows) {
    my %row;
    @row{@kept} = map { /^v(.*)/s ? $1 : undef } split /\x1f/, $key, -1;
    push @rows, { values => \%row, n => $rows{$key}, id => scalar @rows, table => $t };
  }
  push @tables, { rows => \@rows, has => { map { $_ => 1 } @kept } };
}

sub label_matches {
  my ($taxonomy, $u, $v) = @_;
  return defined $u == defined $v && (!defined $u || $u eq $v) unless defined $taxonomy;
  my $labels = $tree{$taxonomy} or die "no taxonomy $taxonomy\n";
  for ($u, $v) { die "a label is not in taxonomy $taxonomy\n" if defined $_ && !exists $labels->{$_} }
  if (!defined $u || !defined $v) {  # NULL: a leaf of its own below the root
    return 0 if defined $u && $u ne $labels->{"\0root"};
    return 0 if defined $v && $v ne $labels->{"\0root"};
    return 1;
  }
  return exists $labels->{$u}{$v} || exists $labels->{$v}{$u};
}

my %known;  # answers of label_matches, as labels are few
sub rows_match {
  my ($r, $s) = @_;
  for my $a (@attributes) {
    my ($name, $taxonomy) = @$a;
    next unless $tables[$r->{table}]{has}{$name} && $tables[$s->{table}]{has}{$name};
    my ($u, $v) = ($r->{values}{$name}, $s->{values}{$name});
    my $key = join "\x1f", $name, map { defined $_ ? "v$_" : 'n' } $u, $v;
    return 0 unless $known{$key} //= label_matches($taxonomy, $u, $v) ? 1 : 0;
  }
  return 1;
}

my ($matches, %count, %share, %partnered) = (0);

# y of a full combination, and whether its values are all known.
sub part {
  my ($term, $combination) = @_;
  my ($t, $column) = $term =~ /^(\d+)(?:\.(.*))?$/s or die "not a term: $term\n";
  my $row = $combination->[$t - 1];
  return defined $row ? ("#$row->{id}", $row->{n}) : ('#empty', 1) unless defined $column;
  my $value = defined $row ? $row->{values}{$column} : undef;
  return (defined $value ? "v$value" : undef, 1);
}

sub count_combination {
  my ($combination) = @_;
  my $n = 1;
  $n *= $_->{n} for grep { defined } @$combination;
  my $x = join "\x1f", map { (part($_, $combination))[0] // 'n' } @x;
  my ($known, $weight, @parts) = (1, 1);
  for (@y) {
    my ($token, $w) = part($_, $combination);
    $known = 0 unless defined $token;
    $weight *= $w;
    push @parts, $token // 'n';
  }
  my $y = join "\x1f", @parts;
  $count{$x} //= {};
  $count{$x}{$y} = $weight if $known;
  $share{$x}{all} += $n;
  my $listed = @values ? (is_listed($parts[0]) ? 'any' : undef) : $known ? $y : undef;
  $share{$x}{of}{$listed} += $n if defined $listed;
  return $n;
}

sub is_listed {
  my ($part) = @_;
  my $value = $part =~ /^v(.*)/s ? $1 : return 0;
  my ($name) = $y[0] =~ /\.(.*)/s;
  my ($taxonomy) = map { $_->[1] } grep { $_->[0] eq $name } @attributes;
  return grep { $value eq $_ || (defined $taxonomy && exists $tree{$taxonomy}{$value}{$_}) } @values;
}

sub extend {
  my @combination = @_;
  if (@combination == @tables) {
    $matches += count_combination(\@combination);
    $partnered{$_->{table}}{$_->{id}} = 1 for @combination;
    return;
  }
  ROW: for my $row (@{ $tables[@combination]{rows} }) {
    for (@combination) { next ROW unless rows_match($_, $row) }
    extend(@combination, $row);
  }
}
extend();
my @dangling;
for my $t (0 .. $#tables) {
  $dangling[$t] = 0;
  for my $row (@{ $tables[$t]{rows} }) {
    next if $partnered{$t}{ $row->{id} };
    $dangling[$t] += $row->{n};
    count_combination([$row, map { undef } 1 .. $#tables]) if $outer && $t == 0;
  }
}

my ($smallest, @largest);
for my $x (keys %count) {
  my $sum = 0;
  $sum += $_ for values %{ $count{$x} };
  $smallest = $sum if !defined $smallest || $sum < $smallest;
  for my $y (keys %{ $share{$x}{of} }) {
    my ($h, $n) = ($share{$x}{of}{$y}, $share{$x}{all});
    @largest = ($h, $n) if !@largest || $h * $largest[1] > $largest[0] * $n;
  }
}
@largest = (0, 1) if @values && !@largest && %count;
printf "matches %s\ndangling %s\nA_Y(X) %s\nL_Y(X) %s\n", $matches, join(' ', @dangling), $smallest // '-',
  !@largest || grep({ !/\./ } @y) ? '-' : reduced(@largest);

sub reduced {
  my ($h, $n) = @_;
  my ($a, $b) = ($h, $n);
  ($a, $b) = ($b, $a % $b) while $b;
  return $h / $a . '/' . $n / $a;
}
