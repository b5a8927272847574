# What the owner of a table can do to it, as SQL: to values by their type, to rows, to the table. %c stands for a column, %t for the table.
package Damage;
use strict;
use warnings;
no warnings 'qw'; # commas are meant

# Values instead of those that are there.
my @INTS = qw(0 1 2 5 -1 50 1000000 2147483647 -2147483648 %c+1 %c-1 -%c %c*2 NULL);
my @TEXTS = (qw<'' 'x' 'a/1' '(,)' 'empty' '[1,2' '[5,1)' 'NaN' 'root' 'others' 'known' '0' '-1' '9999999999999999999' '1e400' 'ANY' 'nurse' 'p1' '{}' %c||'1' %c||%c left(%c,-1) NULL>, "repeat('x', 100000)", 'E\'\\x01"\'');
my @RANGES = qw<'empty' '(,)' NULL>;
my @JSON = (qw('null' '[]' '{}' '5' '"x"' '[null]' '[[]]' '[{}]' '[5]' '{"k":5}' '{"measures":5}' '{"k":99999999999999999999}' '{"k":-1}' '{"k":0}' '{"k":null}' '{"parameters":5,"options":[]}' %c||%c %c-0 %c-1 NULL),
	'%c || jsonb_build_array(%c)', "CASE jsonb_typeof(%c) WHEN 'array' THEN %c || '[{}]'::jsonb ELSE %c || '{\"odd\": 1}'::jsonb END",
	(map { my $path = $_; map { "jsonb_set(%c, '$path', '$_')" } qw(null 5 -1 "x" [] {} 1e300) }
		'{0}', '{0,attribute}', '{0,column}', '{0,taxonomy}', '{0,role}', '{0,type}', '{0,source_type}', '{1}', '{-1}', '{0,value}', '{0,children}', '{k}', '{rules}', '{max_link}', '{previous}', '{options}', '{parameters}', '{parameters,k}', '{domains}', '{keep}', '{0,0}'),
	(map { my $key = $_; map { "jsonb_set(%c, '{0,$key}', '$_')" } qw("text" "int4range" "bool" "numeric[]" "zzz" "quasi" "sensitive" "job" "tens" "age") } qw(type role taxonomy attribute column)), "%c #- '{0,type}'", "%c #- '{0,role}'", "%c - 'k'", "%c - 'rules'");
sub arrays
{
	my ($type, @one) = @_;
	return ("'{}'", "'{NULL}'", '%c[2:]', '%c||%c', '%c[:1]||%c', 'array_replace(%c,%c[1],NULL)', 'array_fill(%c[1],ARRAY[2,2])', "array_fill(NULL::$type,ARRAY[3])", "array_fill(%c[1],ARRAY[array_length(%c,1)],ARRAY[0])", 'trim_array(%c,1)',
		'array_fill(%c[1],ARRAY[array_length(%c,1)])', 'NULL', map { ("array_fill('$_'::$type,ARRAY[array_length(%c,1)])", "'{$_}'") } @one);
}
my %VALUES = (
	integer => \@INTS, bigint => [ @INTS, '9223372036854775807', "'-9223372036854775808'" ], smallint => [ 0, -1, 'NULL' ], numeric => [ @INTS, "'NaN'", "'infinity'", '1e130' ], boolean => [ 'NOT %c', 'NULL' ], text => \@TEXTS,
	'double precision' => [ 0, -1, "'NaN'", "'infinity'", 'NULL' ], 'timestamp with time zone' => [ "'infinity'", "'-infinity'", 'NULL', "'4000-01-01 BC'" ], 'timestamp without time zone' => [ "'infinity'", 'NULL' ], date => [ "'infinity'", 'NULL', "'4000-01-01 BC'" ],
	'text[]' => [ arrays('text', qw(nope ANY nurse), '(,)') ], 'integer[]' => [ arrays('integer', qw(0 -1 5 2147483647 -2147483648)) ], 'bigint[]' => [ arrays('bigint', qw(0 -1 5 9223372036854775807 -9223372036854775808)) ], 'numeric[]' => [ arrays('numeric', qw(NaN 0)) ],
	'uuid[]' => [ arrays('uuid') ], jsonb => \@JSON, json => [ grep { !/%c/ } @JSON ],
	bytea => [ q('\x'), q('\x00'), q('\xffffffffffffffffffffffff'), q(%c||'\x00'), q(substring(%c FROM 2)), q(substring(%c FOR 3)), q(overlay(%c PLACING '\xffffff7f'::bytea FROM 1)), '%c||%c', 'NULL', q(set_byte(%c,0,255)) ],
	(map { ($_ => [ @RANGES, "'[1,2)'", "'(,5)'", "'[5,)'", "'[-2147483648,7)'" ]) } qw(int4range int8range)), numrange => [ @RANGES, "'[NaN,)'", "'[-infinity,infinity]'", "'[1,1e100)'" ],
	(map { ($_ => [ @RANGES, "'[-infinity,infinity]'", "'[2024-01-01,)'" ]) } qw(daterange tsrange tstzrange)), 'text[][]' => [ 'NULL' ],
);

# A value for a column of a type instead of its own.
sub value
{
	my ($random, $column, $type) = @_;
	my $value = $random->pick(@{ $VALUES{$type} // [ 'NULL' ] });
	my $quoted = qq("$column");
	return $value =~ s/%c/$quoted/gr;
}

my @OTHER_TYPES = (qw(text bigint integer smallint numeric boolean jsonb bytea text[] integer[] bigint[] int4range date uuid xml oid name), 'double precision');

# Rows of a table: some, the same ones each time.
sub rows
{
	my ($random) = @_;
	my $salt = $random->below(1000);
	return "WHERE ctid IN (SELECT ctid FROM %t ORDER BY md5(ctid::text || $salt) LIMIT " . $random->pick(1, 1, 3, 1000) . ')';
}

# [ weight, what does it: a function of the random numbers, a column and another one, each { name, type }, that gives statements ].
our @DAMAGE = (
	[ 40, sub { my ($random, $column) = @_; "UPDATE %t SET \"$column->{name}\" = " . value($random, $column->{name}, $column->{type}) . ' ' . rows($random) } ],
	[ 8, sub { 'DELETE FROM %t ' . rows($_[0]) } ],
	[ 7, sub { 'INSERT INTO %t SELECT * FROM %t LIMIT ' . $_[0]->pick(1, 2, 3, 1000) } ],
	[ 8, sub { my ($random, $column) = @_; my $type = $random->pick(@OTHER_TYPES); "ALTER TABLE %t ALTER \"$column->{name}\" TYPE $type USING " . ($random->chance(60) ? "\"$column->{name}\"::text::$type" : 'NULL') } ],
	[ 6, sub { "ALTER TABLE %t DROP COLUMN \"$_[1]{name}\" CASCADE" } ],
	[ 3, sub { 'ALTER TABLE %t ADD odd ' . $_[0]->pick('int DEFAULT 7', 'text', 'jsonb NOT NULL DEFAULT \'{}\'') } ],
	[ 3, sub { "ALTER TABLE %t RENAME \"$_[1]{name}\" TO odd" } ],
	[ 2, sub { my ($random, $column, $other) = @_; ("ALTER TABLE %t RENAME \"$column->{name}\" TO odd", "ALTER TABLE %t RENAME \"$other->{name}\" TO \"$column->{name}\"", "ALTER TABLE %t RENAME odd TO \"$other->{name}\"") } ],
	[ 4, sub { ('ALTER TABLE %t RENAME TO kept', 'CREATE VIEW %t AS SELECT * FROM anon_seq_ledger.kept') } ],
	[ 2, sub { ('ALTER TABLE %t RENAME TO kept', 'CREATE VIEW %t AS SELECT * FROM anon_seq_ledger.kept AS k WHERE md5(k::text) < \'8\'') } ],
	[ 1, sub { ('ALTER TABLE %t RENAME TO kept', 'CREATE MATERIALIZED VIEW %t AS SELECT * FROM anon_seq_ledger.kept') } ],
	[ 1, sub { ('ALTER TABLE %t RENAME TO kept', 'CREATE TABLE %t (LIKE anon_seq_ledger.kept)') } ],
	[ 1, sub { ('ALTER TABLE %t RENAME TO kept', 'CREATE SEQUENCE %t') } ],
	[ 3, sub { 'DROP TABLE %t CASCADE' } ], [ 2, sub { 'TRUNCATE %t' } ], [ 1, sub { 'ALTER TABLE %t RENAME TO kept' } ], [ 1, sub { 'ALTER TABLE %t SET SCHEMA fz' } ],
	[ 1, sub { 'GRANT SELECT ON %t TO ' . $_[0]->pick('PUBLIC', 'fuzz_analyst', 'fuzz_other') } ], [ 1, sub { 'ALTER TABLE %t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY' } ],
	[ 1, sub { ('CREATE TABLE anon_seq_ledger.child () INHERITS (%t)', 'INSERT INTO anon_seq_ledger.child SELECT * FROM ONLY %t') } ],
	[ 1, sub { my ($random, $column) = @_; "CREATE INDEX ON %t ((1 / (length(\"$column->{name}\"::text) - 1)))" } ],
	[ 1, sub { 'CREATE RULE odd AS ON INSERT TO %t DO INSTEAD NOTHING' } ],
);

1;
