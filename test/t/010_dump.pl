# Taxonomies survive dump and restore into a fresh cluster: made by a superuser or by a database owner who is none,
# in either format, in parallel, with other owners, with the roles of old or without.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $trees = q{SELECT t.name, t.kind, t.parameters, t.readers, x.* FROM anon_seq.taxonomies AS t
  CROSS JOIN LATERAL anon_seq.taxonomy_tree(t.name) WITH ORDINALITY AS x ORDER BY t.name COLLATE "C", x.ordinality};
my $make = q{SELECT anon_seq.create_flat_taxonomy('after the restore', '{x}');
  SELECT anon_seq.add_to_taxonomy('job', 'ANY', 'farmer'); SELECT anon_seq.generalize('job', 'farmer', 1);
  SELECT anon_seq.drop_taxonomy('age')};

my $roles = 'CREATE ROLE landlord LOGIN; CREATE ROLE publisher LOGIN; CREATE ROLE reader LOGIN; CREATE ROLE stranger LOGIN';
my $source = cluster('source');
$source->safe_psql('postgres', $roles);

# Two databases: one where a superuser installed the extension, one where its owner did.
my $super = $source->safe_psql('postgres', 'SELECT current_user');
my %installer = (by_super => $super, by_owner => 'landlord');
my (%dump, %expected);
for my $db (sort keys %installer)
{
	$source->safe_psql('postgres', "CREATE DATABASE $db OWNER $installer{$db}");
	my ($out, $err) = as($source, $installer{$db}, $db,
		'CREATE EXTENSION anon_seq; GRANT USAGE ON SEQUENCE anon_seq.publishers TO publisher');
	is($err, '', "$db: installed and granted");
	($out, $err) = as($source, 'publisher', $db, q{
		SELECT anon_seq.create_taxonomy('job', '{"ANY": {"White-collar": ["clerk", "manager"], "cook": []}}');
		SELECT anon_seq.create_flat_taxonomy('gone', '{a}'); SELECT anon_seq.drop_taxonomy('gone');
		SELECT anon_seq.create_range_taxonomy('age', 0, 25, '{5,10}');
		SELECT anon_seq.create_prefix_taxonomy('zip', '{4,3}');
		SELECT anon_seq.create_date_taxonomy('born', '{month,year}');
		SELECT anon_seq.create_flat_taxonomy(E'größe "x"\t', ARRAY['ä', '\\', 'two' || chr(10) || 'lines']);
		SELECT anon_seq.add_to_taxonomy('job', 'White-collar', 'late');
		SELECT anon_seq.grant_taxonomy('job', 'reader')});
	is($err, '', "$db: taxonomies made");
	$expected{$db} = as($source, $installer{$db}, $db, $trees);
	like($expected{$db}, qr/White-collar.*late/s, "$db: trees are there");
	for my $format ('c', 'd')
	{
		$dump{"$db.$format"} = $source->backup_dir . "/$db.$format";
		command_ok([ 'pg_dump', '-U', $installer{$db}, "-F$format", $format eq 'd' ? '-j2' : (), '-f', $dump{"$db.$format"},
				$source->connstr($db) ], "$db: dumped by $installer{$db} as -F$format");
	}
}

my $target = cluster('target');
my $count = 0;

# Restores into a new database of the given owner; returns its name and what pg_restore said.
sub restore
{
	my ($dump, $owner, @options) = @_;
	my $db = 'restored_' . ++$count;
	$target->safe_psql('postgres', "CREATE DATABASE $db OWNER $owner");
	my ($stdout, $stderr) = run_command([ 'pg_restore', '-U', $owner, '-d', $target->connstr($db), @options, $dump{$dump} ]);
	return ($db, $stderr);
}

sub same_and_alive
{
	my ($db, $owner, $dump, $name, $readers) = @_;
	my ($of) = split(/\./, $dump);
	is(as($target, $owner, $db, $trees), $readers ? $expected{$of} : $expected{$of} =~ s/\{reader\}/{}/gr, "$name: the same trees");
	my ($out, $err) = as($target, $owner, $db, $make);
	is($err, '', "$name: taxonomies can be made, changed and dropped");
	like($out, qr/ANY/, "$name: and used");
}

# The errors of a restore but for those of the given kind.
sub others
{
	my ($errors, $allowed) = @_;
	return join("\n", grep { /error: / && !/error: could not execute query: ERROR:  $allowed/ } split(/\n/, $errors));
}

# A cluster that knows none of the roles: whoever restores becomes the owner of all.
$target->safe_psql('postgres', 'CREATE ROLE newcomer LOGIN');
for my $dump (sort keys %dump)
{
	for my $owner ($super, 'newcomer')
	{
		my ($db, $errors) = restore($dump, $owner, '--no-owner', '-j2');
		# Rights given by or to roles that do not exist cannot be restored; nothing else goes wrong.
		is(others($errors, qr/role "(publisher|landlord|reader)" does not exist/), '', "$dump restored by $owner without roles: no other error");
		same_and_alive($db, $owner, $dump, "$dump restored by $owner without roles", 0);
	}
}

# With the roles, everything is as it was, rights included.
$target->safe_psql('postgres', $roles);
for my $dump (sort keys %dump)
{
	my ($of) = split(/\./, $dump);
	for my $owner ($installer{$of}, 'newcomer')
	{
		my @options = $owner eq 'newcomer' ? ('--no-owner', '-j2') : $dump =~ /d$/ ? ('-j2') : $owner eq 'landlord' ? () : ('--single-transaction');
		my $name = "$dump restored by $owner with roles";
		my ($db, $errors) = restore($dump, $owner, @options);
		# What the landlord granted only he or a superuser can grant again in his name. The newcomer does it in his own.
		# Nobody but a superuser gives the markers of roles away to a role that they are no member of: those are the landlord's then.
		is(others($errors, $owner eq 'newcomer' && $of eq 'by_owner' ? qr/permission denied to set session authorization/ : $owner eq 'landlord' ? qr/must be (?:member of|able to SET) role "publisher"/ : qr/x^/),
			'', "$name: no error");
		as($target, $owner, $db, 'GRANT USAGE ON SEQUENCE anon_seq.publishers TO publisher') if $errors;
		is(as($target, 'reader', $db, q{SELECT anon_seq.generalize('job', 'clerk', 1)}), 'White-collar', "$name: a reader reads");
		my ($out, $err) = as($target, 'stranger', $db, q{SELECT anon_seq.generalize('job', 'clerk', 1)});
		like($err, qr/taxonomy "job" does not exist/, "$name: a stranger does not");
		($out, $err) = as($target, 'publisher', $db,
			q{SELECT anon_seq.create_flat_taxonomy('mine', '{x}'); SELECT anon_seq.drop_taxonomy('mine')});
		is($err, '', "$name: a publisher publishes");
		($out, $err) = as($target, 'stranger', $db, q{SELECT anon_seq.create_flat_taxonomy('mine', '{x}')});
		like($err, qr/permission denied/, "$name: a stranger does not");
		same_and_alive($db, $owner, $dump, $name, 1);
	}
}

# The owner of the extension who is no superuser: sees and changes all taxonomies, and lets others publish.
my ($out, $err) = as($source, 'landlord', 'by_owner', q{
	SELECT anon_seq.add_to_taxonomy('job', 'ANY', 'by the landlord');
	GRANT USAGE ON SEQUENCE anon_seq.publishers TO stranger; REVOKE USAGE ON SEQUENCE anon_seq.publishers FROM stranger});
is($err, '', 'the extension belongs to its owner');
($out, $err) = as($source, 'landlord', 'by_owner', 'CREATE TABLE anon_seq.mine ()');
like($err, qr/permission denied for schema anon_seq/, 'but nobody writes into its schema');

done_testing();
