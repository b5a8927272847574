# Part "found": what found.sql remembers. Seed n is the n-th of its paragraphs.
package Found;
use strict;
use warnings;

sub new
{
	my ($class) = @_;
	open my $file, '<', __FILE__ =~ s/Found\.pm$/found.sql/r or die "found.sql: $!\n";
	my (undef, @paragraphs) = split /\n\n+/, do { local $/; <$file> };
	return bless { paragraphs => [ map { [ split /\n/ ] } @paragraphs ] }, $class;
}

sub name { 'found' }
sub groups { return scalar @{ $_[0]{paragraphs} } }
sub is_call { return $_[1] =~ /^SELECT (?!fz\.(?:unbind|copy))/ }

sub batch
{
	my ($self, $seed) = @_;
	my @lines = @{ $self->{paragraphs}[$seed] };
	my $commits = grep { /^COMMIT/ } @lines;
	return { user => 'fuzz_root', lines => [ q{SET statement_timeout = '3s'; SET search_path = fz, anon_seq; SET client_min_messages = warning;}, 'BEGIN;', @lines, 'ROLLBACK;', 'BEGIN;', 'ROLLBACK;' ], commits => $commits };
}

1;
