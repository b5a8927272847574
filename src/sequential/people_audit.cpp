// Rules about people of RuleAudit: whom the written classes hold, and who of the population fits them, counted in SQL.
#include <algorithm>

#include "catalog/ledger.h"
#include "catalog/population_table.h"
#include "pg/json_object.h"
#include "release/registration.h"
#include "sequential/people.h"
#include "sequential/rule_audit.h"

namespace anon_seq::sequential {
namespace {

// The digest of a population's relation when the version was published; none: not noted.
std::optional<std::string> noted_digest(SpiSession& session, Release const& release, std::string const& population) {
  auto const rows = session.execute(
      "SELECT e->>'digest' FROM " + ledger_table(release.ledger, "note") +
          " AS n, pg_catalog.jsonb_array_elements(CASE pg_catalog.jsonb_typeof(n.detail->'populations') WHEN 'array'"
          " THEN n.detail->'populations' ELSE '[]' END) AS e WHERE n.version = $1 AND e->>'population' = $2 LIMIT 1",
      {release.version, population}, true);
  return rows.count() == 0 ? std::nullopt : rows.text(0, 1);
}

// f persons in a class, F people who fit it.
struct Worst {
  std::optional<std::size_t> class_of;
  std::int64_t persons = 0, people = 0, broken = 0;
};

bool is_broken(RuleSpec const& spec, std::int64_t persons, std::int64_t people) {
  if (spec.anonymity) return people < spec.min;
  if (spec.least) return wide_mul(persons, spec.least->den) < wide_mul(spec.least->num, people);
  auto const share = wide_mul(persons, spec.max->den), bound = wide_mul(spec.max->num, people);
  return spec.below ? share >= bound : share > bound;
}

bool is_worse(RuleSpec const& spec, std::int64_t persons, std::int64_t people, Worst const& than) {
  if (!than.class_of) return true;
  if (spec.anonymity) return people < than.people;
  auto const a = wide_mul(persons, than.people), b = wide_mul(than.persons, people);
  return spec.least ? a < b : a > b;
}

Worst worst_class(RuleSpec const& spec, FittedClasses const& fitted) {
  Worst worst;
  for (std::size_t c = 0; c < fitted.classes.rows(); ++c) {
    auto const persons = fitted.classes.weight(c), people = fitted.fitting.people[c];
    worst.broken += is_broken(spec, persons, people);
    if (is_worse(spec, persons, people, worst)) worst = {c, persons, people, worst.broken};
  }
  return worst;
}

std::string class_json(FittedClasses const& fitted, Worst const& worst) {
  if (!worst.class_of) return "null";
  JsonObject x;
  for (std::size_t i = 0; i < fitted.columns.size(); ++i) {
    auto const& column = fitted.classes.columns[i];
    Code const code = column.codes[*worst.class_of];
    x.add(fitted.columns[i].name, code == kNull ? "null" : json_string(column.values[code]));
  }
  return JsonObject().add("x", x.json()).number("persons", worst.persons).number("people", worst.people).json();
}

// Persons of classes that fewer fit than they hold: the population lacks some of them.
std::int64_t uncovered(FittedClasses const& fitted) {
  std::int64_t persons = 0;
  for (std::size_t c = 0; c < fitted.classes.rows(); ++c)
    if (fitted.fitting.people[c] < fitted.classes.weight(c)) persons += fitted.classes.weight(c);
  return persons;
}

std::string required(RuleSpec const& spec) {
  if (spec.anonymity) return "at least " + std::to_string(spec.min) + " people";
  if (spec.least) return "at least " + ratio_text(*spec.least) + " for everybody";
  return (spec.below ? "below " : "at most ") + ratio_text(*spec.max);
}

}  // namespace

RuleAudit::Fitted const& RuleAudit::fitted(BoundRule const& bound) {
  auto const x = x_of(policy_, bound.spec);
  auto const key = std::pair(bound.spec.population, x);
  if (auto const known = fitted_.find(key); known != fitted_.end()) return known->second;
  InterruptCheckpoint checkpoint;
  auto const population = population_columns(session_, policy_, bound.spec);
  std::vector<std::string> names;
  for (std::size_t const i : x) names.push_back(policy_.quasi[i]);
  auto table = own_table();
  for (std::size_t i = 0; i < release_.columns.size(); ++i) table.columns[i].attribute = release_.columns[i].attribute;
  Fitted fitted{fit_classes(session_, std::move(table), names, population.source, checkpoint)};
  fitted.changed =
      noted_digest(session_, release_, bound.spec.population) != relation_fingerprint(session_, population.relation);
  return fitted_.emplace(key, std::move(fitted)).first->second;
}

// A population may change after a release, or go: what is counted is the table as it is, which is said.
void RuleAudit::check_people(BoundRule const& bound, Checks& checks) {
  auto const& spec = bound.spec;
  Check check{spec.kind(), release_.reference() + ": " + spec.text(), required(spec), "", false, 1, "{}"};
  try {
    auto const& [classes, changed] = fitted(bound);
    auto const worst = worst_class(spec, classes);
    bool const left_out = spec.least && !classes.fitting.all_placed;
    check.offending = worst.broken + left_out;
    check.ok = check.offending == 0;
    check.observed = left_out         ? "0, as somebody fits no class"
                     : spec.anonymity ? std::to_string(worst.people)
                                      : shown_share(std::to_string(worst.persons), std::to_string(worst.people));
    if (changed) check.observed += "; the population has changed since";
    check.detail = JsonObject()
                       .number("people", classes.people)
                       .number("uncovered", uncovered(classes))
                       .boolean("population_changed", changed)
                       .add("worst", class_json(classes, worst))
                       .json();
  } catch (Error const& error) {
    if (error.fault() == Fault::kInternal || error.fault() == Fault::kLimit) throw;
    check.observed = "not checked: " + std::string(error.what());
  }
  checks.push_back(check);
}

}  // namespace anon_seq::sequential
