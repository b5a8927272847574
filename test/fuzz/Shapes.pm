# Part "shapes": a column of a source gets another type after policies of all methods were published from it, and every function that takes a
# policy, a release or a population is called. None may crash, or blame anything but that column: an error names it, or is the one that the
# call had before. A publish goes on only where values and their order stay the same. Not random: seed n is the n-th group of changes.
package Shapes;
use strict;
use warnings;
use JSON::PP;

use constant AT_ONCE => 6; # changes of one batch

# name => [ type, value of the row with number id ]
my @TYPES = (
	[ 'smallint', 'id % 50' ], [ 'integer', 'id % 50' ], [ 'bigint', 'id % 50' ], [ 'numeric', 'id + 0.5' ], [ 'numeric(6,2)', 'id + 0.5' ], [ 'real', 'id / 4.0' ], [ 'double precision', 'id / 8.0' ], [ 'text', q{'w' || id % 5} ], [ 'varchar(20)', q{'w' || id % 5} ],
	[ 'char(4)', q{'w' || id % 5} ], [ 'name', q{'w' || id % 5} ], [ 'boolean', 'id % 2 = 0' ], [ 'date', q{date '2024-01-01' + id % 50} ], [ 'timestamp', q{timestamp '2024-01-01' + id % 50 * interval '1 day'} ],
	[ 'timestamptz', q{timestamptz '2024-01-01 00:00:00+00' + id % 50 * interval '1 day'} ], [ 'uuid', q{pg_catalog.lpad((id % 50)::text, 32, '0')::uuid} ], [ 'fz.mood', '(enum_range(NULL::fz.mood))[1 + id % 3]' ], [ 'jsonb', 'to_jsonb(id % 3)' ],
	[ 'text[]', q{ARRAY['w' || id % 3]} ], [ 'int4range', 'int4range(id % 50, id % 50 + 3)' ], [ 'bytea', q{'\x01'} ]);

# name => [ how it is declared, the columns that it reads ]; beside those of the source, what a population's table is declared with.
my %POLICY = (
	s_link => [ q{sequential 'id', '{job,age,d,num}', k => 4, sensitive => '{diag}', max_link => 0.9, label => 'diag'}, 'id job age d num diag' ],
	s_label => [ q{sequential 'id', '{job,zip}', k => 4, publish_as_is => '{m}', label => 'stay', objective => 'entropy'}, 'id job zip m stay' ],
	s_local => [ q{sequential 'id', '{job,age,fl}', k => 4, sensitive => '{diag}', max_link => 0.9, options => '{"recoding": "local"}'}, 'id job age fl diag' ],
	s_cells => [ q{sequential 'id', '{job,age}', k => 9, sensitive => '{diag}', max_link => 0.9, max_suppressed => 0.2, options => '{"suppress": "cells"}'}, 'id job age diag' ],
	s_safe => [ q{sequential 'id', '{age,m}', k => 4, sensitive => '{diag}', max_link => 0.9, options => '{"decisions": "simulatable"}'}, 'id age m diag' ],
	s_rows => [ q{sequential NULL, '{age,job}', k => 4}, 'age job' ],
	s_two => [ q{sequential '{ward,id}', '{age,zip}', k => 4}, 'id ward age zip' ],
	s_map => [ q{sequential 'id', '{age,job}', k => 4, rules => '[{"kind": "k_map", "population": "sh_people", "min": 2}]'}, 'id age job', 'age job' ],
	i_copied => [ q{incremental 'id', '{age,job,num}', 4, sensitive => '{diag}'}, 'id age job num diag' ],
	i_shared => [ q{incremental 'id', '{age,zip,d}', 4, sensitive => '{diag}', publish_as_is => '{m}', options => '{"storage": "shared"}'}, 'id age zip d diag m' ],
	i_box => [ q{incremental 'id', '{job,fl,zip}', 3, publish_as_is => '{diag}', options => '{"shape": "box", "categorical": "order", "object_id": true}'}, 'id job fl zip diag' ],
	i_known => [ q{incremental 'id', '{age,job}', 3, options => '{"arrivals": "known", "domains": {"age": [0, 100]}}'}, 'id age job' ],
	i_since => [ q{incremental 'id', '{age,fl}', 3, sensitive => '{diag}', options => '{"changed_since": "stamp"}'}, 'id age fl diag stamp' ],
	i_two => [ q{incremental '{ward,id}', '{age,num}', 3}, 'id ward age num' ],
	l_exact => [ q{lossy_join 'id', '{job,age,fl}', '{diag}', 0.5, 4, 'projections'}, 'id job age fl diag' ],
	l_coarse => [ q{lossy_join 'id', '{job,age,d}', '{diag}', 0.5, 4, 'projections', options => '{"nss": "generalized"}'}, 'id job age d diag' ],
	l_table => [ q{lossy_join 'id', '{zip,age,num}', '{diag}', 0.5, 4, 'generalized'}, 'id zip age num diag' ],
	l_topdown => [ q{lossy_join 'id', '{job,age}', '{diag}', 0.5, 4, 'generalized', classes => 'topdown'}, 'id job age diag' ],
	l_anatomy => [ q{lossy_join 'id', '{job,age}', '{diag}', NULL, NULL, 'projections', classes => 'anatomy', l => 2}, 'id job age diag' ],
	e_exact => [ q{serial 'id', '{job,age}', '{diag}', '{HIV}', 2, 'projections', options => '{"cohort_min": 1}'}, 'id job age diag' ],
	e_table => [ q{serial 'id', '{zip,age,num}', '{diag}', '{HIV}', 2, 'generalized', options => '{"cohort_min": 1}'}, 'id zip age num diag' ],
	e_window => [ q{serial 'id', '{age,m}', '{diag}', '{HIV}', 2, 'projections', plan => 'window', options => '{"window": 3, "cohort_min": 1}'}, 'id age m diag' ],
	e_fixed => [ q{serial 'id', '{age,job}', '{diag}', '{HIV}', 2, 'generalized', plan => 'fixed', horizon => 6, options => '{"cohort_min": 1}'}, 'id age job diag' ],
	e_life => [ q{serial 'id', '{age,job}', '{diag}', '{HIV}', 2, 'projections', persistence => 'permanent'}, 'id age job diag' ]);
my @NAMES = sort keys %POLICY;

# What parameters without a default get, by name or by type; what is not known here is a function that nobody has thought of.
my %VALUE = (role => q{'fuzz_other'}, person => q{'7'}, reason => q{'why'}, x => q{'["age"]'}, y => q{'["diag"]'}, step => q{'publish'}, error => q{'e'}, changes => q{'{"publish_as": "fz.sh_other"}'}, quasi => q{'{age}'});
my %OF_TYPE = (integer => 2, boolean => 'true', regclass => q{'fz.sh'});
# What else is tried of those with a default.
my %ALSO = (runs => 12, queries => 12, changes => q{ARRAY['{}', '{"k": 3}', '{"quasi": ["age"]}']::jsonb[]}, seed => 2);

sub new
{
	my ($class, $server) = @_;
	my $functions = decode_json($server->ask(q{
		SELECT json_agg(json_build_object('name', proname, 'required', pronargs - pronargdefaults, 'types', (SELECT array_agg(format_type(t, NULL) ORDER BY i) FROM unnest(proargtypes) WITH ORDINALITY AS a (t, i)),
		                                  'parameters', proargnames[1:pronargs]) ORDER BY proname, oid)
		  FROM pg_proc WHERE pronamespace = 'anon_seq'::regnamespace AND prokind = 'f' AND proargnames && '{policy,release,releases,population,name}'
		   AND proname !~ 'taxonomy|^(create|register|suggest)_|^(has_role|takes_part|ledger_|owns_|heeds_)'} =~ s/\s+/ /gr));
	my @changes = map { my $policy = $_; my (undef, $of_source, $of_people) = @{ $POLICY{$policy} };
		map({ my $column = $_; map { [ $policy, 'fz.sh', $column, $_ ] } 0 .. $#TYPES } split / /, $of_source), map({ my $column = $_; map { [ $policy, 'fz.sh_people', $column, $_ ] } 0 .. $#TYPES } split / /, $of_people // '') } @NAMES;
	return bless { changes => \@changes, functions => $functions }, $class;
}

sub name { 'shapes' }
sub groups { my ($self) = @_; return int((@{ $self->{changes} } + AT_ONCE - 1) / AT_ONCE) }
sub is_call { return $_[1] =~ /fz\.shape_call/ }

# All calls about a policy.
sub calls
{
	my ($self, $policy) = @_;
	my %about = (policy => "'$policy'", name => "'$policy'", release => "'$policy'", releases => "'{$policy}'", population => "'sh_$policy'");
	my @calls;
	for my $function (@{ $self->{functions} })
	{
		my ($name, $types, $parameters, $required) = @$function{qw(name types parameters required)};
		my $value = sub { my ($i) = @_; my $of_type = $OF_TYPE{ $types->[$i] }; return $of_type // $about{ $parameters->[$i] } // $VALUE{ $parameters->[$i] } // die "shapes: no value for $parameters->[$i] of $name\n" };
		my @given = map { "$parameters->[$_] => " . $value->($_) } 0 .. $required - 1;
		my @also = map { $ALSO{ $parameters->[$_] } ? "$parameters->[$_] => $ALSO{ $parameters->[$_] }" : $types->[$_] eq 'boolean' ? "$parameters->[$_] => true" : () } $required .. $#$types;
		push @calls, "anon_seq.$name(" . join(', ', @given) . ')' unless grep { /^(runs|queries)/ } @also;
		push @calls, "anon_seq.$name(" . join(', ', @given, $_) . ')' for @also;
	}
	return @calls;
}

sub literal { return q{'} . ($_[0] =~ s/'/''/gr) . q{'} }

# Sources, policies with one or two versions, and what each call says of them as long as nothing has changed.
sub preparation
{
	my ($self) = @_;
	my @lines = ('SET client_min_messages = error;', 'SET ROLE fuzz_pub;', 'SET search_path = fz, anon_seq;',
		q{CREATE TABLE sh AS SELECT i AS id, 'w' || i % 4 AS ward, (ARRAY['nurse', 'clerk', 'baker', 'miner'])[1 + i * 31 % 4] AS job, 20 + i * 7 % 50 AS age, (i * 37 % 100) / 4.0 AS num, (i * 17 % 90)::float8 / 8 AS fl, date '2024-01-01' + i * 11 % 200 AS d,
			(enum_range(NULL::mood))[1 + i % 3] AS m, CASE WHEN i % 20 = 2 THEN 'HIV' ELSE (ARRAY['flu', 'cold', 'acne', 'gout'])[1 + i % 4] END AS diag, 20430 + i % 12 AS zip, i % 3 AS stay, timestamptz '2024-06-01 00:00:00+00' + i % 10 * interval '1 day' AS stamp FROM generate_series(1, 120) AS i;} =~ s/\s+/ /gr,
		q{CREATE TABLE sh_people AS SELECT id, age, job FROM sh, generate_series(1, 3);}, q{SELECT anon_seq.register_population('sh_people', 'fz.sh_people');},
		q{CREATE TABLE shape_known (call text, state text, said text);},
		q{CREATE FUNCTION shape_attempt(call text, OUT state text, OUT said text) LANGUAGE plpgsql AS $$ DECLARE line text; BEGIN EXECUTE 'SELECT string_agg(x::text, '' '') FROM ' || call || ' AS x' INTO line; RAISE SQLSTATE '01FZZ' USING MESSAGE = coalesce(nullif(line, ''), 'nothing');
			EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, said = MESSAGE_TEXT; END $$;} =~ s/\s+/ /gr,
		q{CREATE FUNCTION shape_note(call text) RETURNS void LANGUAGE sql AS $$ INSERT INTO fz.shape_known SELECT $1, a.state, a.said FROM fz.shape_attempt($1) AS a $$;},
		# An error is the one that was known, names the column, or is a failed audit, whose rows say why; a preview says it in its reason.
		q{CREATE FUNCTION shape_call(call text, "column" text, fails boolean DEFAULT false) RETURNS void LANGUAGE plpgsql AS $$ DECLARE now record; BEGIN SELECT * INTO now FROM fz.shape_attempt($1); IF now.state LIKE 'XX%' THEN RAISE EXCEPTION USING ERRCODE = now.state, MESSAGE = now.said; END IF;
			IF now.state = '01FZZ' AND $3 THEN RAISE EXCEPTION USING ERRCODE = 'internal_error', MESSAGE = 'went on with a column of another type'; END IF;
			IF (now.state = '01FZZ' AND NOT ($1 ~ '^anon_seq.preview' AND now.said ~ '\(f,')) OR strpos(now.said, '"' || $2 || '"') > 0 OR now.said LIKE 'audit of policy%' OR EXISTS (SELECT FROM fz.shape_known AS k WHERE (k.call, k.state, k.said) = ($1, now.state, now.said)) THEN RETURN; END IF;
			RAISE EXCEPTION USING ERRCODE = 'internal_error', MESSAGE = format('names no column: %s %s', now.state, now.said); END $$;} =~ s/\s+/ /gr,
		# Values stay as they are if the type takes their texts.
		q{CREATE FUNCTION shape_alter(source text, "column" text, type text, value text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN BEGIN EXECUTE format('ALTER TABLE %s ALTER %I TYPE %s USING %2$I::text::%3$s', $1, $2, $3); EXCEPTION WHEN OTHERS THEN EXECUTE format('ALTER TABLE %s ALTER %I TYPE %s USING (%s)::%3$s', $1, $2, $3, $4); END; END $$;});
	for my $policy (@NAMES)
	{
		my ($method, $arguments) = split / /, $POLICY{$policy}[0], 2;
		my $taxonomies = join ', ', ($arguments =~ /\bzip\b/ ? '"zip": "zip"' : ()), ($arguments =~ /\bm\b/ ? '"m": "mood"' : ());
		push @lines, "SELECT anon_seq.create_${method}_policy('$policy', 'fz.sh', $arguments, population => 'sh_$policy', publish_as => 'fz.sh_$policy'" . ($taxonomies ? ", taxonomies => '{$taxonomies}'" : '') . ');', "SELECT anon_seq.publish('$policy');";
	}
	push @lines, 'UPDATE sh SET age = age + 1 WHERE id % 7 = 3;', map({ "SELECT anon_seq.publish('$_');" } grep { /^[ie]_/ } @NAMES), map({ my $policy = $_; map { 'SELECT fz.shape_note(' . literal($_) . ');' } $self->calls($policy) } @NAMES), 'RESET ROLE;';
	return @lines;
}

# Whether two types have the same values, as texts and in their order.
sub alike
{
	my ($old, $new) = map { /^(smallint|integer|bigint)$/ ? 'integer' : /^(text|varchar)/ ? 'text' : $_ } @_;
	return $old eq $new;
}
my %TYPE_OF = (id => 'integer', ward => 'text', job => 'text', age => 'integer', num => 'numeric', fl => 'double precision', d => 'date', m => 'fz.mood', diag => 'text', zip => 'integer', stay => 'integer', stamp => 'timestamptz');

sub batch
{
	my ($self, $seed) = @_;
	my @lines = (q{SET statement_timeout = '10s'; SET search_path = fz, anon_seq; SET client_min_messages = error;}, 'BEGIN;');
	for my $change (grep { defined } @{ $self->{changes} }[ $seed * AT_ONCE .. $seed * AT_ONCE + AT_ONCE - 1 ])
	{
		my ($policy, $source, $column, $number) = @$change;
		my ($type, $value) = @{ $TYPES[$number] };
		my $alike = $source ne 'fz.sh' || alike($TYPE_OF{$column}, $type) || $type eq 'numeric(6,2)' && $TYPE_OF{$column} eq 'numeric';
		push @lines, 'SAVEPOINT here;', "SELECT fz.shape_alter('$source', '$column', '$type', " . literal($value) . ');', map({ 'SELECT fz.shape_call(' . literal($_) . ", '$column'" . (!$alike && /^anon_seq\.publish\(/ ? ', true' : '') . ');' } $self->calls($policy)), 'ROLLBACK TO here;';
	}
	return { user => 'fuzz_pub', lines => [ @lines, 'ROLLBACK;', 'BEGIN;', 'ROLLBACK;' ] };
}

1;
