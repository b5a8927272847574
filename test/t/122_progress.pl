# Long work tells what it is at, in the view anon_seq.progress, and ends within a second of a cancel: publishes, previews, forecasts and all audits that replay an attack.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

my $node = cluster('main');
$node->safe_psql('postgres', q{
	SET client_min_messages = error;
	CREATE EXTENSION anon_seq;
	CREATE TABLE visit AS SELECT i AS id, (20 + i::bigint * 7919 % 60)::int AS age, (i::bigint * 104729 % 3000)::int AS zip, i * 31 % 997 AS room, CASE WHEN i % 200 = 0 THEN 'hiv' ELSE 'ill ' || i % 40 END AS ill FROM generate_series(1, 40000) AS i;
	CREATE TABLE ward AS SELECT id, age, zip, ill FROM visit WHERE id <= 2000;
	SELECT anon_seq.create_sequential_policy('seq', 'visit', 'id', '{age,zip,room}', k => 5, max_link => 0.9, sensitive => '{ill}', population => 'a');
	SELECT anon_seq.create_incremental_policy('a "long" way', 'visit', 'id', '{age,zip,room}', 5, population => 'b');
	SELECT anon_seq.create_serial_policy('serial', 'visit', 'id', '{age,zip}', '{ill}', '{hiv}', 3, 'generalized', population => 'c');
	SELECT anon_seq.create_lossy_join_policy('lossy', 'ward', 'id', '{age,zip}', '{ill}', 0.2, 4, 'projections', population => 'd')});
for my $version (1 .. 4)
{
	$node->safe_psql('postgres', "SET client_min_messages = error; SELECT anon_seq.publish(p) FROM unnest(ARRAY['a \"long\" way', 'serial']) AS p; " . ($version == 1 ? q{SELECT anon_seq.publish('lossy');} : '') . "
		UPDATE visit SET ill = 'ill ' || (id + $version) % 40 WHERE ill <> 'hiv' AND id % 3 = 0; DELETE FROM visit WHERE id % 50 = $version;
		INSERT INTO visit SELECT $version * 100000 + i, 20 + i::bigint * 7919 % 60, i::bigint * 104729 % 3000, i * 31 % 997, 'ill ' || i % 40 FROM generate_series(1, 3000) AS i");
}

# Runs a statement over and over, until it was seen at each of these phases; then cancels it.
sub watch
{
	my ($sql, $work, $of, @phases) = @_;
	my ($out, $err) = ('', '');
	my $script = $node->basedir . '/script.sql';
	open(my $file, '>', $script) or die;
	print $file "SET client_min_messages = error;\nSET application_name = 'watched';\n\\o /dev/null\n", "$sql;\n" x 400;
	close($file);
	my $run = IPC::Run::start([ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'), '-f', $script ], '<', '/dev/null', '>', \$out, '2>', \$err);
	my %open = map { $_ => 1 } @phases;
	my %seen;
	my $until = time + 30;
	while (%open && time < $until)
	{
		my $rows = $node->safe_psql('postgres', 'SELECT work, policy, phase, done, total FROM anon_seq.progress; SELECT FROM pg_sleep(0.01);' x 10);
		$seen{$_} = 1 for grep { /\|/ } split(/\n/, $rows);
		for my $phase (@phases) { delete $open{$phase} if $rows =~ /^\Q$work\E\|\Q$of\E\|$phase\|\d+\|\d+$/m }
	}
	is(join(' ', sort keys %open), '', "$work tells that it is at " . join(', ', @phases)) or diag(join "\n", (sort keys %seen)[0 .. 20], $err);
	# A cancel that comes between two statements is sent again.
	my $took = 99;
	for (1 .. 10)
	{
		my $began = time;
		$node->safe_psql('postgres', q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'watched'});
		my $gone = '';
		$gone = $node->safe_psql('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'watched'}) until $gone eq 't' || time - $began > 2;
		$took = time - $began;
		last if $gone eq 't';
	}
	$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'watched'});
	IPC::Run::finish($run);
	like($err, qr/canceling statement due to user request/, "$work is cancelled");
	cmp_ok($took, '<', 1, sprintf('%s ends %.2f s after a cancel', $work, $took));
}

my $way = 'a "long" way';
watch(q{BEGIN; SELECT anon_seq.publish('seq'); ROLLBACK}, 'publish', 'seq', 'read', 'ledger');
watch(q{SELECT * FROM anon_seq.preview('seq')}, 'preview', 'seq', 'read');
watch(qq{SELECT * FROM anon_seq.audit('$way', true)}, 'audit', $way, 'version \d.*', 'versions together.*');
watch(q{SELECT * FROM anon_seq.audit('serial', true)}, 'audit', 'serial', 'version \d.*', 'versions together, history');
watch(q{SELECT * FROM anon_seq.forecast('serial', 200, 1)}, 'forecast', 'serial', 'version \d+');
watch(q{SELECT * FROM anon_seq.audit_minimality('lossy', 1000000)}, 'audit_minimality', 'lossy/1', 'try, arrangement \d+ of 1000000');
watch(qq{SELECT * FROM anon_seq.audit_inference(ARRAY['$way'], 5)}, 'audit_inference', $way, 'read.*', 'attack');
watch(qq{SELECT * FROM anon_seq.audit_arrivals(ARRAY['$way'])}, 'audit_arrivals', $way, 'read.*');
watch(q{SELECT * FROM anon_seq.audit_breach(ARRAY['serial'], '{hiv}')}, 'audit_breach', 'serial', 'read');

# What is over is not shown any more: the statement itself is.
is($node->safe_psql('postgres', q{SELECT count(*) > 0, (SELECT query ~ '^SELECT count' FROM pg_stat_activity WHERE pid = pg_backend_pid()) FROM anon_seq.audit('lossy')}), 't|t', 'also while the statement goes on');
is($node->safe_psql('postgres', q{SELECT count(*) FROM anon_seq.progress}), '0', 'and nothing goes on');
done_testing();
