#include "release/release_audit.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "audit/audit_tables.h"
#include "catalog/ledger.h"
#include "catalog/population.h"
#include "incremental/audit.h"
#include "pg/datum_cursor.h"
#include "pg/distinct_keys.h"
#include "pg/reading.h"
#include "pg/roles.h"
#include "release/registration.h"

namespace anon_seq::release {
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
      " WHERE a.attrelid = pg_catalog.to_regclass($1) AND a.attname = 'persons'",
      {table}, true);
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

// "1/3 (0.3333)" of 6 of 18; counts of a join may have any number of digits.
std::string shown_share(std::string const& numerator, std::string const& denominator) {
  constexpr std::size_t kMostDigits = 18;
  if (numerator.size() > kMostDigits || denominator.size() > kMostDigits) return numerator + "/" + denominator;
  std::int64_t const n = std::stoll(numerator), d = std::stoll(denominator), common = std::gcd(n, d);
  char decimal[32];
  pg_snprintf(decimal, sizeof decimal, " (%.4g)", static_cast<double>(n) / static_cast<double>(d));
  return std::to_string(n / common) + "/" + std::to_string(d / common) + decimal;
}

class RuleAudit {
 public:
  RuleAudit(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
            std::vector<Release> const& heeded, Release const& release)
      : session_(session), policy_(policy), demands_(demands), heeded_(heeded), release_(release) {}

  // Anonymity and linkability in one rule with many thresholds become a check each.
  void run(BoundRule const& bound, std::vector<Check>& checks) {
    bool const own = !bound.spec.values.empty() && bound.spec.values.front().max.has_value();
    if (!own) return check(bound, bound.spec.values, bound.spec.max, checks);
    for (auto const& value : bound.spec.values) check(bound, {value}, value.max, checks);
  }

 private:
  void check(BoundRule const& bound, std::vector<ListedValue> const& values, std::optional<Ratio> max,
             std::vector<Check>& checks) {
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
                release_.reference() + ": " + spec.text(),
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
    check.detail =
        "{\"matches\": " + json_string(finding.matches) + ", \"worst\": " + finding.worst.value_or("null") + "}";
    checks.push_back(check);
    if (!bound.releases.empty()) checks.push_back(dangling(bound, finding));
  }

  Check dangling(BoundRule const& bound, AuditFinding const& finding) {
    bool const allowed = demands_.dangling == Dangling::kOuter;
    Check check{"dangling",
                release_.reference() + " with " + names(bound),
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

  std::string names(BoundRule const& bound) const {
    std::string list;
    for (auto r : bound.releases) list += (list.empty() ? "" : ", ") + heeded_[r].reference();
    return list;
  }

  // The table of a release in the join of a rule: the new one comes first, then as the rule names them.
  AuditTerm term(BoundRule const& bound, RuleColumn const& column) const {
    if (means_person(policy_, column)) return {0, AuditTerm::kPersons, 0};
    std::size_t const r = bound.release_of(column);
    Release const& of = r == BoundRule::kSource ? release_ : heeded_[r];
    std::size_t const table =
        r == BoundRule::kSource ? 0
                                : static_cast<std::size_t>(std::find(bound.releases.begin(), bound.releases.end(), r) -
                                                           bound.releases.begin()) +
                                      1;
    if (column.column.empty()) return {table, AuditTerm::kRecords, 0};
    auto const* const found = of.find_column(column.column);
    if (found == nullptr)
      throw Error(Fault::kNoColumn, "release " + quoted(of.reference()) + " has no column " + quoted(column.column));
    return {table, AuditTerm::kColumn, of.number_of(*found) - 1};
  }

  AuditJoin& join_of(BoundRule const& bound) {
    auto& join = joins_[bound.releases];
    if (join) return *join;
    std::vector<AuditTable> tables;
    if (!repeated_) repeated_ = has_repeated_persons(session_, policy_);
    tables.push_back(audit_table(session_, release_, demands_, *repeated_));
    for (auto r : bound.releases) tables.push_back(audit_table(session_, heeded_[r], demands_, false));
    AuditOptions options;
    options.overlap = demands_.overlap;
    options.outer = demands_.dangling == Dangling::kOuter;
    options.inconsistencies = load_inconsistencies(session_, tables);
    join = std::make_unique<AuditJoin>(session_, std::move(tables), std::move(options));
    return *join;
  }

  SpiSession& session_;
  Policy const& policy_;
  SequentialPolicy const& demands_;
  std::vector<Release> const& heeded_;
  Release const& release_;
  std::optional<bool> repeated_;  // some persons have several rows
  std::map<std::vector<std::size_t>, std::unique_ptr<AuditJoin>> joins_;
};

// The relation that was registered, if the policy's owner, who acts, may read it without running code of others.
Oid registered_relation(SpiSession& session, Release const& other) {
  lock_shared(other.relation());
  auto const rows = session.execute(
      "SELECT c.oid FROM pg_catalog.pg_class AS c"
      " WHERE c.oid = pg_catalog.to_regclass($1) AND pg_catalog.has_table_privilege(c.oid, 'SELECT')",
      {other.relation()}, true);
  if (rows.count() == 0 || !OidIsValid(reader_or_none(session, rows.oid(0, 1)))) return InvalidOid;
  return rows.oid(0, 1);
}

// A registered table can change under us; what counts is what was registered.
void add_unchanged(SpiSession& session, Release const& other, std::vector<Check>& checks) {
  if (other.method != "registered") return;
  Check check{"unchanged", other.reference(), "as it was when registered", "unchanged", true, 0, "{}"};
  Oid const relation = registered_relation(session, other);
  if (!OidIsValid(relation))
    check.observed = "not checked: gone, or not the owner's to read";
  else if (relation_fingerprint(session, relation) != other.digest)
    check.observed = "changed";
  check.ok = check.observed == "unchanged";
  check.offending = !check.ok;
  checks.push_back(check);
}

// What cannot be read any more cannot be measured: that is said, and the rest is.
void drop_unreadable(SpiSession& session, Release const& release, std::vector<Release>& heeded,
                     std::vector<Check>& checks) {
  std::erase_if(heeded, [&](auto const& other) {
    if (may_read(session, other)) return false;
    checks.push_back({"unguarded", release.reference(),
                      "every release of population " + release.population + " is heeded",
                      other.reference() + " cannot be read", false, 1, "{}"});
    return true;
  });
}

// Attributes that several releases show and that are not compared: an attacker does.
void add_waived(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& heeded,
                Release const& release, std::vector<Check>& checks) {
  for (auto const& ours : policy.columns) {
    std::string others;
    std::int64_t count = 0;
    for (auto const& other : heeded)
      for (auto const& theirs : other.columns) {
        if (theirs.attribute != ours.attribute) continue;
        bool const waived = std::count(demands.not_common.begin(), demands.not_common.end(), ours.attribute) > 0;
        bool const ranges = is_range_type(ours.type) || is_range_type(theirs.type);
        if (!waived && (demands.overlap || !ranges)) continue;
        others += (others.empty() ? "" : ", ") + other.reference();
        ++count;
      }
    if (count > 0)
      checks.push_back({"waived", release.reference(), "what several releases show is compared",
                        ours.attribute + " is not compared with " + others, false, count, "{}"});
  }
}

void add_unguarded(Policy const& policy, SequentialPolicy const& demands, Release const& release,
                   std::vector<Check>& checks) {
  std::vector<std::string> waived = demands.unguarded;
  if (demands.unguarded_by_wish()) waived.push_back("previous => '{}'");
  for (auto const& name : waived)
    checks.push_back({"unguarded", release.reference(),
                      "every release of population " + policy.population + " is heeded", name + " is left out", false,
                      1, "{}"});
}

}  // namespace

std::vector<Check> audit_release(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                                 std::vector<Release> const& heeded, Release const& release) {
  std::vector<Check> checks{rows_check(session, release), ledger_check(session, release)};
  RuleAudit audit(session, policy, demands, heeded, release);
  for (auto const& bound : bind_rules(session, policy, demands, heeded)) audit.run(bound, checks);
  add_waived(policy, demands, heeded, release, checks);
  add_unguarded(policy, demands, release, checks);
  return checks;
}

void audit_written(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                   std::vector<Release> const& heeded, Release const& release) {
  FreshSnapshot const snapshot;
  require_all(audit_release(session, policy, demands, heeded, release), release);
}

Policy policy_at(Policy policy, Release const& release) {
  policy.version = release.version;
  policy.columns = release.columns;
  policy.quasi.clear();
  policy.sensitive.clear();
  policy.publish_as_is.clear();
  for (auto const& column : release.columns)
    (column.role == "quasi"       ? policy.quasi
     : column.role == "sensitive" ? policy.sensitive
                                  : policy.publish_as_is)
        .push_back(column.column);
  policy.parameters = release.parameters;
  policy.options = release.options;
  return policy;
}

std::vector<Check> audit_policy(SpiSession& session, std::string const& name) {
  Policy const policy = load_policy(session, name, false);
  require_owner_takes_part(session, policy);
  ActingAs const owner(ledger_owner(session, policy.ledger()));  // what he put there must not run as who asks
  if (policy.method == "incremental") return audit_incremental(session, policy);
  auto const population = releases_of(session, policy.population);
  std::vector<Check> checks;
  for (auto const& release : population) {
    if (release.name != name || release.version == 0 || release.withdrawn) continue;  // nobody read it: no promise
    Policy const then = policy_at(policy, release);
    auto const demands = sequential_policy(then);
    auto heeded = heeded_releases(session, then, demands);
    std::erase_if(heeded, [&](auto const& other) { return other.id >= release.id; });
    drop_unreadable(session, release, heeded, checks);
    auto const of_release = audit_release(session, then, demands, heeded, release);
    checks.insert(checks.end(), of_release.begin(), of_release.end());
    if (&release != newest_shown(population, name) || demands.unguarded_by_wish()) continue;
    // What was registered only afterwards may have been public long before; the next version is measured against it.
    for (auto const& other : population)
      if (other.id > release.id && other.method == "registered" &&
          std::find(demands.unguarded.begin(), demands.unguarded.end(), other.name) == demands.unguarded.end())
        checks.push_back({"unguarded", release.reference(),
                          "every release of population " + policy.population + " is heeded",
                          other.name + " was registered later", false, 1, "{}"});
  }
  if (checks.empty()) checks.push_back({"released", name, "at least one release", "none", false, 0, "{}"});
  for (auto const& release : population) add_unchanged(session, release, checks);
  add_withdrawn(session, policy.population, checks);
  return checks;
}

}  // namespace anon_seq::release
