#include "sequential/rule_audit.h"

#include <algorithm>
#include <numeric>

#include "audit/audit_tables.h"
#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/distinct_keys.h"
#include "pg/json_object.h"
#include "pg/sql_text.h"
#include "sequential/blanking.h"

namespace anon_seq::sequential {
namespace {

// A release as a table of an audit: its cells, and the attributes by which it is compared.
AuditTable audit_table(SpiSession& session, Release const& release, SequentialPolicy const& demands,
                       bool with_persons) {
  AuditTable table = release_table(session, release, with_persons);
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    auto const& column = release.columns[i];
    auto const& waived = demands.not_common;
    if (std::find(waived.begin(), waived.end(), column.attribute) != waived.end()) table.columns[i].attribute.clear();
  }
  return table;
}

// Whether somebody has several rows, so that persons are to be counted: as was noted when the version was made, when
// nobody of it was forgotten yet, or as the ledger shows now, by the equality of the key's own type.
bool has_repeated_persons(SpiSession& session, Policy const& policy) {
  if (!policy.person) return false;
  std::string const version = " WHERE version = " + std::to_string(policy.version);
  auto const rows = session.execute(
      "SELECT detail->>'one_row_each' FROM " + ledger_table(policy.ledger(), "note") + version, {}, true);
  if (rows.count() == 0 || rows.get(0, 1) != "true") return true;
  auto const table = ledger_table(policy.ledger(), "person");
  auto const type = session.execute(
      "SELECT t.typelem, t.oid FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
      " WHERE a.attrelid = $1 AND a.attname = 'persons'",
      {SqlValue::oid(ledger_part(session, policy.ledger(), "person"))}, true);
  DistinctKeys keys(type.count() == 0 ? InvalidOid : type.oid(0, 1));
  DatumCursor cursor(session, "SELECT persons FROM " + table + version);
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      auto const persons = cursor.elements(row, 0, type.oid(0, 2));
      for (std::size_t i = 0; i < persons.count; ++i)
        if (!persons.nulls[i]) keys.add(persons.values[i]);
    }
  return keys.count() < static_cast<std::int64_t>(keys.size());
}

}  // namespace

std::string shown_share(std::string const& numerator, std::string const& denominator) {
  constexpr std::size_t kMostDigits = 18;
  if (numerator.size() > kMostDigits || denominator.size() > kMostDigits) return numerator + "/" + denominator;
  std::int64_t const n = std::stoll(numerator), d = std::stoll(denominator), common = std::gcd(n, d);
  char decimal[32];
  pg_snprintf(decimal, sizeof decimal, " (%.4g)", static_cast<double>(n) / static_cast<double>(d));
  return std::to_string(n / common) + "/" + std::to_string(d / common) + decimal;
}

RuleAudit::RuleAudit(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                     std::vector<Release> const& heeded, Release const& release)
    : session_(session), policy_(policy), demands_(demands), heeded_(heeded), release_(release) {
  InterruptCheckpoint checkpoint;
  TaxonomyPool pool(session, checkpoint);
  for (auto const& other : heeded) {
    shows_blanked_.push_back(shows_blanked(session, other, pool));
    if (!shows_blanked_.back()) continue;
    heeded_.push_back(other);
    blank_.push_back(blank_condition(other, pool, CellNames::kColumns));
  }
}

std::vector<BoundRule> RuleAudit::rules() const {
  auto rules =
      bind_rules(policy_, demands_, {heeded_.begin(), heeded_.begin() + static_cast<std::ptrdiff_t>(heeded())});
  add_readings(rules, shows_blanked_);
  return rules;
}

AuditTable RuleAudit::earlier_table(std::size_t r) {
  auto table = audit_table(session_, heeded_[r], demands_, false);
  if (r >= heeded()) {
    std::vector<std::string> columns;
    for (auto const& column : table.columns) columns.push_back("l." + quote_name(column.name));
    columns.push_back("l." + quote_name(table.weight_column));
    table.query =
        sql_text("SELECT {columns} FROM ({whole}) AS l WHERE NOT ({blank})",
                 {{"columns", joined(columns, ", ")}, {"whole", table.query}, {"blank", blank_[r - heeded()]}});
    table.name += " without those who show no quasi values";
  }
  return table;
}

void RuleAudit::run(BoundRule const& bound, Checks& checks) {
  if (!bound.spec.population.empty()) return check_people(bound, checks);
  bool const own = !bound.spec.values.empty() && bound.spec.values.front().max.has_value();
  if (!own) return check(bound, bound.spec.values, bound.spec.max, checks);
  for (auto const& value : bound.spec.values) check(bound, {value}, value.max, checks);
}

void RuleAudit::check(BoundRule const& bound, std::vector<ListedValue> const& values, std::optional<Ratio> max,
                      Checks& checks) {
  auto& join = join_of(bound);
  auto const& spec = bound.spec;
  AuditRule rule;
  rule.kind = spec.anonymity ? AuditRule::kAnonymity : AuditRule::kLinkability;
  rule.threshold = spec.anonymity ? Ratio{spec.min, 1} : *max;
  for (auto const& column : spec.x) rule.x.push_back(term(bound, column));
  for (auto const& column : spec.y) rule.y.push_back(term(bound, column));
  for (auto const& value : values) rule.values.emplace_back(value.parts.begin(), value.parts.end());
  rule.each = spec.each;
  rule.nulls = spec.nulls;
  auto const finding = join.measure(rule);
  Check check{spec.anonymity ? "anonymity" : "linkability",
              release_.reference() + ": " + spec.text() + reading(bound),
              "",
              "",
              finding.holds,
              0,
              "{}"};
  check.required = spec.anonymity ? "at least " + std::to_string(spec.min) : "at most " + ratio_text(*max);
  bool const empty = finding.is_empty() && demands_.dangling != Dangling::kOuter;
  check.observed = spec.anonymity      ? finding.anonymity.value_or("nothing joins")
                   : finding.numerator ? shown_share(*finding.numerator, *finding.denominator)
                   : empty             ? "nothing joins"
                                       : "0";
  check.offending = !finding.holds;
  check.detail = JsonObject().text("matches", finding.matches).add("worst", finding.worst.value_or("null")).json();
  checks.push_back(check);
  if (!bound.releases.empty()) checks.push_back(dangling(bound, finding));
}

Check RuleAudit::dangling(BoundRule const& bound, AuditFinding const& finding) {
  bool const allowed = demands_.dangling == Dangling::kOuter;
  Check check{"dangling",
              release_.reference() + " with " + names(bound) + reading(bound),
              allowed ? "reported only" : "every row has a partner",
              "",
              allowed || !finding.has_dangling(),
              0,
              "{}"};
  for (auto const& count : finding.dangling) {
    check.observed += (check.observed.empty() ? "" : ", ") + count;
    check.offending += std::stoll(count);
  }
  return check;
}

std::string RuleAudit::names(BoundRule const& bound) const {
  std::string list;
  for (auto r : bound.releases) list += (list.empty() ? "" : ", ") + heeded_[r].reference();
  return list;
}

// Whose persons without quasi values are left out of a rule's join.
std::string RuleAudit::reading(BoundRule const& bound) const {
  std::string list;
  for (auto r : bound.releases)
    if (r >= heeded()) list += (list.empty() ? "" : ", ") + heeded_[r].reference();
  return list.empty() ? "" : " (without those of " + list + " who show no quasi values)";
}

// The table of a release in the join of a rule: the new one comes first, then as the rule names them.
AuditTerm RuleAudit::term(BoundRule const& bound, RuleColumn const& column) const {
  if (means_person(policy_, column)) return {0, AuditTerm::kPersons, 0};
  std::size_t const r = bound.release_of(column);
  Release const& of = r == BoundRule::kSource ? release_ : heeded_[r];
  std::size_t const table = r == BoundRule::kSource
                                ? 0
                                : static_cast<std::size_t>(std::find(bound.releases.begin(), bound.releases.end(), r) -
                                                           bound.releases.begin()) +
                                      1;
  if (column.column.empty()) return {table, AuditTerm::kRecords, 0};
  auto const* const found = of.find_column(column.column);
  if (found == nullptr)
    throw Error(Fault::kNoColumn, "release " + quoted(of.reference()) + " has no column " + quoted(column.column));
  return {table, AuditTerm::kColumn, of.number_of(*found) - 1};
}

AuditTable RuleAudit::own_table() {
  if (!repeated_) repeated_ = has_repeated_persons(session_, policy_);
  return audit_table(session_, release_, demands_, *repeated_);
}

AuditJoin& RuleAudit::join_of(BoundRule const& bound) {
  auto& join = joins_[bound.releases];
  if (join) return *join;
  std::vector<AuditTable> tables;
  tables.push_back(own_table());
  for (auto r : bound.releases) tables.push_back(earlier_table(r));
  AuditOptions options;
  options.overlap = demands_.overlap;
  options.outer = demands_.dangling == Dangling::kOuter;
  options.inconsistencies = load_inconsistencies(session_, tables);
  join = std::make_unique<AuditJoin>(session_, std::move(tables), std::move(options));
  return *join;
}

}  // namespace anon_seq::sequential
