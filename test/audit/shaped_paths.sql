-- The open taxonomies of shaped_tables.sql, as far as values occur, from leaf to root: what full_domain.pl reads. And the tables, dates as days.
\copy (SELECT DISTINCT admitted, anon_seq.generalize('admitted', admitted::text, 1) AS month, anon_seq.generalize('admitted', admitted::text, 2) AS quarter, anon_seq.generalize('admitted', admitted::text, 3) AS year, 'ANY' AS root FROM visits) TO 'admitted.csv' (FORMAT csv, HEADER)
\copy (SELECT DISTINCT diagnosis, anon_seq.generalize('diagnosis', diagnosis, 1) AS category, anon_seq.generalize('diagnosis', diagnosis, 2) AS letter, '*' AS root FROM visits) TO 'diagnosis.csv' (FORMAT csv, HEADER)
\copy (SELECT id, born - date '1900-01-01' AS born, admitted, sex, native_country, diagnosis FROM visits) TO 'visits.csv' (FORMAT csv, HEADER)
\copy people TO 'people.csv' (FORMAT csv, HEADER)
