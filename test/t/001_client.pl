# The test client keeps its word: what it expects and does not get is an error, with the line.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $client = $ENV{ANON_SEQ_CLIENT};
plan skip_all => 'the test client is not built' unless $client && -x $client;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$ENV{PGDATABASE} = 'postgres';

sub client
{
  my ($script) = @_;
  my ($out, $err) = ('', '');
  my $ok = IPC::Run::run([$client], \$script, \$out, \$err, IPC::Run::timeout(120));
  return ($ok ? 0 : 1, $out, $err);
}

sub holds
{
  my ($script, $name) = @_;
  my ($status, $out, $err) = client($script);
  ok($status == 0 && $err eq '', $name) or diag($out, $err);
  return $out;
}

sub fails
{
  my ($script, $pattern, $name) = @_;
  my ($status, $out, $err) = client($script);
  ok($status == 1 && $err =~ $pattern, $name) or diag($out, $err);
}

like(holds(<<'END', 'a cancelled pg_sleep ends at once'), qr/^3: a ended [0-9.]+ ms after the cancel, error 57014: /, 'the time is printed');
connect a
start a SELECT pg_sleep(60)
cancel a after 100
expect a error 57014
expect a message user request
expect a within 1000
run a SELECT 'the connection lives on'
expect a value the connection lives on
END

holds(<<'END', 'one connection waits for a lock of another');
connect a
connect b
connect watch
run a CREATE TABLE t (n int); \
  INSERT INTO t VALUES (1)
run a BEGIN; UPDATE t SET n = n + 1
start b UPDATE t SET n = n * 10 RETURNING n
# b is at the lock now
until watch SELECT count(*) = 1 FROM pg_locks WHERE NOT granted
expect b busy
run a COMMIT
wait b
expect b rows 1
expect b value 20
END

holds(<<'END', 'repetition, NULL, no rows, empty lines');
connect a

run a CREATE TABLE r (n int)
repeat 3
  run a INSERT INTO r VALUES (1)
  repeat 2
    run a SELECT 1/0
    expect a error 22012
  end
end
run a SELECT sum(n) FROM r
expect a value 3
run a SELECT sum(n) FROM r WHERE false
expect a value NULL
run a SELECT 1 WHERE false
expect a rows 0
close a
connect a dbname=template1
run a SELECT current_database()
expect a value template1
END

like(holds("connect a\ntime a 3 SELECT pg_sleep(0.01)\nexpect a within 5000\n", 'a statement is timed'),
  qr/^2: a took [0-9.]+ ms, median of 3$/, 'and its time printed');

fails("connect a\nrun a SELECT 1\nexpect a value 2\n", qr/input:3: expected value 2 on a, got 1$/, 'another value');
fails("connect a\nrun a SELECT 1\nexpect a error 22012\n", qr/:3: expected error 22012 on a, got no error$/, 'no error');
fails("connect a\nrun a SELECT 1/0\nexpect a error 22023\n", qr/:3: expected error 22023 on a, got error 22012: division/, 'another error');
fails("connect a\nrun a SELECT 1/0\n", qr/:2: a got error 22012: division by zero$/, 'an error at the end that nobody expects');
fails("connect a\nrun a SELECT 1/0\nrun a SELECT 1\n", qr/:2: a got error 22012/, 'an error that nobody expects');
fails("connect a\nrun a SELECT pg_sleep(0.2)\nexpect a within 100\n", qr/:3: expected within 100 on a, got /, 'too slow');
fails("connect a\nlimit 100\nrun a SELECT pg_sleep(60)\n", qr/:3: still running after 100 ms$/, 'a wait without end');
fails("connect a\nrun a SELECT 1\nexpect a busy\n", qr/:3: a is not busy$/, 'not busy');
fails("run a SELECT 1\n", qr/:1: no connection named a$/, 'no such connection');
fails("connect a\nwait a\n", qr/:2: a runs nothing$/, 'nothing to wait for');
fails("connect a\nhurry a\n", qr/:2: unknown command hurry$/, 'no such command');
fails("repeat 2\n", qr/:1: repeat without end$/, 'no end');
fails("connect a port=1\n", qr/:1: .*(No such file|refused)/, 'no such server');

ok($node->poll_query_until('postgres', q{SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)')}),
  'what a failed script left running is cancelled');

holds(<<'END', 'a connection that the server ends');
connect a
connect b
start a SELECT pg_sleep(60)
until b SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'
run b SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'
expect b value t
wait a
expect a error 57P01
END

done_testing();
