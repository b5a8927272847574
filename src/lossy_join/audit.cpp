#include "lossy_join/audit.h"

#include "catalog/ledger.h"
#include "lossy_join/correlation.h"
#include "lossy_join/listed.h"
#include "pg/array_text.h"
#include "pg/json_object.h"
#include "pg/progress.h"
#include "pg/reading.h"
#include "pg/sql_text.h"
#include "release/relations.h"
#include "release/release_audit.h"

namespace anon_seq::lossy_join {
namespace {

std::string c(std::size_t number) { return "c" + std::to_string(number); }

// held / alpha, rounded up.
std::string need_of(std::string const& held, std::string const& num, std::string const& den) {
  return "div(" + held + " * " + den + " + " + num + " - 1, " + num + ")";
}

// Values as SQL parameters, and what is counted.
struct Counts {
  std::vector<SqlValue> values;
  std::vector<std::string> together;  // conditions of columns whose listed values are bounded together
  std::vector<std::string> queries;  // SELECTs of (class_id, held, need): a class that holds so many has to be so large

  // A class's greatest count of `counted`, a SELECT of (class_id, held).
  void add_greatest(std::string const& counted, Ratio alpha) {
    queries.push_back(sql_text(
        "SELECT class_id, held, {need} AS need"
        " FROM (SELECT class_id, max(held) AS held FROM ({counted}) AS v GROUP BY class_id) AS m",
        {{"need", need_of("held", std::to_string(alpha.num), std::to_string(alpha.den))}, {"counted", counted}}));
  }

  std::string add(std::vector<std::string_view> const& texts) {
    values.push_back(SqlValue::datum(TEXTARRAYOID, text_array(texts)));
    return "$" + std::to_string(values.size());
  }
};

// Which values of a column the ledger's rows of this version have that are meant by lists and alphas.
struct MeantValues {
  std::vector<std::string> texts;
  ListedValues found;
};

MeantValues meant_values(SpiSession& session, Release const& release, PublishedColumn const& column,
                         LossyPolicy const& demands) {
  auto const rows = session.execute(sql_text(R"(
SELECT DISTINCT {c}::text
FROM {cell}
WHERE version = {version} AND {c} IS NOT NULL)",
                                             {{"c", c(release.number_of(column))},
                                              {"cell", ledger_table(release.ledger, "cell")},
                                              {"version", std::to_string(release.version)}}),
                                    {}, true);
  MeantValues meant;
  for (std::uint64_t row = 0; row < rows.count(); ++row) meant.texts.push_back(rows.get(row, 1));
  std::vector<std::string_view> const texts(meant.texts.begin(), meant.texts.end());
  InterruptCheckpoint checkpoint;
  TaxonomyPool pool(session, checkpoint);
  meant.found = find_listed(session, column, texts, demands, pool);
  return meant;
}

// The values of a column, as an array of its type.
std::string listed_array(Counts& counts, PublishedColumn const& column, MeantValues const& meant) {
  std::vector<std::string_view> listed;
  for (std::size_t i = 0; i < meant.texts.size(); ++i)
    if (meant.found.is_listed[i] != 0) listed.push_back(meant.texts[i]);
  return counts.add(listed) + "::" + bare_type(column) + "[]";
}

// Each value singly: some by an alpha of their own.
void count_singly(Counts& counts, LossyPolicy const& demands, PublishedColumn const& column, std::string const& value,
                  std::string const& condition, MeantValues const& meant) {
  std::vector<std::string_view> own, from, to;  // what counts as another value counts as that
  std::vector<std::string> nums, dens;
  for (std::size_t i = 0; i < meant.texts.size(); ++i) {
    if (meant.found.first(i) == i) continue;
    from.push_back(meant.texts[i]);
    to.push_back(meant.texts[meant.found.first(i)]);
  }
  for (auto const& [text, alpha] : meant.found.own) {
    own.push_back(meant.texts[text]);
    nums.push_back(std::to_string(alpha.num));
    dens.push_back(std::to_string(alpha.den));
  }
  auto const array = counts.add(own);
  auto const num = counts.add({nums.begin(), nums.end()}), den = counts.add({dens.begin(), dens.end()});
  counts.queries.push_back(
      sql_text(R"(
SELECT v.class_id, v.held, {need} AS need
FROM (SELECT class_id, coalesce(t.first, {value}) AS value, sum(n) AS held
      FROM cell
      LEFT JOIN unnest({from}::{type}[], {to}::{type}[]) AS t (text, first) ON t.text = {value}{where}
      GROUP BY class_id, 2) AS v
LEFT JOIN unnest({own}::{type}[], {num}::numeric[], {den}::numeric[]) AS o (value, num, den) USING (value))",
               {{"need", need_of("v.held", "coalesce(o.num, " + std::to_string(demands.alpha.num) + ")",
                                 "coalesce(o.den, " + std::to_string(demands.alpha.den) + ")")},
                {"value", value},
                {"where", condition.empty() ? "" : " WHERE " + condition},
                {"own", array},
                {"from", counts.add(from)},
                {"to", counts.add(to)},
                {"type", bare_type(column)},
                {"num", num},
                {"den", den}}));
}

// Where a value stands on its line: numbers as they are printed, dates as days.
std::string place_of(PublishedColumn const& column, std::string const& value) {
  if (column.type != "date") return value + "::text::numeric";
  return "CASE WHEN isfinite(" + value + ") THEN (" + value + " - '2000-01-01'::date)::numeric WHEN " + value +
         " > '2000-01-01' THEN 'Infinity' WHEN " + value + " IS NOT NULL THEN '-Infinity' END";
}

// The rows of each class with values in [v, v + near], for every v.
std::string near_counts(PublishedColumn const& column, std::string const& value, std::string const& near, Ratio alpha) {
  return sql_text(R"(
SELECT w.class_id, w.held, {need} AS need
FROM (SELECT class_id, sum(held) OVER (PARTITION BY class_id ORDER BY place
                                       RANGE BETWEEN CURRENT ROW AND {near}::numeric FOLLOWING) AS held
      FROM (SELECT class_id, {place} AS place, sum(n) AS held FROM cell GROUP BY class_id, 2) AS v) AS w)",
                  {{"need", need_of("w.held", std::to_string(alpha.num), std::to_string(alpha.den))},
                   {"near", near},
                   {"place", place_of(column, value)}});
}

Counts counts_of(SpiSession& session, Release const& release, LossyPolicy const& demands) {
  Counts counts;
  for (auto const& column : release.columns) {
    if (column.role != Role::kSensitive) continue;
    auto const value = c(release.number_of(column));
    auto const listing = demands.listing(column.column);
    bool const own = demands.alphas.contains(column.column);
    MeantValues meant;
    if (listing != Listing::kEvery || own) meant = meant_values(session, release, column, demands);
    std::string condition;
    if (listing != Listing::kEvery) condition = value + " = ANY (" + listed_array(counts, column, meant) + ")";
    if (listing == Listing::kAny)
      counts.together.push_back(condition);
    else if (demands.near)
      counts.queries.push_back(near_counts(column, value, sql_literal(*demands.near), demands.alpha));
    else if (own)
      count_singly(counts, demands, column, value, condition, meant);
    else
      counts.add_greatest("SELECT class_id, sum(n) AS held FROM cell" +
                              (condition.empty() ? "" : " WHERE " + condition) + " GROUP BY class_id, " + value,
                          demands.alpha);
  }
  if (!counts.together.empty())
    counts.add_greatest(
        "SELECT class_id, sum(n) AS held FROM cell WHERE " + joined(counts.together, " OR ") + " GROUP BY class_id",
        demands.alpha);
  return counts;
}

// What is demanded, in words.
std::string required_of(LossyPolicy const& demands) {
  auto const alpha =
      demands.classes == ClassKind::kAnatomy ? "1/" + std::to_string(demands.alpha.den) : ratio_text(demands.alpha);
  std::size_t own = 0;
  for (auto const& [column, alphas] : demands.alphas) own += alphas.size();
  return "classes of " + std::to_string(demands.k) + " rows or more, bounded values at most " + alpha + " of each" +
         (demands.near ? ", those in [v, v + " + *demands.near + "] together" : "") +
         (own == 0 ? "" : ", but for " + std::to_string(own) + " with an alpha of their own");
}

// The class of a row: its number, or all that a table shows but the sensitive columns.
std::string class_of(Release const& release, LossyPolicy const& demands) {
  if (!demands.generalized) return c(release.columns.size());
  std::string shown;
  for (auto const& column : release.columns)
    if (column.role != Role::kSensitive) shown += (shown.empty() ? "" : ", ") + c(release.number_of(column));
  return "ROW(" + shown + ")::text";
}

// SELECT of (class_id, c<i> of each sensitive column, n), out of the ledger, which the check `rows` compares with the
// relations.
std::string select_values(Release const& release, LossyPolicy const& demands) {
  std::string columns;
  for (auto const& column : release.columns)
    if (column.role == Role::kSensitive) columns += ", " + c(release.number_of(column));
  return sql_text("SELECT {class} AS class_id{columns}, n FROM {cell} WHERE version = {version}",
                  {{"class", class_of(release, demands)},
                   {"columns", columns},
                   {"cell", ledger_table(release.ledger, "cell")},
                   {"version", std::to_string(release.version)}});
}

Check alpha_k(LossyPolicy const& demands, Release const& release, std::int64_t classes, std::int64_t smallest,
              std::int64_t broken, std::string const& largest) {
  Check check{"alpha_k", release.reference(), required_of(demands), "", false, broken, "{}"};
  check.ok = broken == 0 && classes > 0;
  check.observed =
      std::to_string(classes) + " classes, the smallest of " + std::to_string(smallest) + ", largest share " + largest;
  check.detail =
      JsonObject().number("classes", classes).number("smallest", smallest).add("largest_share", largest).json();
  return check;
}

Check alpha_k_check(SpiSession& session, LossyPolicy const& demands, Release const& release) {
  Progress::at("alpha_k");
  auto const counts = counts_of(session, release, demands);
  auto const planning = Settings::for_counting();
  auto const rows = session.execute(sql_text(R"(
WITH cell AS MATERIALIZED ({values}),
class AS (
  SELECT class_id, sum(n) AS size
  FROM cell
  GROUP BY class_id
),
worst AS (
  SELECT class_id, max(held) AS held, max(need) AS need
  FROM ({counts}) AS h
  GROUP BY class_id
)
SELECT count(*),
       coalesce(min(size), 0),
       count(*) FILTER (WHERE class_id IS NULL OR size < {k} OR need > size),
       coalesce(round(max(coalesce(held, 0) / size), 6), 0)::text
FROM class
LEFT JOIN worst USING (class_id))",
                                             {{"values", select_values(release, demands)},
                                              {"counts", joined(counts.queries, " UNION ALL ")},
                                              {"k", std::to_string(demands.k)}}),
                                    counts.values, true);
  return alpha_k(demands, release, rows.integer(0, 1), rows.integer(0, 2), rows.integer(0, 3), rows.get(0, 4));
}

// Part of a whole, rounded to six places as SQL rounds.
std::string share_text(std::int64_t part, std::int64_t whole) {
  auto const twice = 2 * static_cast<Wide>(whole);
  auto const millionths = static_cast<std::int64_t>((wide_mul(part, 2000000) + static_cast<Wide>(whole)) / twice);
  return std::to_string(millionths / 1000000) + "." + std::to_string(1000000 + millionths % 1000000).substr(1);
}

constexpr char kSameClasses[] = "NSS and SS have the same classes, of the same sizes";

// One look at what was published for both checks.
void add_recount(SpiSession& session, LossyPolicy const& demands, Release const& release, ClassReader& seen,
                 Checks& checks) {
  auto taken = seen.take();
  auto written = taken ? std::move(*taken) : read_classes(session, release, demands.generalized);
  auto const found = recount_classes(session, release, demands, written);
  checks.push_back(
      alpha_k(demands, release, found.classes, found.smallest, found.broken, share_text(found.held, found.of)));
  if (!demands.generalized) checks.push_back(projections_check(release, found));
}

}  // namespace

Check projections_check(Release const& release, ClassRecount const& found) {
  return {"projections",
          release.reference(),
          kSameClasses,
          std::to_string(found.differing) + " of " + std::to_string(found.classes) + " classes differ",
          found.differing == 0,
          found.differing,
          "{}"};
}

Check projections_check(SpiSession& session, Release const& release) {
  Progress::at("projections");
  Check check{"projections", release.reference(), kSameClasses, "", false, 0, "{}"};
  if (release.retired) {
    check.observed = "retired";
    check.ok = true;
    return check;
  }
  if (!has_own_relations(session, release)) {
    check.observed = "no relation of the owner's";
    check.offending = 1;
    return check;
  }
  auto const planning = Settings::for_counting();
  for (std::size_t i = 1; i < release.relations.size() && release.relations[i].counted; ++i) {
    auto const& sensitive = release.columns[release.relations[i].columns.back() - 1];
    auto const rows = session.execute(sql_text(R"(
WITH p AS (SELECT class_id, count(*) AS n FROM {nss} GROUP BY class_id),
     s AS (SELECT class_id, sum(n) AS n, count(*) > count(DISTINCT ({value})::text) + count(*) FILTER (WHERE {value} IS NULL) AS twice
           FROM {ss} GROUP BY class_id)
SELECT count(*) FILTER (WHERE p.n IS DISTINCT FROM s.n OR s.twice), count(*)
FROM p
FULL JOIN s USING (class_id))",
                                               {{"nss", release.relations.front().name},
                                                {"ss", release.relations[i].name},
                                                {"value", quote_name(sensitive.column)}}),
                                      {}, true);
    check.offending += rows.integer(0, 1);
    check.observed += (i > 1 ? "; " : "") + rows.get(0, 1) + " of " + rows.get(0, 2) + " classes differ";
  }
  check.ok = check.offending == 0 && release.relations.size() > 1;
  return check;
}

namespace {

bool is_recounted(SpiSession& session, LossyPolicy const& demands, Release const& release) {
  auto const sensitive = std::count_if(release.columns.begin(), release.columns.end(),
                                       [](auto const& column) { return column.role == Role::kSensitive; });
  return !demands.near && sensitive == 1 && !release.retired && has_own_relations(session, release);
}

// On NSS alone: what is shown of quasi-identifiers does not tell rows of a class apart.
Check nss_check(SpiSession& session, Release const& release) {
  Check check{"nss", release.reference(), "all rows of a class show the same", "", false, 0, "{}"};
  if (release.retired || !has_own_relations(session, release)) {
    check.observed = release.retired ? "retired" : "no relation of the owner's";
    check.ok = release.retired;
    check.offending = !check.ok;
    return check;
  }
  std::vector<std::string> shown;
  for (auto const& column : release.columns)
    if (column.is_quasi()) shown.push_back(quote_name(column.column));
  auto const planning = Settings::for_counting();
  auto const rows = session.execute(sql_text(R"(
SELECT count(*) FILTER (WHERE kinds > 1), count(*)
FROM (SELECT class_id, count(*) AS kinds FROM (SELECT DISTINCT class_id, {shown} FROM {nss}) AS d GROUP BY class_id) AS c)",
                                             {{"shown", joined(shown, ", ")}, {"nss", release.relations.front().name}}),
                                    {}, true);
  check.offending = rows.integer(0, 1);
  check.observed = rows.get(0, 1) + " of " + rows.get(0, 2) + " classes do not";
  check.ok = check.offending == 0 && rows.integer(0, 2) > 0;
  return check;
}

// Of the same people nothing else is guarded together with a version.
void add_others(AuditRun const& run, Release const& release, Checks& checks) {
  for (auto const& other : run.population)
    if (other.name == release.name && !other.is_registered() && other.version != release.version && !other.withdrawn)
      checks.push_back({"unguarded", release.reference(), "the only version of its policy",
                        other.reference() + " shows the same people in other classes", false, 1, "{}"});
}

}  // namespace

void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks) {
  if (release.withdrawn) return;
  auto const demands = lossy_policy(then);
  bool const recounted = is_recounted(run.session, demands, release);
  ClassReader seen;
  checks.push_back(rows_check(run.session, release, recounted && !demands.generalized ? &seen : nullptr));
  checks.push_back(ledger_check(run.session, release));
  if (recounted) {
    add_recount(run.session, demands, release, seen, checks);
  } else {
    checks.push_back(alpha_k_check(run.session, demands, release));
    if (!demands.generalized) checks.push_back(projections_check(run.session, release));
  }
  if (demands.coarse) checks.push_back(nss_check(run.session, release));
  bool const is_kept = release.id != 0;  // else publish is about to warn of it
  if (!demands.generalized && is_kept) checks.push_back(correlation_check(run.session, {&release, 1}));
  add_unguarded(demands, release, checks);
  add_others(run, release, checks);
}

}  // namespace anon_seq::lossy_join
