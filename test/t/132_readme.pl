# What README.md has to paste, in order and in one session of psql: the owner of the database lets a steward in, who does the rest.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = cluster('readme');
my $text = slurp_file("$FindBin::RealBin/../../README.md");
my @blocks = $text =~ /^```(?:sql)?\n(.*?)^```$/msg;
my @sql = grep { !/^make /m && !/\bcron\./ } @blocks;
cmp_ok(scalar @sql, '>=', 9, 'README has statements');
is(scalar @blocks - scalar @sql, 3, '... and three blocks for a shell or for pg_cron');
my ($inline) = $text =~ /`(SELECT anon_seq\.watch_source\([^`]*)`/;
my ($nightly) = $text =~ /(CALL anon_seq\.nightly\([^\$]*)\$/;
my $script = join "\n", 'CREATE EXTENSION anon_seq;', @sql, "$inline;", "$nightly;", 'SELECT count(*) FROM anon_seq.status;';
my ($status, $out, $err) = $node->psql('postgres', $script, on_error_stop => 1);
is($status, 0, 'all of them work') or diag($err);
unlike($err, qr/ERROR/, '... without an error');
is($node->safe_psql('postgres', q{SELECT string_agg(DISTINCT pg_get_userbyid(c.relowner), ' ') FROM pg_class AS c WHERE c.relnamespace = 'releases'::regnamespace}),
	'steward', 'what was published is the steward\'s');
is($node->safe_psql('postgres', 'SELECT count(*) FROM anon_seq.policies'), $node->safe_psql('postgres', 'SELECT count(DISTINCT policy) FROM anon_seq.releases WHERE version > 0'), 'every policy has a release');
is($node->safe_psql('postgres', q{SELECT string_agg(c.relname, ' ') FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace}), 'patients', 'nothing but the source is in public');

done_testing();
