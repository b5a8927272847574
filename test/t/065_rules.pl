# What rules promise, on random small instances: publish, audit and audit_join against an enumeration that follows doc/semantics.md alone
# (lib/RuleOracle.pm). Sources, earlier releases that partly match, policies and join audits come from lib/RuleInstance.pm, one seed each;
# lib/RuleCheck.pm says what has to agree. ANON_SEQ_SEED is the first seed, ANON_SEQ_INSTANCES how many there are (120, with ANON_SEQ_GRID=full 1200).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;
use JSON::PP;
use RuleInstance;
use RuleCheck;

my $first = $ENV{ANON_SEQ_SEED} // 1;
my $all = $ENV{ANON_SEQ_INSTANCES} // (($ENV{ANON_SEQ_GRID} // '') eq 'full' ? 1200 : 120);
my @seeds = ($first .. $first + $all - 1, 4001001);    # the last one: whole numbers beyond 2^53 beside a float8
my %became;

my $node = cluster('rules');
$node->safe_psql('postgres', $RuleScript::setup);
note("seeds $first to " . ($first + $all - 1));
while (my @batch = splice @seeds, 0, 50)
{
	my @instances = map { RuleInstance->random($_) } @batch;
	my ($status, $out, $err) = $node->psql('postgres', join '', $RuleScript::session, map { $_->script } @instances);
	is($err, '', "seeds $batch[0] to $batch[-1]: every statement is one");
	my %answers;
	for my $line (grep { /^\[/ } split /\n/, $out)
	{
		my ($of, $what, $answer) = @{ decode_json($line) };
		$answers{$of}{$what} = $answer;
	}
	for my $instance (@instances)
	{
		my ($became, @wrong) = eval { RuleCheck::check($instance, $answers{ $instance->{seed} }) };
		@wrong = ($became = "not checked: $@") if $@;
		$became{$became}++;
		next if !@wrong;
		fail("seed $instance->{seed}: $became");
		diag(join "\n", @wrong);
		diag("reproduced by\n$RuleScript::setup" . $instance->plain);
	}
}
# Instances of every kind: a generator that makes only what is refused would show nothing.
note(join ', ', map { "$_: $became{$_}" } sort keys %became);
cmp_ok($became{published} // 0, '>=', $all / 2, 'at least half of them are published');
cmp_ok($RuleCheck::without_quasi, '>', 0, 'some have persons without quasi values');
cmp_ok($RuleCheck::counted_people, '>=', $all / 10, 'a tenth of all are published by rules about people');
cmp_ok($became{$_} // 0, '>', 0, "some are $_") for $all >= 250 ? ('refused, people', 'refused, dangling', 'refused, proven', 'refused, no proof') : ();

done_testing();
