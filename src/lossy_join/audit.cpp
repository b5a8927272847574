#include "lossy_join/audit.h"

#include "catalog/ledger.h"
#include "lossy_join/correlation.h"
#include "lossy_join/listed.h"
#include "pg/array_text.h"
#include "pg/json_object.h"
#include "pg/reading.h"
#include "pg/sql_text.h"
#include "release/relations.h"
#include "release/release_audit.h"

namespace anon_seq::lossy_join {
namespace {

// A list of values as SQL parameters, and the conditions on them.
struct Lists {
  std::vector<SqlValue> values;
  std::vector<std::string> together;  // conditions of columns whose listed values are bounded together
  std::vector<std::string> counts;    // SELECTs of (class_id, held)
};

std::string c(std::size_t number) { return "c" + std::to_string(number); }

// Which values of a column the ledger's rows of this version have that a list means.
SqlValue listed_values(SpiSession& session, Release const& release, PublishedColumn const& column,
                       LossyPolicy const& demands) {
  auto const rows = session.execute(sql_text(R"(
SELECT DISTINCT {c}::text
FROM {cell}
WHERE version = {version} AND {c} IS NOT NULL)",
                                             {{"c", c(release.number_of(column))},
                                              {"cell", ledger_table(release.ledger, "cell")},
                                              {"version", std::to_string(release.version)}}),
                                    {}, true);
  std::vector<std::string> copies;
  for (std::uint64_t row = 0; row < rows.count(); ++row) copies.push_back(rows.get(row, 1));
  std::vector<std::string_view> const texts(copies.begin(), copies.end());
  InterruptCheckpoint checkpoint;
  TaxonomyPool pool(session, checkpoint);
  auto const found = find_listed(session, column, texts, demands.listed.at(column.column), pool);
  std::vector<std::string_view> listed;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (found.is_listed[i] != 0) listed.push_back(texts[i]);
  return SqlValue::datum(TEXTARRAYOID, text_array(listed));
}

Lists lists_of(SpiSession& session, Release const& release, LossyPolicy const& demands) {
  Lists lists;
  for (auto const& column : release.columns) {
    if (column.role != Role::kSensitive) continue;
    auto const value = c(release.number_of(column));
    auto const listing = demands.listing(column.column);
    std::string condition;
    if (listing != Listing::kEvery) {
      lists.values.push_back(listed_values(session, release, column, demands));
      condition = value + " = ANY ($" + std::to_string(lists.values.size()) + "::" + bare_type(column) + "[])";
    }
    if (listing == Listing::kAny)
      lists.together.push_back(condition);
    else
      lists.counts.push_back("SELECT class_id, sum(n) AS held FROM cell" +
                             (condition.empty() ? "" : " WHERE " + condition) + " GROUP BY class_id, " + value);
  }
  if (!lists.together.empty())
    lists.counts.push_back("SELECT class_id, sum(n) AS held FROM cell WHERE " + joined(lists.together, " OR ") +
                           " GROUP BY class_id");
  return lists;
}

// The class of a row: its number, or all that the quasi columns show.
std::string class_of(Release const& release, LossyPolicy const& demands) {
  if (!demands.generalized) return c(release.columns.size());
  std::string shown;
  for (auto const& column : release.columns)
    if (column.is_quasi()) shown += (shown.empty() ? "" : ", ") + c(release.number_of(column));
  return "ROW(" + shown + ")::text";
}

// Counted on the ledger's rows, which the check `rows` compares with the relations.
Check alpha_k_check(SpiSession& session, LossyPolicy const& demands, Release const& release) {
  auto const alpha =
      demands.classes == ClassKind::kAnatomy ? "1/" + std::to_string(demands.alpha.den) : ratio_text(demands.alpha);
  Check check{"alpha_k",
              release.reference(),
              "classes of " + std::to_string(demands.k) + " rows or more, bounded values at most " + alpha + " of each",
              "",
              false,
              0,
              "{}"};
  auto const lists = lists_of(session, release, demands);
  std::string sensitive;
  for (auto const& column : release.columns)
    if (column.role == Role::kSensitive) sensitive += ", " + c(release.number_of(column));
  auto const planning = Settings::for_counting();
  auto const rows = session.execute(sql_text(R"(
WITH cell AS MATERIALIZED (
  SELECT {class} AS class_id{sensitive}, n
  FROM {cell}
  WHERE version = {version}
),
class AS (
  SELECT class_id, sum(n) AS size
  FROM cell
  GROUP BY class_id
),
worst AS (
  SELECT class_id, max(held) AS held
  FROM ({counts}) AS h
  GROUP BY class_id
)
SELECT count(*),
       coalesce(min(size), 0),
       count(*) FILTER (WHERE class_id IS NULL OR size < {k} OR coalesce(held, 0) * {den} > size * {num}),
       coalesce(round(max(coalesce(held, 0) / size), 6), 0)::text
FROM class
LEFT JOIN worst USING (class_id))",
                                             {{"class", class_of(release, demands)},
                                              {"sensitive", sensitive},
                                              {"cell", ledger_table(release.ledger, "cell")},
                                              {"version", std::to_string(release.version)},
                                              {"counts", joined(lists.counts, " UNION ALL ")},
                                              {"k", std::to_string(demands.k)},
                                              {"den", std::to_string(demands.alpha.den)},
                                              {"num", std::to_string(demands.alpha.num)}}),
                                    lists.values, true);
  check.offending = rows.integer(0, 3);
  check.ok = check.offending == 0 && rows.integer(0, 1) > 0;
  check.observed = rows.get(0, 1) + " classes, the smallest of " + rows.get(0, 2) + ", largest share " + rows.get(0, 4);
  check.detail = JsonObject()
                     .number("classes", rows.integer(0, 1))
                     .number("smallest", rows.integer(0, 2))
                     .add("largest_share", rows.get(0, 4))
                     .json();
  return check;
}

// On the relations alone: the same classes in each, of the same sizes, and no value of SS twice in a class.
Check projections_check(SpiSession& session, Release const& release) {
  Check check{"projections", release.reference(), "NSS and SS have the same classes, of the same sizes", "", false, 0,
              "{}"};
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
  for (std::size_t i = 1; i < release.relations.size(); ++i) {
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
  checks.push_back(rows_check(run.session, release));
  checks.push_back(ledger_check(run.session, release));
  checks.push_back(alpha_k_check(run.session, demands, release));
  if (!demands.generalized) checks.push_back(projections_check(run.session, release));
  bool const is_kept = release.id != 0;  // else publish is about to warn of it
  if (!demands.generalized && is_kept) checks.push_back(correlation_check(run.session, release));
  add_unguarded(demands, release, checks);
  add_others(run, release, checks);
}

}  // namespace anon_seq::lossy_join
