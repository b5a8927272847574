# The walk over settings: whatever a user may set for himself, role or database changes neither what is published nor what audits say.
#
# Every setting that needs no rights takes its values in turn: both of a boolean, all of an enum, least and greatest of a number (one of the two for
# every other setting; ANON_SEQ_GRID=full takes both), some texts. Under each a sequential and an incremental policy are published, audited and previewed in a transaction that is rolled back, so all
# begin with the same state. What came out is printed under the defaults.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

# What may end in an error that says why: setting => code, by value or for all. A statement that is to end early, or to write nothing.
my %may_fail = (
	statement_timeout => { 1 => '57014' },
	transaction_timeout => { 1 => '25P04' },
	default_transaction_read_only => { on => '25006' },
	transaction_read_only => { on => '25006' },
	restrict_nonsystem_relation_kind => { view => '55000', 'view, foreign-table' => '55000' });
# What ends the session by itself, or is meant for when it begins.
my %skip = map { $_ => 1 } qw(idle_in_transaction_session_timeout idle_session_timeout local_preload_libraries exit_on_error);

my $node = cluster('main');
$node->safe_psql('postgres', q{
	CREATE ROLE publisher LOGIN;
	CREATE DATABASE walk OWNER publisher;
	ALTER ROLE publisher SET client_min_messages = warning;
});
$node->safe_psql('walk', 'CREATE EXTENSION anon_seq; GRANT USAGE ON SEQUENCE anon_seq.publishers TO publisher');
my $walk = sub { my ($sql, %more) = @_; return $node->psql('walk', $sql, extra_params => [ '-U', 'publisher' ], %more) };
my ($status, undef, $err) = $walk->(q{
	CREATE SCHEMA walk;
	SELECT anon_seq.create_taxonomy('town', '{"ANY": {"north": ["Kiel", "Lübeck", "Flens\\"burg"], "south": ["Köln", "Bonn"]}}');
	SELECT anon_seq.create_flat_taxonomy('job', '{clerk,nurse,baker,"null"}');
	CREATE TABLE walk.person AS SELECT i AS id, 20 + i * 7 % 50 AS age, date '1980-01-01' + i * 13 % 900 AS born, (ARRAY['Kiel', 'Lübeck', 'Flens"burg', 'Köln', NULL])[1 + i % 5] AS town,
	  CASE WHEN i % 4 > 0 THEN (ARRAY['clerk', 'nurse', 'baker', 'null'])[1 + i % 4] END AS job, round(i * 1.37, 1)::float8 AS weight, (ARRAY['flu', 'HIV', 'cold', NULL])[1 + i * 3 % 7 % 4] AS ill FROM generate_series(1, 90) AS i;
	CREATE VIEW walk.seen AS SELECT p.id, p.age, p.town, p.job, p.ill FROM walk.person AS p WHERE p.age < 65;
	CREATE TABLE walk.old AS SELECT town, count(*) AS n, ill FROM walk.person GROUP BY town, ill;
	SELECT anon_seq.register_release('old', 'walk.old', 'walk', '{"town": {"taxonomy": "town"}, "ill": "ill"}');
	SELECT anon_seq.create_sequential_policy('s', 'walk.person', person => 'id', quasi => '{town,age,born,weight}', sensitive => '{ill}', k => 3, max_link => 0.8, population => 'walk',
	  publish_as => 'walk.s', options => '{"overlap": true, "dangling": "outer"}');
	SELECT anon_seq.create_incremental_policy('i', 'walk.seen', person => 'id', quasi => '{job,age,town}', sensitive => '{ill}', k => 3, population => 'walk i', publish_as => 'walk.i');
	SELECT anon_seq.publish('i');
	INSERT INTO walk.person SELECT i, 20 + i * 7 % 50, NULL, 'Bonn', 'null', i, 'flu' FROM generate_series(91, 120) AS i;
	DELETE FROM walk.person WHERE id % 9 = 0;
	UPDATE walk.person SET job = NULL WHERE id % 8 = 1;
}, on_error_stop => 1);
is($status, 0, 'policies') or BAIL_OUT($err);

# What is done under a setting, each into a table of its own.
my @steps = (
	publish_s => q{anon_seq.publish('s')},
	audit_s => q{anon_seq.audit('s', everything => true)},
	publish_i => q{anon_seq.publish('i')},
	audit_i => q{anon_seq.audit('i', everything => true)},
	join_s => q{anon_seq.audit_join('{s,old}', '["town", "age"]', '["ill"]', '{"town": {"taxonomy": "town"}}', '{"overlap": true, "outer": true}')},
	preview => q{anon_seq.preview('s', ARRAY['{"k": 5}', '{"label": "job", "objective": "entropy"}']::jsonb[])},
	generalize => q{(SELECT id, anon_seq.generalize('town', town, 1) FROM walk.person) AS x},
	audit_k => q{anon_seq.audit_k('walk.i', '{job,age}')});
my ($make, $take, @tables) = ('', '');
while (my ($name, $from) = splice @steps, 0, 2)
{
	$make .= "CREATE TABLE walk.got_$name AS SELECT * FROM $from;\n";
	$take .= "INSERT INTO walk.got_$name SELECT * FROM $from;\n";
	push @tables, "got_$name";
}
my $prints = join q{ || ' ' ||}, map { qq{'$_:' || coalesce((SELECT md5(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C")) FROM walk.$_ AS t), 'none')} } @tables, 's', 'i';
($status, undef, $err) = $walk->("BEGIN; $make ROLLBACK; BEGIN; " . $make =~ s/;\n/ WITH NO DATA;\n/gr . 'COMMIT', on_error_stop => 1);
is($status, 0, 'everything runs under the defaults') or BAIL_OUT($err);

# All that there is to set: [ name, value, ... ].
my $texts = q{(VALUES ('search_path', ARRAY['', 'pg_temp', 'walk, pg_catalog', 'anon_seq']), ('DateStyle', ARRAY['German, DMY', 'SQL, MDY', 'Postgres, YMD']),
	('TimeZone', ARRAY['Asia/Kolkata', 'America/New_York', '<-11>+11']), ('lc_monetary', ARRAY['POSIX', 'C.UTF-8']), ('lc_numeric', ARRAY['POSIX', 'C.UTF-8']), ('lc_time', ARRAY['POSIX', 'C.UTF-8']),
	('client_encoding', ARRAY['SQL_ASCII', 'LATIN1']), ('application_name', ARRAY['''; DROP TABLE walk.person; --']), ('default_text_search_config', ARRAY['pg_catalog.simple']),
	('timezone_abbreviations', ARRAY['India']), ('default_tablespace', ARRAY['pg_default']), ('temp_tablespaces', ARRAY['pg_default']),
	('restrict_nonsystem_relation_kind', ARRAY['view', 'foreign-table', 'view, foreign-table'])) AS v (name, texts)};
my $settings = $node->safe_psql('walk', qq{
	SELECT s.name || E'\\x1f' || array_to_string(array(SELECT DISTINCT v FROM unnest(
	    CASE vartype WHEN 'bool' THEN '{on,off}' WHEN 'enum' THEN enumvals WHEN 'string' THEN v.texts
	      ELSE ARRAY[min_val, max_val] || CASE WHEN s.name ~ '_timeout\$' THEN ARRAY['1'] ELSE '{}' END END) AS v
	  WHERE v IS NOT NULL AND (v <> s.setting OR s.name ~ '^transaction_') ORDER BY v), E'\\x1f')
	FROM pg_settings AS s LEFT JOIN $texts USING (name) WHERE context = 'user' ORDER BY s.name}, extra_params => [ '-U', 'publisher' ]);
my @cases = map { my ($name, @values) = split /\x1f/; map { [ [ $name, $_ ] ] } @values } grep { !$skip{ (split /\x1f/)[0] } } split /\n/, $settings;
if (($ENV{ANON_SEQ_GRID} // '') ne 'full')
{
	my ($n, %numbers) = (0);
	$numbers{ $_->[0][0] }++ for grep { $_->[0][1] =~ /^-?[\d.]+(e[+-]?\d+)?\z/ && $_->[0][0] !~ /_timeout\z/ } @cases;
	my %left = map { $_ => $n++ % 2 } grep { $numbers{$_} == 2 } sort keys %numbers; # of these the first or the last
	my %seen;
	@cases = grep { my $name = $_->[0][0]; !exists $left{$name} || $seen{$name}++ == $left{$name} } @cases;
}
my %walked = map { $_->[0][0] => 1 } @cases;
# And some together: parallel plans for everything; no plan to its liking; costs upside down.
push @cases, [ map { [ split /=/ ] } qw(min_parallel_table_scan_size=0 min_parallel_index_scan_size=0 parallel_setup_cost=0 parallel_tuple_cost=0 work_mem=64), $node->pg_version >= 16 ? 'debug_parallel_query=on' : 'force_parallel_mode=on' ],
  [ map { [ $_, 'off' ] } grep { /^enable_/ } sort keys %walked ],
  [ map { [ split /=/ ] } qw(jit_above_cost=0 jit_inline_above_cost=0 jit_optimize_above_cost=0 jit=on cpu_tuple_cost=1e6) ];

# Of 17: it ends the session, so it comes last.
my $ends = sub { "@{$_[0][0]}" eq 'transaction_timeout 1' };
@cases = ((grep { !$ends->($_) } @cases), grep { $ends->($_) } @cases);

# What comes out and fails under each case, from one session: psql begins each with a line "##" on both channels.
sub session
{
	my $script = "\\set VERBOSITY verbose\n\\pset tuples_only\n\\pset format unaligned\n\\pset pager off\nSET client_min_messages = error;\n";
	for my $case (@_)
	{
		my $within = @$case && $case->[0][0] =~ /^transaction_(?!timeout)/; # of a transaction that has done nothing yet
		my $set = join '', map { my ($name, $value) = @$_; $value =~ s/'/''/g; $within ? "SET $name = '$value';\n" : "SELECT set_config('$name', '$value', false) \\g /dev/null\n" } @$case;
		my @names = map { $_->[0] } @$case;
		my $reset = join '', map { "RESET $_;\n" } @names;
		$script .= "\\echo ##\n\\warn ##\n" . ($within ? "BEGIN;\n$set" : $set . "BEGIN;\n") . $take . ($within ? '' : $reset) . "SELECT 'got ' || $prints;\nROLLBACK;\n" . ($within ? '' : $reset);
	}
	my $file = PostgreSQL::Test::Utils::tempdir() . '/walk.sql';
	append_to_file($file, $script);
	IPC::Run::run([ 'psql', '-X', '-q', '-d', $node->connstr('walk') . ' user=publisher', '-f', $file ], '>', \my $out, '2>', \my $err);
	my @out = split /^##\n/m, $out;
	my @err = split /^##\n/m, $err;
	return map { { out => ($out[$_] // '') =~ /^got (.*)$/m ? $1 : '', error => ($err[$_] // '') =~ /(?:ERROR|FATAL):  (.*)/ ? $1 : '' } } 1 .. @_;
}

my $began = time;
my ($usual) = session([]);
like($usual->{out}, qr/^got_publish_s:[0-9a-f]{32} .* i:[0-9a-f]{32}$/, 'results under the defaults');
is($usual->{error}, '', '... without error');
my @found = session([], @cases);
is((shift @found)->{out}, $usual->{out}, 'and the same once more');

my (@refused, @failed, @different);
for my $i (0 .. $#cases)
{
	my ($case, $found) = ($cases[$i], $found[$i]);
	my $what = join ', ', map { "$_->[0] = $_->[1]" } @$case;
	my ($code, $text) = $found->{error} =~ /^(\w{5}): (.*)/;
	if (!$found->{error} && $found->{out} eq $usual->{out}) { next }
	if ($code && $found->{out} eq $usual->{out} && $code =~ /^(22023|42501|0A000|25001|42704|F0000)$/) { push @refused, "$what: $text"; next } # the value could not be set
	if ($code && !$found->{out} && ($may_fail{ $case->[0][0] }{ $case->[0][1] } // '') eq $code) { push @failed, "$what: $code"; next }
	my %as = map { $_ => 1 } split / /, $usual->{out};
	push @different, "$what: " . ($found->{error} || join ' ', grep { !$as{$_} } split / /, $found->{out});
}
note(sprintf '%d settings, %d values in %.1f s', scalar keys %walked, scalar @cases, time - $began);
note("not to be set: $_") for @refused;
note("an error, as it should be: $_") for @failed;
cmp_ok(scalar keys %walked, '>', 100, 'settings');
is(join("\n", @different), '', 'nothing comes out otherwise under any of them');
ok((grep { /^default_transaction_read_only/ } @failed) && (grep { /^statement_timeout/ } @failed), 'what must fail does fail, so a difference would show');

done_testing();
