# Ledgers that were restored, promoted or copied, of every method: what publish, audit and nightly say, and what confirm_ledger() changes. Each case is a line of the
# table that is printed at the end. In ANON_SEQ_GRID=full all methods meet all cases; else each case meets two of them, other ones than the case before.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $quiet = 'SET client_min_messages = error;';
my $make = q{
	CREATE TABLE visit (id int PRIMARY KEY, age int, zip int, ill text);
	CREATE FUNCTION change(n int) RETURNS void LANGUAGE sql AS $$
	  DELETE FROM visit WHERE id % 29 = n;
	  INSERT INTO visit SELECT n * 1000 + i, 20 + i * 7 % 50, 1000 + i * 31 % 97, CASE WHEN i % 40 = 0 THEN 'hiv' ELSE (ARRAY['flu', 'cold', 'cough', 'ache'])[1 + i % 4] END FROM generate_series(1, 120) AS i $$;
	SELECT change(1);
	SELECT anon_seq.create_sequential_policy('sequential', 'visit', 'id', '{age,zip}', k => 4, max_link => 0.9, sensitive => '{ill}', population => 'a');
	SELECT anon_seq.create_incremental_policy('incremental', 'visit', 'id', '{age,zip}', 4, population => 'b');
	SELECT anon_seq.create_incremental_policy('shared', 'visit', 'id', '{age,zip}', 4, population => 'c', options => '{"storage": "shared"}');
	SELECT anon_seq.create_lossy_join_policy('lossy', 'visit', 'id', '{age,zip}', '{ill}', 0.5, 4, 'projections', sensitive_values => '{hiv}', population => 'd', options => '{"unguarded_again": true}');
	SELECT anon_seq.create_lossy_join_policy('generalized', 'visit', 'id', '{age,zip}', '{ill}', 0.5, 4, 'generalized', sensitive_values => '{hiv}', population => 'e', options => '{"unguarded_again": true}');
	SELECT anon_seq.create_serial_policy('serial', 'visit', 'id', '{age,zip}', '{ill}', '{hiv}', 3, 'generalized', population => 'f')};
my @policies = qw(sequential incremental shared lossy generalized serial);
my $full = ($ENV{ANON_SEQ_GRID} // '') eq 'full';
my (@table, %asked);

# The next version of policies, after a change of the source.
sub publish
{
	my ($node, $db, $change, @these) = @_;
	@these = @policies if !@these;
	return $node->safe_psql($db, "$quiet DO \$\$ BEGIN PERFORM change($change); END \$\$; " . join ' ', map { "SELECT version FROM anon_seq.publish('$_');" } @these);
}

# What statements come to, each in a transaction of its own: its result, or SQLSTATE and the first line of the error.
sub told
{
	my ($node, $db, @statements) = @_;
	my $script = '\set QUIET on' . "\n\\pset format unaligned\n\\pset tuples_only on\nSET client_min_messages = error;\n" . join('', map { "\\echo '#'\n$_;\n\\if :ERROR\n\\echo :SQLSTATE :LAST_ERROR_MESSAGE\n\\endif\n" } @statements);
	my ($status, $out) = $node->psql($db, $script, on_error_stop => 0);
	my (undef, @told) = split(/^#\n?/m, $out, -1);
	s/\s+$// for @told;
	return @told;
}

# Two of the methods, other ones in each case; all in the full grid.
my $case = 0;
sub chosen
{
	my @these = $full ? @policies : map { $policies[ (3 * $_ + $case) % 6 ] } 0 .. 1;
	$case++;
	return @these;
}

sub failing { return "SELECT coalesce(string_agg(check_name || ': ' || observed, '; ' ORDER BY check_name), 'ok') FROM anon_seq.audit('$_[0]') WHERE NOT ok AND check_name <> 'unguarded'" } # several versions of a lossy join

# A ledger that is not at home: the question, what is asked of each function, the answer.
sub asks
{
	my ($node, $db, $name, $version, $last) = @_;
	for my $policy (chosen())
	{
		my $next = $version + 1;
		my $published = "SELECT count(*) FROM anon_seq.log WHERE policy = '$policy'";
		my @told = told($node, $db, "SELECT change(20 + $case)", "SELECT version FROM anon_seq.publish('$policy')", failing($policy), "SELECT reason FROM anon_seq.preview('$policy')", "CALL anon_seq.nightly('$policy')", $published, "CALL anon_seq.nightly('$policy')",
			$published, "SELECT anon_seq.confirm_ledger('$policy', $version - 1)", "SELECT anon_seq.confirm_ledger('$policy', $last)", "SELECT version FROM anon_seq.publish('$policy')", failing($policy), "CALL anon_seq.nightly('$policy')");
		my $of = "$name, $policy";
		my $lost = $last - $version;
		my $lost_row = $lost == 0 ? 'ok' : 'lost: ' . ($lost == 1 ? '1 was' : "$lost were") . ' published after they were saved';
		is($told[1], qq{55000 the ledger of policy "$policy" was restored or promoted}, "$of: publish asks");
		is($told[2], ($version == 0 ? 'released: none; ' : '') . qq{restored: policy "$policy" is not confirmed}, "$of: the audit has a failed row");
		like($told[3], qr/was restored or promoted: It knows versions up to $version\./, "$of: a preview says it");
		is($told[4], qq{55000 the ledger of policy "$policy" was restored or promoted}, "$of: nightly asks");
		is($told[6], $told[4], "$of: and fails again");
		is($told[7], $told[5], "$of: but says it once");
		like($told[8], qr/^22023 policy "$policy" has version $version in its ledger, which is newer/, "$of: a version that is older than the ledger is refused");
		is($told[9], '', "$of: confirmed");
		is($told[10], $next, "$of: it goes on");
		is($told[11], $lost_row, "$of: the audit knows what is lost");
		push @table, [ $name, $policy, 'refused 55000', 'restored', 'refused, once in full', "goes on with $next, " . ($lost == 0 ? 'audit ok' : "audit: lost $lost") ];
	}
}

my $source = PostgreSQL::Test::Cluster->new('source');
$source->init(allows_streaming => 1, extra => [ '--locale=C', '--encoding=UTF8' ]);
$source->append_conf('postgresql.conf', "fsync = off\nautovacuum = off\nwal_keep_size = 2GB\nmin_wal_size = 1GB\nmax_wal_size = 4GB");
$source->start;
$source->safe_psql('postgres', 'CREATE DATABASE clinic');
$source->safe_psql('clinic', "$quiet CREATE EXTENSION anon_seq; $make");
# A policy that has published nothing yet may have been published elsewhere all the same.
my $unborn = $source->backup_dir . '/unborn.dump';
command_ok([ 'pg_dump', '-Fc', '-f', $unborn, $source->connstr('clinic') ], 'dumped before the first version');
is(publish($source, 'clinic', $_), join("\n", ($_ - 1) x @policies), "version @{[$_ - 1]}") for 2 .. 3;
my $dump = $source->backup_dir . '/clinic.dump';
command_ok([ 'pg_dump', '-Fc', '-f', $dump, $source->connstr('clinic') ], 'dumped');
$source->backup('base', backup_options => ['--checkpoint=fast']);

# --- restored into another database: the original has published version 3 meanwhile ---
$source->safe_psql('postgres', "CREATE DATABASE $_") for qw(elsewhere clean unborn);
command_ok([ 'pg_restore', '-d', $source->connstr('elsewhere'), $dump ], 'restored into another database');
is($source->safe_psql('elsewhere', 'SELECT count(*) FROM anon_seq.ledger_home'), '0', 'a dump says nothing of where ledgers are at home');
# Erasure and changes go on; neither answers the question.
is($source->safe_psql('elsewhere', "$quiet SELECT count(*) FROM anon_seq.forget('b', '1010')"), '2', 'a person is forgotten in a restored ledger');
$source->safe_psql('elsewhere', q{SELECT anon_seq.alter_policy('incremental', '{"options": {"full_read_every": 5}}')});
asks($source, 'elsewhere', 'pg_restore into another database', 2, 3);

# --- what was lost is dumped with the ledger, and goes on counting where that is restored ---
my ($lossy) = map { $_->[1] } @table;
my $twice = $source->backup_dir . '/twice.dump';
$source->safe_psql('postgres', 'CREATE DATABASE twice');
command_ok([ 'pg_dump', '-Fc', '-f', $twice, $source->connstr('elsewhere') ], 'dumped with a version that is lost');
command_ok([ 'pg_restore', '-d', $source->connstr('twice'), $twice ], 'and restored');
is((told($source, 'twice', "SELECT anon_seq.confirm_ledger('$lossy', 3)", failing($lossy)))[1], 'lost: 1 was published after they were saved', 'it is still lost');
is((told($source, 'twice', "SELECT anon_seq.confirm_ledger('$lossy', 5)", failing($lossy)))[1], 'lost: 3 were published after they were saved', 'with others that are');
is((told($source, 'twice', "SELECT anon_seq.confirm_ledger('$lossy', 4)", failing($lossy)))[1], 'lost: 3 were published after they were saved', 'of which none comes back');

# --- a copy by CREATE DATABASE; nothing is lost ---
$source->safe_psql('postgres', 'CREATE DATABASE twin TEMPLATE clinic');
$source->safe_psql('postgres', 'CREATE DATABASE roles TEMPLATE clinic');
asks($source, 'twin', 'CREATE DATABASE .. TEMPLATE', 2, 2);

# --- restored over what was there, all of it ---
command_ok([ 'pg_restore', '-d', $source->connstr('clean'), $dump ], 'restored, to be restored again');
is($source->safe_psql('clean', "$quiet SELECT string_agg(concat_ws(' ', policy, version, last_version, lost), ', ') FROM anon_seq.confirm_ledgers()"), join(', ', map { "$_ 2 2 0" } sort @policies), 'all policies at once');
is($source->safe_psql('clean', "$quiet SELECT count(*) FROM anon_seq.confirm_ledgers()"), '0', 'which is said once');
$source->safe_psql('postgres', 'CREATE DATABASE newer TEMPLATE clean');
run_command([ 'pg_restore', '--clean', '--if-exists', '-d', $source->connstr('clean'), $dump ]);
is($source->safe_psql('clean', 'SELECT count(*), (SELECT count(*) FROM anon_seq.adopt_ledgers()) FROM anon_seq.policies WHERE version = 2'), '6|12', 'pg_restore --clean: adopted at once, which answers nothing');
asks($source, 'clean', 'pg_restore --clean', 2, 3);

# --- the same over newer versions, of which the dump knows nothing and cannot clean them away: what is left is no ledger that goes on ---
$source->safe_psql('newer', "$quiet SELECT anon_seq.confirm_ledgers()");
is(publish($source, 'newer', 4), join("\n", (3) x @policies), 'version 3, which the dump does not know');
run_command([ 'pg_restore', '--clean', '--if-exists', '-d', $source->connstr('newer'), $dump ]);
for my $policy (chosen())
{
	my @told = told($source, 'newer', 'SELECT FROM anon_seq.adopt_ledgers()', "SELECT change(20 + $case)", "SELECT version FROM anon_seq.publish('$policy')", failing($policy), 'SELECT FROM anon_seq.confirm_ledgers()', "SELECT version FROM anon_seq.publish('$policy')");
	like($told[$_], qr/^(42501|55000|XX001) /, "pg_restore --clean over newer versions, $policy: publish is refused") for 2, 5;
	unlike($told[3], qr/^ok/, "pg_restore --clean over newer versions, $policy: the audit finds it");
	push @table, [ 'pg_restore --clean over newer versions', $policy, 'refused ' . substr($told[2], 0, 5), $told[3] =~ /^([0-9X]{5}) / ? "error $1" : 'restored', 'refused', 'changes nothing' ];
}

# --- a database whose policies had published nothing: also of those it is asked ---
command_ok([ 'pg_restore', '-d', $source->connstr('unborn'), $unborn ], 'restored: nothing was published before the dump');
$source->safe_psql('unborn', qq{$quiet SELECT anon_seq.alter_policy('$_', '{"quasi": ["age"]}'); SELECT anon_seq.alter_policy('$_', '{"quasi": ["age", "zip"]}')}) for @policies;
is($source->safe_psql('unborn', 'SELECT count(*) FROM anon_seq.ledger_home'), '0', 'a ledger that is made again before its first version answers nothing');
asks($source, 'unborn', 'pg_restore, before version 1', 0, 2);

# --- a role confirms what is its own; another's stops only who is promised something together with it ---
$source->safe_psql('roles', "$quiet SELECT anon_seq.confirm_ledgers(); CREATE ROLE one LOGIN; CREATE ROLE two LOGIN; SELECT anon_seq.grant_publish('one'), anon_seq.grant_publish('two'); GRANT CREATE ON SCHEMA public TO one, two; GRANT ALL ON visit TO one, two");
my ($out, $err) = as($source, 'one', 'roles', "$quiet CREATE TABLE v1 AS SELECT id, age, zip, CASE WHEN row_number() OVER (ORDER BY id DESC) = 1 THEN 'hiv' ELSE 'flu' END AS ill FROM visit; SELECT anon_seq.create_serial_policy('one', 'v1', 'id', '{age,zip}', '{ill}', '{hiv}', 3, 'generalized', population => 'both'); SELECT anon_seq.grant_population('both', 'two'); SELECT anon_seq.publish('one')");
is($err, '', 'a policy of a role');
($out, $err) = as($source, 'two', 'roles', "$quiet CREATE TABLE v2 AS SELECT id, age, zip, CASE WHEN row_number() OVER (ORDER BY id DESC) = 1 THEN 'hiv' ELSE 'flu' END AS ill FROM visit; SELECT anon_seq.create_serial_policy('two', 'v2', 'id', '{age,zip}', '{ill}', '{hiv}', 3, 'generalized', population => 'both'); SELECT anon_seq.create_incremental_policy('alone', 'v2', 'id', '{age}', 4, population => 'two');
	SELECT anon_seq.publish('two'), anon_seq.publish('alone')");
is($err, '', 'and of another one, beside it and alone');
$source->safe_psql('postgres', 'CREATE DATABASE roles_copy TEMPLATE roles');
is(scalar as($source, 'two', 'roles_copy', 'SELECT string_agg(policy, $$,$$) FROM anon_seq.confirm_ledgers()'), 'alone,two', 'two confirms what is theirs');
($out, $err) = as($source, 'two', 'roles_copy', "DELETE FROM v2 WHERE id % 7 = 0; SELECT anon_seq.publish('two')");
like($err, qr/ERROR: +the ledger of a policy of another role, in population "both", was restored or promoted.*HINT: +Its owner has to confirm it/s, 'a ledger of another role is in the way, without its name');
is(scalar as($source, 'two', 'roles_copy', failing('two')), 'restored: a policy of another role is not confirmed', 'the audit says so as well');
is(scalar as($source, 'two', 'roles_copy', "$quiet DELETE FROM v2 WHERE id % 7 = 0; SELECT version FROM anon_seq.publish('alone')"), '2', 'a policy without it goes on');
($out, $err) = as($source, 'two', 'roles_copy', "SELECT anon_seq.confirm_ledger('one', 1)");
like($err, qr/policy "one" does not exist/, 'nobody confirms for another role');
($out, $err) = as($source, 'two', 'roles_copy', q{SELECT anon_seq.confirm_ledgers('{"one": 1}')});
like($err, qr/policy "one" does not exist/, 'nor with all at once');
as($source, 'two', 'roles_copy', q{SELECT anon_seq.alter_policy('two', '{"options": {"unguarded": ["one"]}}')});
is(scalar as($source, 'two', 'roles_copy', "$quiet DELETE FROM v2 WHERE id % 7 = 0; SELECT version FROM anon_seq.publish('two')"), '2', 'left out of account, it is not in the way');
is(join('', as($source, 'one', 'roles_copy', "$quiet DELETE FROM v1 WHERE id % 7 = 0; SELECT count(*) FROM anon_seq.confirm_ledgers(); SELECT version FROM anon_seq.publish('one')")), "1\n2", 'and its owner goes on, too');
# The owner of the extension may insert rows of ledgers, for a restore; no row answers the question.
my ($status, undef, $denied) = $source->psql('roles_copy', "GRANT CREATE ON DATABASE roles_copy TO one; SET ROLE one; INSERT INTO anon_seq.ledger_home VALUES ('p1', anon_seq.place(), 1, anon_seq.ledger_relation('p1'))");
like($denied, qr/permission denied for table ledger_home/, 'nobody writes where a ledger is at home');
is($source->safe_psql('roles_copy', "SELECT count(*) FROM aclexplode((SELECT relacl FROM pg_class WHERE oid = 'anon_seq.ledger_home'::regclass)) AS a JOIN pg_roles AS r ON r.oid = a.grantee WHERE NOT r.rolsuper"), '0', 'no role has rights there');
is($source->safe_psql('roles_copy', "SELECT count(*) FROM pg_extension WHERE 'anon_seq.ledger_home'::regclass = ANY (extconfig)"), '0', 'and no dump contains it');

# --- the rows of ledger tables alone, over a newer catalog ---
$source->safe_psql('postgres', 'CREATE DATABASE data_only TEMPLATE clinic');
$source->safe_psql('data_only', "$quiet SELECT anon_seq.confirm_ledgers()");
is(publish($source, 'data_only', 4), join("\n", (3) x @policies), 'data-only: version 3');
$source->safe_psql('data_only', "SET session_replication_role = replica; DO \$\$ DECLARE t regclass; BEGIN FOR t IN SELECT oid FROM pg_class WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relkind = 'r' LOOP EXECUTE 'TRUNCATE ' || t; END LOOP; END \$\$");
{
	local $ENV{PGOPTIONS} = '-c session_replication_role=replica';
	command_ok([ 'pg_restore', '--data-only', '-n', 'anon_seq_ledger', '-d', $source->connstr('data_only'), $dump ], 'data-only: the rows are those of version 2');
}
for my $policy (chosen())
{
	my $damaged = qq{XX001 the ledger of policy "$policy" is damaged};
	my @told = told($source, 'data_only', "SELECT change(20 + $case)", "SELECT version FROM anon_seq.publish('$policy')", failing($policy), "CALL anon_seq.nightly('$policy')", "SELECT anon_seq.confirm_ledger('$policy', 3)", "SELECT version FROM anon_seq.publish('$policy')");
	is($told[1], $damaged, "data-only, $policy: publish finds the catalog newer than the ledger");
	like($told[2], qr/^XX001|restored: its newest version is 2, the catalog's 3/, "data-only, $policy: so does the audit");
	is($told[3], $damaged, "data-only, $policy: and nightly");
	is($told[4], '', "data-only, $policy: nothing is to be confirmed");
	is($told[5], $damaged, "data-only, $policy: which mends nothing");
	push @table, [ 'data-only restore of ledger tables', $policy, 'refused XX001', $told[2] =~ /^XX001/ ? 'error XX001' : 'restored and others', 'refused', 'changes nothing' ];
}

# --- standby; before it is promoted its audits are those of the primary, also on another time line later ---
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($source, 'base', has_streaming => 1);
$standby->start;
$source->wait_for_catchup($standby);
for my $policy ($full ? @policies : @policies[ 0, 5 ])
{
	my @told = told($standby, 'clinic', failing($policy), "SELECT feasible FROM anon_seq.preview('$policy')", "SELECT anon_seq.confirm_ledger('$policy', 2)", 'SELECT FROM anon_seq.confirm_ledgers()');
	is($told[0], 'ok', "standby, $policy: the audit holds");
	is($told[1], 't', "standby, $policy: and a preview looks");
	like($told[2], qr/^25006 cannot execute anon_seq\.confirm_ledger\(\) on a standby/, "standby, $policy: nothing is confirmed there");
	like($told[3], qr/^25006 cannot execute anon_seq\.confirm_ledgers\(\) on a standby/, "standby, $policy: nor all at once");
}
$standby->promote;
asks($standby, 'clinic', 'standby promoted', 2, 2);
$standby->stop;

# --- a base backup that recovers ---
my $recovered = PostgreSQL::Test::Cluster->new('recovered');
$recovered->init_from_backup($source, 'base', has_restoring => 1, standby => 0);
$recovered->append_conf('postgresql.conf', "restore_command = 'false'\narchive_mode = off");
$recovered->start;
$recovered->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()');
is(publish($source, 'clinic', 4), join("\n", (3) x @policies), 'the original goes on, unasked');
asks($recovered, 'clinic', 'base backup, recovery.signal', 2, 3);
$recovered->stop;

# --- the same directory, started as it is: nothing inside can tell, the witness is outside ---
my $copy = PostgreSQL::Test::Cluster->new('copy');
$copy->init_from_backup($source, 'base');
$copy->start;
for my $policy (chosen())
{
	my @told = told($copy, 'clinic', "SELECT change(20 + $case)", failing($policy), "SELECT version FROM anon_seq.publish('$policy', after => 3)", "CALL anon_seq.nightly('$policy', after => 3)", "SELECT version FROM anon_seq.publish('$policy', after => 1)", "SELECT version FROM anon_seq.publish('$policy', after => -1)",
		"BEGIN; SELECT version FROM anon_seq.publish('$policy'); ROLLBACK", "SELECT anon_seq.confirm_ledger('$policy', 3)", "SELECT anon_seq.confirm_ledger('$policy', 3)", failing($policy), "SELECT version FROM anon_seq.publish('$policy', after => 2)", failing($policy), "CALL anon_seq.nightly('$policy', after => 3)");
	my $of = "copied directory, $policy";
	is($told[1], 'ok', "$of: it is the same place for audits");
	is($told[2], qq{55000 the newest version of policy "$policy" is 2, not 3}, "$of: who knows of version 3 finds it out");
	is($told[3], $told[2], "$of: nightly, too");
	is($told[4], qq{55000 the newest version of policy "$policy" is 2, not 1}, "$of: who knows less than was published is told as well");
	like($told[5], qr/^22023 argument "after" must not be negative/, "$of: no negative version");
	is($told[6], '3', "$of: without a witness it goes on");
	is($told[9], 'lost: 1 was published after they were saved', "$of: what is lost counts once, though it was said twice");
	is($told[10], '3', "$of: confirmed, it goes on");
	is($told[11], 'lost: 1 was published after they were saved', "$of: and audits say what is lost");
	like($told[12], qr/^22000 audit of policy/, "$of: each night");
	push @table, [ 'copied directory', $policy, 'goes on; after => 3 refused 55000', 'ok', 'goes on; after => 3 refused', 'lost is counted, audit: lost 1' ];
}
my (undef, undef, $hints) = $copy->psql('clinic', "SELECT anon_seq.publish('sequential', after => 99)");
like($hints, qr/DETAIL: +This database may be an older copy.*HINT: .*SELECT anon_seq\.confirm_ledger\('sequential', 99\)/s, 'with what to do if the copy goes on');
(undef, undef, $hints) = $copy->psql('clinic', "SELECT anon_seq.publish('sequential', after => 0)");
like($hints, qr/HINT: .*SELECT version, published_at FROM anon_seq\.releases WHERE policy = 'sequential'/, 'and where the newest version is shown');
$copy->stop;

note(sprintf('%-36s | %-12s | %-34s | %-20s | %-28s | %s', @$_)) for [ 'case', 'method', 'publish', 'audit: failed rows', 'nightly', 'confirm_ledger' ], @table;
$source->stop;
done_testing();
