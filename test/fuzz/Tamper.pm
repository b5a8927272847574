# Part "tamper": the owner of a ledger damages it, or the extension's owner fills the catalog with nonsense; then everything is called that
# reads them, before and after the commit, by the owner and by others. It may end in an error, but not in just any.
package Tamper;
use strict;
use warnings;
use JSON::PP;
use Damage;
use Random;

use constant BLOCKS => 6;
my @VICTIMS = qw(seq inc box known soon join old);
# %p: the policy; %f: its population.
my @CALLS = (
	"SELECT * FROM publish('%p')", "SELECT * FROM publish('%p')", "SELECT * FROM preview('%p')", q{SELECT * FROM preview('%p', ARRAY['{"k": 3}', '{}', '{"options": {"independent": true}}']::jsonb[])}, "SELECT * FROM audit('%p')", "SELECT assert_audit('%p')",
	q{SELECT * FROM audit_join('{%p}', '["age"]', '["diag"]')}, q{SELECT * FROM audit_join('{%p,old}', '["job"]', '[{"release": "old", "column": "diag"}]', options => '{"overlap": true, "outer": true}')},
	(map { "SELECT * FROM audit_inference('{%p}', 3, '$_')" } qw(equal contain cover)), "SELECT * FROM audit_arrivals('{%p}')", (map { ("SELECT * FROM $_('%p')", "SELECT * FROM $_('%p/1')") } qw(measure cut trace release_rows)),
	"SELECT * FROM forget('%f', '30')", "SELECT * FROM forget('%f', '33')", "SELECT retire_release('%p/1')", "SELECT retire_release('%p')", (map { "SELECT alter_policy('%p', '$_')" } '{"k": 2}', '{"k": 6}', '{"options": {"keep": 1}}', '{"max_link": 0.8}'),
	"SELECT describe_policy('%p')", "SELECT drop_policy('%p')", "SELECT register_release('r', 'fz.old', '%f')", 'SELECT * FROM policies, releases', "SELECT * FROM fz.%p",
	"SELECT create_sequential_policy('p', 'fz.src', 'id', '{job,age}', k => 2, sensitive => '{diag}', max_link => 0.9, population => '%f', publish_as => 'fz.p', options => '{\"overlap\": true, \"dangling\": \"outer\"}'); SELECT * FROM publish('p')",
);
my @SOURCES = ('UPDATE fz.src SET age = age + 1 WHERE id % 7 = 2', 'UPDATE fz.src2 SET age = 60 - age WHERE id % 7 = 0', 'UPDATE fz.src3 SET age = age + 9, stamp = now() WHERE id % 7 = 0', 'DELETE FROM fz.src2 WHERE id % 17 = 4', 'DELETE FROM fz.src3 WHERE id % 17 = 4',
	'INSERT INTO fz.src2 SELECT id + 5000, job, age, num, fl, d, ts, m, b, diag, zip, now() FROM fz.src WHERE id % 5 = 0', 'INSERT INTO fz.src3 SELECT id + 5000, job, age, num, fl, d, ts, m, b, diag, zip, now() FROM fz.src WHERE id % 5 = 0');
my %OF_TAXONOMY = map { $_ => 1 } qw(taxonomy taxonomy_node);

sub new
{
	my ($class, $server) = @_;
	my $tables = decode_json($server->ask(q{
		SELECT json_object_agg(name, columns) FROM (
		  SELECT CASE nspname WHEN 'anon_seq' THEN 'anon_seq.' ELSE '' END || relname AS name, json_agg(json_build_object('name', attname, 'type', format_type(atttypid, NULL)) ORDER BY attnum) AS columns
		    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
		   WHERE nspname IN ('anon_seq_ledger', 'anon_seq') AND relkind = 'r' GROUP BY nspname, relname) AS t} =~ s/\s+/ /gr));
	my %ledger = map { split /\|/ } split /\n/, $server->ask(q{SELECT DISTINCT name, ledger FROM anon_seq.release});
	my %population = map { split /\|/ } split /\n/, $server->ask(q{SELECT DISTINCT name, population FROM anon_seq.release});
	return bless { tables => $tables, ledger => \%ledger, population => \%population }, $class;
}

sub name { 'tamper' }

sub tables_of { my ($self, $ledger) = @_; return sort grep { /^\Q$ledger\E_/ } keys %{ $self->{tables} } }

# Statements that damage a table of a policy's ledger.
sub damage
{
	my ($self, $random, $policy) = @_;
	my $name = $random->pick($self->tables_of($self->{ledger}{$policy}));
	my @columns = @{ $self->{tables}{$name} };
	my $table = "anon_seq_ledger.$name";
	my @first = $random->chance(60) ? "SELECT fz.unbind('$table')" : "ALTER TABLE $table DISABLE TRIGGER ALL";
	return @first, map { s/%t/$table/gr } $random->weighted(@Damage::DAMAGE)->($random, $random->pick(@columns), $random->pick(@columns));
}

# What a row of the catalog has instead of what the row has that it is made from. %n: the number of the block, %a: a distance of numbers, %l: the
# ledger's name, %o: the policy.
my @CATALOG = (
	[ population => { name => "'bad%n'", id => 'id + %a' }, "name = '%f'" ],
	[ ledger => { name => "'n' || substr(name, 2)::int + %a", relation => "('anon_seq_ledger.n' || substr(name, 2)::int + %a || '_population')::regclass" }, "name = 'n' || (SELECT id FROM anon_seq.population WHERE name = '%f')" ],
	[ ledger => { name => "'%l'", relation => "'anon_seq_ledger.%l_cell'::regclass" }, "name = '%o'" ],
	[ policy => { id => "substr('%l', 2)::int", name => "'bad%n'", target_name => "'bad%n'", population => "'bad%n'" }, "name = '%p'" ],
	[ release => { id => 'id + %a', name => "'bad%n'", ledger => "'%l'", population => "'bad%n'" }, "name = '%p'" ],
	[ taxonomy => { id => 'id + %a', name => "'bad%n ' || name" }, 'id < 1000' ], [ taxonomy_node => { taxonomy => 'taxonomy + %a' }, 'taxonomy < 1000' ], [ inconsistency => { declared_by => "(SELECT coalesce(min(substr(l.name, 2)::int), 999999) FROM anon_seq.ledger AS l WHERE left(l.name, 1) = 'o' AND anon_seq.marked_role(substr(l.name, 2)::int) = 'fuzz_dbo')" }, 'declared_by < 999999' ]);

# Statements that give the catalog a policy as there is one, but for some columns, with a copy of the ledger: all of it fuzz_dbo's.
sub nonsense
{
	my ($self, $random, $policy, $number) = @_;
	my ($old, $add, $population) = ($self->{ledger}{$policy}, 900000 + 1000 * $number, $self->{population}{$policy});
	my $new = substr($old, 0, 1) . ($add + 1);
	my %stands_for = (n => $number, a => $add, l => $new, o => $old, p => $policy, f => $population);
	my @lines = ("SELECT fz.copy_ledger('$old', '$new', '$population', $add)", 'SET ROLE fuzz_dbo');
	my %changed = map { $_ => 1 } $random->some($random->pick(0, 1, 1, 1, 1, 2), 1 .. $#CATALOG, 3, 4, 3, 4);
	for my $i (0 .. $#CATALOG)
	{
		my ($table, $made, $from) = @{ $CATALOG[$i] };
		my @columns = @{ $self->{tables}{"anon_seq.$table"} };
		my %odd = $changed{$i} ? map { $_->{name} => Damage::value($random, @$_{qw(name type)}) } $random->some($random->pick(1, 1, 2, 3), $random->chance(10) ? @columns : grep { !$made->{ $_->{name} } } @columns) : ();
		my %value = (%$made, %odd);
		my @names = map { $_->{name} } @columns;
		push @lines, "INSERT INTO anon_seq.$table (" . join(', ', @names) . ') SELECT ' . join(', ', map { ($value{$_} // $_) =~ s/%([nalopf])(?![a-z])/$stands_for{$1}/gr } @names) . " FROM anon_seq.$table WHERE " . ($from =~ s/%([nalopf])(?![a-z])/$stands_for{$1}/gr);
	}
	return @lines;
}

# A block: damage, then calls.
sub block
{
	my ($self, $random, $number, $commits) = @_;
	my $policy = $random->pick(@VICTIMS);
	my $population = $self->{population}{$policy};
	my @lines = ('SET ROLE fuzz_pub', 'BEGIN');
	push @lines, $random->some(1, @SOURCES) if $random->chance(80);
	my $of_catalog = $random->chance(25);
	if ($of_catalog)
	{
		push @lines, $self->nonsense($random, $policy, $number);
		$policy = $population = "bad$number";
		push @lines, map({ "SELECT generalize('$policy $_', '23', 1)" } qw(job mood zip tens months)), "SELECT taxonomy_tree('$policy job')" if $random->chance(30);
	}
	else
	{
		push @lines, map { $self->damage($random, $policy) } 1 .. $random->pick(1, 1, 1, 2, 3);
		push @lines, "SELECT sum_anew('$self->{ledger}{$policy}')" if $random->chance(80);
	}
	push @lines, 'COMMIT' if $commits;
	for (1 .. 7)
	{
		push @lines, $random->weighted([ 7, $of_catalog ? 'SET ROLE fuzz_dbo' : 'SET ROLE fuzz_pub' ], [ 2, 'RESET ROLE' ], [ 1, 'SET ROLE fuzz_other' ]) if $random->chance(30);
		push @lines, $random->pick(@CALLS) =~ s/%p/$policy/gr =~ s/%f/$population/gr;
	}
	return @lines, $commits ? () : 'ROLLBACK';
}

sub batch
{
	my ($self, $seed) = @_;
	my $random = Random->new($seed);
	my @lines = (q{SET statement_timeout = '3s'; SET search_path = fz, anon_seq; SET client_min_messages = warning; SET anon_seq.max_memory = '} . $random->pick('300MB', '300MB', '8MB') . q{'});
	my $commits = $random->chance(10);
	push @lines, $self->block($random, $_, $commits) for 1 .. BLOCKS;
	push @lines, 'BEGIN', 'ROLLBACK';
	return { user => 'fuzz_root', lines => [ map { "$_;" } @lines ], commits => $commits };
}

sub is_call { my $line = $_[1]; return scalar grep { $line =~ /^SELECT (?:\* FROM )?\Q$_\E\(/ } qw(publish preview audit assert_audit audit_join audit_inference audit_arrivals measure cut trace release_rows forget retire_release alter_policy describe_policy drop_policy register_release create_sequential_policy generalize taxonomy_tree) }

1;
