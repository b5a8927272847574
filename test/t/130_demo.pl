# The demo, as `make demo PAUSE=1` shows it: four screens that fit a terminal of 24 lines of 80 columns, and numbers that bear out what they say.
use strict;
use warnings;
use Encode qw(decode);
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = cluster('main');
local $ENV{PGCLIENTENCODING} = 'UTF8';
my $ran = IPC::Run::run([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-v', 'pause=1', '-d', $node->connstr('postgres'), '-f', "$FindBin::RealBin/../../demo/demo.sql" ],
	'<', \"\n\n\n", '>', \my $out, '2>', \my $err);
ok($ran, 'it runs');
is($err, '', 'without a warning');

# A screen ends with the line that waits for Enter, and goes on in the next line of a terminal.
my @screens = map { s/^\n+//r } split /(?<= -- )(?=\n)/, decode('UTF-8', $out);
is(scalar @screens, 4, 'four screens');
for my $i (0 .. 3)
{
	my @lines = split /\n/, $screens[$i] // '';
	cmp_ok(scalar @lines, '>', 10, "screen ${\ ($i + 1)} shows something");
	cmp_ok(scalar @lines, '<=', 24, '... in 24 lines');
	is(join("\n", grep { length > 80 } @lines), '', '... of 80 columns');
	unlike($screens[$i] // '', qr/ERROR|WARNING|NOTICE|:\w/, '... and nothing that does not belong there');
}

# What a table shows under these headings: [ a line's cells, ... ].
sub cells
{
	my ($screen, @heads) = @_;
	my $head = join ' +\x{2502} +', map { quotemeta } @heads;
	my ($lines) = $screen =~ /^ +$head *\n[\x{2500}\x{253c}]+\n((?:.+\n)*)/m or return;
	return map { [ map { s/^ +| +$//gr } split /\x{2502}/ ] } split /\n/, $lines;
}
my @before = cells($screens[0], 'diagnosis', 'percent');
is_deeply(\@before, [ [ 'HIV', '100.0' ] ], 'two tables tell the illness of the neighbour, without a doubt');
my %after = map { @$_ } cells($screens[1], 'diagnosis', 'percent');
is(scalar keys %after, 5, 'the release leaves five guesses');
cmp_ok($after{HIV}, '<=', 10, '... and of HIV as little as was declared');
is((grep { $_ >= 50 } values %after), 0, '... none of which is worth much');

my ($alone) = cells($screens[2], 'people', 'fewer than 5');
cmp_ok($alone->[1] / $alone->[0], '>', 0.25, 'months on their own: one in four is left with fewer than 5 alike, as README.md says');
my %told = map { $_->[0] => $_ } cells($screens[2], $screens[2] =~ /^ +([0-9a-f]{6}) +\x{2502} +age/m, 'age', 'height', 'job');
is(join(' ', sort keys %told), 'February January both really', 'one of them is shown');
my $age = $told{really}[1];
is($told{both}[1], "[$age," . ($age + 1) . ')', '... of whom both months tell the very age');
isnt($told{$_}[1], $told{both}[1], "... which $_ alone does not") for qw(January February);
like($screens[2], qr/knows this \Q$told{really}[3]\E has found/, '... and who is spoken of rightly');
my ($together) = cells($screens[3], 'people', 'fewer than 5');
cmp_ok($together->[0], '>', $alone->[0], 'an incremental policy: more people');
is($together->[1], 0, '... of whom nobody is unsafe');
is_deeply([ sort map { "$_->[0] $_->[2]" } cells($screens[3], 'check_name', 'required', 'ok') ], [ 'anonymity t', 'inference t', 'nested t' ], '... as the audit says');
like($screens[3], qr/README\.md.*anon_seq\.\*/s, 'and where to go from here');

done_testing();
