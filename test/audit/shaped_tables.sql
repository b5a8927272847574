-- Two more tables to measure detail on, shaped from table adult of 100,000 rows (bench/adult): a view with dates and codes, whose taxonomies are open
-- ones, and a table of few columns. Both have the column id; what their columns are is made from Adult's, so it goes with them.
CREATE VIEW visits AS
  SELECT id, date '1996-01-01' - age * 365 - id * 7919 % 365 AS born, date '1995-01-01' + fnlwgt % 365 AS admitted, sex, native_country,
    chr(64 + dense_rank() OVER (ORDER BY occupation)::int) || to_char(education_num, 'FM00') || '.' || hours_per_week / 20 AS diagnosis
  FROM adult WHERE id <= 30162;
CREATE TABLE people AS SELECT id, age, sex, marital_status FROM adult;
SELECT anon_seq.create_date_taxonomy('admitted', '{month,quarter,year}');
SELECT anon_seq.create_prefix_taxonomy('diagnosis', '{3,1}');
