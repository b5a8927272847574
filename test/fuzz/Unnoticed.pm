# Part "damage": rows of ledgers are lost, doubled, changed or of an older state, past all triggers. Publishing or an audit has to notice, or the
# case is listed as harmless in ledgers.sql, with the reason. Cases come from the catalog: each column of each table of each ledger. Not random:
# seed n is the n-th group of cases.
package Unnoticed;
use strict;
use warnings;
use Random;

use constant AT_ONCE => 12; # cases of one batch
my @OF_COLUMN = qw(null shifted rotated flipped);
my @OF_TABLE = qw(deleted doubled emptied older);

sub new { my ($class, $server) = @_; return bless { server => $server }, $class }
sub name { 'damage' }
sub is_call { return $_[1] =~ /dm\.attempt/ }

# All cases, in an order that is always the same.
sub cases
{
	my ($self) = @_;
	return $self->{cases} if $self->{cases};
	$self->{server}->add_template('fuzz_ledgers', 'ledgers');
	my $tables = sub { my ($select) = @_; return map { [ split /\|/, $_, -1 ] } split /\n/, $self->{server}->ask(qq{
		SELECT $select FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT attisdropped
		  JOIN LATERAL (SELECT p.name FROM anon_seq.policy AS p WHERE p.id::text = substring(relname FROM '^p([0-9]+)_') UNION ALL SELECT 'seq' WHERE relname ~ '^r') AS p ON true
		 WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relkind = 'r' AND relname ~ '^[pr][0-9]+_' ORDER BY p.name COLLATE "C", relname COLLATE "C"}, 'fuzz_ledgers') };
	my @found = map { my $of = $_; map { [ @$of, $_ ] } @OF_COLUMN } $tables->('p.name, relname, attname');
	push @found, map { my $of = $_; map { [ @$of, '', $_ ] } @OF_TABLE } $tables->('DISTINCT ON (p.name COLLATE "C", relname COLLATE "C") p.name, relname');
	my $random = Random->new(7);
	my @shuffled = $random->some(scalar @found, @found);
	my @sound = map { [ $_, '', '', 'nothing' ] } split /\n/, $self->{server}->ask('SELECT name FROM dm.policy ORDER BY 1', 'fuzz_ledgers');
	return $self->{cases} = [ @sound, @shuffled ];
}

sub groups { my ($self) = @_; return int((@{ $self->cases } + AT_ONCE - 1) / AT_ONCE) }

sub batch
{
	my ($self, $seed) = @_;
	my $cases = $self->cases;
	my @lines = ('SET search_path = dm, anon_seq; SET client_min_messages = error');
	for my $i (map { ($seed * AT_ONCE + $_) % @$cases } 0 .. AT_ONCE - 1) { push @lines, sprintf(q{SELECT dm.attempt('%s', '%s', '%s', '%s', %d)}, @{ $cases->[$i] }, $i) }
	return { user => 'fuzz_root', template => 'fuzz_ledgers', lines => [ map { "$_;" } @lines ] };
}

1;
