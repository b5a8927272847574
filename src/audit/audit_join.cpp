#include "audit/audit_join.h"

#include <algorithm>
#include <set>

#include "core/numbers/decimal.h"
//
#include "audit/align.h"
#include "audit/rule_sql.h"
#include "pg/array_text.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {

struct AuditJoin::State {
  std::vector<AuditTable> tables;
  AuditOptions options;
  MatchPlan plan;
};

namespace {

void check(AuditRule const& rule, std::vector<AuditTable> const& tables) {
  if (rule.y.empty()) throw Error(Fault::kParameter, "a rule needs something in y");
  std::set<std::pair<std::size_t, std::size_t>> x;
  for (auto const& term : rule.x) {
    if (term.what != AuditTerm::kColumn)
      throw Error(Fault::kParameter, "x takes columns only", "", "Records and persons can stand in y.");
    x.emplace(term.table, term.column);
  }
  for (auto const& term : rule.y) {
    if (term.what == AuditTerm::kColumn && x.count({term.table, term.column}) > 0)
      throw Error(Fault::kParameter,
                  "column " + quoted(tables[term.table].columns[term.column].name) + " stands in x and in y");
    if (term.what != AuditTerm::kColumn && rule.kind == AuditRule::kLinkability)
      throw Error(Fault::kParameter, "linkability takes columns only in y");
  }
  for (auto const& value : rule.values)
    if (value.size() != rule.y.size())
      throw Error(Fault::kParameter, "a listed value has " + std::to_string(value.size()) + " parts, y has " +
                                         std::to_string(rule.y.size()) + " columns");
}

std::string all_names(std::vector<AuditTable> const& tables) {
  std::vector<std::string> names;
  for (auto const& table : tables) names.push_back(relation_text(table));
  return joined(names, ", ");
}

// The labels that occur in a column, NULL aside.
std::vector<std::string> labels_of(SpiSession& session, AuditTable const& table, AuditColumn const& column) {
  auto const sql = sql_text("SELECT DISTINCT q.{column}::text FROM {table} WHERE q.{column} IS NOT NULL",
                            {{"column", quote_name(column.name)}, {"table", from_table(table)}});
  auto const rows = read_rows(session, sql, {}, relation_text(table));
  std::vector<std::string> labels;
  for (std::uint64_t row = 0; row < rows.count(); ++row) labels.push_back(rows.get(row, 1));
  return labels;
}

// The condition that a row has one part of a listed value.
std::string condition(SpiSession& session, std::vector<AuditTable> const& tables, AuditTerm const& term,
                      std::optional<std::string> const& part) {
  auto const key = "k" + std::to_string(term.column);
  if (!part) return key + " IS NULL AND j > 0";  // the empty partner has no value, not an unknown one
  auto const& column = tables[term.table].columns[term.column];
  if (line_of(column.type) == Line::kNumbers && !is_range_type(column.type) && decimal_scale(*part))
    return sql_text("coalesce({key}::text::numeric = {part}::numeric, false)",
                    {{"key", key}, {"part", sql_literal(*part)}});
  std::vector<std::string> texts{*part};
  if (!column.taxonomy.empty())
    texts = labels_under(session, column.taxonomy, *part, labels_of(session, tables[term.table], column));
  for (auto& text : texts) text = sql_literal(text);
  return sql_text(R"(coalesce({key}::text COLLATE "C" = ANY (ARRAY[{texts}]::text[]), false))",
                  {{"key", key}, {"texts", joined(texts, ", ")}});
}

std::vector<std::vector<std::string>> conditions(SpiSession& session, std::vector<AuditTable> const& tables,
                                                 AuditRule const& rule) {
  std::vector<std::vector<std::string>> all;
  for (auto const& value : rule.values) {
    std::vector<std::string> per_table(tables.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      auto& text = per_table[rule.y[i].table];
      if (!text.empty()) text += " AND ";
      text += condition(session, tables, rule.y[i], value[i]);
    }
    for (auto& text : per_table)
      if (!text.empty()) text = "(" + text + ")";
    all.push_back(std::move(per_table));
  }
  return all;
}

// Whether a / b > c / d, exactly.
bool is_greater(SpiSession& session, AuditFinding const& left, AuditFinding const& right) {
  return session
      .execute("SELECT $1::numeric * $4::numeric > $3::numeric * $2::numeric",
               {*left.numerator, *left.denominator, *right.numerator, *right.denominator}, true)
      .boolean(0, 1);
}

}  // namespace

bool AuditFinding::has_dangling() const {
  return std::any_of(dangling.begin(), dangling.end(), [](auto const& rows) { return rows != "0"; });
}

AuditJoin::AuditJoin(SpiSession& session, std::vector<AuditTable> tables, AuditOptions options)
    : session_(session), state_(std::make_unique<State>(State{std::move(tables), std::move(options), {}})) {
  if (state_->tables.empty()) throw Error(Fault::kParameter, "an audit needs at least one relation");
  auto const planning = Settings::for_counting();
  align(session_, state_->tables, state_->options.overlap);
  state_->plan = plan_match(session_, state_->tables, state_->options);
}

AuditJoin::~AuditJoin() = default;

AuditFinding AuditJoin::measure(AuditRule const& rule) {
  check(rule, state_->tables);
  find_roots(session_, state_->tables, rule.y);
  if (!rule.each || rule.values.size() < 2) return measure_one(rule);
  AuditFinding worst;
  AuditRule one = rule;
  for (auto const& value : rule.values) {
    one.values = {value};
    auto finding = measure_one(one);
    bool const holds = finding.holds && (worst.matches.empty() || worst.holds);
    if (worst.matches.empty() || (finding.numerator && (!worst.numerator || is_greater(session_, finding, worst))))
      worst = std::move(finding);
    worst.holds = holds;
  }
  return worst;
}

AuditFinding AuditJoin::measure_one(AuditRule const& rule) {
  auto const planning = Settings::for_counting();
  auto const& [tables, options, plan] = *state_;
  JoinQuestion const question{tables, plan, rule, options.outer, options.general, conditions(session_, tables, rule)};
  std::vector<std::int32_t> columns, components, firsts, lasts, groups;
  std::vector<std::string_view> keys;
  for (auto const& label : plan.labels) {
    if (!label.key) continue;
    keys.push_back(*label.key);
    columns.push_back(label.column);
    components.push_back(label.component);
    firsts.push_back(label.first);
    lasts.push_back(label.last);
    groups.push_back(label.group);
  }
  SqlValue const values[] = {
      SqlValue::datum(INT4ARRAYOID, integer_array(columns)),    SqlValue::datum(TEXTARRAYOID, text_array(keys)),
      SqlValue::datum(INT4ARRAYOID, integer_array(components)), SqlValue::datum(INT4ARRAYOID, integer_array(firsts)),
      SqlValue::datum(INT4ARRAYOID, integer_array(lasts)),      SqlValue::datum(INT4ARRAYOID, integer_array(groups))};
  auto const rows = read_rows(session_, join_sql(question), values, all_names(tables));
  AuditFinding finding;
  int column = 0;
  finding.matches = rows.get(0, ++column);
  for (std::size_t t = 0; t < tables.size(); ++t) finding.dangling.push_back(rows.get(0, ++column));
  auto& number = rule.kind == AuditRule::kAnonymity ? finding.anonymity : finding.numerator;
  number = rows.text(0, ++column);
  auto const denominator = rows.text(0, ++column);
  if (rule.kind == AuditRule::kLinkability) finding.denominator = denominator;
  finding.worst = rows.text(0, ++column);
  finding.holds = rows.boolean(0, ++column);
  return finding;
}

std::vector<DeclaredInconsistency> load_inconsistencies(SpiSession& session, std::vector<AuditTable> const& tables) {
  std::set<std::string> attributes;
  for (auto const& table : tables)
    for (auto const& column : table.columns) attributes.insert(column.attribute);
  auto found = declared_inconsistencies(session);
  std::erase_if(found, [&](auto const& stated) {
    return attributes.count(stated.attribute_a) == 0 || attributes.count(stated.attribute_b) == 0;
  });
  return found;
}

}  // namespace anon_seq::audit
