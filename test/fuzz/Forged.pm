# Part "forged": the owner of the extension adds rows to the tables of the catalog that a dump restores, as they are but for one column, in which stands
# code, a type, a name or a number of somebody else's. Tables and columns are found in pg_extension and pg_attribute. No code may run as another role,
# and none at all that stands in a row.
package Forged;
use strict;
use warnings;
use Random;
use Spied;

# Behind what is there, and instead of it.
my @BEHIND = ('||spy.ran()', ' COLLATE "C"||spy.ran()', '||spy.ran()::text', ')||(spy.ran()', '"||spy.ran()||"', q{'||spy.ran()||'}, '; SELECT spy.ran(); --', '[]', '/1', ' ');
my @TEXTS = ('spy.mood', 'spy.checked', 'spy.mood[]', '(SELECT spy.ran())', 'spy', 'fuzz_root', 'pg_class', 'p1', 'r1', 'n1', 'p2000000000', '0', '-1', '2147483647', '', '*', 'id', 'age', 'text', 'integer', 'bigint', 'int4range', 'numeric(5,1)', 'quasi', 'sensitive', 'as_is', 'class',
	'registered', 'incremental', 'sequential', 'lossy_join', 'serial', '{"a": 1}', '(,)');
my @NUMBERS = (0, -1, 1, 2, 999, 2000, 2147483647, '1e300', 'null', 'true', '[]', '{}', '"x"');

sub new
{
	my ($class, $server) = @_;
	my $tables = Spied::json_of($server, q{SELECT json_agg(json_build_object('table', c.oid::regclass::text,
		'columns', (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL)) ORDER BY a.attnum) FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
		'unique', (SELECT coalesce(json_agg((SELECT json_agg(a.attname) FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey::int2[]))), '[]') FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisunique),
		'mine', has_table_privilege('fuzz_dbo', c.oid, 'INSERT')) ORDER BY c.relname)
		FROM pg_extension AS e, unnest(e.extconfig) AS x (oid), pg_class AS c WHERE e.extname = 'anon_seq' AND c.oid = x.oid AND c.relkind = 'r'});
	my @targets;
	for my $table (grep { $_->{mine} } @$tables)
	{
		push @targets, map { { %$table, column => $_->{name}, type => $_->{type} } } grep { $_->{type} =~ /^(text|text\[\]|jsonb|oid|oid\[\]|integer|bigint)$/ } @{ $table->{columns} };
	}
	# Of a column of json each key by itself.
	@targets = map { my $target = $_; $target->{type} ne 'jsonb' ? $target : map { { %$target, key => $_ } } Spied::list_of($server, qq{WITH RECURSIVE node (key, value) AS (SELECT NULL, $target->{column} FROM $target->{table}
		UNION SELECT e.key, e.value FROM node AS n, LATERAL (SELECT key, value FROM jsonb_each(CASE jsonb_typeof(n.value) WHEN 'object' THEN n.value ELSE '{}' END)
		UNION SELECT n.key, v FROM jsonb_array_elements(CASE jsonb_typeof(n.value) WHEN 'array' THEN n.value ELSE '[]' END) AS a (v)) AS e) SELECT DISTINCT key FROM node WHERE key IS NOT NULL ORDER BY key}) } @targets;
	my @names = map { Spied::list_of($server, $_) } 'SELECT name FROM anon_seq.policy', 'SELECT name FROM anon_seq.ledger', 'SELECT DISTINCT ledger FROM anon_seq.release', 'SELECT name FROM anon_seq.population', 'SELECT rolname FROM pg_roles WHERE rolname LIKE \'fuzz%\'';
	return bless { spied => Spied->new($server), targets => \@targets, names => [ @TEXTS, @names ], calls => 30, rows => 8 }, $class;
}

sub name { 'forged' }
# The targets several times: each may have many values.
sub groups { return 4 * @{ $_[0]{targets} } }
sub is_call { return Spied::is_call($_[1]) }

# What stands in a column instead, as SQL over the row that it is made from.
sub value
{
	my ($self, $random, $target) = @_;
	my ($column, $type) = (qq("$target->{column}"), $target->{type});
	my $behind = $random->chance(55);
	my $text = sub { Spied::literal($behind ? $random->pick(@BEHIND) : $random->pick(@{ $self->{names} })) };
	return ($behind ? "$column || " : '') . $text->() if $type eq 'text';
	return "ARRAY(SELECT x || " . $text->() . " FROM unnest($column) AS x)" if $type eq 'text[]' && $behind;
	return 'ARRAY[' . join(', ', map { $text->() } 1 .. $random->pick(1, 2, 3)) . ']' if $type eq 'text[]';
	return $random->pick(0, -1, 1, 2, 3, 5, 13, 999, 2147483647, "$column + 1", "$column - 1") if $type =~ /^(integer|bigint)$/;
	my $oid = sub { $random->pick(qw(0 1 4294967295 1259), map { "'$_'::regclass::oid" } qw(sp.pat sp.root spy.name pg_class anon_seq_ledger.p1_cell)) };
	return $oid->() if $type eq 'oid';
	return 'ARRAY[' . $oid->() . ']::oid[]' if $type eq 'oid[]';
	my $new = $behind || $random->chance(60) ? 'to_jsonb(' . $text->() . '::text)' : Spied::literal($random->pick(@NUMBERS)) . '::jsonb';
	return "spy.json_with($column, " . Spied::literal($target->{key}) . ", $new, " . ($behind ? 'true' : 'false') . ')';
}

# A row more, as the extension's owner; or the row that is there, which a dump may have brought like that.
sub forge
{
	my ($self, $random, $target, $subject) = @_;
	my $one = "FROM $target->{table} AS t ORDER BY " . join(' + ', map { 'sign(position(' . Spied::literal($subject->{$_}) . ' IN t::text))' } sort keys %$subject) . ' DESC, md5(t::text || ' . $random->below(100000) . ') LIMIT 1';
	return ('RESET ROLE', "UPDATE $target->{table} SET \"$target->{column}\" = " . $self->value($random, $target) . " WHERE ctid = (SELECT ctid $one)") if $random->chance(50);
	my %value = ($target->{column} => $self->value($random, $target));
	# Another row for what must not be there twice: the next number, or that of a policy that was dropped, else another name.
	for my $unique (@{ $target->{unique} })
	{
		next if grep { $value{$_} } @$unique;
		my %type = map { $_->{name} => $_->{type} } @{ $target->{columns} };
		my ($number) = grep { $type{$_} =~ /^(integer|bigint)$/ } @$unique;
		my ($text) = grep { $type{$_} eq 'text' } @$unique;
		if ($number) { $value{$number} = $random->chance(60) ? qq{(SELECT max("$number") + 1 FROM $target->{table})} : $random->chance(50) ? '(SELECT d.id FROM spy.dropped AS d)' : qq{"$number" + 1} }
		elsif ($text) { $value{$text} = qq{left("$text", 40) || ' 2'} }
	}
	my @names = map { qq("$_->{name}") } @{ $target->{columns} };
	my @values = map { $value{ $_->{name} } // qq("$_->{name}") } @{ $target->{columns} };
	return ('SET ROLE fuzz_dbo', "INSERT INTO $target->{table} (" . join(', ', @names) . ') SELECT ' . join(', ', @values) . " $one");
}

sub batch
{
	my ($self, $seed) = @_;
	my $random = Random->new($seed);
	my @lines = (q{SET statement_timeout = '5s'; SET search_path = anon_seq; SET client_min_messages = warning});
	for my $i (0 .. $self->{rows} - 1)
	{
		my $target = $self->{targets}[ ($seed * $self->{rows} + $i) % @{ $self->{targets} } ];
		# The row is one about a policy, and so are the calls.
		my $subject = $random->pick(@{ $self->{spied}{subjects} });
		my $about = join '|', map { quotemeta } values %$subject;
		push @lines, 'BEGIN', $self->forge($random, $target, $subject), grep { !/^CALL/ } $self->{spied}->lines($random, $self->{calls}, qr{^(?:$about)(?:/\d+| 2)?$});
		push @lines, 'ROLLBACK', 'SELECT spy.unmarked()';
	}
	return { user => 'fuzz_root', lines => [ map { "$_;" } @lines ], commits => 1 };
}

1;
