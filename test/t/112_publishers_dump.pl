# Who may publish after dump and restore, and who owns what: made by a database owner who is no superuser, with two publishers and a guest in
# a population; restored by a superuser and by an owner, with owners and without. Prints the table that doc/reference.md shows.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $source = cluster('source');
my $super = $source->safe_psql('postgres', 'SELECT current_user');
my @roles = qw(granted by_hand guest);
$source->safe_psql('postgres', "CREATE ROLE $_ LOGIN") for ('landlord', @roles);
$source->safe_psql('postgres', 'CREATE DATABASE db OWNER landlord');
my ($out, $err) = as($source, 'landlord', 'db', q{CREATE EXTENSION anon_seq; SELECT anon_seq.grant_publish('granted'), anon_seq.grant_publish('guest'); GRANT USAGE ON SEQUENCE anon_seq.publishers TO by_hand;
	CREATE SCHEMA granted AUTHORIZATION granted; CREATE SCHEMA guest AUTHORIZATION guest;});
$source->safe_psql('db', 'CREATE SCHEMA granted AUTHORIZATION granted; CREATE SCHEMA guest AUTHORIZATION guest; CREATE SCHEMA by_hand AUTHORIZATION by_hand; GRANT USAGE ON SCHEMA granted TO PUBLIC') if $err =~ /must be (?:member|able to SET ROLE)/;
($out, $err) = as($source, 'landlord', 'db', q{CREATE EXTENSION IF NOT EXISTS anon_seq; SELECT anon_seq.grant_publish('granted'), anon_seq.grant_publish('guest'); GRANT USAGE ON SEQUENCE anon_seq.publishers TO by_hand});
is($err, '', 'the owner of the extension lets three publish');
sub visits { return "CREATE TABLE $_[0].visit AS SELECT i AS id, 20 + i % 9 AS age, (ARRAY['flu', 'cold'])[1 + i % 2] AS disease FROM generate_series(1, 90) AS i;" }
my $link = q{k => 4, max_link => 0.9, sensitive => '{disease}', options => '{"overlap": true, "dangling": "outer"}'};
for ([ 'granted', visits('granted') . "SELECT anon_seq.create_sequential_policy('first', 'granted.visit', 'id', '{age}', publish_as => 'granted.out', $link); SELECT anon_seq.publish('first'); SELECT anon_seq.grant_population('granted.visit', 'guest')" ],
	[ 'by_hand', visits('by_hand') . "SELECT anon_seq.create_incremental_policy('mine', 'by_hand.visit', 'id', '{age}', 4, publish_as => 'by_hand.out'); SELECT anon_seq.publish('mine'); SELECT anon_seq.watch_source('by_hand.visit', '{id}')" ],
	[ 'guest', visits('guest') . "SELECT anon_seq.create_sequential_policy('second', 'guest.visit', 'id', '{age}', publish_as => 'guest.out', population => 'granted.visit', $link); SELECT anon_seq.publish('second')" ])
{
	($out, $err) = as($source, $_->[0], 'db', $_->[1]);
	is($err, '', "$_->[0] publishes");
}

# Who can dump.
my %dump = (super => $source->backup_dir . '/super', reader => $source->backup_dir . '/reader');
command_ok([ 'pg_dump', '-U', $super, '-Fc', '-f', $dump{super}, $source->connstr('db') ], 'a superuser can dump');
command_fails([ 'pg_dump', '-U', 'landlord', '-Fc', '-f', $source->backup_dir . '/no', $source->connstr('db') ], 'the owner of the extension cannot: ledgers are closed');
$source->safe_psql('postgres', 'CREATE ROLE reader LOGIN IN ROLE pg_read_all_data');
command_ok([ 'pg_dump', '-U', 'reader', '-Fc', '-f', $dump{reader}, $source->connstr('db') ], 'who is in pg_read_all_data can');
$source->safe_psql('postgres', 'GRANT granted, by_hand, guest TO landlord');
command_ok([ 'pg_dump', '-U', 'landlord', '-Fc', '-f', $source->backup_dir . '/member', $source->connstr('db') ], 'and the owner who is a member of all publishers');

my $target = cluster('target');
$target->safe_psql('postgres', "CREATE ROLE $_ LOGIN") for ('landlord', @roles);
$target->safe_psql('postgres', 'GRANT granted, by_hand, guest TO landlord');

# One line: who may publish of these roles, who owns the three policies and the population, who takes part.
sub state_of
{
	my ($db) = @_;
	my $may = $target->safe_psql($db, q{SELECT string_agg(r, ' ' ORDER BY r) FROM unnest(ARRAY['landlord', 'granted', 'by_hand', 'guest']) AS r WHERE has_sequence_privilege(r, 'anon_seq.publishers', 'USAGE')});
	my $owners = $target->safe_psql($db, q{SELECT string_agg(p.name || ':' || pg_get_userbyid(anon_seq.ledger_owner('p' || p.id)), ' ' ORDER BY p.name) FROM anon_seq.policy AS p});
	my $population = $target->safe_psql($db, q{SELECT pg_get_userbyid(anon_seq.ledger_owner('n' || id)) || ', ' || (SELECT string_agg(r, ' ' ORDER BY r) FROM unnest(ARRAY['landlord', 'granted', 'by_hand', 'guest']) AS r WHERE anon_seq.takes_part(r::regrole, name)) FROM anon_seq.population WHERE name = 'granted.visit'});
	return ($may, $owners, $population);
}

my $all = 'first:granted mine:by_hand second:guest';
my %case = (
	'superuser' => { user => $super, extra => [], may => 'granted guest landlord', owners => $all, population => 'granted, granted guest landlord' },
	'superuser, --no-owner' => { user => $super, extra => ['--no-owner'], may => 'granted guest landlord', owners => join(' ', map { "$_:$super" } qw(first mine second)), population => "$super, guest landlord" },
	'owner, extension and grants first' => { user => 'landlord', extra => [], first => q{CREATE EXTENSION anon_seq; SELECT anon_seq.grant_publish(r) FROM unnest(ARRAY['granted', 'by_hand', 'guest']) AS r; GRANT CREATE ON SCHEMA anon_seq_ledger TO granted, by_hand, guest}, then => 'REVOKE CREATE ON SCHEMA anon_seq_ledger FROM granted, by_hand, guest', may => 'by_hand granted guest landlord', owners => $all, population => 'granted, granted guest landlord' },
	'owner, --no-owner' => { user => 'landlord', extra => ['--no-owner'], may => 'by_hand granted guest landlord', owners => 'first:landlord mine:landlord second:landlord', population => 'landlord, guest landlord' },
);
my $count = 0;
for my $name (sort keys %case)
{
	my %of = %{ $case{$name} };
	my $db = 'restored_' . ++$count;
	$target->safe_psql('postgres', "CREATE DATABASE $db OWNER $of{user}");
	if ($of{first})
	{
		(undef, $err) = as($target, $of{user}, $db, $of{first});
		is($err, '', "$name: the extension and grants");
	}
	my ($stdout, $stderr) = run_command([ 'pg_restore', '-U', $of{user}, '-d', $target->connstr($db), @{ $of{extra} }, $dump{super} ]);
	my @errors = grep { /error: / } split(/\n/, $stderr);
	note "$name: $_" for @errors;
	as($target, $of{user}, $db, $of{then}) if $of{then};
	is($target->safe_psql($db, q{SELECT string_agg(r, ' ') FROM unnest(ARRAY['granted', 'by_hand', 'guest']) AS r WHERE has_schema_privilege(r, 'anon_seq_ledger', 'CREATE')}), '', "$name: no publisher may create beside the ledgers");
	my ($may, $owners, $population) = state_of($db);
	diag sprintf("%-34s | may publish: %-36s | policies: %-46s | population: %s", $name, $may, $owners, $population);
	is($may, $of{may}, "$name: who may publish");
	is($owners, $of{owners}, "$name: who owns the policies");
	is($population, $of{population}, "$name: who owns the population, and who takes part");
	# Whoever owns a policy now publishes on, against all that was released; the first change adopts what was restored.
	my %owner = $owners =~ /(\w+):(\S+)/g;
	$target->safe_psql($db, "GRANT USAGE, CREATE ON SCHEMA granted, by_hand, guest TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA granted, by_hand, guest TO PUBLIC; UPDATE granted.visit SET age = 22 WHERE id = 9; UPDATE by_hand.visit SET age = 22 WHERE id = 9");
	$target->safe_psql($db, "SELECT anon_seq.grant_publish('by_hand')");
	as($target, $_, $db, 'SELECT FROM anon_seq.confirm_ledgers()') for values %owner;
	for my $policy (qw(first mine))
	{
		($out, $err) = as($target, $owner{$policy}, $db, "SELECT version FROM anon_seq.publish('$policy')");
		is("$out$err", '2', "$name: $policy publishes on");
		is(as($target, $owner{$policy}, $db, "SELECT bool_and(ok) FROM anon_seq.audit('$policy', everything => true)"), 't', "$name: its audit holds");
	}
	is($target->safe_psql($db, 'SELECT count(*) FROM anon_seq.ledger WHERE place <> anon_seq.place() OR relation <> anon_seq.ledger_relation(name)'), '0', "$name: the ledgers are those of this place now");
	is($target->safe_psql($db, q{SELECT bool_or(has_sequence_privilege('by_hand', 'anon_seq.publishers', 'USAGE'))}), 't', "$name: grant_publish helps");
}

# A restore over what is there, in the same place: other relations bear the names, until the owner of the extension adopts them.
my $again = $target->backup_dir . '/again';
$target->safe_psql('restored_4', q{SELECT anon_seq.watch_source('by_hand.visit', '{id}')});
command_ok([ 'pg_dump', '-U', $super, '-Fc', '-f', $again, $target->connstr('restored_4') ], 'dumped again');
my (undef, $stderr) = run_command([ 'pg_restore', '-U', $super, '--clean', '-d', $target->connstr('restored_4'), $again ]);
note $stderr;
is($target->safe_psql('restored_4', 'SELECT count(*) FROM anon_seq.policies'), '0', 'after a restore over it nobody owns a policy');
is($target->safe_psql('restored_4', q{WITH changed AS (UPDATE by_hand.visit SET age = 23 WHERE id = 9 RETURNING id) SELECT count(*), (SELECT count(*) > 0 FROM pg_trigger WHERE tgrelid = 'by_hand.visit'::regclass AND tgname LIKE 'anon_seq_watch%') FROM changed}), '1|t', 'and triggers of what was watched stop nobody');
($out, $err) = as($target, $super, 'restored_4', q{SELECT anon_seq.publish('first')});
like($err, qr/has lost its ledger.*adopt_ledgers/s, 'who may mend that is told how');
like($target->safe_psql('restored_4', 'SELECT * FROM anon_seq.adopt_ledgers()'), qr/^n\d+\|n\d+_population\|\Q$super\E$/m, 'adopted, and shown');
is($target->safe_psql('restored_4', 'SELECT count(*) FROM anon_seq.policies'), '3', 'and there they are');
is($target->safe_psql('restored_4', q{SELECT string_agg(check_name, ',') FROM anon_seq.audit('first', everything => true) WHERE NOT ok}), 'restored,restored', 'adoption confirms none of them');
$target->safe_psql('restored_4', 'SELECT FROM anon_seq.confirm_ledgers()');
is($target->safe_psql('restored_4', q{SELECT bool_and(ok) FROM anon_seq.audit('first', everything => true)}), 't', 'confirmed, they hold');
my $mine = q{SELECT version FROM anon_seq.publish('mine')};  # NOTICEs are no errors
(undef, undef, $err) = $target->psql('restored_4', $mine);
like($err, qr/by_hand\.visit is watched, but read as a whole: another table has the name of the one that is watched/, 'its source is read as a whole');
$target->safe_psql('restored_4', q{SELECT anon_seq.watch_source('by_hand.visit', '{id}')});
$target->safe_psql('restored_4', $mine);
(undef, undef, $err) = $target->psql('restored_4', $mine);
unlike($err, qr/read as a whole/, 'until it is watched again');
is($target->safe_psql('restored_4', q{SELECT count(*) || ' ' || (SELECT count(*) FROM pg_class WHERE relname ~ '^w[0-9]+_queue$') FROM anon_seq.watch}), '1 1', 'and nothing is left of the watch before');

done_testing();
