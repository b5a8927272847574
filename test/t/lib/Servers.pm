# Servers for these tests, and how roles and files come to them.
package Servers;
use strict;
use warnings;
use Exporter 'import';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
our @EXPORT = qw(cluster as load has_selftests);

# A server of that name, started.
sub cluster
{
	my $node = PostgreSQL::Test::Cluster->new(shift);
	$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
	$node->append_conf('postgresql.conf', 'fsync = off');
	$node->start;
	return $node;
}

# What a role is told by some SQL, and in list context also the error.
sub as
{
	my ($node, $user, $db, $sql) = @_;
	my ($status, $out, $err) = $node->psql($db, $sql, extra_params => [ '-U', $user ], on_error_stop => 1);
	$out =~ s/^\s+|\s+$//g; # lines of void
	return wantarray ? ($out, $status ? $err : '') : $out;
}

# Whether the library that is installed has the functions for tests (make SELFTEST=1).
sub has_selftests
{
	my ($node) = @_;
	return $node->psql('postgres', q{CREATE FUNCTION pg_temp.f() RETURNS void LANGUAGE c AS 'anon_seq', 'anon_seq_selftest_fail'}) == 0;
}

# A table of database postgres with the columns of a file's header, filled by COPY; text unless %types says otherwise.
sub load
{
	my ($node, $name, $file, %types) = @_;
	my ($header) = slurp_file($file) =~ /^(.*?)\r?\n/;
	my $columns = join(', ', map { qq{"$_" } . ($types{$_} // 'text') } split(/,/, $header));
	$node->safe_psql('postgres', qq{CREATE TABLE "$name" ($columns)});
	$node->safe_psql('postgres', qq{\\copy "$name" from '$file' with (format csv, header)});
}

1;
