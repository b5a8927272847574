# Part "calls": random calls of every function of schema anon_seq, as they are found in pg_proc, by several roles.
package Calls;
use strict;
use warnings;
use JSON::PP;
use Random;
use Recipes;
use Values;

use constant CALLS => 120;
my @USERS = ([ 12, 'fuzz_pub' ], [ 2, 'fuzz_member' ], [ 2, 'fuzz_other' ], [ 1, 'fuzz_analyst' ], [ 1, 'fuzz_stranger' ], [ 2, 'fuzz_root' ], [ 2, 'fuzz_dbo' ]);

# What happens between the calls: people come, go and change.
my @CHANGES = (
	'UPDATE fz.src SET age = age + 1 WHERE id % 7 = 1', 'DELETE FROM fz.src2 WHERE id % 17 = 5', 'UPDATE fz.src3 SET age = NULL, stamp = now() WHERE id % 19 = 1',
	'INSERT INTO fz.src2 SELECT id + 5000, job, age, num, fl, d, ts, m, b, diag, zip, now() FROM fz.src WHERE id % 5 = 0', q{UPDATE fz.src2 SET job = 'no such job' WHERE id = 31}, 'TRUNCATE fz.src3', q{UPDATE fz.src3 SET fl = 'NaN' WHERE id = 1},
	'INSERT INTO fz.src3 SELECT id + 5000, job, age, num, fl, d, ts, m, b, diag, zip, now() FROM fz.src WHERE id % 3 = 0', 'UPDATE fz.src SET num = 1e100 WHERE id = 4', q{UPDATE fz.src SET d = 'infinity' WHERE id = 5}, q{UPDATE fz.src3 SET d = '4000-01-01 BC' WHERE id = 6},
	'ALTER TABLE fz.src2 DROP COLUMN age', 'ALTER TABLE fz.src3 ALTER age TYPE text', 'ALTER TABLE fz.src RENAME TO gone', 'DROP VIEW fz.inc CASCADE', 'DROP TABLE fz.old CASCADE', 'UPDATE fz.src2 SET id = 7 WHERE id < 9', 'UPDATE fz.src SET fl = 1.7e308 * (1 - id % 2 * 2)',
	'CREATE TRIGGER odd BEFORE INSERT ON fz.kept FOR EACH ROW EXECUTE FUNCTION anon_seq.keep_ledger()', 'INSERT INTO fz.kept VALUES (1)', 'SELECT * FROM anon_seq.policies, anon_seq.releases', 'SELECT * FROM anon_seq.taxonomies, anon_seq.progress',
	'UPDATE fz.src3 SET ts = ts - interval \'2100 years\' WHERE id % 13 = 0', 'UPDATE fz.src2 SET job = NULL, age = NULL', 'SET search_path = pg_temp, fz, anon_seq', 'CREATE TEMP TABLE src AS TABLE fz.src');
# Changes that only few batches should meet, as little works afterwards.
my $HARSH = qr/^(ALTER|DROP|TRUNCATE)|no such|RENAME|NaN|infinity|SET id|job = NULL/;

sub new
{
	my ($class, $server) = @_;
	my $functions = decode_json($server->ask(q{
		SELECT json_agg(json_build_object('name', proname, 'required', pronargs - pronargdefaults, 'types', (SELECT array_agg(format_type(t, NULL) ORDER BY i) FROM unnest(proargtypes) WITH ORDINALITY AS a (t, i)),
		                                  'parameters', proargnames[1:pronargs]) ORDER BY proname, oid)
		  FROM pg_proc WHERE pronamespace = 'anon_seq'::regnamespace AND prokind = 'f'} =~ s/\s+/ /gr));
	my @weighted = map { [ Recipes::weight($_->{name}), { %$_, recipes => [ Recipes::of($_->{name}) ] } ] } @$functions;
	return bless { functions => \@weighted }, $class;
}

sub name { 'calls' }

# A call of a function, as an expression that can stand in FROM.
sub call
{
	my ($self, $random) = @_;
	my $function = $random->weighted(@{ $self->{functions} });
	my ($types, $names) = @$function{qw(types parameters)};
	my $recipe = @{ $function->{recipes} } && $random->chance(85) ? $random->pick(@{ $function->{recipes} }) : undef;
	my $changes = $recipe ? $random->weighted([ 5, 0 ], [ 5, 1 ], [ 2, 2 ], [ 1, 4 ]) : 99;
	my %changed = map { $_ => 1 } $random->some($changes, 0 .. $#{ $types // [] });
	my @arguments;
	for my $i (0 .. $#{ $types // [] })
	{
		my $name = $names->[$i] // '';
		my $value = $changed{$i} ? $i < $function->{required} || $random->chance($recipe ? 90 : 50) ? Values::value($random, $name, $types->[$i]) : undef : $recipe ? $recipe->{$name} : undef;
		$value //= 'NULL' if $i < $function->{required};
		push @arguments, $name ? "$name => $value" : $value if defined $value;
	}
	return "anon_seq.$function->{name}(" . join(', ', @arguments) . ')';
}

# Quoted for SQL, whatever standard_conforming_strings says.
sub quoted { return q{E'} . ($_[0] =~ s/([\\'])/\\$1/gr) . q{'} }

# Calls one after the other: in a transaction, each in an EXCEPTION block of a function, or each in a transaction of its own.
sub batch
{
	my ($self, $seed, @settings) = @_;
	my $random = Random->new($seed);
	my $way = $random->weighted([ 5, 'savepoints' ], [ 4, 'blocks' ], [ 1, 'alone' ]);
	my $harsh = $random->chance(25);
	my @changes = $harsh ? @CHANGES : grep { !/$HARSH/ } @CHANGES;
	my @lines = (q{SET statement_timeout = '3s'; SET search_path = fz, anon_seq; SET client_min_messages = warning; SET anon_seq.max_memory = '} . $random->pick('300MB', '300MB', '300MB', '8MB', '1MB') . q{'}, @settings);
	push @lines, 'BEGIN' if $way ne 'alone';
	for (1 .. CALLS)
	{
		push @lines, $random->pick(@changes) if $random->chance(20);
		my $call = 'SELECT * FROM ' . $self->call($random);
		push @lines, $way eq 'blocks' ? 'SELECT fz.attempt(' . quoted($call) . ')' : $call;
	}
	push @lines, 'ROLLBACK' if $way ne 'alone';
	push @lines, 'BEGIN', 'ROLLBACK'; # a warning or an error, unless the session is as it was
	return { user => $random->weighted(@USERS), lines => [ map { "$_;" } @lines ], way => $way, commits => $way eq 'alone' };
}

# What of a batch's lines is a call.
sub is_call { return $_[1] =~ /anon_seq\.\w+\(|fz\.attempt/ }

1;
