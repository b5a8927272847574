# The SQL of a random instance (RuleInstance.pm): its tables, its calls, and what tells what came of them.
package RuleScript;
use strict;
use warnings;
use JSON::PP;

my $json = JSON::PP->new->canonical->allow_nonref;

# Once per database: the extension, and RuleValues::taxonomies.
our $setup = q{
CREATE EXTENSION IF NOT EXISTS anon_seq;
SELECT anon_seq.create_taxonomy('tree', '{"*": {"A": ["a", "b"], "B": {"B1": ["c", "d"], "e": []}}}'), anon_seq.create_flat_taxonomy('flat', '{x,y,z}'),
  anon_seq.create_prefix_taxonomy('pre', '{2,1}'), anon_seq.create_range_taxonomy('rng', 0, 8, '{2,4}');
};
# What each instance's script begins with, once per session.
our $session = q{
SET client_min_messages = error; SET TimeZone = 'UTC'; SET search_path = public, anon_seq;
CREATE FUNCTION pg_temp.said(statement text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE r jsonb; d text; h text;
BEGIN
  EXECUTE 'SELECT coalesce(jsonb_agg(to_jsonb(r)), ''[]'') FROM (' || statement || ') AS r' INTO r;
  RETURN jsonb_build_object('rows', r);
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS d = PG_EXCEPTION_DETAIL, h = PG_EXCEPTION_HINT;
  RETURN jsonb_build_object('state', sqlstate, 'message', sqlerrm, 'detail', d, 'hint', h);
END $$;
CREATE FUNCTION pg_temp.kept() RETURNS TABLE (id text, cell jsonb) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE (SELECT format('SELECT unnest(p.persons)::text, to_jsonb(c) FROM anon_seq_ledger.%I AS p JOIN anon_seq_ledger.%I AS c USING (version, cell)', ledger || '_person', ledger || '_cell') FROM anon_seq.release WHERE name = 'p');
END $$;
};

sub quoted { my $t = shift; return 'NULL' if !defined $t; $t =~ s/'/''/g; return "'$t'" }
sub list { return quoted('{' . join(',', @_) . '}') }

sub declared
{
	my $self = shift;
	my @tables;
	push @tables, 'CREATE TABLE src (id ' . $self->{person_type} . join('', map { ", $_ $self->{types}{$_}" } @{ $self->{columns} }) . ');';
	push @tables, 'INSERT INTO src VALUES ' . join(', ', map { '(' . join(', ', map { quoted($_) } @$_) . ')' } @{ $self->{rows} }) . ';';
	for my $e (@{ $self->{earlier} })
	{
		push @tables, "CREATE TABLE $e->{name} (" . join(', ', map { "$_->[0] $_->[2]" } @{ $e->{columns} }) . ');';
		push @tables, "INSERT INTO $e->{name} VALUES " . join(', ', map { '(' . join(', ', map { quoted($_) } @$_) . ')' } @{ $e->{rows} }) . ';';
	}
	if (my $town = $self->{town})
	{
		push @tables, 'CREATE TABLE town (' . join(', ', map { "$_->[1] $_->[2]" } @{ $town->{columns} }) . ', n int);';
		push @tables, 'INSERT INTO town VALUES ' . join(', ', map { '(' . join(', ', map { quoted($_) } @$_) . ')' } @{ $town->{rows} }) . ';';
	}
	return join "\n", @tables;
}

# The calls, by what they are: registrations and declaration, then what is asked.
sub calls
{
	my $self = shift;
	my @calls;
	for my $e (@{ $self->{earlier} })
	{
		my %attributes = map { $_->[1] => $_->[3] ? { column => $_->[0], taxonomy => $_->[3] } : $_->[0] } @{ $e->{columns} };
		push @calls, [ "register $e->{name}", "SELECT register_release('$e->{name}', '$e->{name}', 'pop', " . quoted($json->encode(\%attributes)) . ')' ];
	}
	push @calls, [ 'inconsistent', 'SELECT declare_inconsistent(' . join(', ', map { quoted($_) } @$_) . ')' ] for @{ $self->{inconsistent} };
	if (my $town = $self->{town})
	{
		my %attributes = map { $_->[0] => { column => $_->[1] } } @{ $town->{columns} };
		push @calls, [ 'register town', "SELECT register_population('town', 'town', " . ($town->{counted} ? "'n'" : 'NULL') . ', ' . quoted($json->encode(\%attributes)) . ')' ];
		push @calls, [ 'shown town', 'SELECT ctid AS place, ' . join(', ', map { "$_->[1]::text" } @{ $town->{columns} }) . ' FROM town' ];
	}
	my @p = ("'p', 'src'", $self->{person} eq 'none' ? 'NULL' : "'id'", list(@{ $self->{quasi} }));
	push @p, "k => $self->{k}" if $self->{k};
	push @p, "max_link => $self->{max_link}" if $self->{max_link};
	push @p, "max_suppressed => $self->{max_suppressed}" if $self->{max_suppressed};
	push @p, 'sensitive => ' . list(@{ $self->{sensitive} }) if @{ $self->{sensitive} };
	push @p, 'publish_as_is => ' . list(@{ $self->{as_is} }) if @{ $self->{as_is} };
	push @p, "label => '$self->{label}'" if $self->{label};
	my @rules = (@{ $self->{rules} }, @{ $self->{people_rules} // [] });
	push @p, 'rules => ' . quoted($json->encode(\@rules)) if @rules;
	push @p, q{taxonomies => '{"rng": "rng"}'} if grep { $_ eq 'rng' } @{ $self->{quasi} };
	push @p, "population => 'pop'", 'options => ' . quoted($json->encode($self->{options}));
	push @calls, [ 'declare', 'SELECT create_sequential_policy(' . join(', ', @p) . ')' ];
	push @calls, [ 'preview', q{SELECT feasible, reason, classes, published FROM preview('p')} ];
	push @calls, [ 'publish', q{SELECT published, withheld, classes FROM publish('p')} ];
	push @calls, [ 'kept', 'SELECT id, cell FROM pg_temp.kept()' ] if $self->{max_suppressed};
	push @calls, [ 'audit', q{SELECT check_name, scope, required, observed, ok, detail FROM audit('p', everything => true)} ];
	push @calls, [ 'shown p', 'SELECT ' . join(', ', map { "${_}::text" } @{ $self->{quasi} }, @{ $self->{sensitive} }, @{ $self->{as_is} }) . ' FROM p' ];
	push @calls, [ "shown $_->{name}", "SELECT ctid AS place, @{[ join(', ', map { $_->[0] . '::text' } @{ $_->{columns} }) ]} FROM $_->{name}" ] for @{ $self->{earlier} };
	my $i = 0;
	push @calls, [ 'join ' . $i++, "SELECT smallest_anonymity, largest_linkability, matches, dangling FROM audit_join(" . list(@{ $_->{releases} }) . ', ' . quoted($json->encode($_->{x})) . ', ' . quoted($json->encode($_->{y})) . ', options => ' . quoted($json->encode($_->{options})) . ')' ]
		for @{ $self->{audits} };
	return @calls;
}

# The script that tells what comes of it, one json per line: seed, what, answer.
sub script
{
	my $self = shift;
	my $sql = "BEGIN;\n" . $self->declared . "\n";
	$sql .= "SELECT json_build_array($self->{seed}, " . quoted($_->[0]) . ', pg_temp.said(' . quoted($_->[1]) . "));\n" for $self->calls;
	return $sql . "ROLLBACK;\n";
}

# The script for people.
sub plain
{
	my $self = shift;
	return "-- seed $self->{seed}\n" . $self->declared . "\n" . join("\n", map { "$_->[1];" } $self->calls) . "\n";
}

1;
