# What the parts "names" and "forged" share: calls of every function of schema anon_seq, as they are found in pg_proc, on everything that spied.sql
# and setup.sql have made, by every role; and after each of them the question whether code ran as another role than its owner.
package Spied;
use strict;
use warnings;
use JSON::PP;
use Recipes;

our @ROLES = qw(fuzz_root fuzz_pub fuzz_member fuzz_other fuzz_dbo fuzz_source fuzz_analyst fuzz_stranger fuzz_thief);
my @CHANGES = ('UPDATE sp.adm SET age = age + 2 WHERE id % 11 = 5', 'UPDATE sp.ward SET age = age + 1 WHERE id % 13 = 0', 'DELETE FROM sp.adm WHERE id % 37 = 1', 'TRUNCATE sp.clin', 'SELECT * FROM anon_seq.policies, anon_seq.releases, anon_seq.status',
	'SELECT * FROM anon_seq.log, anon_seq.audits', 'SELECT * FROM anon_seq.taxonomies, anon_seq.population_tables, anon_seq.watches, anon_seq.progress', 'SELECT * FROM sp.shared', 'SELECT * FROM sp.shared_flat', 'SELECT * FROM sp.inc', 'SELECT * FROM sp.proj_r1_joined');

sub json_of { my ($server, $sql) = @_; return decode_json($server->ask($sql =~ s/\s+/ /gr)) }
sub list_of { my ($server, $sql) = @_; return grep { length } split /\n/, $server->ask($sql =~ s/\s+/ /gr) }
sub literal { return q{'} . ($_[0] =~ s/'/''/gr) . q{'} }

# The calls: what a parameter of text may name is found in the catalog.
sub new
{
	my ($class, $server) = @_;
	my @policies = list_of($server, 'SELECT name FROM anon_seq.policy ORDER BY name');
	my @releases = list_of($server, q{SELECT DISTINCT ON (name) CASE version WHEN 0 THEN name ELSE name || '/' || version END FROM anon_seq.release ORDER BY name, version});
	my @relations = list_of($server, q{SELECT format('%I.%I', e->>'schema', e->>'name') FROM anon_seq.release, jsonb_array_elements(relations) AS e UNION SELECT c.oid::regclass::text FROM pg_class AS c WHERE c.relnamespace = 'sp'::regnamespace AND c.relkind IN ('r', 'v', 'm') ORDER BY 1});
	my @populations = list_of($server, 'SELECT name FROM anon_seq.population ORDER BY name');
	my @ledgers = list_of($server, 'SELECT name FROM anon_seq.ledger ORDER BY name');
	my %named = (policy => \@policies, release => [ @policies, @releases ], relation => \@relations, source => \@relations, population => \@populations, ledger => \@ledgers, name => [ @policies, @releases ]);
	my $functions = json_of($server, q{SELECT json_agg(json_build_object('name', proname, 'kind', prokind, 'required', pronargs - pronargdefaults, 'types', (SELECT array_agg(format_type(t, NULL) ORDER BY i) FROM unnest(proargtypes) WITH ORDINALITY AS a (t, i)),
		'parameters', proargnames[1:pronargs]) ORDER BY proname, oid) FROM pg_proc WHERE pronamespace = 'anon_seq'::regnamespace AND prokind IN ('f', 'p') AND prorettype <> 'trigger'::regtype});
	return bless { functions => [ map { calls_of($_, \%named) } @$functions ], changes => \@CHANGES, subjects => json_of($server, q{SELECT json_agg(DISTINCT jsonb_build_object('name', name, 'ledger', ledger, 'population', population)) FROM anon_seq.release}) }, $class;
}

my %PLAIN = (name => q{'p'}, person => q{'3'}, role => q{'fuzz_other'}, k => 3, quasi => q{'{age}'}, sensitive => q{'{diag}'}, object_id => q{'object_id'}, attribute => q{'age'}, column => q{'age'}, value => q{'30'}, x => q{'["age"]'}, y => q{'["diag"]'}, keys => q{'{id}'},
	changes => q{'{"k": 3}'}, reason => q{'nobody has read it'}, step => q{'audit'}, error => q{'by hand'}, last_version => 1, releases => 2, member => 10, published => q{'x'::text}, taxonomy => q{'job'}, levels => 1, counts => q{'n'}, queries => 5);
my %OF_TYPE = (integer => 1, bigint => 1, numeric => 0.5, 'double precision' => 0.1, boolean => 'true', oid => 10, anyelement => q{'x'::text});

# The calls of a function: one for each thing that it can be about, or its recipes and one with values by name and type.
sub calls_of
{
	my ($function, $named) = @_;
	my @types = @{ $function->{types} // [] };
	my @names = @{ $function->{parameters} // [] };
	my $abouts = $function->{name} =~ /^(alter|describe|drop)_policy$/ ? qr/^name$/ : qr/^(policy|release|relation|source|population|ledger|releases|relations)$/;
	my ($about) = grep { ($names[$_] // '') =~ $abouts && $types[$_] =~ /^(text|regclass)/ } 0 .. $function->{required} - 1;
	my @things = defined $about ? @{ $named->{ $names[$about] =~ s/s$//r } // [] } : (undef);
	my (@calls, @recipes);
	for my $recipe (Recipes::of($function->{name}))
	{
		push @recipes, [ undef, "anon_seq.$function->{name}(" . join(', ', map { "$_ => $recipe->{$_}" } sort keys %$recipe) . ')' ];
	}
	for my $thing (@things)
	{
		my @arguments;
		for my $i (0 .. $function->{required} - 1)
		{
			my $name = $names[$i] // '';
			my $value = defined $about && $i == $about ? ($types[$i] =~ /\[\]$/ ? literal('{"' . ($thing =~ s/"/\\"/gr) . '"}') : literal($thing)) : $PLAIN{$name} // $OF_TYPE{ $types[$i] } // "NULL::$types[$i]";
			push @arguments, $name ? qq("$name" => $value) : $value;
		}
		push @calls, [ $thing, "anon_seq.$function->{name}(" . join(', ', @arguments) . ')' ];
	}
	@calls = (@recipes, @calls) unless @things > 1;
	my $of_ledgers = defined $about && $names[$about] !~ /^(relations?|source)$/;
	return { weight => $function->{name} =~ /^(audit|publish|preview|measure|cut|forget|release_rows)$/ ? 12 : $of_ledgers ? 4 : 1, calls => [ map { [ $_->[0], ($function->{kind} eq 'p' ? 'CALL ' : 'SELECT * FROM ') . $_->[1] ] } @calls ] };
}

# Lines that call: each as one of the roles, undone afterwards, as far as it is not a procedure that commits. `about`: a pattern of the things that
# they are about.
sub lines
{
	my ($self, $random, $count, $about) = @_;
	my @functions = ([ 6, $self->{changes} ]);
	for my $function (@{ $self->{functions} })
	{
		my @calls = map { $_->[1] } grep { !$about || defined $_->[0] && $_->[0] =~ $about } @{ $function->{calls} };
		push @functions, [ $function->{weight}, \@calls ] if @calls;
	}
	my @lines;
	for my $call ($count ? map { $random->pick(@{ $random->weighted(@functions) }) } 1 .. $count : map { @{ $_->[1] } } @functions)
	{
		for my $role ($count ? $random->weighted([ 8, 'fuzz_pub' ], [ 6, 'fuzz_root' ], [ 3, 'fuzz_stranger' ], map { [ 1, $_ ] } @ROLES) : @ROLES)
		{
			my $alone = $call =~ /^CALL/;
			push @lines, "SET ROLE $role", $alone ? () : 'SAVEPOINT here', $call, $alone ? () : 'ROLLBACK TO here', 'SELECT spy.unmarked()';
		}
	}
	return @lines;
}

sub is_call { return $_[0] =~ /anon_seq\./ }

1;
