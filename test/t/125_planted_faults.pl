# Faults planted in the ledger of an incremental policy are found by the default audit, which attacks only what changed: see test/fuzz/Planted.pm.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib", "$FindBin::RealBin/../fuzz";
use Servers;
use Test::More;
use Planted;

my $node = cluster('planted');
$node->safe_psql('postgres', 'CREATE EXTENSION IF NOT EXISTS anon_seq');
my $setup = do { local (@ARGV, $/) = "$FindBin::RealBin/../fuzz/planted.sql"; <> };
$node->safe_psql('postgres', $setup);
# A fault may end in an error of its own: then the audit has said enough.
my $ask = sub {
	my ($out, $err);
	$node->psql('postgres', join(";\n", 'SET client_min_messages = error', @_) . ';', stdout => \$out, stderr => \$err, on_error_stop => 0, on_error_die => 0);
	return $out . ($err =~ /ERROR:.*(damaged|is damaged)/ ? "\nfailed|anonymity" : '');
};
my $first = $ENV{ANON_SEQ_SEED} // 1;
my $histories = ($ENV{ANON_SEQ_GRID} // '') eq 'full' ? 2000 : 84;
my (%count, @wrong);
for my $seed ($first .. $first + $histories - 1)
{
	my $wrong = Planted::run($seed, $ask, \%count);
	push @wrong, $wrong if defined $wrong;
}
is(scalar @wrong, 0, "$histories histories from seed $first: what breaks the promise fails the audit, and nothing else does") or diag(join "\n", @wrong);
for my $kind (@Planted::KINDS)
{
	my ($planted, $broken, $told) = map { $count{$kind}{$_} // 0 } qw(planted broken told);
	note("$kind: planted $planted, broken $broken, told by a check on persons $told");
	cmp_ok($planted, '>', 0, "$kind was planted");
}
cmp_ok($count{$_}{broken} // 0, '>', 0, "$_ breaks the promise") for qw(moved unnoted thin empty);
done_testing();
