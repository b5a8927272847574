# A serial policy survives dump and restore after its sixth version: it goes on there once its owner says that nothing newer was published, with the budgets that it had. With a
# dump that is older than that, the charges of later versions are lost, and audits say so.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The month's patients: some come, go and return, and others fall ill.
my $make = q{
	CREATE TABLE patient (id int PRIMARY KEY, age int, region text, illness text);
	CREATE FUNCTION month(m int) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
	  TRUNCATE patient;
	  INSERT INTO patient SELECT i, 20 + i * 7919 % 60, (ARRAY['north', 'south', E'the "east"'])[1 + i % 3], CASE WHEN (i * 31 + m * 17) % 1009 = 0 THEN 'hiv' WHEN (i * 13 + m) % 997 = 0 THEN 'tb' ELSE 'flu' END
	    FROM generate_series(1, 3000 + 40 * m) AS i WHERE (i * 104729 + m) % 10 > 0;
	END $$;
	SELECT anon_seq.create_flat_taxonomy('region', ARRAY['north', 'south', 'the "east"']);
	SELECT anon_seq.create_serial_policy('harmonic', 'patient', 'id', '{age,region}', '{illness}', '{hiv,tb}', 3, 'generalized', population => 'harmonic');
	SELECT anon_seq.create_serial_policy('fixed', 'patient', 'id', '{age,region}', '{illness}', '{hiv,tb}', 3, 'projections', 'fixed', 12, population => 'fixed');
	SELECT anon_seq.create_serial_policy('window', 'patient', 'id', '{age,region}', '{illness}', '{hiv,tb}', 3, 'projections', 'window', options => '{"window": 4}', population => 'window')};
my @policies = qw(harmonic fixed window);
my $quiet = 'SET client_min_messages = error;';

# Publishes a month's version of each policy; returns their versions.
sub publish
{
	my ($node, $db, $month) = @_;
	return join(' ', $node->safe_psql($db, "$quiet SELECT FROM month($month)") || (), map { $node->safe_psql($db, "$quiet SELECT version FROM anon_seq.publish('$_')") } @policies);
}

# All budgets, and every account of everybody.
sub budgets
{
	my ($node, $db) = @_;
	return $node->safe_psql($db, join ';', map { "SELECT '$_', b.* FROM anon_seq.budget('$_') AS b" } @policies) . "\n" . join("\n", map {
		my $id = $node->safe_psql($db, "SELECT id FROM anon_seq.policy WHERE name = '$_'");
		$node->safe_psql($db, "SELECT '$_', version, value, u.* FROM anon_seq_ledger.p${id}_pair AS p JOIN anon_seq_ledger.p${id}_bound ON number = bound, unnest(persons, met, num, den) AS u ORDER BY 2, 3, 4") } @policies);
}

sub unsound
{
	my ($node, $db) = @_;
	return $node->safe_psql($db, "SELECT string_agg(p || ': ' || check_name || ' of ' || scope || ': ' || observed, '; ' ORDER BY p, check_name) FROM unnest('{@{[join ',', @policies]}}'::text[]) AS p, anon_seq.audit(p, everything => true) WHERE NOT ok");
}

my $source = PostgreSQL::Test::Cluster->new('source');
$source->init(allows_streaming => 1, extra => [ '--locale=C', '--encoding=UTF8' ]);
$source->append_conf('postgresql.conf', 'fsync = off');
$source->start;
$source->safe_psql('postgres', 'CREATE DATABASE clinic');
$source->safe_psql('clinic', "$quiet CREATE EXTENSION anon_seq; $make");
is(publish($source, 'clinic', $_), "$_ $_ $_", "version $_") for 1 .. 6;
is(unsound($source, 'clinic'), '', 'six versions: the audit finds nothing');
my $before = budgets($source, 'clinic');
like($before, qr/^harmonic\|.*^fixed\|.*^window\|/ms, 'there are budgets of three policies');
my $dump = $source->backup_dir . '/clinic.dump';
command_ok([ 'pg_dump', '-Fc', '-f', $dump, $source->connstr('clinic') ], 'dumped');

# --- in another cluster, and in another database of this one ---
my $target = cluster('target');
my %last = ('another cluster' => 12, 'another database' => 7);
my %place = ('another cluster' => [ $target, 'clinic' ], 'another database' => [ $source, 'copy' ]);
for my $name (sort keys %place)
{
	my ($node, $db) = @{ $place{$name} };
	$node->safe_psql('postgres', "CREATE DATABASE $db");
	command_ok([ 'pg_restore', '-d', $node->connstr($db), $dump ], "$name: restored");
	is(budgets($node, $db), $before, "$name: the same budgets, account by account");
	is(unsound($node, $db), join('; ', map { qq{$_: restored of $_/6: policy "$_" is not confirmed} } sort @policies), "$name: the audit finds that nobody has confirmed the ledgers, and nothing else");
	for my $policy (@policies)
	{
		my (undef, undef, $err) = $node->psql($db, "SELECT anon_seq.publish('$policy')");
		like($err, qr/the ledger of policy "$policy" was restored or promoted/, "$name: $policy is not published further unasked");
		like($err, qr/HINT: .*SELECT anon_seq\.confirm_ledger\('$policy', 6\)/, "$name: with what to say");
	}
	is(budgets($node, $db), $before, "$name: which charged nothing");
	$node->safe_psql($db, 'SELECT FROM month(6)');
	for my $policy (@policies)
	{
		my (undef, undef, $err) = $node->psql($db, "SELECT anon_seq.confirm_ledger('$policy', 5)");
		like($err, qr/has version 6 in its ledger, which is newer than 5/, "$name: $policy has a newer one than 5");
		is(($node->psql($db, "SELECT anon_seq.confirm_ledger('$policy', 6)"))[2], '', "$name: $policy: 6 was the newest one");
	}
	is(publish($node, $db, 6), '6 6 6', "$name: what was published is still the answer");
	is(publish($node, $db, $_), "$_ $_ $_", "$name: version $_") for 7 .. $last{$name};
	is(unsound($node, $db), '', "$name: $last{$name} versions: the audit finds nothing");
	is($node->safe_psql($db, "SELECT count(*) FROM anon_seq.budget('fixed') WHERE versions_left = 12 - $last{$name}"), '2', "$name: and the horizon is shorter");
}

# --- the original goes on by itself, without being asked ---
is(publish($source, 'clinic', $_), "$_ $_ $_", "version $_, without a restore") for 7 .. 12;
is(unsound($source, 'clinic'), '', 'twelve versions: the audit finds nothing');

# --- a dump that is older than what was published ---
$target->safe_psql('postgres', 'CREATE DATABASE old');
command_ok([ 'pg_restore', '-d', $target->connstr('old'), $dump ], 'an old dump: restored');
for my $policy (@policies)
{
	my (undef, undef, $err) = $target->psql('old', "SELECT anon_seq.confirm_ledger('$policy', 8)");
	like($err, qr/WARNING: +2 versions of policy "$policy" are lost: what they have shown is not known/, "an old dump: $policy has lost two versions");
	is($target->safe_psql('old', "SELECT check_name, observed, offending FROM anon_seq.audit('$policy') WHERE NOT ok"), 'lost|2 were published after they were saved|2', 'and its audit says so');
}
is(publish($target, 'old', 9), '7 7 7', 'an old dump: it can be published further');
is($target->safe_psql('old', "SELECT string_agg(p || ' ' || check_name, ', ' ORDER BY p) FROM unnest('{harmonic,fixed,window}'::text[]) AS p, anon_seq.audit(p) WHERE NOT ok"), 'fixed lost, harmonic lost, window lost', 'and audits go on saying so');

# --- a standby that is promoted is another place: versions after its last one may have been published by the old primary ---
$source->backup('base', backup_options => ['--checkpoint=fast']);
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($source, 'base', has_streaming => 1);
$standby->start;
$source->wait_for_catchup($standby);
like(($standby->psql('clinic', "SELECT * FROM anon_seq.budget('harmonic')"))[1], qr/^illness\|hiv\|/m, 'a standby shows budgets');
$standby->promote;
$standby->safe_psql('clinic', 'SELECT FROM month(13)');
like(($standby->psql('clinic', "SELECT anon_seq.publish('harmonic')"))[2], qr/was restored or promoted/, 'promoted: publish asks');
is(($standby->psql('clinic', "SELECT anon_seq.confirm_ledger('harmonic', 12)"))[2], '', 'promoted: 12 was the newest one');
is($standby->safe_psql('clinic', "$quiet SELECT version FROM anon_seq.publish('harmonic')"), '13', 'promoted: and it goes on');
$source->restart;
is($source->safe_psql('clinic', "$quiet SELECT FROM month(13); SELECT version FROM anon_seq.publish('harmonic')"), '13', 'a restart is the same place');

done_testing();
