# Where in our code a server process crashed, if it left a core file and gdb is there; else nothing.
package Backtrace;
use strict;
use warnings;
use IPC::Run;

# The innermost places of ours, "file:line", from the newest core file in a folder, which is then removed.
sub places
{
	my ($folder, $most) = @_;
	my @cores = sort { -M $a <=> -M $b } glob "$folder/core*" or return;
	chomp(my $bin = qx(pg_config --bindir));
	my ($out, $err) = ('', '');
	my $ok = eval { IPC::Run::run([ 'gdb', '-q', '-batch', '-nx', '-ex', 'bt 40', "$bin/postgres", $cores[0] ], '<', \undef, '>', \$out, '2>', \$err, IPC::Run::timeout(60)) };
	unlink @cores;
	return unless $ok;
	my @places = $out =~ m{^\#\d+ [^\n]*? at \S*src/((?:api|core|pg|release)/\S+:\d+)$}mg;
	@places = grep { !m{^pg/guard\.} } @places;
	splice @places, $most if @places > $most;
	return @places;
}

1;
