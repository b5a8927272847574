# The same rows give the same release, whatever their physical order and with or without parallel workers; and a cut that is made for k
# alone does not depend on the sensitive columns.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = cluster('main');
$node->safe_psql('postgres', q{
	SET client_min_messages = warning;
	CREATE EXTENSION anon_seq;
	CREATE TABLE people (id int, job text, age int, weight numeric, seen timestamptz, city text, disease text, outcome text);
	SELECT setseed(0.4);
	INSERT INTO people SELECT i, 'job ' || i % 12, (random() * 60)::int + 18, round((random() * 60)::numeric, 1) + 40, timestamptz '2024-01-01 00:00:00+00' + (random() * 400)::int * interval '1 day', 'city ' || i % 7,
	  (ARRAY['flu', 'cold', 'HIV', NULL])[1 + (random() * 3)::int], (ARRAY['well', 'ill'])[1 + (random())::int] FROM generate_series(1, 3000) AS i;
	UPDATE people SET age = NULL WHERE id % 50 = 0;
	SELECT anon_seq.create_taxonomy('job', '{"ANY": {"a": ["job 0", "job 1", "job 2", "job 3"], "b": {"b1": ["job 4", "job 5"], "b2": ["job 6", "job 7"]}, "c": ["job 8", "job 9", "job 10", "job 11"]}}');
	SELECT anon_seq.create_flat_taxonomy('city', (SELECT array_agg(DISTINCT city) FROM people));
	CREATE TABLE old AS SELECT job, disease FROM people;
});

my $count = 0;

# Publishes the people in a given order under given settings; returns digest and cut.
sub published
{
	my ($order, $settings, %changes) = @_;
	my $n = ++$count;
	my $columns = $changes{columns} // '*';
	my $parameters = $changes{parameters} // q{k => 25, sensitive => '{disease}', publish_as_is => '{outcome}', max_link => 0.7, label => 'outcome', options => '{"overlap": true, "dangling": "outer"}'};
	my $out = $node->safe_psql('postgres', qq{
		SET client_min_messages = error;
		CREATE TABLE people_$n AS SELECT $columns FROM people ORDER BY $order;
		ANALYZE people_$n;
		SELECT anon_seq.register_release('old $n', 'old', 'people $n', '{"job": {"taxonomy": "job"}, "disease": "disease"}') WHERE @{[ $changes{alone} ? 'false' : 'true' ]};
		SELECT anon_seq.create_sequential_policy('policy $n', 'people_$n', 'id', '{job,age,weight,seen,city}', $parameters, population => 'people $n');
		$settings
		SELECT digest, classes FROM anon_seq.publish('policy $n');
		SELECT md5(string_agg(attribute || ':' || coalesce(value, 'NULL'), '|')) FROM anon_seq.cut('policy $n');
	});
	$out =~ s/^\s+//;
	return $out;
}

my $serial = 'SET max_parallel_workers_per_gather = 0; SET max_parallel_workers = 0;';
my $parallel = 'SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET ' . ($node->pg_version >= 16 ? 'debug_parallel_query' : 'force_parallel_mode') . ' = on;';
my $first = published('id', $serial);
like($first, qr/^[0-9a-f]{64}\|([2-9]|\d\d+)\n[0-9a-f]{32}$/, 'published, in more than one class');
is(published('id DESC', $serial), $first, 'the other way round');
is(published('md5(id::text)', $serial), $first, 'in no order');
is(published('disease DESC NULLS FIRST, age, md5(job || id)', $serial), $first, 'by disease');
is(published('id', $parallel), $first, 'with parallel workers');
is(published('md5(id::text)', $parallel), $first, 'in no order with parallel workers');
is(published('md5(id::text)', "$serial SET enable_hashagg = off; SET work_mem = '64kB'; SET enable_sort = on;"), $first, 'with little memory and other plans');
is(published('id', "$serial SET DateStyle = 'German, DMY'; SET TimeZone = 'Asia/Kolkata'; SET extra_float_digits = 0; SET IntervalStyle = 'iso_8601'; SET bytea_output = 'escape';"), $first, 'with other settings of the session');
# Boxes too, where rules look at what is sensitive, and at groups of many boxes.
my %local = (parameters => q{k => 25, sensitive => '{disease}', publish_as_is => '{outcome}', max_link => 0.7, options => '{"dangling": "outer", "recoding": "local"}',
  rules => '[{"kind": "linkability", "x": ["job", "age"], "y": ["disease"], "values": ["HIV"], "max": 0.45}]'});
my $boxes = published('id', $serial, %local);
like($boxes, qr/^[0-9a-f]{64}\|\d\d+\n[0-9a-f]{32}$/, 'local recoding, in many classes');
is(published('md5(id::text)', $parallel, %local), $boxes, 'local recoding in no order');
is(published('disease DESC NULLS FIRST, age, md5(job || id)', $serial, %local), $boxes, 'local recoding, by disease');
# Every other name of a person gives the same release as well.
is(published('id', $serial, columns => '(id * 7919) % 3001 AS id, job, age, weight, seen, city, disease, outcome'), $first, 'with other person keys');

# k alone: the cut is the same whatever the sensitive columns say.
my $k = q{k => 25, sensitive => '{disease}', options => '{"valid_split": true, "allow_unique": ["disease"]}'};
my ($cut) = published('id', $serial, parameters => $k, alone => 1) =~ /\n(.*)/;
for (q{(SELECT d.disease FROM people AS d WHERE d.id = (people.id * 7919) % 3001 AND d.id <= 3000)}, q{'all the same'}, q{CASE WHEN age > 40 THEN 'old' ELSE 'young' END}, q{id::text}, 'NULL::text')
{
	my ($other) = published('id', $serial, parameters => $k, alone => 1, columns => "id, job, age, weight, seen, city, $_ AS disease, outcome") =~ /\n(.*)/;
	is($other, $cut, 'k alone: the same cut with disease replaced by ' . substr($_, 0, 30));
}
# With a rule about them it does depend on them, so the comparison above can fail.
my ($with_rule) = published('id', $serial, columns => q{id, job, age, weight, seen, city, CASE WHEN age > 40 THEN 'old' ELSE 'young' END AS disease, outcome}, alone => 1,
	parameters => q{k => 25, sensitive => '{disease}', max_link => 0.7, options => '{"valid_split": true}'}) =~ /\n(.*)/;
isnt($with_rule, $cut, 'with a rule about disease the cut is another one');
# By simulatable decisions the order of rows plays no part either, and there is something to order.
my $simulatable = q{k => 5, sensitive => '{disease}', publish_as_is => '{outcome}', max_link => 0.9, options => '{"decisions": "simulatable", "valid_split": true}'};
my $by_rule = published('id', $serial, parameters => $simulatable, alone => 1);
like($by_rule, qr/\|([2-9]|\d\d+)\n/, 'simulatable decisions: several classes');
is(published('disease DESC NULLS FIRST, md5(job || id)', $serial, parameters => $simulatable, alone => 1), $by_rule, 'the same in another order');

done_testing();
