# Part "planted": small histories of an incremental policy, a fault in the newest version of each, as a publish might make it, and an attacker who
# tries every set of versions. Whenever that attacker leaves somebody with fewer than k candidates, the default audit has a failed row that is not
# about bytes; and where nothing was planted, all is ok and nobody is found.
package Planted;
use strict;
use warnings;
use Random;

our @KINDS = qw(none moved unnoted thin empty merged stolen);
my %PRIVACY = map { $_ => 1 } qw(anonymity nested inference classes);

# The statements of a history.
sub history
{
	my ($random, $name, $kind, $k) = @_;
	my ($next, %there) = 1;
	my $enter = sub { my $id = $next++; $there{$id} = $random->below(16); return "INSERT INTO planted.source VALUES ($id, $there{$id})" };
	my $options = $random->pick('{}', '{"storage": "shared"}');
	my @lines = ("SET planted.name = '$name'", 'DELETE FROM planted.source', 'DELETE FROM planted.taken', "SELECT anon_seq.create_incremental_policy('$name', 'planted.source', 'id', '{x}', $k, publish_as => 'planted.$name', population => '$name', options => '$options')");
	push @lines, $enter->() for 1 .. 2 * $k + $random->below(4 * $k);
	my $versions = 2 + $random->below(4);
	for my $version (1 .. $versions)
	{
		push @lines, 'SELECT planted.publish() AS version', $random->chance(70) ? 'SELECT planted.audit() IS NULL AS good' : ();
		last if $version == $versions;
		push @lines, "SELECT anon_seq.withdraw_release('$name/' || planted.newest(), 'too early') WHERE planted.newest() > 1" if $random->chance(15);
		for my $id ($random->some($random->below(4), sort { $a <=> $b } keys %there))
		{
			if ($random->chance(60)) { delete $there{$id}; push @lines, "DELETE FROM planted.source WHERE id = $id" }
			else { $there{$id} = $random->below(16); push @lines, "UPDATE planted.source SET x = $there{$id} WHERE id = $id" }
		}
		push @lines, $enter->() for 1 .. $random->below(2 * $k + 2);
	}
	my $salt = $random->below(1000000);
	return (@lines, "SELECT 'planted', planted.plant('$kind', $k, $salt)", "SELECT 'failed', coalesce(planted.audit(), '')",
		"SELECT 'taken', id, x FROM (SELECT DISTINCT id, x FROM planted.taken) AS t ORDER BY id",
		"SELECT 'shown', r.version, o.person, coalesce(lower(o.c1), -1000), coalesce(upper(o.c1), 1000) FROM anon_seq.release AS r, planted.people(r.version) AS o WHERE r.name = '$name' AND r.withdrawn_at IS NULL ORDER BY 2, 3");
}

# The fewest candidates of anybody who stayed where they were, for any set of versions.
sub fewest
{
	my ($shown, $at) = @_;
	my @versions = sort { $a <=> $b } keys %$shown;
	my %persons = map { map { $_ => 1 } keys %$_ } values %$shown;
	my $fewest;
	for my $set (1 .. 2**@versions - 1)
	{
		my @held = map { $shown->{ $versions[$_] } } grep { $set >> $_ & 1 } 0 .. $#versions;
		for my $x (map { $_->[0] } grep { @$_ == 1 } map { $at->{$_} // [] } grep { my $p = $_; grep { $_->{$p} } @held } keys %persons)
		{
			my $left = grep { my $p = $_; my @rows = map { @{ $_->{$p} // [] } } @held; @rows && !grep { $x < $_->[0] || $x >= $_->[1] } @rows } keys %persons;
			$fewest = $left if !defined $fewest || $left < $fewest;
		}
	}
	return $fewest // 1000;
}

# Runs a history; what is wrong with the audit, or nothing; counts what was planted, and what broke. ask: takes statements, gives their lines.
sub run
{
	my ($seed, $ask, $count) = @_;
	my $random = Random->new($seed);
	my ($kind, $k) = ($KINDS[ $seed % @KINDS ], $random->pick(2, 2, 3));
	my @lines = map { [ split /\|/, $_, -1 ] } grep { length } split /\n/, $ask->(history($random, "planted$seed", $kind, $k));
	my ($planted) = map { $_->[1] } grep { $_->[0] eq 'planted' } @lines;
	my ($failed) = map { $_->[1] } grep { $_->[0] eq 'failed' } @lines;
	return "seed $seed, $kind: no answer" if !defined $failed;
	my (%at, %shown);
	push @{ $at{ $_->[1] } }, $_->[2] for grep { $_->[0] eq 'taken' } @lines;
	push @{ $shown{ $_->[1] }{ $_->[2] } }, [ @$_[ 3, 4 ] ] for grep { $_->[0] eq 'shown' } @lines;
	my $fewest = fewest(\%shown, \%at);
	++$count->{$planted}{planted};
	++$count->{$planted}{broken} if $fewest < $k;
	my $told = join ',', grep { $PRIVACY{$_} } split /,/, $failed;
	++$count->{$planted}{told} if $told;
	return "seed $seed, nothing planted: $fewest candidates of $k, failed: $failed" if $planted eq 'none' && ($failed || $fewest < $k);
	return "seed $seed, $planted: $fewest candidates of $k, and the audit fails only: $failed" if $fewest < $k && !$told;
	return "seed $seed, $planted: nothing fails" if $planted ne 'none' && !$failed;
	return;
}

1;
