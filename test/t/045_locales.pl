# The digest of a release is the same wherever its rows are the same, and a reader computes it by the SQL of doc/reference.md: under other
# collations, providers and encodings.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/lib";
use PostgreSQL::Test::Cluster;
use Servers;
use PostgreSQL::Test::Utils;
use Test::More;

my %server = (
	'C, UTF8' => [ '--locale=C', '--encoding=UTF8' ],
	'C.UTF-8' => [ '--locale=C.UTF-8', '--encoding=UTF8' ],
	'ICU, Turkish' => [ '--locale=C.UTF-8', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=tr-TR' ],
	'C, LATIN1' => [ '--locale=C', '--encoding=LATIN1' ],
	'C, SQL_ASCII' => [ '--locale=C', '--encoding=SQL_ASCII' ]);
# Texts whose order and case differ between these, and those that a row's text quotes.
my $make = q{
	SET client_encoding = 'UTF8';
	CREATE EXTENSION anon_seq;
	CREATE TABLE visit AS SELECT i AS id, (ARRAY['Iglo', 'iglo', E'\u00e4rger', 'Zoo', 'a b', 'a,b', 'a"b', E'a\\\\b', '(x)', '-', 'ab', E'\u00df'])[1 + i % 12] AS job,
	  20 + i % 40 AS age, (i % 17) / 3.0::float8 AS weight, timestamptz '2024-01-01 12:00+02' + i * interval '7 hours' AS seen, CASE WHEN i % 5 > 0 THEN i % 3 = 0 END AS smokes FROM generate_series(1, 480) AS i;
	SELECT anon_seq.create_flat_taxonomy('job', ARRAY(SELECT DISTINCT job FROM visit));
	SELECT anon_seq.create_incremental_policy('visits', 'visit', 'id', '{job,age,weight}', 6, publish_as_is => '{smokes}');
	SELECT anon_seq.publish('visits');
};
my %digest;
for my $name (sort keys %server)
{
	my $node = PostgreSQL::Test::Cluster->new('server' . keys %digest);
	$node->init(extra => $server{$name});
	$node->append_conf('postgresql.conf', 'fsync = off');
	$node->start;
	# A server that cannot hold a text of UTF-8 gets its bytes.
	my $text = $name =~ /ASCII/ ? $make =~ s/SET client_encoding = 'UTF8'/SET client_encoding = 'SQL_ASCII'/r =~ s/\\u00e4/\\xc3\\xa4/r =~ s/\\u00df/\\xc3\\x9f/r : $make;
	$node->safe_psql('postgres', $text);
	$digest{$name} = $node->safe_psql('postgres', q{SELECT digest FROM anon_seq.releases});
	my $recomputed = slurp_file("$FindBin::RealBin/../data/recomputed.sql");
	$recomputed =~ s/'UTF8'/'SQL_ASCII'/ if $name =~ /ASCII/;
	is($node->safe_psql('postgres', "$recomputed; SELECT recomputed('visits_r1')"), $digest{$name}, "$name: a reader computes it");
	is($node->safe_psql('postgres', q{SELECT bool_and(ok) FROM anon_seq.audit('visits', everything => true)}), 't', "$name: the audit agrees");
	$node->stop;
}
my %others = reverse %digest;
is(scalar keys %others, 1, 'it is the same everywhere') or diag(explain(\%digest));

done_testing();
