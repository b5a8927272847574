# The demo, as `make demo PAUSE=1` shows it: seven screens that fit a terminal of 24 lines of 80 columns, and numbers that bear out what they say.
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
	'<', \"\n\n\n\n\n\n", '>', \my $out, '2>', \my $err);
ok($ran, 'it runs');
is($err, '', 'without a warning');

# A screen ends with the line that waits for Enter, and goes on in the next line of a terminal.
my @screens = map { s/^\n+//r } split /(?<= -- )(?=\n)/, decode('UTF-8', $out);
is(scalar @screens, 7, 'seven screens');
for my $i (0 .. 5)
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

# A lossy join. Its classes are drawn by chance: what is said of them has to hold whichever they are.
my ($promised) = $screens[4] =~ /none more than (\d+) %/;
is($promised, 100 * ($screens[4] =~ /alpha => ([\d.]+)/)[0], 'a lossy join promises what its alpha is');
is(($screens[4] =~ /class of (\d+) or more/)[0], ($screens[4] =~ /k => (\d+)/)[0], '... of classes as large as its k');
my %class = map { @$_ } cells($screens[4], 'diagnosis', 'percent');
cmp_ok(scalar keys %class, '>=', 4, 'who knows somebody exactly finds his class');
is((grep { $_ > $promised } values %class), 0, '... and no illness that is surer than was promised');
my ($most) = sort { $b <=> $a } values %class;
cmp_ok(abs($most - ($screens[4] =~ /more than (\d+) % sure/)[0]), '<=', 0.5, '... of which the surest is told');
like($screens[4], qr/age = $age AND height = \Q$told{really}[2]\E AND job = '\Q$told{really}[3]\E'/, '... and it is the one of screen 3');
is($node->safe_psql('postgres', 'SELECT count(*) FROM diagnosed GROUP BY age, height, job HAVING (age, height, job) = '
	. "($age, $told{really}[2], '$told{really}[3]')"), '1', '... who is the only one with his values');
my @counts = cells($screens[5], 'diagnosis', 'estimate', 'truth', 'one_table');
is(scalar @counts, 3, 'three counts are estimated');
for my $count (@counts)
{
	my ($illness, $estimate, $truth, $least, $greatest) = (@$count[0 .. 2], split / to /, $count->[3]);
	is($truth, $node->safe_psql('postgres', "SELECT count(*) FROM diagnosed WHERE age < 45 AND diagnosis = '$illness'"), "$illness: the truth");
	ok($estimate > 0.5 * $truth && $estimate < $truth, '... which the estimate is near, on the side of the mean');
	ok($least <= $truth && $truth <= $greatest && $greatest - $least > 0.5 * $truth, '... and one table leaves wide open');
}
my ($lossy, $table) = $screens[5] =~ /leans to the mean: off by ([\d.]+) % in 1000 random counts, the table by ([\d.]+) %/;
cmp_ok($lossy, '<', $table, 'estimates are nearer than those of one table');
is_deeply([ map { $_->[0] } cells($screens[5], 'ok', 'observed') ], [ 't', 't', 'f' ], 'its audit bears out what was promised, and says what was left out of account');
like($screens[5], qr/best guesses right for [\d.]+ % of \d+, classes promise $promised %\n f .* cases is left out/, '... and what was not promised');
is($node->safe_psql('postgres', "SELECT string_agg(check_name, ' ') FROM anon_seq.audit('cases') WHERE NOT ok"), 'unguarded', '... and so does that of screen 4');
is($node->safe_psql('postgres', "SELECT count(*) FROM anon_seq.policies WHERE name = 'one_table'"), '0', 'what was compared with is gone');
like($screens[6], qr/README\.md.*anon_seq\.\*/s, 'and where to go from here');

# A serial policy beside a lossy join that is published again and again.
my %linked = map { $_->[0] => $_ } cells($screens[6], 'policy', 'one_month', 'any_month');
cmp_ok($linked{each_month}[1], '<=', 34, 'each month by itself a lossy join keeps its alpha');
cmp_ok($linked{each_month}[2], '>', 34, '... and all together do not');
cmp_ok($linked{all_year}[2], '<=', 33.4, 'a serial policy keeps 1/3 over all of them');
my ($budget) = cells($screens[6], 'persons', 'largest', 'rows_for_one', 'versions_left');
cmp_ok(abs(100 * $budget->[1] - $linked{all_year}[2]), '<=', 0.1, '... as its ledger says');
is($budget->[3], 9, '... and has nine versions left');

done_testing();
