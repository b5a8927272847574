-- A sensitive column that a release shows by simulatable decisions, shown a second time by another one: who declares, publishes or registers that is
-- told, and the first one's audit tells from then on.
\getenv dir PG_ABS_SRCDIR
\i :dir/data/fails.sql
CREATE ROLE regress_sa_first;
CREATE ROLE regress_sa_other;
CREATE SCHEMA release_shown_again;
GRANT USAGE, CREATE ON SCHEMA release_shown_again TO regress_sa_first, regress_sa_other;
SELECT anon_seq.grant_publish('regress_sa_first'), anon_seq.grant_publish('regress_sa_other');
SET search_path = release_shown_again, anon_seq;
SET client_min_messages = warning;
CREATE TABLE people AS SELECT i AS id, 20 + i AS age, 'd' || i % 13 AS illness, i % 4 AS stage FROM generate_series(1, 40) AS i;
GRANT SELECT ON people TO regress_sa_first, regress_sa_other;
-- A policy over the same people, and whether its reader's promise holds.
CREATE FUNCTION declared(name text, sensitive text[], options jsonb DEFAULT NULL, max_link numeric DEFAULT NULL, pool text DEFAULT 'sa') RETURNS void
  LANGUAGE sql AS $$ SELECT create_sequential_policy(name, 'people', 'id', '{age}', sensitive => sensitive, k => 2, max_link => max_link, population => pool, options => options) $$;
CREATE FUNCTION reader(policy text) RETURNS TABLE (observed text, ok boolean, offending bigint) LANGUAGE sql AS $$ SELECT observed, ok, offending FROM audit(policy) WHERE check_name = 'reader' $$;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA release_shown_again TO PUBLIC;

SET ROLE regress_sa_first;
SELECT declared('sa first', '{illness}', '{"decisions": "simulatable"}', 0.3);
SELECT version FROM publish('sa first');
SELECT * FROM reader('sa first');
SELECT grant_population('sa', 'regress_sa_other');
-- By the paper's decisions, of whoever knows the first one: told when it is declared and when it is published, not in a preview. Who takes it back is
-- told of nothing, and the first one's promise holds again.
SELECT declared('sa paper', '{illness}', '{"unguarded": ["sa first"]}', 0.5);
SELECT feasible FROM preview('sa paper');
SELECT alter_policy('sa paper', '{"k": 3}');
SELECT version FROM publish('sa paper');
SELECT * FROM reader('sa first');
SELECT * FROM reader('sa paper');
SELECT pg_temp.fails($$SELECT assert_audit('sa first')$$);
SELECT withdraw_release('sa paper/1', 'why');
SELECT * FROM reader('sa first');
-- Another column; then that one as well.
SELECT declared('sa stage', '{stage}', NULL, 0.9);
SELECT alter_policy('sa stage', '{"sensitive": ["stage", "illness"]}');
SELECT alter_policy('sa stage', '{"sensitive": ["stage"]}');
SELECT version FROM publish('sa stage');
SELECT * FROM reader('sa first');
-- By simulatable decisions again, one left out of account by the other.
SELECT declared('sa both', '{illness,stage}', '{"decisions": "simulatable", "unguarded": ["sa first", "sa stage", "sa paper"]}', 0.6);
SELECT version FROM publish('sa both');
SELECT * FROM reader('sa first');
SELECT * FROM reader('sa both');
SELECT withdraw_release('sa both/1', 'why');

-- Of another role, who may not know what it is called.
SET ROLE regress_sa_other;
SELECT declared('sa theirs', '{illness}', '{"unguarded": ["sa first", "sa stage", "sa paper", "sa both"]}', 0.5);
SELECT version FROM publish('sa theirs');
SET ROLE regress_sa_first;
SELECT * FROM reader('sa first');
SET ROLE regress_sa_other;
SELECT withdraw_release('sa theirs/1', 'why');
-- A table that is out already, under any name of the column, and one that shows something else.
SET client_min_messages = error;
CREATE TABLE old AS SELECT age, illness AS diagnosis FROM people;
SET client_min_messages = warning;
SELECT register_release('sa old', 'old', 'sa');
SET ROLE regress_sa_first;
SELECT * FROM reader('sa first');
SET ROLE regress_sa_other;
SELECT withdraw_release('sa old', 'why');
SELECT register_release('sa old as', 'old', 'sa', '{"age": "age", "illness": "diagnosis"}');
SET ROLE regress_sa_first;
SELECT * FROM reader('sa first');
RESET ROLE;

-- Nothing is promised, so nothing ends: decisions of the paper; simulatable ones about nothing.
SELECT declared('sa k', '{illness}', '{"decisions": "simulatable"}', NULL, 'sa k');
SELECT version FROM publish('sa k');
SELECT declared('sa after k', '{illness}', '{"unguarded": ["sa k"]}', NULL, 'sa k');
SELECT version FROM publish('sa after k');
SELECT declared('sa lax', '{illness}', NULL, 0.9, 'sa lax');
SELECT version FROM publish('sa lax');
SELECT declared('sa after lax', '{illness}', NULL, 0.9, 'sa lax');

-- A label that no release shows counts as shown, for the cuts follow it. Of five, one has H; y is cut only if that is person 1, so the cuts name the holder.
CREATE TABLE few(id int, x text, y text, z int, s text);
INSERT INTO few VALUES (0, 'b', 'c', 1, 'f'), (1, 'a', 'c', 1, 'H'), (2, 'b', 'd', 1, 'f'), (3, 'a', 'd', 1, 'f'), (4, 'a', 'd', 1, 'f');
SELECT create_flat_taxonomy('x', '{a,b}'), create_flat_taxonomy('y', '{c,d}');
CREATE FUNCTION labelled(name text, pool text, rules jsonb DEFAULT NULL, objective text DEFAULT NULL) RETURNS void
  LANGUAGE sql AS $$ SELECT create_sequential_policy(name, 'few', 'id', '{x,y}', k => 2, label => 's', objective => objective, population => pool, rules => rules) $$;
CREATE FUNCTION bounded(name text, pool text, options jsonb DEFAULT '{"decisions": "simulatable"}') RETURNS void LANGUAGE sql AS $$
  SELECT create_sequential_policy(name, 'few', 'id', '{z}', sensitive => '{s}', k => 2, population => pool, options => options,
    rules => '[{"kind": "linkability", "x": ["z"], "y": ["s"], "values": ["H"], "max": 0.201}, {"kind": "anonymity", "x": ["z"], "y": ["person"], "min": 1, "with": ["sa label"]}]') $$;
SELECT labelled('sa label', 'sa label');
SELECT version FROM publish('sa label');
SELECT x, y, count(*) FROM "sa label" GROUP BY 1, 2 ORDER BY 1, 2;
-- First the label: refused, by what the hint says left out of account, which the check tells.
SELECT bounded('sa beside', 'sa label');
SELECT pg_temp.fails($$SELECT publish('sa beside')$$);
SELECT feasible, reason FROM preview('sa beside');
SELECT alter_policy('sa beside', '{"rules": [{"kind": "linkability", "x": ["z"], "y": ["s"], "values": ["H"], "max": 0.201}], "options": {"decisions": "simulatable", "unguarded": ["sa label"]}}');
SELECT version FROM publish('sa beside');
SELECT * FROM reader('sa beside');
-- Then the label: told when it is declared and when it is published, and by the check.
SELECT create_sequential_policy('sa then', 'few', 'id', '{z}', sensitive => '{s}', k => 2, population => 'sa then', options => '{"decisions": "simulatable"}',
  rules => '[{"kind": "linkability", "x": ["z"], "y": ["s"], "values": ["H"], "max": 0.201}]');
SELECT version FROM publish('sa then');
SELECT labelled('sa late', 'sa then', '[{"kind": "anonymity", "x": ["x"], "y": ["person"], "min": 1, "with": ["sa then"]}]');
SELECT version FROM publish('sa late');
SELECT * FROM reader('sa then');
-- A label that cuts do not follow tells nothing; one that they follow from now on is told.
SELECT create_sequential_policy('sa third', 'few', 'id', '{z}', sensitive => '{s}', k => 2, population => 'sa third', options => '{"decisions": "simulatable"}',
  rules => '[{"kind": "linkability", "x": ["z"], "y": ["s"], "values": ["H"], "max": 0.201}]');
SELECT version FROM publish('sa third');
SELECT labelled('sa unused', 'sa third', '[{"kind": "anonymity", "x": ["x"], "y": ["person"], "min": 1, "with": ["sa third"]}]', 'distortion');
SELECT version FROM publish('sa unused');
SELECT * FROM reader('sa third');
SELECT labelled('sa again', 'sa third', '[{"kind": "anonymity", "x": ["x"], "y": ["person"], "min": 1, "with": ["sa third"]}]', 'distortion');
SELECT alter_policy('sa again', '{"objective": "entropy"}');

-- Such a policy publishes once, which is told at once; what the hint says once its source has changed works, and lets it publish again.
SET ROLE regress_sa_first;
SET client_min_messages = notice;
SELECT declared('sa once', '{illness}', '{"decisions": "simulatable"}', 0.11, 'sa once');
SELECT version FROM publish('sa once');
RESET ROLE;
UPDATE people SET stage = 9, illness = 'd1' WHERE id = 7;
SET ROLE regress_sa_first;
SELECT pg_temp.fails($$SELECT publish('sa once')$$);
SELECT anon_seq.withdraw_release('sa once/1', 'why'), anon_seq.alter_policy('sa once', '{"max_link": 0.5, "options": {"unguarded": ["sa once/1"]}}');
SELECT version FROM publish('sa once');
SELECT observed, ok FROM reader('sa once');
-- Where nothing is sensitive, that is not told.
SELECT declared('sa twice', NULL, '{"decisions": "simulatable"}', NULL, 'sa twice');
-- Beside a withdrawn version that is not left out of account any more.
SELECT alter_policy('sa once', '{"options": {"unguarded": []}}');
SELECT pg_temp.fails($$SELECT publish('sa once', force => true)$$);
RESET ROLE;
SET client_min_messages = warning;

DROP SCHEMA release_shown_again CASCADE;
SELECT revoke_publish('regress_sa_first'), revoke_publish('regress_sa_other');
DROP OWNED BY regress_sa_first, regress_sa_other CASCADE;
DROP ROLE regress_sa_first, regress_sa_other;
