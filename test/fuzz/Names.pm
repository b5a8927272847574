# Part "names": every name in anon_seq_ledger that may mean a part of a ledger is taken by a role that may create there, as a view that runs code and
# as a table whose triggers do. Seed 0 takes all that are free at once, as views, seed 1 as tables; then each part by itself; then each part instead of
# the one that is there, which its owner has renamed. No code may run as anybody else but the thief, whatever is called, and by whom.
package Names;
use strict;
use warnings;
use Random;
use Spied;

sub new
{
	my ($class, $server) = @_;
	my @parts = Spied::list_of($server, 'SELECT DISTINCT part FROM spy.name ORDER BY 1');
	my @there = Spied::list_of($server, 'SELECT DISTINCT part FROM spy.name WHERE is_there ORDER BY 1');
	my @ways = map { my $way = $_; map { [ $_, @$way ] } qw(view table) } [ '', 0 ], (map { [ $_, 0 ] } @parts), map { [ $_, 1 ] } @there;
	return bless { spied => Spied->new($server), ways => \@ways, calls => 100 }, $class;
}

sub name { 'names' }
sub groups { return scalar @{ $_[0]{ways} } }
sub is_call { return Spied::is_call($_[1]) }

sub batch
{
	my ($self, $seed) = @_;
	my $random = Random->new($seed);
	my ($kind, $part, $instead) = @{ $self->{ways}[ $seed % $self->groups ] };
	my @lines = (q{SET statement_timeout = '5s'; SET search_path = anon_seq; SET client_min_messages = warning});
	push @lines, "SELECT spy.put_aside('$part')" if $instead;
	push @lines, 'SET ROLE fuzz_thief', "SELECT spy.take('$kind', '$part', " . ($instead ? 'true' : 'false') . ')', 'BEGIN', $self->{spied}->lines($random, $part eq '' ? 4 * $self->{calls} : $self->{calls}), 'ROLLBACK';
	# Procedures commit, so they have no transaction around them.
	@lines = ((grep { !/^CALL/ } @lines), map { ("SET ROLE fuzz_pub", $_, 'SELECT spy.unmarked()') } grep { /^CALL/ } @lines);
	return { user => 'fuzz_root', lines => [ map { "$_;" } @lines ], commits => 1 };
}

1;
