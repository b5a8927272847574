# make fuzz: what was found before, all pairs of types, all cases of damage, then random batches until MINUTES are over. Prints its seeds: SEED repeats a run from there, PARTS picks parts,
# BATCHES counts batches instead of minutes, SHOW is a pattern of SQLSTATEs to print.
use strict;
use warnings;
use FindBin;
use lib $FindBin::RealBin;
use Fuzz;

$| = 1;
binmode STDOUT, ':utf8';
my %set = map { $_ => ($ENV{$_} // '') } qw(MINUTES SEED PARTS BATCHES SHOW TYPES);
my $seed = length $set{SEED} ? $set{SEED} : time % 1_000_000_000;
my %share = (calls => 0.3, tamper => 0.3, settings => 0.1, names => 0.15, forged => 0.15);
my @parts = split ' ', $set{PARTS} || 'found types shapes damage calls tamper settings names forged';
my $fuzz = Fuzz->new(server => Server->new(dir => "$ENV{SANDBOX}/fuzz", log => "$ENV{SANDBOX}/server.log"), say => sub { print map { "$_\n" } @_ }, show => length $set{SHOW} ? qr/$set{SHOW}/ : undef);
my $began = time;
for my $part (grep { /^(found|types|shapes|damage)$/ } @parts) { $fuzz->run($part, 0, batches => $part eq 'types' && $set{TYPES} || $fuzz->{parts}{$part}->groups) }
my $left = ($set{MINUTES} || 5) * 60 - (time - $began);
$left = 60 if $left < 60;
my @random = grep { !/^(found|types|shapes|damage)$/ } @parts;
my $shares = 0;
$shares += $share{$_} // die "no part \"$_\"\n" for @random;
$fuzz->run($_, $seed, $set{BATCHES} ? (batches => $set{BATCHES}) : (seconds => $left * $share{$_} / $shares)) for @random;
print $fuzz->summary, "\n";
exit($fuzz->{totals}{failures} ? 1 : 0);
