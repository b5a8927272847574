# The fuzzer: makes batches of a part, one per seed, has them run, judges what was said, and reports each kind of failure once, with the
# fewest lines of its batch that still lead there.
#
# A failure is: the server crashes or closes the connection; a statement hangs; an error of class XX (of damaged data XX001 is what is asked
# for); a session that is left in a transaction, or outside of one, or with a leak; code that ran as another role than its owner (spied.sql says so
# by XX000); an error that shows a statement of the library's own.
package Fuzz;
use strict;
use warnings;
use Time::HiRes 'time';
use Server;
use Calls;
use Forged;
use Found;
use Names;
use Settings;
use Shapes;
use Tamper;
use Types;
use Unnoticed;

my %STATE_OF_SESSION = map { $_ => 1 } qw(25001 25P01 25P02 3B001);
use constant { REPLAYS => 60, MINIMIZED => 30 }; # how often a batch is tried again to find its fewest lines, and of how many failures

# server: a Server; say: where lines of the report go; show: a pattern of SQLSTATEs to print with their lines.
sub new
{
	my ($class, %with) = @_;
	my $self = bless { found => {}, totals => {}, %with }, $class;
	my $server = $self->{server};
	$server->prepare(Types->preparation);
	$self->{parts} = { map { $_->name => $_ } map { $_->new($server) } qw(Found Types Shapes Calls Tamper Settings Names Forged Unnoticed) };
	$self->{parts}{settings}{expected} = $self->{parts}{settings}->expected($server);
	return $self;
}

# The failures in what a batch said: [ line, kind, what ].
sub failures
{
	my ($part, $result) = @_;
	my @failures;
	push @failures, [ $result->{hung}, 'hang', 'no answer for ' . Server::PATIENCE . ' s' ] if $result->{hung};
	push @failures, [ $result->{lost}, 'crash', ($result->{signal} || 'connection lost') . join('', map { " <- $_" } @{ $result->{places} }) ] if $result->{lost};
	for (@{ $result->{said} })
	{
		my ($line, $severity, $state, $message) = @$_{qw(line severity state message)};
		push @failures, [ $line, $state, "$state: $message" ] if $severity ne 'WARNING' && $state =~ /^XX/ && !($state eq 'XX001' && $part =~ /tamper|found|forged|names/) || $severity eq 'FATAL' && $state ne '57P02' || $severity eq 'PANIC';
		push @failures, [ $line, 'session', "$state: $message" ] if $STATE_OF_SESSION{$state} || $severity eq 'WARNING' && $message =~ /leak|SPI stack|AbortTransaction|subtransaction|tuple concurrently/;
	}
	# An internal error keeps its context, for who looks for the fault.
	push @failures, [ $_->{line}, 'statement', "$_->{state}: shows $_->{statement}" ] for grep { $_->{state} ne 'XX000' } @{ $result->{shown} };
	return @failures;
}

# What makes two failures one: names and numbers do not matter. Of a crash the place counts if it is known, else what is called last.
sub signature
{
	my ($kind, $what, @lines) = @_;
	return $what if $what =~ / <- /;
	my $text = $kind =~ /crash|hang/ && @lines ? join(' ', $lines[-1], sort grep { /^(ALTER|UPDATE|DELETE|INSERT|DROP)/ && !/fz\.|DISABLE|NOT NULL/ } @lines) : $what;
	$text =~ s/"[^"]*"|'[^']*'|\bp\d+_|\d+|WHERE.*?(?=;|$)//g;
	return "$kind $text";
}

# The failure that some lines end in, the last of them, if it is the one that is looked for. Memory that is read out of bounds crashes today and
# holds nonsense tomorrow: a crash instead of an error is the same failure.
sub failing
{
	my ($self, $part, $batch, $wanted, @lines) = @_;
	my $result = $self->{server}->run({ %$batch, lines => \@lines });
	return (grep { $_->[1] eq 'crash' || signature(@$_[ 1, 2 ]) eq $wanted } failures($part->name, $result))[0];
}

# The fewest lines found that fail in the same way: half of them are left out, then a quarter, and so on. Transactions stay as they are.
sub minimize
{
	my ($self, $part, $batch, $failure) = @_;
	my ($line, $kind, $what) = @$failure;
	my $wanted = signature($kind, $what);
	my @kept = @{ $batch->{lines} }[ 0 .. $line - 1 ];
	return @kept if $kind eq 'hang' || ($self->{reported} // 0) >= MINIMIZED;
	my $now = $self->failing($part, $batch, $wanted, @kept) or return @kept;
	@kept = @kept[ 0 .. $now->[0] - 1 ];
	my $last = pop @kept;
	my $replays = REPLAYS;
	my $fails = sub { my $failure = $replays-- > 0 && $self->failing($part, $batch, $wanted, @_, $last); return $failure && $failure->[0] == @_ + 1 };
	my ($begin) = grep { $kept[$_] eq 'BEGIN;' } reverse 1 .. $#kept;
	if ($begin && $fails->(@kept[ 0, $begin .. $#kept ])) { @kept = @kept[ 0, $begin .. $#kept ] }
	my $transactions = qr/^(BEGIN|COMMIT|ROLLBACK)/;
	for (my $size = @kept; $size >= 1; $size = int($size / 2))
	{
		for (my $at = @kept - $size; $at > -$size; $at -= $size)
		{
			my @fewer = map { $_ < $at || $_ >= $at + $size || $kept[$_] =~ $transactions ? $kept[$_] : () } 0 .. $#kept;
			@kept = @fewer if @fewer < @kept && $fails->(@fewer);
		}
	}
	$replays += 2;
	my @without = grep { !/$transactions/ } @kept;
	@kept = @without if $fails->(@without);
	$self->{server}->renew;
	return (@kept, $last);
}

sub report
{
	my ($self, $part, $seed, $batch, $failure) = @_;
	my ($line, $kind, $what) = @$failure;
	my $known = $kind =~ /crash|hang/ && $what !~ / <- / ? undef : signature($kind, $what);
	return if $known && $self->{found}{$known}++;
	my @lines = $self->minimize($part, $batch, $failure);
	return if !$known && $self->{found}{ signature($kind, $what, @lines) }++;
	my $number = ++$self->{reported};
	my $path = $self->{server}->write("$number.sql", "-- $kind: $what", "-- part " . $part->name . ", seed $seed, line $line, as $batch->{user}", @lines);
	$self->{say}->("FOUND $number: $kind, part " . $part->name . ", seed $seed, line $line, as $batch->{user}, $path", "  $what", @lines > 40 ? '    ...' : (), map { '    ' . (length > 900 ? substr($_, 0, 900) . ' ...' : $_) } @lines > 40 ? @lines[ -40 .. -1 ] : @lines);
}

# Runs the batches of a part from a seed on, so many of them or for so many seconds; step: the distance of seeds. Returns how many failures
# there were.
sub run
{
	my ($self, $name, $seed, %until) = @_;
	my $part = $self->{parts}{$name};
	if ($part->can('preparation') && $name ne 'types' && !$part->{prepared}++)
	{
		$self->{server}->prepare($part->preparation);
		$self->{server}->renew;
	}
	my ($began, $reporting, $first, $batches, $calls, $transactions, $failures, %states, %kinds) = (time, 0, $seed, 0, 0, 0, 0);
	while ($until{batches} ? $batches < $until{batches} : time - $began - $reporting < $until{seconds})
	{
		my $batch = $part->batch($seed);
		my $aside = $self->{server}{aside};
		my $result = $self->{server}->run($batch);
		$reporting += $self->{server}{aside} - $aside;
		my $end = $result->{lost} || $result->{hung} || @{ $batch->{lines} };
		$calls += grep { $part->is_call($_) } @{ $batch->{lines} }[ 0 .. $end - 1 ];
		$transactions += grep { $_ eq 'BEGIN;' } @{ $batch->{lines} }[ 0 .. $end - 1 ];
		if ($self->{show}) { $self->{say}->("$_->{state}: $_->{message}", "    $batch->{lines}[ $_->{line} - 1 ]") for grep { $_->{state} =~ $self->{show} } @{ $result->{said} } }
		$states{ $_->{state} }++ for grep { $_->{severity} ne 'WARNING' } @{ $result->{said} };
		my $reports = time;
		for (failures($name, $result)) { $failures++; $kinds{ $_->[1] }++; $self->report($part, $seed, $batch, $_) }
		$reporting += time - $reports;
		$batches++;
		$seed += $until{step} // 1;
	}
	my $took = time - $began - $reporting;
	$self->{say}->(sprintf('%s: seeds %d to %d, %d calls in %.1f s (%.0f a second), %d transactions; %s', $name, $first, $seed - ($until{step} // 1), $calls, $took, $calls / ($took || 1), $transactions,
			%kinds ? join(', ', map { "$kinds{$_} $_" } sort keys %kinds) : 'no failure'),
		'  errors: ' . (join(', ', map { "$states{$_} $_" } sort { $states{$b} <=> $states{$a} || $a cmp $b } keys %states) || 'none'));
	$self->{totals}{calls} += $calls;
	$self->{totals}{$_} += $kinds{$_} for keys %kinds;
	$self->{totals}{failures} += $failures;
	return $failures;
}

# One line on all parts.
sub summary
{
	my ($self) = @_;
	my %totals = (crash => 0, XX000 => 0, hang => 0, session => 0, failures => 0, calls => 0, %{ $self->{totals} });
	return "fuzz: $totals{calls} calls, $totals{crash} crashes, $totals{XX000} XX000, $totals{session} broken sessions, $totals{hang} hangs; $totals{failures} failures of " . ($self->{reported} // 0) . ' kinds';
}

1;
