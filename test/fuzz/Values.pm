# Values for arguments, as SQL: by the type, odd ones, and by the parameter's name, such as make sense. Tables, and one function that picks.
package Values;
use strict;
use warnings;
use utf8;
no warnings 'qw'; # commas are meant

my @POLICIES = qw('seq' 'inc' 'box' 'known' 'soon' 'join' 'new' 'p' 'q');
my @RELEASES = (@POLICIES, qw('old' 'seq/1' 'seq/2' 'inc/1' 'inc/2' 'inc/3' 'box/2' 'known/1' 'soon/3' 'join/1' 'r' 'p/1'), "'their policy'", "'their old'");
my @STRANGE = ("''", "' '", "'no such thing'", "'a/b'", "'inc/0'", "'inc/-1'", "'inc/99999999999999999999'", "'seq/'", "'/1'", "'*'", q{'"'}, "''''", "'%s%n'", "E'\\\\'",
	"E'two\\nlines'", "E'\\x01'", "'üñï 名 🎲'", "repeat('x', 63)", "repeat('x', 64)", "repeat('é', 32)", "repeat('x', 70000)", "'public'", "'NULL'", "'fz.src'", "'\"fz\".\"src\"'", "'f(1)'",
	"'; DROP TABLE fz.src; --'", "'1'", "'-1'", "'NaN'", "'1e400'", "'[20,30)'", "'(,)'", "'infinity'", "'{}'", "'person'");
my @NUMBERS = qw(0 1 -1 2 3 5 100 'NaN' 'infinity' '-infinity' 0.5 0.9 1e-15 1e-40 1e130 9223372036854775807 -9223372036854775808 1e400 123456789012345678901234567890.5);
my @INTS = qw(0 1 2 3 4 5 10 64 65 1000 -1 2147483647 -2147483648);
my @COLUMNS = qw(id job age num fl d ts m b diag zip stamp);
my @RELATIONS = map { "'fz.$_'" } qw(src src2 src3 old seen empty paths edges seq seq_r1 inc inc_r2 box_r1 box_r3 known soon join their_release theirs);
my @TAXONOMIES = map { "'$_'" } qw(job mood zip tens months tax);
my @DEEP = (q{(repeat('[', 3000) || repeat(']', 3000))}, q{(repeat('{"a":', 2000) || '1' || repeat('}', 2000))}, q{('{"' || repeat('k', 5000) || '": [1, 2, 3]}')});

# Arrays of texts, from those that are given: plain, empty, with NULL, of two dimensions, with another lower bound, with one thing twice.
sub arrays
{
	my ($type, @one) = @_;
	my @odd = ("'{}'", "'{NULL}'", "'{NULL,NULL,NULL}'", "ARRAY[$one[0], NULL]", "ARRAY[[$one[0], $one[1]], [$one[1], $one[0]]]", "ARRAY[$one[0], $one[0]]", "array_fill($one[0]::$type, '{3}', '{-5}')",
		"array_fill($one[1]::$type, '{2,1,2}')", "array_fill($one[0]::$type, '{1}', '{2147483647}')", "(SELECT array_agg($one[0]::$type) FROM generate_series(1, 40))", 'NULL');
	return map { "($_)::$type\[]" } @odd, (map { "ARRAY[$_]" } @one), "ARRAY[$one[0], $one[1]]", "ARRAY[$one[1], $one[2]]", "ARRAY[$one[0], $one[1], $one[2]]";
}

my %TYPE = (
	text => [ @STRANGE, @RELEASES, map { "'$_'" } @COLUMNS ],
	integer => \@INTS, bigint => [ @INTS, '9223372036854775807', '-9223372036854775808' ], numeric => [ map { "$_\::numeric" } @NUMBERS ], 'double precision' => [ map { "$_\::numeric::float8" } @NUMBERS ],
	boolean => [ 'true', 'false' ],
	oid => [ 0, 1, 4294967295, "'fuzz_pub'::regrole", "'fuzz_stranger'::regrole", "'fuzz_root'::regrole", "'fz.src'::regclass" ],
	regclass => [ @RELATIONS, "'pg_class'", "'pg_stats'", "'anon_seq.policies'", "'anon_seq.release'", "'anon_seq_ledger.p1_cell'", "'anon_seq.policy_id_seq'", "'anon_seq.release_population'", "'fz.\"odd \"\"table\"'",
		'0', '4294967295', '1', "'information_schema.columns'" ],
	'text[]' => [ arrays('text', map { "'$_'" } qw(age job diag id)), arrays('text', @RELEASES[ 0, 1, 2, 9 ]) ],
	'integer[]' => [ arrays('integer', 3, 4, 1), arrays('integer', -1, 0, 2147483647) ],
	'numeric[]' => [ arrays('numeric', 5, 10, 100), arrays('numeric', "'NaN'", "'infinity'", '1e-20'), arrays('numeric', -1, 0, '1e400') ],
	'regclass[]' => [ arrays('regclass', @RELATIONS[ 0, 1, 8 ]), arrays('regclass', 0, 4294967295, "'pg_class'") ],
	json => [ qw('5' 'null' '[]' '{}' '{"ANY":{}}' '{"ANY":[]}' '{"ANY":["a","a"]}' '{"A":["a"],"B":["b"]}' '{"ANY":[null]}' '{"ANY":[1,true]}' '{"a":{"a":["a"]}}' '{"":[""]}' '"x"' '{"kind":"prefix"}'), map { "$_\::json" } @DEEP ],
	jsonb => [ map({ "'$_'" } qw(null [] {} 5 "x" true [[]] [{}] [null] {"k":null} {"":""} {"a":{"a":[]}} {"k":99999999999999999999999} {"k":-0.5} {"k":"5"} [1,2,"age"]), '{"options": {"domains": {"age": [1e300, -1e300]}}}'), map { "$_\::jsonb" } @DEEP ],
	'jsonb[]' => [ arrays('jsonb', map { "'$_'::jsonb" } '{}', '{"k": 3}', 'null'), "array_fill('[]'::jsonb, '{2,2}')" ],
);

# By the name of a parameter. What says json is made of keys below.
my %NAME = (
	name => [ "'p'", "'q'", "'r'", "'tax'", @POLICIES, @TAXONOMIES ], policy => \@POLICIES, release => \@RELEASES, ledger => [ map { "'$_'" } qw(p1 p2 p3 r1 p99 p r _cell) ],
	releases => [ arrays('text', @RELEASES[ 0 .. 3 ]), arrays('text', @RELEASES[ 10 .. 14 ]), arrays('text', @RELEASES[ 9, 0, 5 ]) ],
	previous => [ "'{}'", "'{old}'", "'{old,seq}'", "'{nothing}'", arrays('text', @RELEASES[ 9, 10, 0 ]) ],
	person => [ "'id'", "'id'", "'30'", "'{job,id}'", "'{id'", "'nobody'", "'age'", 'NULL' ], object_id => [ "'id'", "'object_id'", "'age'", "'no'" ],
	quasi => [ arrays('text', "'age'", "'job'", "'d'", "'num'"), arrays('text', "'fl'", "'ts'", "'zip'", "'b'", "'m'"), "'{id}'", "'{age,nothing}'", "'{diag}'" ],
	sensitive => [ "'{diag}'", "'{m}'", "'{}'", "'{age}'", arrays('text', "'diag'", "'m'", "'b'") ], publish_as_is => [ "'{diag}'", "'{b,m}'", "'{id}'", "'{}'", "'{stamp}'" ],
	label => [ "'b'", "'m'", "'diag'", "'id'", "'age'", "'no'" ], objective => [ qw('entropy' 'distortion' 'discernibility' 'ENTROPY') ],
	publish_as => [ "'fz.out'", "'out'", "'fz.src'", "'fz.inc'", "'nowhere.out'", "'pg_catalog.x'", "'anon_seq.x'", "'a.b.c'", "'\"\"'", "'fz.\"odd \"\"out\"'", "repeat('y', 48)", "'pg_temp.out'" ],
	population => [ qw('first' 'inc' 'box' 'known' 'soon' 'join' 'theirs' 'q' 'fz.src' 'fz.src2') ], reading => [ qw('equal' 'contain' 'cover' 'EQUAL') ], k => [ 1, 2, 3, 4, 5, 20, 1000, 0, -1, 'NULL' ],
	max_link => [ qw(0.1 0.5 0.9 1 0 -1 2 'NaN' 1e-30), 'NULL' ], levels => [ 0, 1, 2, 99, -1, 2147483647 ], attribute => [ map { "'$_'" } @COLUMNS ], taxonomy => \@TAXONOMIES, parent => [ qw('ANY' 'Service' 'nurse' 'no') ],
	value => [ qw<'nurse' 'cook' '23' '20433' '2024-03-01' '' '[20,30)' 'infinity' '2024-13-45' '*' '99999999999999999999'>, 'NULL' ], value_a => [ qw('nurse' 'Service' 'no') ], value_b => [ qw('HIV' 'flu' 'no') ],
	attribute_a => [ qw('job' 'age') ], attribute_b => [ qw('diag' 'job') ], role => [ qw('fuzz_other' 'public' 'nobody' 'fuzz_pub' 'fuzz_root') ], lengths => [ "'{4,3}'", arrays('integer', 4, 3, 2, 1) ],
	units => [ "'{month,year}'", "'{year,month}'", "'{day,month,quarter,year,decade}'", "'{century}'", arrays('text', "'hour'", "'day'", "'year'") ], leaves => [ "'{a,b,c}'", "'{a,a}'", "'{ANY}'", arrays('text', "'a'", "'b'", "''") ],
	paths => [ "'fz.paths'", "'fz.edges'", "'fz.src'" ], edges => [ "'fz.edges'", "'fz.paths'" ], tree => [ q('{"ANY": {"a": ["b", "c"], "d": []}}'), q('{"kind": "range", "lower": 0, "upper": 100, "widths": [5, 10]}') ],
	source => [ map { "'fz.$_'" } qw(src src2 src3 seen old) ], relation => [ map { "'fz.$_'" } qw(old src theirs seq inc_r2) ],
	(map { ($_ => 'json') } qw(options rules changes x y attributes taxonomies)),
);

# Values that keys of JSON have; the list of a key is tried from the left more often than the rest.
my @BOOLEAN = qw(true false null "true" 1);
my @BOUNDS = qw({"age":[0,120]} {"age":[120,0]} {"age":[null,5]} {"age":["2024-01-01","2025-01-01"]} {"d":["2020-01-01","2030-01-01"]} {"job":[1,2]} {"nothing":[1,2]} {"age":[1e300,2e300]} {"fl":[-1e308,1e308]} {"age":[]} {});
my @SIDES = qw(["age"] ["job"] ["job","age"] [{"release":"old","column":"job"}] ["job",{"release":"old","column":"job"}] ["person"] ["diag"] [{"release":"old"}] [{"release":"old","column":"diag"}] [{"release":2,"column":"diag"}]
	[{"release":2}] [{"release":2,"person":"id"}] [{"release":"inc"}] [] ["age","age"] [null] [5] [{}] [{"release":"seq","column":"age"}] {"release":"old"} "age");
my @RULES = (map({ my $x = $_; map { qq({"kind":"anonymity","x":$x,"y":$_,"min":2}) } @SIDES[ 5, 7, 8 ] } @SIDES[ 0 .. 4 ]), map({ qq({"kind":"linkability","x":$_,"y":["diag"],"max":0.9}) } @SIDES[ 0 .. 4, 18 ]),
	'{"kind":"linkability","x":["age"],"y":["diag"],"values":{"HIV":0.1,"flu":0.5}}', '{"kind":"linkability","x":["job"],"y":["diag"],"values":["HIV","flu"],"max":0.9,"each":true}', '{"kind":"anonymity","x":["age"],"y":["person"],"min":2,"with":["old"]}',
	'{"kind":"anonymity","x":["job",{"release":"old","column":"job"}],"y":["person"],"min":2,"partial_x":true}', '{"kind":"linkability","x":["job"],"y":["diag","m"],"values":[["HIV","glad"]],"max":0.5}', '{"kind":"other"}',
	'{"kind":"anonymity","x":[],"y":["person"],"min":0}', '{"kind":"anonymity","x":["age"],"y":["person"],"min":99999999999999999999}', '{"kind":"linkability","x":["age"],"y":["diag"],"max":1e-400}');
my @ATTRIBUTES = qw({"age":"age"} {"job":{"taxonomy":"job"},"age":"age"} {"job":"diag"} {"age":{"interval":true}} {"age":{"column":"d"}} {"age":{"column":"no"}} {"job":{"taxonomy":"no"}} {"job":{"taxonomy":"tens"}}
	{"age":{"fz.src":{"column":"age","interval":true},"2":{}}} {"age":{"1":{"column":"id"},"2":{"column":"age"}}} {"age":null} {"":"age"} {"age":{"release":1}});
my @TREES = qw({"job":"job"} {"job":"zip","age":"tens"} {"age":"tens"} {"d":"months"} {"zip":"zip","m":"mood"} {"zip":"job"} {"job":null} {"job":5} {"nothing":"job"});
my %OPTION = (
	pruning => [ qw("exact" "paper" "none") ], (map { ($_ => \@BOOLEAN) } qw(valid_split overlap search object_id outer general each independent prefix)), dangling => [ qw("error" "outer" "inner") ], domains => \@BOUNDS,
	not_common => [ qw(["age"] [] ["nothing"] [null]) ], allow_unique => [ qw(["stamp"] ["diag"] []) ], unguarded => [ qw(["old"] ["*"] ["seq"] [] ["nothing"]) ], shape => [ qw("region" "box" "ball") ], choice => [ qw("span" "entropy") ],
	categorical => [ qw("children" "order") ], erasure => [ qw("deferred" "immediate") ], arrivals => [ qw("unknown" "known") ], keep => [ qw(1 2 0 -1 null 99999999999) ], changed_since => [ qw("stamp" "id" "job" "no" null) ],
	subsets => [ qw("all" "prefixes" "full" "some") ], values => [ qw(["flu"] ["HIV","flu"] {"HIV":0.1} [["flu","glad"]] [] "flu" [null]) ], nothing => [ qw(1) ],
);
my %KEYS = (
	options => \%OPTION,
	changes => {
		k => [ qw(3 2 5 6 20 null 0 "5" 1e400) ], max_link => [ qw(0.5 0.95 1 null) ], quasi => [ qw(["age"] ["job","age"] ["age","age"] [null] []) ], sensitive => [ qw(["diag"] [] ["m"]) ], publish_as_is => [ qw(["b"] []) ],
		label => [ qw("b" null) ], objective => [ qw("distortion" "entropy") ], population => [ qw("q" "inc") ], publish_as => [ qw("fz.elsewhere" "fz.inc") ], source => [ qw("fz.src2" "fz.seen" "no" 5) ], person => [ qw("id" null "age" "{job,id}" ["num","id"] []) ],
		previous => [ qw([] ["old"] null) ], name => [ qw("z") ], rules => [ map({ "[$_]" } @RULES[ 0 .. 20 ]), 'null' ], taxonomies => \@TREES, options => \%OPTION, nothing => [ qw(1) ] },
	attributes => \@ATTRIBUTES, taxonomies => \@TREES, x => \@SIDES, y => \@SIDES, rules => \@RULES,
);

sub object
{
	my ($random, $keys) = @_;
	return '{' . join(', ', map { my $of = $keys->{$_}; qq("$_": ) . (ref $of eq 'HASH' ? object($random, $of) : $of->[ $random->chance(60) ? $random->below(@$of > 2 ? 2 : scalar @$of) : $random->below(scalar @$of) ]) }
			$random->some($random->weighted([ 1, 0 ], [ 5, 1 ], [ 4, 2 ], [ 2, 4 ]), sort keys %$keys)) . '}';
}

sub json
{
	my ($random, $name) = @_;
	my $keys = $KEYS{$name};
	my $text = ref $keys eq 'HASH' ? object($random, $keys) : $name eq 'rules' ? '[' . join(', ', $random->some($random->pick(1, 1, 2), @$keys)) . ']' : $random->pick(@$keys);
	return "'" . ($text =~ s/'/''/gr) . "'";
}

# A value for a parameter: in most cases of a kind that its name asks for, else any of its type.
sub value
{
	my ($random, $name, $type) = @_;
	return 'NULL' if $random->chance(3);
	if ($random->chance(85) && (my $named = $NAME{$name}))
	{
		my $value = ref $named ? $random->pick(@$named) : json($random, $name);
		return $type eq 'jsonb[]' ? "ARRAY[$value, " . json($random, $name) . ']::jsonb[]' : $type =~ /\[\]$/ && $value !~ /::/ ? "($value)::$type" : $value;
	}
	return $random->pick(@{ $TYPE{$type} // $TYPE{text} });
}

1;
