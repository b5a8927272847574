# The taxonomies of the Adult data load as they are: COPY, then create_taxonomy_from_paths. The numbers are those that the
# data's own README states.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my $data = $ENV{ANON_SEQ_SHARED_DATA};
plan skip_all => 'ANON_SEQ_SHARED_DATA names no folder' unless $data && -d $data;

# folder, file, leaves, levels, nodes
my @taxonomies = (
	[ 'taxonomy', 'education', 16, 5, 26 ],
	[ 'taxonomy', 'occupation', 14, 3, 18 ],
	[ 'taxonomy', 'workclass', 8, 5, 13 ],
	[ 'taxonomy', 'marital_status', 7, 4, 11 ],
	[ 'taxonomy', 'relationship', 6, 3, 8 ],
	[ 'taxonomy', 'sex', 2, 2, 3 ],
	[ 'taxonomy', 'native_country', 41, 4, 60 ],
	[ 'taxonomy', 'race', 5, 3, 7 ],
	[ 'taxonomy_alpha', 'age', 74, 5, 102 ],
	[ 'taxonomy_alpha', 'workclass', 7, 4, 11 ],
	[ 'taxonomy_alpha', 'education', 16, 5, 26 ],
	[ 'taxonomy_alpha', 'marital_status', 7, 4, 11 ],
	[ 'taxonomy_alpha', 'race', 5, 3, 7 ],
	[ 'taxonomy_alpha', 'sex', 2, 2, 3 ],
	[ 'taxonomy_alpha', 'native_country', 41, 4, 60 ],
	[ 'taxonomy_alpha', 'income', 2, 2, 3 ],
	[ 'taxonomy_alpha', 'occupation', 14, 3, 18 ]);
# leaves at each depth, where paths of one file differ in length; the root has depth 1
my %depths = (
	'taxonomy.education' => '3 (2), 4 (7), 5 (7)',
	'taxonomy.workclass' => '2 (1), 3 (1), 4 (1), 5 (5)',
	'taxonomy.marital_status' => '2 (1), 4 (6)',
	'taxonomy.relationship' => '2 (3), 3 (3)',
	'taxonomy.native_country' => '3 (6), 4 (35)',
	'taxonomy.race' => '2 (1), 3 (4)');

my $node = cluster('main');
$node->safe_psql('postgres', 'CREATE EXTENSION anon_seq');

for (@taxonomies)
{
	my ($folder, $attribute, $leaves, $levels, $nodes) = @$_;
	my $name = "$folder.$attribute";
	load($node, $name, "$data/$folder/$attribute.csv");
	$node->safe_psql('postgres', qq{SELECT anon_seq.create_taxonomy_from_paths('$name', '"$name"')});
	is($node->safe_psql('postgres', qq{SELECT max(leaves), max(depth) + 1, count(*) FROM anon_seq.taxonomy_tree('$name')}),
		"$leaves|$levels|$nodes", "$name: leaves, levels, nodes");
	next unless $depths{$name};
	is($node->safe_psql('postgres', qq{SELECT string_agg(d + 1 || ' (' || n || ')', ', ' ORDER BY d) FROM (
			SELECT depth AS d, count(*) AS n FROM anon_seq.taxonomy_tree('$name') AS x
			 WHERE NOT EXISTS (SELECT FROM anon_seq.taxonomy_tree('$name') AS y WHERE y.parent = x.value) GROUP BY 1) AS c}),
		$depths{$name}, "$name: depths of leaves");
}

# Every value of the table is a leaf, and what its path in the file says is what it climbs to.
load($node, 'adult', "$data/adult.csv");
for my $attribute (qw(education occupation workclass marital_status relationship sex native_country race))
{
	is($node->safe_psql('postgres', qq{SELECT count(anon_seq.generalize('taxonomy.$attribute', "$attribute", 0)),
			bool_and(anon_seq.generalize('taxonomy.$attribute', "$attribute", 99) = 'ANY') FROM adult}), '45222|t', "$attribute: every value of adult.csv");
	is($node->safe_psql('postgres', qq{SELECT count(*) FROM "taxonomy.$attribute" WHERE level1 <> level0
			AND anon_seq.generalize('taxonomy.$attribute', level0, 1) <> level1}), '0', "$attribute: one level up is the next column");
}

done_testing();
