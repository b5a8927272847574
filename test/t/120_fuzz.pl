# A minute of what make fuzz does for longer, with seeds that are always the same: neither a crash, nor a hang, nor an error that is a fault of
# ours, whatever is called, set, damaged, forged, taken or given another type; and no code that runs as another role.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib", "$FindBin::RealBin/../fuzz";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;
use Fuzz;

my $node = cluster('fuzz');
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
my @said;
my $fuzz = Fuzz->new(server => Server->new(dir => "$PostgreSQL::Test::Utils::tmp_check/fuzz", log => $node->logfile), say => sub { push @said, @_ });

# part => seed, batches, distance of seeds. ANON_SEQ_GRID=full has every group of the parts that have groups, and of the random parts ten times as much.
my $full = ($ENV{ANON_SEQ_GRID} // '') eq 'full';
my $share = $full ? 3 : 0.3;
my $all = sub { $full ? [ 0, $fuzz->{parts}{ $_[0] }->groups, 1 ] : $_[1] };
my %run = (damage => $all->('damage', [ 0, 18, 1 ]), found => [ 0, $fuzz->{parts}{found}->groups, 1 ], types => $all->('types', [ 3, int(24 * $share), 15 ]), shapes => $all->('shapes', [ 3, 12, 31 ]), calls => [ 1, 50 * $share, 1 ], tamper => [ 1, 50 * $share, 1 ], settings => [ 1, int(12 * $share), 1 ],
	names => $all->('names', [ 0, 6, 29 ]), forged => [ 1, $full ? $fuzz->{parts}{forged}->groups : 6, 1 ]);
for my $part (qw(found types shapes damage calls tamper settings names forged))
{
	my ($seed, $batches, $step) = @{ $run{$part} };
	@said = ();
	is($fuzz->run($part, $seed, batches => $batches, step => $step), 0, "$part: no crash, no hang, no fault of ours") or diag(join "\n", @said);
	note(join "\n", @said);
}
note($fuzz->summary);
is($node->safe_psql('postgres', 'SELECT 1'), '1', 'the server lives on');

done_testing();
