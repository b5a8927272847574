# Part "types": every type of a column of an earlier, registered release against every type of ours, in joins of all sorts. Not random: seed
# n is the n-th group of pairs.
package Types;
use strict;
use warnings;
use Random;

# name => [ type, value number i ]. The first of them need no taxonomy as quasi columns.
my @LINES = (
	[ int2 => 'int2', '(20 + i % 30)' ], [ int4 => 'int4', '(20 + i % 30)' ], [ int8 => 'int8', '(20 + i % 30)' ], [ numeric => 'numeric', '(20 + i % 30) + 0.5' ], [ float4 => 'float4', '(20 + i % 30) / 4.0' ], [ float8 => 'float8', '(20 + i % 30) / 8.0' ],
	[ date => 'date', q{date '2024-01-01' + i % 30} ], [ timestamp => 'timestamp', q{timestamp '2024-01-01' + i % 30 * interval '1 day'} ], [ timestamptz => 'timestamptz', q{timestamptz '2024-01-01 00:00:00+00' + i % 30 * interval '1 day'} ],
	[ number => 'fz.number', '(20 + i % 30)' ]);
my @OTHERS = (
	[ text => 'text', q{'w' || i % 5} ], [ digits => 'text', '(20 + i % 30)' ], [ interval_text => 'text', q{'[' || 20 + i % 3 * 10 || ',' || 30 + i % 3 * 10 || ')'} ], [ varchar => 'varchar(20)', q{'w' || i % 5} ], [ char => 'char(3)', q{'w' || i % 5} ], [ one_char => '"char"', q{'w'} ],
	[ name => 'name', q{'w' || i % 5} ], [ bool => 'bool', 'i % 2 = 0' ], [ uuid => 'uuid', q{('00000000-0000-0000-0000-00000000000' || i % 5)::uuid} ], [ enum => 'fz.mood', '(enum_range(NULL::fz.mood))[1 + i % 3]' ], [ word => 'fz.word', q{'w' || i % 5} ],
	[ int4range => 'int4range', 'int4range(i % 3 * 10, 30)' ], [ int8range => 'int8range', 'int8range(i % 3 * 10, 30)' ], [ numrange => 'numrange', 'numrange(i % 3 * 10, 30)' ], [ daterange => 'daterange', q{daterange('2024-01-01', date '2024-01-05' + i % 3)} ],
	[ tsrange => 'tsrange', q{tsrange('2024-01-01', timestamp '2024-01-05' + i % 3 * interval '1 day')} ], [ tstzrange => 'tstzrange', q{tstzrange('2024-01-01', timestamptz '2024-01-05' + i % 3 * interval '1 day')} ],
	[ edges => 'numrange', q{(ARRAY['(,)', 'empty', '[-infinity,infinity]', '[5,5]', NULL]::numrange[])[1 + i % 5]} ], [ int4multirange => 'int4multirange', 'int4multirange(int4range(1, 5), int4range(20, 20 + i % 9))' ],
	[ labels => 'text[]', q{ARRAY['w1', 'w' || i % 5, NULL]} ], [ bytea => 'bytea', q{'\x01'} ], [ jsonb => 'jsonb', 'to_jsonb(i % 3)' ],
	[ special => 'float8', q{(ARRAY['NaN', 'infinity', '-infinity', 1e308, -1e308]::float8[])[1 + i % 5]} ], [ far => 'date', q{(ARRAY['infinity', '-infinity', '4000-01-01 BC', '2024-01-01']::date[])[1 + i % 4]} ],
	[ huge => 'numeric', '10::numeric ^ (i % 40 * 3)' ], [ nulls => 'int4', 'NULL' ], [ null_words => 'text', 'NULL' ]);
my @TYPES = (@LINES, @OTHERS);
use constant AT_ONCE => 4; # pairs of one batch

sub new { my ($class) = @_; return bless {}, $class }
sub name { 'types' }
sub groups { return int((@TYPES * @TYPES + AT_ONCE - 1) / AT_ONCE) }
sub is_call { return $_[1] =~ /anon_seq\./ }

# A table of each type; every text is a word, so all can be generalized.
sub preparation
{
	return (q{CREATE DOMAIN fz.number AS int CHECK (VALUE > 0);}, 'CREATE DOMAIN fz.word AS text;', 'GRANT ALL ON DOMAIN fz.number, fz.word TO PUBLIC;', 'SET ROLE fuzz_pub;',
		(map { my ($name, $type, $value) = @$_; ("CREATE TABLE fz.t_$name AS SELECT i AS id, CASE WHEN i % 13 > 0 THEN ($value)::$type END AS v, 'd' || i % 3 AS c FROM generate_series(1, 36) AS i;") } @TYPES),
		q{SELECT anon_seq.create_flat_taxonomy('words', array_agg(DISTINCT v)) FROM (} . join(' UNION ALL ', map { "SELECT v::text FROM fz.t_$_->[0]" } @OTHERS) . ') AS w (v) WHERE v IS NOT NULL;', 'RESET ROLE;');
}

# A pair: our type, theirs. Whatever is made is undone.
sub pair
{
	my ($self, $i) = @_;
	my ($ours, $theirs) = ($TYPES[ $i / @TYPES ], $TYPES[ $i % @TYPES ]);
	my $line = $i / @TYPES < @LINES;
	my ($source, $earlier) = ("fz.t_$ours->[0]", "fz.t_$theirs->[0]");
	my $taxonomies = $line ? '' : q{, taxonomies => '{"v": "words"}'};
	my $rule = '[{"kind": "anonymity", "x": ["v"], "y": ["person"], "min": 1, "with": ["e"]}]';
	my @lines = ('BEGIN', "SELECT anon_seq.register_release('e', '$earlier', 'q', '{\"v\": \"v\"}')");
	for my $overlap (qw(true false))
	{
		for my $dangling (qw(outer error))
		{
			push @lines, 'SAVEPOINT here', "SELECT anon_seq.create_sequential_policy('s', '$source', 'id', '{v}', k => 2, sensitive => '{c}', population => 'q', publish_as => 'fz.s', rules => '$rule', options => '{\"overlap\": $overlap, \"dangling\": \"$dangling\"}'$taxonomies)",
				q{SELECT * FROM anon_seq.preview('s')}, q{SELECT * FROM anon_seq.publish('s')}, q{SELECT * FROM anon_seq.audit('s')},
				map({ qq{SELECT * FROM anon_seq.audit_join('{s,e}', '["v"]', '$_', options => '{"overlap": $overlap, "outer": true}')} } '["c"]', '[{"release": "e"}]'), 'ROLLBACK TO here';
		}
	}
	push @lines, "SELECT anon_seq.create_incremental_policy('i', '$source', 'id', '{v}', 2, sensitive => '{c}', population => 'q', publish_as => 'fz.i', options => '{\"unguarded\": [\"*\"], \"object_id\": true, \"shape\": \"" . ($i % 2 ? 'box' : 'region') . "\"}'$taxonomies)",
		q{SELECT * FROM anon_seq.preview('i')}, q{SELECT * FROM anon_seq.publish('i')}, q{SELECT * FROM anon_seq.audit('i')}, q{SELECT * FROM anon_seq.audit_join('{i,e}', '["v"]', '["c"]', options => '{"overlap": true}')},
		q{SELECT * FROM anon_seq.audit_inference('{i}', 2, 'cover')}, q{SELECT * FROM anon_seq.audit_join_relations('{fz.i,} . "$earlier" . q{}', '["v"]', '["c"]', options => '{"overlap": true}')};
	for my $options (q{'{"overlap": true}'}, 'NULL', q{'{"overlap": true, "outer": true, "general": true}'})
	{
		push @lines, map { "SELECT * FROM anon_seq.audit_join_relations('{$source,$earlier}', $_, options => $options)" } q{'["v"]', '["c"]'}, q{'["c"]', '[{"release": 2, "column": "c"}]', '{"v": {"interval": true}}'};
	}
	push @lines, map { "SELECT * FROM anon_seq.audit_inference_relations('{$source,$earlier}', 'id', '{v}', 3, '$_')" } qw(equal contain cover);
	push @lines, "SELECT * FROM anon_seq.audit_k('$earlier', '{v}')", "SELECT anon_seq.suggest_taxonomy('$earlier', 'v')", 'ROLLBACK';
	return @lines;
}

sub batch
{
	my ($self, $seed) = @_;
	my @lines = (q{SET statement_timeout = '3s'; SET search_path = fz; SET client_min_messages = warning});
	push @lines, $self->pair($_ % @TYPES ** 2) for map { $seed * AT_ONCE + $_ } 0 .. AT_ONCE - 1;
	return { user => 'fuzz_pub', lines => [ map { "$_;" } @lines ] };
}

1;
