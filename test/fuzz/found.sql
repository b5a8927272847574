-- What was found once, by make fuzz or by hand, as short as it could be made; each ended the server process, left a session broken or was an
-- error of class XX000. Paragraphs are run one by one, by a superuser, with search_path fz, anon_seq; what a paragraph does is undone.

-- The note of a version is missing: publishing, looking and auditing read it.
SET ROLE fuzz_pub;
SELECT fz.unbind('anon_seq_ledger.p2_note'); DELETE FROM anon_seq_ledger.p2_note WHERE version = 3;
SELECT * FROM publish('inc');
SELECT * FROM preview('inc', ARRAY['{"k": 3}', '{}']::jsonb[]);
SELECT * FROM audit('inc');
SELECT * FROM measure('inc');

-- The note of a version in the middle is missing.
SET ROLE fuzz_pub;
SELECT fz.unbind('anon_seq_ledger.p3_note'); DELETE FROM anon_seq_ledger.p3_note WHERE version = 2;
SELECT * FROM audit('box');
SELECT * FROM audit_arrivals('{box}');
SELECT * FROM measure('box/2');

-- The note of the last version says that it is of another.
SET ROLE fuzz_pub;
UPDATE src2 SET age = 60 - age WHERE id % 7 = 0;
SELECT fz.unbind('anon_seq_ledger.p2_note'); UPDATE anon_seq_ledger.p2_note SET version = 5 WHERE version = 3;
SELECT * FROM cut('inc');
SELECT * FROM preview('inc', ARRAY['{"k": 3}', '{}']::jsonb[]);
SELECT * FROM audit('inc');
SELECT * FROM publish('inc');

-- No note, of a sequential policy.
SET ROLE fuzz_pub;
SELECT fz.unbind('anon_seq_ledger.p1_note'); DELETE FROM anon_seq_ledger.p1_note;
SELECT * FROM measure('seq');
SELECT * FROM measure('seq/1');
SELECT * FROM publish('seq');

-- An empty table in place of the notes.
SET ROLE fuzz_pub;
ALTER TABLE anon_seq_ledger.p4_note RENAME TO kept; CREATE TABLE anon_seq_ledger.p4_note (LIKE anon_seq_ledger.kept);
SELECT * FROM trace('known');
SELECT * FROM publish('known');

-- A region is missing.
SET ROLE fuzz_pub;
SELECT fz.unbind('anon_seq_ledger.p2_region'); DELETE FROM anon_seq_ledger.p2_region WHERE region = (SELECT max(region) FROM anon_seq_ledger.p2_region);
SELECT * FROM audit('inc');
SELECT * FROM publish('inc');

-- The root of the regions has nodes, and is cut by a column that is none.
SET ROLE fuzz_pub;
SELECT fz.unbind('anon_seq_ledger.p2_region'); UPDATE anon_seq_ledger.p2_region SET nodes = '{nope}';
SELECT * FROM preview('inc', ARRAY['{"k": 3}', '{}']::jsonb[]);
SELECT * FROM publish('inc');
UPDATE anon_seq_ledger.p2_region SET attribute = 1000000, nodes = '{a}' WHERE region = 0;
SELECT * FROM preview('inc');
SELECT * FROM publish('inc');

-- The same of boxes.
SET ROLE fuzz_pub;
SELECT fz.unbind('anon_seq_ledger.p3_region'); UPDATE anon_seq_ledger.p3_region SET nodes = '{nope}';
SELECT * FROM preview('box', ARRAY['{"k": 3}', '{}']::jsonb[]);

-- The persons are gone; a superuser forgets one of them.
SET ROLE fuzz_pub;
ALTER TABLE anon_seq_ledger.p2_member DROP COLUMN persons CASCADE; ALTER TABLE anon_seq_ledger.p6_person DROP COLUMN persons CASCADE;
RESET ROLE;
SELECT * FROM forget('inc', '30');
SELECT * FROM forget('join', '30');
SELECT * FROM publish('inc');

-- An earlier release's numbers are texts.
SET ROLE fuzz_pub;
SELECT fz.unbind('anon_seq_ledger.r1_cell'); ALTER TABLE anon_seq_ledger.r1_cell ALTER c2 TYPE text USING 'x';
SELECT * FROM preview('seq', ARRAY['{"k": 5}']::jsonb[]);
SELECT * FROM publish('seq');
SELECT * FROM audit('seq');

-- A policy that was declared and released before the texts came, without damage.
SET ROLE fuzz_pub;
SELECT register_release('texts', 't_text', 'q', '{"v": "v"}');
SELECT create_sequential_policy('numbers', 't_int2', 'id', '{v}', k => 2, population => 'q', publish_as => 'fz.numbers', options => '{"overlap": true, "dangling": "outer"}', rules => '[{"kind": "anonymity", "x": ["v"], "y": ["person"], "min": 1, "with": ["texts"]}]');
SELECT * FROM preview('numbers');
SELECT * FROM publish('numbers');

-- A preview that fails leaves the session as it was, inside a block of a function and out of it.
SET ROLE fuzz_pub;
SELECT fz.unbind('anon_seq_ledger.p4_value'); UPDATE anon_seq_ledger.p4_value SET value = 'x';
SELECT fz.attempt(E'SELECT * FROM preview(\'known\')');
SELECT fz.attempt(E'SELECT * FROM preview(\'known\', ARRAY[\'{"k": 3}\', \'{}\', \'{"options": {"independent": true}}\']::jsonb[])');
COMMIT;
SELECT * FROM preview('known', ARRAY['{"k": 3}', '{}']::jsonb[]);
SELECT * FROM audit('known');
BEGIN;

-- A source that publishes its own policy while it is read.
SET ROLE fuzz_pub;
CREATE FUNCTION again(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF $1 = 5 THEN PERFORM anon_seq.publish('again'); END IF; RETURN $1; END $$; CREATE VIEW own AS SELECT again(id) AS id, age FROM src WHERE age IS NOT NULL;
SELECT create_incremental_policy('again', 'own', 'id', '{age}', 5, publish_as => 'fz.again', population => 'again');
SELECT * FROM publish('again');

-- Taxonomies whose nodes are no tree, or whose parameters are none.
SET ROLE fuzz_dbo;
INSERT INTO taxonomy (id, name, owner, kind, parameters) SELECT id + 1000, 'bad ' || name, owner, kind, parameters[2:] FROM taxonomy; INSERT INTO taxonomy_node (taxonomy, node, parent, label) SELECT taxonomy + 1000, node, 0, label FROM taxonomy_node;
SELECT * FROM taxonomy_tree('bad job');
SELECT generalize('bad job', 'nurse', 1);
SELECT generalize('bad zip', '20433', 1);
SELECT generalize('bad tens', '23', 1);
SELECT generalize('bad months', '2024-03-04', 1);

-- A catalog without columns, and a release without relations.
SELECT fz.copy_ledger('p2', 'p900001', 'inc', 900000);
SET ROLE fuzz_dbo;
INSERT INTO ledger SELECT 'p900001', 'anon_seq_ledger.p900001_cell'::regclass, place();
INSERT INTO policy (id, name, method, source_schema, source_name, person, quasi, sensitive, publish_as_is, target_schema, target_name, population, parameters, options, columns, version) SELECT 900001, 'bad', method, source_schema, source_name, person, quasi, '{}', '{}', 'fz', 'bad', 'bad', parameters, options, '[]', version FROM policy WHERE name = 'inc';
INSERT INTO release (name, version, ledger, method, population, relations, published_at, published, classes, parameters, columns, digest) SELECT 'bad', version, 'p900001', method, 'bad', '[]', now(), 1, 1, parameters, columns, digest FROM release WHERE name = 'inc';
SELECT * FROM publish('bad');
SELECT * FROM preview('bad');
SELECT * FROM audit('bad');
SELECT retire_release('bad/1');
SELECT retire_release('bad/2');
