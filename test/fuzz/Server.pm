# Runs batches of SQL against a server by psql, and says what became of each line.
#
# A batch is { user, lines, commits }: lines are statements of one line each, without newline. A batch that commits has a database of its own,
# a copy of the template; others are rolled back, and share one. The server may crash, and has then to come back by itself.
package Server;
use strict;
use warnings;
use Backtrace;
use IPC::Run;
use Time::HiRes 'time';

use constant { TEMPLATE => 'fuzz_template', DATABASE => 'fuzz', PATIENCE => 60, BATCHES => 100 }; # that share a database

# dir: where files of SQL go; log: the server's log; aside: seconds that went into crashes, so far. psql finds the server by its environment.
sub new
{
	my ($class, %with) = @_;
	my $self = bless { aside => 0, %with }, $class;
	mkdir $self->{dir};
	my $here = __FILE__ =~ s![^/]*$!!r;
	for (q{ALTER SYSTEM SET restart_after_crash = on}, q{ALTER SYSTEM SET log_min_messages = log}, q{ALTER SYSTEM SET log_min_error_statement = panic}, q{ALTER SYSTEM SET log_statement = none},
		q{ALTER SYSTEM SET autovacuum = off}, q{SELECT pg_reload_conf()}, 'CREATE ROLE fuzz_dbo LOGIN', 'CREATE DATABASE ' . TEMPLATE . ' OWNER fuzz_dbo')
	{
		$self->ask($_, 'postgres');
	}
	$self->{data} = $self->ask('SHOW data_directory');
	for (qw(roles setup spied)) { $self->psql([ '-v', 'ON_ERROR_STOP=1', '-d', TEMPLATE, '-f', "$here$_.sql" ]) }
	return $self;
}

sub psql
{
	my ($self, $arguments) = @_;
	my ($out, $err) = ('', '');
	IPC::Run::run([ 'psql', '-XAtq', @$arguments ], '<', \undef, '>', \$out, '2>', \$err) or die "psql @$arguments: $err";
	chomp $out;
	return $out;
}

sub ask { my ($self, $sql, $database) = @_; return $self->psql([ '-d', $database // TEMPLATE, '-v', 'ON_ERROR_STOP=1', '-c', $sql ]) }

# A template of its own for batches that name it, made by a file of SQL beside this.
sub add_template
{
	my ($self, $name, $file) = @_;
	$self->ask("CREATE DATABASE $name OWNER fuzz_dbo", 'postgres');
	$self->psql([ '-v', 'ON_ERROR_STOP=1', '-d', $name, '-f', __FILE__ =~ s![^/]*$!$file.sql!r ]);
}

# Adds to what every database holds.
sub prepare
{
	my ($self, @lines) = @_;
	$self->psql([ '-v', 'ON_ERROR_STOP=1', '-d', TEMPLATE, '-f', $self->write('prepare.sql', @lines) ]) if @lines;
}

sub write
{
	my ($self, $name, @lines) = @_;
	my $path = "$self->{dir}/$name";
	open my $file, '>:utf8', $path or die "$path: $!\n";
	print $file map { "$_\n" } @lines;
	close $file;
	return $path;
}

sub fresh_database
{
	my ($self, $template) = @_;
	my @renew = ('-d', 'postgres', '-c', 'DROP DATABASE IF EXISTS ' . DATABASE . ' WITH (FORCE)', '-c', 'CREATE DATABASE ' . DATABASE . " TEMPLATE $template OWNER fuzz_dbo");
	$self->{of} = $template;
	my ($out, $err) = ('', '');
	$self->{uses} = 0;
	for my $try (1 .. 100)
	{
		if (IPC::Run::run([ 'psql', '-XAtq', @renew ], '<', \undef, '>', \$out, '2>', \$err))
		{
			# A copy is another place: its ledgers ask whether they are the newest.
			$self->ask('SET client_min_messages = error; SELECT FROM anon_seq.confirm_ledgers()', DATABASE);
			return;
		}
		die $err if $try == 100;
		select undef, undef, undef, 0.1; # it is recovering
	}
}

# Runs a batch: ( said => [ { line, severity, state, message } ], shown => [ { line, state, statement } ], lost => line or 0, hung => line or 0, signal => what the log says of
# it, places => of our code ).
sub run
{
	my ($self, $batch) = @_;
	my $template = $batch->{template} // TEMPLATE;
	$self->fresh_database($template) if $batch->{commits} || !$self->{uses} || $self->{uses} > BATCHES || $self->{of} ne $template;
	$self->{uses} = $batch->{commits} ? 0 : $self->{uses} + 1;
	my $log_end = -s $self->{log};
	my $path = $self->write('batch.sql', @{ $batch->{lines} });
	my ($in, $out, $err, $seen, $hung) = ('', '', '', 0, 0);
	my $timer = IPC::Run::timer(PATIENCE);
	my $psql = IPC::Run::start([ 'psql', '-Xqe', '-d', DATABASE, '-U', $batch->{user}, '-o', '/dev/null', '-v', 'VERBOSITY=verbose', '-v', 'ON_ERROR_ROLLBACK=on', '-f', $path ],
		'<', \$in, '>', \$out, '2>', \$err, $timer);
	while ($psql->pumpable)
	{
		$psql->pump;
		if (length $out > $seen) { $seen = length $out; $timer->start(PATIENCE) }
		elsif ($timer->is_expired) { $hung = 1; last }
	}
	if ($hung)
	{
		$hung = () = $out =~ /\n/g;
		$psql->kill_kill(grace => 1);
		$self->end_sessions;
	}
	else { $psql->finish }
	utf8::decode($err);
	my %result = (hung => $hung, lost => 0, signal => '', said => [], shown => []);
	while ($err =~ /^psql:[^\n]*?:(\d+): (?:(ERROR|FATAL|PANIC|WARNING):  ([0-9A-Z]{5}): (.*?)|(server closed the connection|error: connection to server was lost).*?)$/gm)
	{
		if (defined $5) { $result{lost} ||= $1 } else { push @{ $result{said} }, { line => $1, severity => $2, state => $3, message => $4 } }
	}
	# Statements of the library's own that the context of an error shows: they name what they use with its schema. Above a line of PL/pgSQL stands one of a
	# function's.
	for my $error (split /^(?=psql:)/m, $err)
	{
		my ($line, $state) = $error =~ /^psql:[^\n]*?:(\d+): ERROR:  ([0-9A-Z]{5}):/ or next;
		push @{ $result{shown} }, { line => $line, state => $state, statement => $1 } if $error =~ /SQL statement "((?!SELECT 1 FROM ONLY|(?:DELETE FROM|UPDATE) ONLY)[^"]*(?:pg_catalog\.|anon_seq_ledger\.|to_regclass)[^\n]*)(?!\nPL\/pgSQL)(?:\n|\z)/;
	}
	if ($result{lost})
	{
		my $began = time;
		$result{signal} = $self->signal_since($log_end);
		$result{places} = [ Backtrace::places($self->{data}, 4) ];
		for (1 .. 100) { IPC::Run::run([ 'psql', '-XAtq', '-d', 'postgres', '-c', 'SELECT 1' ], '<', \undef, '>', \$out, '2>', \$err) and last; select undef, undef, undef, 0.1 }
		$self->{aside} += time - $began;
	}
	return \%result;
}

# What ended a server process, by the log: the line may come later than the loss of the connection.
sub signal_since
{
	my ($self, $from) = @_;
	for (1 .. 50)
	{
		open my $log, '<', $self->{log} or return '';
		seek $log, $from, 0;
		local $/;
		return $1 if <$log> =~ /(terminated by signal \d+[^\n]*|exited with exit code \d+)/;
		select undef, undef, undef, 0.05;
	}
	return '';
}

# Forgets the database: what was done there may have been committed.
sub renew { $_[0]{uses} = 0 }

# Ends what hangs: politely, then not.
sub end_sessions
{
	my ($self) = @_;
	my $of_ours = q{FROM pg_stat_activity WHERE datname = '} . DATABASE . q{'};
	$self->ask("SELECT pg_terminate_backend(pid) $of_ours", 'postgres');
	sleep 5;
	kill 'KILL', $_ for split /\n/, $self->ask("SELECT pid $of_ours", 'postgres');
}

1;
