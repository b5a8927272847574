# Calls that succeed, or nearly: a random call changes some of their arguments. A function that is not here is called all the same.
package Recipes;
use strict;
use warnings;
no warnings 'qw'; # commas are meant

my @OPTIONS = ('{}', '{"overlap": true, "dangling": "outer"}', '{"valid_split": true, "pruning": "paper"}', '{"search": true}');
my @INCREMENTAL = ('{}', '{"shape": "box"}', '{"arrivals": "known"}', '{"erasure": "immediate"}', '{"object_id": true, "choice": "entropy"}', '{"shape": "box", "categorical": "order"}', '{"domains": {"age": [0, 100]}, "keep": 1}');


# function => its recipes, each "parameter=SQL;parameter=SQL"
my %RECIPE = (
	create_sequential_policy => [
		(map { "name='p';source='fz.src';person='id';quasi='{job,age}';k=3;population='q';publish_as='fz.p';options='$_'" } @OPTIONS),
		(map { "name='q';source='fz.src';person='id';quasi='{age,d,num}';k=2;sensitive='{diag}';max_link=0.9;label='diag';population='first';publish_as='fz.q';options='$_'" } @OPTIONS),
		(map { qq(name='p';source='fz.src3';person='id';quasi='{job,age,zip,fl}';population='r';previous='{old}';publish_as='fz.p';options='$_';rules='[{"kind":"anonymity","x":["age"],"y":["person"],"min":2,"with":["old"]}]') } @OPTIONS),
		(map { qq(name='p';source='fz.src';person=NULL;quasi='{ts,b,m}';publish_as='fz.p';population='s';sensitive='{diag}';options='$_';rules='[{"kind":"linkability","x":["b"],"y":["diag"],"values":{"HIV":0.5,"flu":0.9}}]') } @OPTIONS) ],
	create_incremental_policy => [
		(map { "name='p';source='fz.src2';person='id';quasi='{job,age}';k=3;population='q';publish_as='fz.p';options='$_'" } @INCREMENTAL),
		(map { "name='q';source='fz.src';person='id';quasi='{age,d,num,b}';k=2;sensitive='{diag}';publish_as_is='{m}';population='r';publish_as='fz.q';options='$_'" } @INCREMENTAL),
		(map { "name='r';source='fz.src3';person='id';quasi='{fl,ts,zip,age,d}';k=5;population='s';publish_as='fz.r';options='$_'" } @INCREMENTAL) ],
	alter_policy => [ map { "name='$_->[0]';changes='$_->[1]'" } [ seq => '{"k": 5}' ], [ inc => '{"k": 2}' ], [ box => '{"options": {"keep": 1}}' ], [ p => '{"k": 4}' ], [ q => '{"quasi": ["age"]}' ], [ join => '{"source": "fz.src"}' ] ],
	publish => [ map { "policy='$_'" } qw(p q r seq inc box known soon join new) ],
	preview => [ map { ("policy='$_'", qq(policy='$_';changes=ARRAY['{"k": 3}', '{}', '{"options": {"independent": true}}']::jsonb[])) } qw(p q r seq inc box known soon join new) ],
	(map { ($_ => [ map { "policy='$_'" } qw(p q r seq inc box known soon join) ]) } qw(audit assert_audit)),
	(map { ($_ => [ map { "release='$_'" } qw(p q r seq seq/1 inc inc/1 inc/3 box box/2 known soon join old) ]) } qw(measure trace cut release_rows retire_release)),
	forget => [ map { my $population = $_; map { "population='$population';person='$_'" } 30, 33, 1 } qw(first inc box known soon join q) ],
	register_release => [ "name='r';relation='fz.old';population='q'", "name='r';relation='fz.src3';population='r';attributes='{\"age\": \"age\", \"job\": \"job\"}'", "name='r';relation='fz.inc_r2';population='s'", "name='r';relation='fz.box_r3';population='q'" ],
	audit_k => [ map { "relation='fz.$_->[0]';quasi='$_->[1]'" . ($_->[2] // '') } [ src => '{job,age}' ], [ src => '{b}', q(;person='id') ], [ inc => '{age,job}' ], [ box_r2 => '{job,d}' ], [ seq => '{num}' ] ],
	audit_join => [ map { qq(releases='$_->[0]';x='$_->[1]';y='$_->[2]';options='{"overlap": true, "outer": true}') } [ '{seq,old}', '["age"]', '["diag"]' ], [ '{seq,old}', '["job"]', '[{"release":"old","column":"diag"}]' ], [ '{inc}', '["age"]', '["diag"]' ],
		[ '{inc/2,inc/3}', '["age"]', '["diag"]' ], [ '{box,old}', '["job"]', '[{"release":"old"}]' ], [ '{join,old}', '["job","age"]', '[{"release":"old","column":"diag"}]' ] ],
	audit_join_relations => [ map { qq(relations='$_->[0]';x='$_->[1]';y='$_->[2]';options='{"overlap": true, "outer": true}') } [ '{fz.src,fz.old}', '["age"]', '["diag"]' ], [ '{fz.src,fz.src2}', '["job"]', '[{"release":2,"column":"diag"}]' ],
		[ '{fz.inc,fz.old}', '["age"]', '["diag"]' ], [ '{fz.seq,fz.old,fz.src2}', '["age"]', '["diag"]' ], [ '{fz.src}', '["age"]', '["b"]' ], [ '{fz.src,fz.old}', '["b"]', '[{"release":2}]' ] ],
	audit_inference_relations => [ map { qq(relations='$_->[0]';object_id='$_->[1]';quasi='$_->[2]';k=3;reading='$_->[3]') } [ '{fz.src,fz.src2,fz.src3}', 'id', '{age,job}', 'equal' ], [ '{fz.box_r1,fz.box_r2,fz.box_r3}', 'object_id', '{job,age,d}', 'cover' ],
		[ '{fz.src,fz.src2}', 'id', '{d,num,fl}', 'contain' ], [ '{fz.src}', 'id', '{b,m,zip}', 'cover' ], [ '{fz.box_r1,fz.box_r3}', 'object_id', '{zip}', 'equal' ] ],
	audit_inference => [ map { my $releases = $_; map { "releases='$releases';k=3;reading='$_'" } qw(equal contain cover) } qw({inc} {box} {known/2,known/3} {soon} {inc/1,inc/2} {seq}) ],
	audit_arrivals => [ map { "releases='$_'" } qw({inc} {box} {known} {soon} {inc/2,inc/3} {seq}) ],
	create_taxonomy => [ q(name='tax';tree='{"ANY": {"a": ["b", "c"]}}') ], create_prefix_taxonomy => [ "name='tax';lengths='{4,3}'" ], create_range_taxonomy => [ "name='tax';lower=0;upper=100;widths='{5,10}'" ],
	create_taxonomy_from_paths => [ "name='tax';paths='fz.paths'" ], create_taxonomy_from_edges => [ "name='tax';edges='fz.edges'" ], create_date_taxonomy => [ "name='tax';units='{month,year}'" ], create_flat_taxonomy => [ "name='tax';leaves='{a,b}'" ],
	add_to_taxonomy => [ "name='job';parent='Service';value='cook'", "name='mood';parent='ANY';value='angry'" ], drop_taxonomy => [ "name='tax'", "name='months'" ], grant_taxonomy => [ "name='zip';role='fuzz_other'" ], revoke_taxonomy => [ "name='job';role='public'" ],
	grant_publish => [ "role='fuzz_analyst'" ], revoke_publish => [ "role='fuzz_other'" ], (map { ($_ => [ "population='first';role='fuzz_other'", "population='q';role='public'" ]) } qw(grant_population revoke_population)),
	suggest_taxonomy => [ map { "source='fz.src';attribute='$_'" } qw(job age d ts zip num fl m b id) ], taxonomy_tree => [ map { "name='$_'" } qw(job zip tens months tax) ],
	generalize => [ map { "taxonomy='$_->[0]';value='$_->[1]';levels=1" } [ job => 'nurse' ], [ zip => '20433' ], [ tens => 23 ], [ months => '2024-03-04' ], [ tax => 'b' ] ],
	declare_inconsistent => [ "attribute_a='job';value_a='baker';attribute_b='diag';value_b='flu'" ], withdraw_inconsistent => [ "attribute_a='job';value_a='nurse';attribute_b='diag';value_b='HIV'" ],
	describe_policy => [ map { "name='$_'" } qw(p q seq inc box join) ], drop_policy => [ map { "name='$_'" } qw(p seq inc box) ],
);

# How often what is called: what has many arguments and leads far more often than what has one.
my %WEIGHT = (create_sequential_policy => 5, create_incremental_policy => 5, alter_policy => 4, publish => 7, preview => 3, audit => 3, audit_join => 4, audit_join_relations => 5, audit_inference => 4, audit_inference_relations => 5, register_release => 3);

sub weight { return $WEIGHT{ $_[0] } // 1 }

# The recipes of a function, each { parameter => SQL }.
sub of
{
	return map { +{ map { /^(\w+)=(.*)$/s ? ($1 => $2) : die "recipe: $_" } split /;/ } } @{ $RECIPE{ $_[0] } // [] };
}

1;
