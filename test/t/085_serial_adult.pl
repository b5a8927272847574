# Serial policies over twelve versions of Adult: one in ten leaves, as many come or return, one in five has another occupation. For each plan and form, everybody's chance to be linked
# to a listed value is counted again from what was published (lib/SerialHistory.pm), after each version: at most 1/3. What was forecast before the first version stands beside what came. A
# version that is refused charges nothing.
#
# All twelve versions are published under one policy, the first ones under three others; ANON_SEQ_GRID=full publishes all of all plans and forms. Each policy has a population of its own.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use SerialHistory;
use PostgreSQL::Test::Utils;
use Test::More;

my $data = $ENV{ANON_SEQ_SHARED_DATA};
plan skip_all => 'ANON_SEQ_SHARED_DATA names no folder' unless $data && -d $data;
my $full = ($ENV{ANON_SEQ_GRID} // '') eq 'full';

my $node = cluster('main');
$node->safe_psql('postgres', 'CREATE EXTENSION anon_seq');
adult($node, $data, 14);

# --- policies ---
my @rare = qw(rare-a rare-b rare-c);                            # 0.22, 0.11 and 0.06 %: classes of one under harmonic may come to need 385 rows
my @less_rare = qw(Armed-Forces Priv-house-serv rare-a);        # 0.03, 0.5 and 0.22 %
my %plans = (
	fixed => { listed => \@less_rare, horizon => 12 },
	harmonic => { listed => \@rare },
	geometric => { listed => \@rare },
	window => { listed => \@less_rare, window => 6 });
my %versions = ('fixed projections' => 12, 'harmonic generalized' => 2, 'window generalized' => 2, 'geometric projections' => 2);
my @policies;
for my $plan (sort keys %plans)
{
	for my $form (qw(generalized projections))
	{
		next if !$full && !$versions{"$plan $form"};
		push @policies, SerialHistory->new(node => $node, policy => "${plan}_$form", form => $form, plan => $plan, l => 3, %{ $plans{$plan} }, last => $full ? 12 : $versions{"$plan $form"});
	}
}

sub create_policy
{
	my $of = shift;
	my $values = join(',', @{ $of->{listed} });
	my $horizon = $of->{horizon} // 'NULL';
	my $options = $of->{window} ? qq{, options => '{"window": $of->{window}}'} : '';
	$node->safe_psql('postgres', qq{SET client_min_messages = error;
		SELECT anon_seq.create_serial_policy('$of->{policy}', 'history.person', 'id', '{$quasi}', '{occupation}', '{$values}', $of->{l}, '$of->{form}', '$of->{plan}', $horizon, taxonomies => '{$taxonomies}', population => '$of->{policy}'$options)});
}

# version -> what would be published, withheld, and in how many classes.
sub forecast
{
	my $of = shift;
	my %foreseen;
	for (split /\n/, $node->safe_psql('postgres', "SELECT version, feasible, published, withheld, classes, smallest_class, rows_for_one FROM anon_seq.forecast('$of->{policy}', $of->{last}, 0.2)"))
	{
		my ($version, @line) = split /\|/;
		@{ $foreseen{$version} }{qw(feasible published withheld classes smallest rows_for_one)} = @line;
	}
	return \%foreseen;
}

# What the ledger has of budgets and relations, in one line.
sub ledger
{
	my $of = shift;
	my $id = $node->safe_psql('postgres', "SELECT id FROM anon_seq.policy WHERE name = '$of->{policy}'");
	return $node->safe_psql('postgres', qq{
		SELECT (SELECT count(*) || ' ' || md5(string_agg(p::text, ' ' ORDER BY p::text)) FROM anon_seq_ledger.p${id}_pair AS p), (SELECT count(*) FROM anon_seq_ledger.p${id}_bound),
			(SELECT count(*) FROM anon_seq_ledger.p${id}_cell), (SELECT count(*) FROM anon_seq_ledger.p${id}_person), (SELECT count(*) FROM anon_seq_ledger.p${id}_note),
			(SELECT count(*) FROM anon_seq_ledger.p${id}_forgotten), (SELECT version FROM anon_seq.policy WHERE id = $id), (SELECT count(*) FROM anon_seq.release),
			(SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relname ~ '^$of->{policy}' AND relkind IN ('r', 'v', 'm'))});
}

# The budget as the policy says it, against the count.
sub differing
{
	my $of = shift;
	my $counted = $of->budget;
	my @differ;
	for (split /\n/, $node->safe_psql('postgres', "SELECT value, persons, largest FROM anon_seq.budget('$of->{policy}')"))
	{
		my ($value, $persons, $largest) = split /\|/;
		my $mine = delete $counted->{$value} // { persons => 0, largest => 0 };
		push @differ, "$value: $persons persons, $mine->{persons} counted; $largest, $mine->{largest} counted" if $persons != $mine->{persons} || abs($largest - $mine->{largest}) > 1e-6;
	}
	return join('; ', @differ, keys %$counted);
}

sub audit
{
	my ($of, $name, $everything) = @_;
	is($node->safe_psql('postgres', "SELECT string_agg(check_name || ': ' || observed, '; ') FROM anon_seq.audit('$of->{policy}', ${\ ($everything // 'false')}) WHERE NOT ok"), '', "$name: the audit finds nothing");
}

# Publishes and checks the next version.
sub publish
{
	my ($of, $month) = @_;
	my $may_end = $of->{plan} eq 'geometric' && $month > 6; # classes of 317, 632, ... rows for one
	my $before = $may_end ? ledger($of) : '';
	my ($status, $out, $err) = $node->psql('postgres', "SET client_min_messages = error; SELECT version, withheld, classes FROM anon_seq.publish('$of->{policy}')", on_error_stop => 1);
	my $name = "$of->{plan}, $of->{form}, version $month";
	if ($status && $may_end && $err =~ /too frequent/) { is(ledger($of), $before, "$name: refused, and nothing is charged"); return }
	if ($status) { fail("$name: published"); diag($err); return }
	my ($version, $withheld, $classes) = split /\|/, $out;
	is($of->add($month == 1 || $month == $of->{last}), '', "$name: nobody has more than 1/3, counted on $of->{classes} classes");
	is("$classes classes, $of->{rows} rows", "$of->{classes} classes, " . (45222 - $withheld) . ' rows', "$name: as publish says");
	audit($of, $name) if $full || $month % 6 == 2; # publish has audited it already
	my $foreseen = $of->{foreseen}{$version} // { feasible => 'f' };
	$of->{came}{$version} = { published => $of->{rows}, withheld => $withheld, classes => $classes };
	is($withheld, $foreseen->{withheld}, "$name: as many are withheld as was foreseen") if $foreseen->{feasible} eq 't';
	# Later ones depend on who met which values, and the forecast knows nobody who leaves.
	cmp_ok(abs($classes - $foreseen->{classes}), '<=', 0.1 * $foreseen->{classes}, "$name: about as many classes as foreseen, $foreseen->{classes}") if $month == 1;
}

# A listed value that has become too frequent: the version is refused, and charges nothing.
sub refuse
{
	my $of = shift;
	my $before = ledger($of);
	my ($status, $out, $err) = $node->psql('postgres', "SET client_min_messages = error; SELECT anon_seq.publish('$of->{policy}')", on_error_stop => 1);
	like($err, qr/a listed value is too frequent for what is left of the persons' budgets/, "$of->{plan}, $of->{form}: a frequent value is refused");
	unlike($err, qr/rare-|Armed|Priv/, 'no value is named');
	is(ledger($of), $before, 'and nothing is charged');
}

for my $of (@policies)
{
	create_policy($of);
	$of->{foreseen} = forecast($of);
}
for my $month (1 .. 12)
{
	$node->safe_psql('postgres', 'SELECT history.next()') if $month > 1;
	if ($month == 3)
	{
		$node->safe_psql('postgres', q{CREATE TABLE kept AS SELECT id, occupation FROM history.person WHERE id % 3 = 0; UPDATE history.person SET occupation = 'rare-a' WHERE id % 3 = 0});
		refuse($_) for grep { $_->{last} == 12 } @policies;
		$node->safe_psql('postgres', 'UPDATE history.person AS p SET occupation = k.occupation FROM kept AS k WHERE p.id = k.id');
	}
	publish($_, $month) for grep { $_->{last} >= $month } @policies;
}
for my $of (@policies)
{
	is(differing($of), '', "$of->{plan}, $of->{form}: the budget is what was counted") if !$of->{window};
	audit($of, "$of->{plan}, $of->{form}: all versions", 'true') if $of->{last} == 12;
	note(sprintf '%s, %s: %s', $of->{plan}, $of->{form}, join('; ', map { my ($f, $c) = ($of->{foreseen}{$_} // { classes => 'none', withheld => 'none' }, $of->{came}{$_}); "$_: $c->{classes} classes ($f->{classes}), $c->{withheld} withheld ($f->{withheld})" } sort { $a <=> $b } keys %{ $of->{came} }));
}
like(($node->psql('postgres', q{SELECT history.next(); SET client_min_messages = error; SELECT anon_seq.publish('fixed_projections')}))[2], qr/the horizon of policy "fixed_projections" is used up/, 'a thirteenth version is beyond the horizon');

$node->stop;
done_testing();
