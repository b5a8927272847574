# Keys of persons stand in no text of a statement: not where auto_explain logs what runs inside publish, not in the CONTEXT of an error.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = cluster('statements');
$node->append_conf('postgresql.conf', "session_preload_libraries = 'auto_explain'\nauto_explain.log_min_duration = 0\nauto_explain.log_nested_statements = on");
$node->restart;
$node->safe_psql('postgres', q{
	CREATE EXTENSION anon_seq;
	CREATE TABLE visit AS SELECT 'person ' || i * 7919 AS id, 20 + i % 50 AS age, timestamp '2024-01-01' AS stamp FROM generate_series(1, 200) AS i;
	SELECT anon_seq.create_incremental_policy('visits', 'visit', 'id', '{age}', 5, options => '{"changed_since": "stamp"}');
	SELECT anon_seq.publish('visits');
});
my $before = -s $node->logfile;
$node->safe_psql('postgres', q{SET log_statement = none; INSERT INTO visit SELECT 'newcomer ' || i * 7907, 20 + i % 50, timestamp '2024-01-02' FROM generate_series(1, 40) AS i});
my $after = -s $node->logfile;
is($node->safe_psql('postgres', q{SELECT published FROM anon_seq.publish('visits')}), '240', 'newcomers are read by their keys');
my $log = slurp_file($node->logfile, $after);
like($log, qr/SELECT id, age FROM public\.visit WHERE/, 'the statement that reads them is logged');
unlike($log, qr/newcomer \d/, 'without their keys');
unlike($log, qr/person \d/, 'or those of others');

done_testing();
