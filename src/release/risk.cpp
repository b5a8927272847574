#include "release/risk.h"

#include "audit/audit_tables.h"
#include "catalog/ledger.h"
#include "core/taxonomy/taxonomy_builder.h"
#include "pg/array_text.h"
#include "pg/json.h"
#include "pg/reading.h"
#include "pg/roles.h"
#include "release/ledger_format.h"
#include "release/registration.h"

namespace anon_seq::release {
namespace {

// Whether somebody has several rows in a version, so that its cells do not count persons.
bool has_several_rows(SpiSession& session, Release const& release) {
  if (release.is_registered()) return false;
  auto const rows = session.execute("SELECT detail->>'one_row_each' FROM " + ledger_table(release.ledger, "note") +
                                        " WHERE version = " + std::to_string(release.version),
                                    {}, true);
  return rows.count() == 1 && rows.get(0, 1) == "false";
}

std::vector<std::string> quasi_of(Release const& release, std::optional<std::vector<std::string>> const& named) {
  if (named) return *named;
  std::vector<std::string> quasi;
  for (auto const& column : release.columns)
    if (release.is_registered() || column.is_quasi()) quasi.push_back(column.column);
  return quasi;
}

std::string array_of(std::vector<std::string> const& names) {
  std::string array = "{";
  for (auto const& name : names) append_element(array, name);
  return array + "}";
}

}  // namespace

PopulationSource population_source(SpiSession& session, RegisteredPopulation const& population) {
  Oid const relation = relation_of(session, population);
  std::optional<JsonValue> attributes;
  if (population.attributes) attributes = parse_json(*population.attributes, "attributes");
  auto tables = relation_tables(session, {relation}, attributes ? &*attributes : nullptr);
  return {std::move(tables.front()), population.counts, reader_of(session, relation)};
}

void register_population(SpiSession& session, std::string const& name, Oid relation,
                         std::optional<std::string> const& counts, std::optional<std::string> const& attributes) {
  check_name("population", name);
  if (counts) select_columns(session, relation, {&*counts, 1});
  auto const [schema, called] = split_name(qualified_name(relation));
  RegisteredPopulation population{name, schema, called, counts, attributes, {}};
  population_source(session, population);  // says what is wrong with the attributes
  population.digest = relation_fingerprint(session, relation);
  insert_population(session, population);
}

ReleaseRisk release_risk(SpiSession& session, std::string const& reference,
                         std::optional<std::string> const& population,
                         std::optional<std::vector<std::string>> const& quasi, Checkpoint& checkpoint) {
  auto const release = find_release(session, reference);
  if (release.is_projected())
    throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " is published in several relations",
                "Its quasi columns are those of one of them.",
                !release.relations.empty()
                    ? "SELECT * FROM anon_seq.audit_risk(" + sql_literal(release.relations[0].name) + ", " +
                          sql_literal(array_of(quasi_of(release, quasi))) + "); measures that one."
                    : "");
  ReleaseRisk risk;
  std::optional<PopulationSource> source;
  if (population) {
    auto const registered = load_population(session, *population);
    source = population_source(session, registered);
    risk.changed = relation_fingerprint(session, relation_of(session, registered)) != registered.digest;
  }
  OwnLedger const owner(session, release);
  auto sample = release_table(session, release, has_several_rows(session, release));
  risk.measured =
      measure_risk(session, std::move(sample), quasi_of(release, quasi), source ? &*source : nullptr, checkpoint);
  return risk;
}

}  // namespace anon_seq::release
