# Part "settings": the calls of part "calls" while settings that everybody may change are anything. What is published must not depend on them.
package Settings;
use strict;
use warnings;
use parent -norequire, 'Calls';
use Calls;
use JSON::PP;
use Random;
use Server;

# Left alone: what ends sessions, what the harness itself needs, what fills the log, and what only makes everything slow.
my $LEFT_ALONE = qr/^(idle_.*|exit_on_error|statement_timeout|client_min_messages|search_path|transaction_.*|debug_.*|log_.*|trace_.*|temp_buffers|client_connection_check_interval|tcp_.*|jit.*|vacuum_cost_.*|commit_.*)$/;
my @POLICIES = qw(new inc known soon seq);
# Of settings that are text.
my %TEXTS = (
	DateStyle => [ 'German, DMY', 'SQL, MDY', 'Postgres, DMY', 'ISO, YMD' ], TimeZone => [ qw(Asia/Kolkata America/St_Johns Pacific/Apia UTC -13:37) ], client_encoding => [ qw(UTF8 LATIN1 SQL_ASCII) ],
	lc_numeric => [ qw(C C.UTF-8) ], lc_monetary => [ qw(C C.UTF-8) ], lc_time => [ 'C.UTF-8' ], default_tablespace => [ '', 'no such', 'pg_global' ], temp_tablespaces => [ '', 'no such' ], default_table_access_method => [ 'heap', 'no such' ],
	default_text_search_config => [ 'pg_catalog.german', 'no such' ], timezone_abbreviations => [ 'India', 'Australia' ], dynamic_library_path => [ '/nowhere' ], application_name => [ 'x', "é\x{1}" ], 'plpgsql.extra_errors' => [ 'all' ]);

sub new
{
	my ($class, $server) = @_;
	my $self = Calls::new($class, $server);
	$self->{settings} = decode_json($server->ask(q{SELECT json_agg(json_build_object('name', name, 'type', vartype, 'min', min_val, 'max', max_val, 'values', enumvals) ORDER BY name COLLATE "C") FROM pg_settings WHERE context = 'user'}));
	@{ $self->{settings} } = grep { $_->{name} !~ $LEFT_ALONE } @{ $self->{settings} };
	return $self;
}

sub name { 'settings' }

# What each policy publishes with the settings as they are. Nothing of it is kept.
sub expected
{
	my ($self, $server) = @_;
	my $asked = $server->psql([ '-d', Server::TEMPLATE, '-v', 'ON_ERROR_STOP=1', '-c', 'BEGIN; SET LOCAL ROLE fuzz_pub; SET LOCAL client_min_messages = error', map({ ('-c', "SELECT '$_', digest FROM anon_seq.publish('$_')") } @POLICIES), '-c', 'ROLLBACK' ]);
	return { map { split /\|/ } split /\n/, $asked };
}

sub setting
{
	my ($self, $random) = @_;
	my $setting = $random->pick(@{ $self->{settings} });
	my ($name, $type, $min, $max) = @$setting{qw(name type min max)};
	my $value = $TEXTS{$name} ? $random->pick(@{ $TEXTS{$name} }) : $type eq 'bool' ? $random->pick(qw(on off)) : $type eq 'enum' ? $random->pick(@{ $setting->{values} })
		: $type eq 'string' ? $random->pick('', 'x') : $type eq 'real' ? $random->pick(0, 0.01, 0.5, 1, 10) : $random->pick($min, $min, $max, $min + $random->below(2), $min + $random->below(100));
	$name = qq("$name") unless $name =~ /\./;
	return "SET $name = '" . ($value =~ s/'/''/gr) . q{'};
}

sub batch
{
	my ($self, $seed) = @_;
	my $random = Random->new($seed);
	my @settings = ('SET jit = off', map { $self->setting($random) } 1 .. $random->pick(1, 1, 2, 3, 5, 12));
	my $batch = Calls::batch($self, $seed, @settings);
	my $policy = $random->pick(@POLICIES);
	push @{ $batch->{lines} }, 'BEGIN;', "SELECT fz.expect('$policy', '$self->{expected}{$policy}');", 'ROLLBACK;' if $batch->{user} eq 'fuzz_pub' && $batch->{way} ne 'alone';
	return $batch;
}

1;
