#include "audit/match.h"

#include <algorithm>
#include <map>
#include <set>

#include "audit/exclusion.h"
#include "audit/forest.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

using Members = std::vector<std::size_t>;  // columns of one attribute, by number in MatchPlan::columns

class Planner {
 public:
  Planner(SpiSession& session, std::vector<AuditTable> const& tables, AuditOptions const& options)
      : session_(session), tables_(tables), options_(options) {}

  MatchPlan plan() {
    find_columns();
    for (std::size_t table = 0; table < tables_.size(); ++table) read_labels(table);
    for (auto const& [attribute, members] : attributes_) give_spans(attribute, members);
    exclude(plan_, options_.inconsistencies, leaves_);
    return std::move(plan_);
  }

 private:
  AuditColumn const& column(std::size_t number) const {
    auto const& of = plan_.columns[number];
    return tables_[of.table].columns[of.column];
  }

  bool is_predicate(std::string const& attribute) const {
    return std::any_of(options_.inconsistencies.begin(), options_.inconsistencies.end(),
                       [&](auto const& i) { return i.attribute_a == attribute || i.attribute_b == attribute; });
  }

  // Columns whose attribute stands in several tables, or in a declared inconsistency.
  void find_columns() {
    std::map<std::string, std::set<std::size_t>> holders;
    for (std::size_t t = 0; t < tables_.size(); ++t)
      for (auto const& c : tables_[t].columns)
        if (!c.attribute.empty() && !holders[c.attribute].insert(t).second)
          throw Error(Fault::kParameter,
                      "two columns of " + relation_text(tables_[t]) + " are attribute " + quoted(c.attribute));
    for (std::size_t t = 0; t < tables_.size(); ++t)
      for (std::size_t i = 0; i < tables_[t].columns.size(); ++i) {
        auto const& c = tables_[t].columns[i];
        if (c.attribute.empty()) continue;
        if (holders[c.attribute].size() < 2 && !is_predicate(c.attribute)) continue;
        attributes_[c.attribute].push_back(plan_.columns.size());
        plan_.columns.push_back({t, i, c.attribute});
      }
    for (auto const& [attribute, members] : attributes_) choose_rule(attribute, members);
  }

  // How the values of an attribute match: one rule for all tables, as they were aligned.
  void choose_rule(std::string const& attribute, Members const& members) {
    std::string& taxonomy = taxonomies_[attribute];
    bool const is_range = !column(members.front()).match.empty();
    for (auto const member : members)
      if (!is_range && !column(member).taxonomy.empty()) taxonomy = column(member).taxonomy;
    for (auto const member : members)
      plan_.columns[member].by_text = taxonomy.empty() && !is_range && members.size() > 1;
  }

  bool has_labels(std::size_t number) const { return !taxonomies_.at(plan_.columns[number].attribute).empty(); }

  // The distinct labels of a table's columns and its number of rows, from one pass over it.
  void read_labels(std::size_t table) {
    Members mine;
    for (std::size_t i = 0; i < plan_.columns.size(); ++i)
      if (plan_.columns[i].table == table && has_labels(i)) mine.push_back(i);
    std::string list, labels;
    std::vector<std::string> by;
    for (auto const i : mine) {
      by.push_back("q." + quote_name(column(i).name));
      list += sql_text("{column} AS k{i}, ", {{"column", by.back()}, {"i", std::to_string(i)}});
      labels += sql_text("\nUNION ALL (SELECT {i}, k{i}::text FROM g GROUP BY 2)", {{"i", std::to_string(i)}});
    }
    auto const sql = sql_text(R"(
WITH g AS MATERIALIZED (
  SELECT {columns}sum({weight}) AS n
  FROM {table}
  {grouped}
)
SELECT -1, coalesce(sum(n), 0)::text FROM g{labels})",
                              {{"columns", list},
                               {"weight", weight_of(tables_[table])},
                               {"table", from_table(tables_[table])},
                               {"grouped", by.empty() ? "" : "GROUP BY " + joined(by, ", ")},
                               {"labels", labels}});
    auto const rows = read_rows(session_, sql, {}, relation_text(tables_[table]));
    for (std::uint64_t row = 0; row < rows.count(); ++row) {
      int const of = rows.int32(row, 1);
      if (of < 0)
        plan_.totals.push_back(rows.get(row, 2));
      else
        plan_.labels.push_back({of, rows.text(row, 2)});
    }
  }

  void give_spans(std::string const& attribute, Members const& members) {
    if (!taxonomies_[attribute].empty())
      give_taxonomy_spans(attribute, members);
    else if (!column(members.front()).match.empty())
      give_range_spans(members);
    else
      give_stated_values(attribute, members);
    if (!plan_.columns[members.front()].by_text && members.size() > 1) find_components(members);
  }

  void give_taxonomy_spans(std::string const& attribute, Members const& members) {
    LabelForest forest(session_, taxonomies_[attribute]);
    for (auto const member : members) {
      std::size_t unknown = 0;
      for (auto const& label : plan_.labels)
        if (label.column == static_cast<int>(member) && label.key) unknown += !forest.add(*label.key);
      if (unknown > 0)
        throw Error(
            Fault::kData,
            "column " + quoted(column(member).name) + " of " + relation_text(tables_[plan_.columns[member].table]) +
                " has values that are not in taxonomy " + quoted(taxonomies_[attribute]),
            std::to_string(unknown) + (unknown == 1 ? " distinct value is" : " distinct values are") + " unknown.");
    }
    std::vector<std::string> stated;
    for (auto const& value : stated_values(options_.inconsistencies, attribute))
      if (forest.add(value)) stated.push_back(value);  // what the taxonomy lacks occurs nowhere
    forest.finish();
    auto& leaves = leaves_[attribute];
    leaves[kNullLabel] = forest.leaves(std::nullopt);
    for (auto const& value : stated) leaves[value] = forest.leaves(value);
    for (auto& label : plan_.labels) {
      if (std::find(members.begin(), members.end(), static_cast<std::size_t>(label.column)) == members.end()) continue;
      Span const span = forest.span(label.key);
      label.first = span.first, label.last = span.last;
      if (label.key) leaves[*label.key] = forest.leaves(label.key);
    }
  }

  // Bounds of ranges become ranks: (v, 0) is the point v, (v, 1) what is just above it, (v, -1) just below.
  void give_range_spans(Members const& members) {
    std::vector<std::string> all, relations;
    for (auto const i : members) {
      auto const& table = tables_[plan_.columns[i].table];
      all.push_back(sql_text(R"(
  SELECT {distinct}{i} AS t, q.{range} AS r
  FROM {table})",
                             {{"distinct", all.empty() ? "DISTINCT " : ""},
                              {"i", std::to_string(i)},
                              {"range", quote_name(column(i).match)},
                              {"table", from_table(table)}}));
      relations.push_back(relation_text(table));
    }
    auto const sql = sql_text(R"(
WITH a AS MATERIALIZED ({ranges}
),
b AS (
  SELECT *,
         lower(r) AS l, CASE WHEN lower_inc(r) THEN 0 ELSE 1 END AS le,
         upper(r) AS u, CASE WHEN upper_inc(r) THEN 0 ELSE -1 END AS ue
  FROM a
),
e AS (  -- every bound and its rank
  SELECT v, e, rank() OVER (ORDER BY v, e)::int AS k
  FROM (SELECT l AS v, le AS e FROM b UNION SELECT u, ue FROM b) AS v
  WHERE v IS NOT NULL
),
m AS (SELECT coalesce(max(k), 0) + 1 AS m FROM e)
SELECT t,
       r::text,
       CASE WHEN r IS NULL THEN m + 1
            WHEN isempty(r) THEN -1
            WHEN lower_inf(r) THEN 0
            ELSE f.k END,
       CASE WHEN r IS NULL THEN m + 1
            WHEN isempty(r) THEN -2
            WHEN lower_inf(r) AND upper_inf(r) THEN m + 1
            WHEN upper_inf(r) THEN m
            ELSE s.k END
FROM b
CROSS JOIN m
LEFT JOIN e AS f ON f.v = b.l AND f.e = b.le
LEFT JOIN e AS s ON s.v = b.u AND s.e = b.ue)",
                              {{"ranges", joined(all, "\n  UNION")}});
    auto const rows = read_rows(session_, sql, {}, joined(relations, ", "));
    for (std::uint64_t row = 0; row < rows.count(); ++row)
      plan_.labels.push_back({rows.int32(row, 1), rows.text(row, 2), rows.int32(row, 3), rows.int32(row, 4)});
  }

  // Plain values: only those that a predicate names need a code.
  void give_stated_values(std::string const& attribute, Members const& members) {
    std::int32_t next = 0;
    for (auto const& value : stated_values(options_.inconsistencies, attribute)) {
      leaves_[attribute][value] = {next, next};
      for (auto const member : members) plan_.labels.push_back({static_cast<int>(member), value, next, next});
      ++next;
    }
  }

  // Sweeps over all spans of an attribute: a component ends where no span goes on. It is complete if any two
  // labels of different tables overlap, that is if per pair of tables no span begins after another has ended.
  void find_components(Members const& members) {
    std::vector<LabelCode*> sorted;
    for (auto& label : plan_.labels)
      if (std::find(members.begin(), members.end(), static_cast<std::size_t>(label.column)) != members.end())
        sorted.push_back(&label);
    std::sort(sorted.begin(), sorted.end(), [](auto const* a, auto const* b) { return a->first < b->first; });
    bool complete = true;
    std::int32_t component = 0;
    for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end, ++component) {
      std::int32_t reach = sorted[begin]->last;
      for (end = begin; end < sorted.size() && (end == begin || sorted[end]->first <= reach); ++end) {
        sorted[end]->component = component;
        reach = std::max(reach, sorted[end]->last);
      }
      complete = complete && is_complete(std::span(sorted).subspan(begin, end - begin));
    }
    for (auto const member : members) {
      plan_.columns[member].by_component = component > 1;
      plan_.columns[member].by_span = !complete;
    }
  }

  static bool is_complete(std::span<LabelCode* const> labels) {
    std::map<std::int32_t, Span> extremes;  // by column: the latest first, the earliest last
    for (auto const* label : labels) {
      auto& e = extremes.try_emplace(label->column, Span{label->first, label->last}).first->second;
      e.first = std::max(e.first, label->first);
      e.last = std::min(e.last, label->last);
    }
    for (auto const& [a, of_a] : extremes)
      for (auto const& [b, of_b] : extremes)
        if (a != b && of_a.first > of_b.last) return false;
    return true;
  }

  SpiSession& session_;
  std::vector<AuditTable> const& tables_;
  AuditOptions const& options_;
  MatchPlan plan_;
  std::map<std::string, Members> attributes_;
  std::map<std::string, std::string> taxonomies_;  // by attribute; empty: plain values
  LeafSpans leaves_;
};

}  // namespace

MatchPlan plan_match(SpiSession& session, std::vector<AuditTable> const& tables, AuditOptions const& options) {
  return Planner(session, tables, options).plan();
}

std::vector<std::string> labels_under(SpiSession& session, std::string const& taxonomy, std::string const& value,
                                      std::vector<std::string> const& labels) {
  LabelForest forest(session, taxonomy);
  if (!forest.add(value)) return {value};
  std::vector<std::string> known, under;
  for (auto const& label : labels)
    if (forest.add(label)) known.push_back(label);
  forest.finish();
  Span const whole = forest.span(value);
  for (auto const& label : known)
    if (Span const span = forest.span(label); whole.first <= span.first && span.last <= whole.last)
      under.push_back(label);
  return under;
}

std::string from_table(AuditTable const& table) { return "(" + table.query + ") AS q"; }

std::string weight_of(AuditTable const& table) {
  return table.weight_column.empty() ? "1::bigint" : "q." + quote_name(table.weight_column);
}

std::string relation_text(AuditTable const& table) { return "relation " + table.name; }

}  // namespace anon_seq::audit
