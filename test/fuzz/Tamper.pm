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

# Statements that give the catalog a row as there is one, but for some columns; it takes a copy of the ledger along, which is fuzz_dbo's.
sub nonsense
{
	my ($self, $random, $policy, $number) = @_;
	my %changed = (policy => {}, release => {}, taxonomy => {}, taxonomy_node => {}, population => {}, inconsistency => {});
	my @kinds = $random->some($random->pick(1, 1, 2), qw(policy policy policy release release release taxonomy taxonomy_node inconsistency));
	my ($old, $add) = ($self->{ledger}{$policy}, 900000 + 1000 * $number);
	my $new = ($old =~ /^r/ ? 'r' : 'p') . ($add + 1);
	my @lines = ("SELECT fz.copy_ledger('$old', '$new')");
	push @lines, 'SET ROLE fuzz_dbo';
	for my $kind (@kinds)
	{
		my @columns = grep { $_->{name} !~ /^(id|name)$/ } @{ $self->{tables}{"anon_seq.$kind"} };
		$changed{$kind}{ $_->{name} } = Damage::value($random, $_->{name}, $_->{type}) for $random->some($random->pick(1, 1, 2, 3), @columns);
	}
	for my $kind (qw(policy release taxonomy taxonomy_node inconsistency))
	{
		my %of = (%{ $changed{$kind} }, $kind eq 'policy' ? (id => $add + 1, name => "'bad$number'", target_name => "'bad$number'") : $kind eq 'release' ? (id => "id + $add", name => "'bad$number'", ledger => "'$new'")
			: $kind eq 'taxonomy' ? (id => "id + $add", name => "'bad$number ' || name") : $kind eq 'taxonomy_node' ? (taxonomy => "taxonomy + $add") : (declared_by => "'nobody$number'"));
		%of = (%of, %{ $changed{$kind} }) if $kind eq 'release' && $random->chance(30);
		my @names = map { $_->{name} } @{ $self->{tables}{"anon_seq.$kind"} };
		push @lines, "INSERT INTO anon_seq.$kind (" . join(', ', @names) . ') SELECT ' . join(', ', map { $of{$_} // $_ } @names) . " FROM anon_seq.$kind" . ($kind =~ /^(policy|release)$/ ? " WHERE name = '$policy'" : $kind eq 'inconsistency' ? ' LIMIT 1' : $kind eq 'taxonomy' ? " WHERE id < 1000" : " WHERE taxonomy < 1000");
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
		$policy = "bad$number";
		push @lines, map({ "SELECT generalize('$policy $_', '23', 1)" } qw(job mood zip tens months)), "SELECT taxonomy_tree('$policy job')" if $random->chance(30);
	}
	else { push @lines, map { $self->damage($random, $policy) } 1 .. $random->pick(1, 1, 1, 2, 3) }
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

# unbind takes triggers and constraints from a table; copy_ledger gives fuzz_dbo a copy of somebody's tables, as he could have made them up.
sub preparation
{
	return (q{CREATE FUNCTION fz.unbind(regclass) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x text; BEGIN EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', $1);
	    FOR x IN SELECT conname FROM pg_constraint WHERE conrelid = $1 LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', $1, x); END LOOP;
	    FOR x IN SELECT attname FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND attnotnull LOOP EXECUTE format('ALTER TABLE %s ALTER %I DROP NOT NULL', $1, x); END LOOP; END $$;},
		q{CREATE FUNCTION fz.copy_ledger(old text, new text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$ DECLARE x text; BEGIN FOR x IN SELECT relname FROM pg_class WHERE relnamespace = 'anon_seq_ledger'::regnamespace AND relkind = 'r' AND starts_with(relname, old || '_') LOOP
	    EXECUTE format('CREATE TABLE anon_seq_ledger.%1$I AS TABLE anon_seq_ledger.%2$I', new || substr(x, length(old) + 1), x); EXECUTE format('ALTER TABLE anon_seq_ledger.%I OWNER TO fuzz_dbo', new || substr(x, length(old) + 1)); END LOOP; END $$;});
}

sub is_call { my $line = $_[1]; return scalar grep { $line =~ /^SELECT (?:\* FROM )?\Q$_\E\(/ } qw(publish preview audit assert_audit audit_join audit_inference audit_arrivals measure cut trace release_rows forget retire_release alter_policy describe_policy drop_policy register_release create_sequential_policy generalize taxonomy_tree) }

sub tampered { return $_[1] eq 'BEGIN;' }

1;
