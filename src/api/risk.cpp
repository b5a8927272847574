// SQL functions about disclosure risk: risk, audit_risk, register_population, withdraw_population.
#include "release/risk.h"

#include "audit/audit_tables.h"
#include "catalog/population_table.h"
#include "catalog/rights.h"
#include "core/numbers/rounded.h"
#include "pg/arguments.h"
#include "pg/json.h"
#include "pg/lock_wait.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "pg/result_rows.h"

namespace anon_seq::api {
namespace {

std::optional<std::string> text_or_none(Arguments const& arguments, int number, char const* name) {
  return arguments.has(number) ? std::optional(arguments.text(number, name)) : std::nullopt;
}

std::optional<std::string> json_or_none(Arguments const& arguments, int number, char const* name) {
  return arguments.has(number) ? std::optional(arguments.printed(number, name, JSONBOID)) : std::nullopt;
}

// Without records there is no risk to speak of.
std::vector<std::optional<std::string>> risk_row(MeasuredRisk const& measured) {
  auto const& risk = measured.risk;
  auto const count = [](std::int64_t value) { return std::optional(std::to_string(value)); };
  auto const share = [&](double value) { return risk.records > 0 ? std::optional(rounded_text(value)) : std::nullopt; };
  std::vector<std::optional<std::string>> row{count(risk.records), count(risk.classes), count(risk.uniques),
                                              share(risk.prosecutor_max), share(risk.prosecutor_average)};
  if (!risk.population) {
    row.push_back(share(risk.prosecutor_average));
    row.resize(16);
    return row;
  }
  auto const& of = *risk.population;
  for (auto const& value :
       {share(of.journalist_average), count(measured.people), count(measured.unique_people), count(of.unique_both),
        share(of.journalist_max), share(of.journalist_average), count(of.k_map), share(of.delta_min),
        share(of.delta_max), count(of.half_shown), count(of.uncovered)})
    row.push_back(value);
  return row;
}

// Records that fit nobody are in no figure about the population: how likely they are known again is not told.
void tell_uncovered(MeasuredRisk const& measured) {
  auto const& risk = measured.risk;
  if (!risk.population || risk.population->uncovered == 0) return;
  warning(
      std::to_string(risk.population->uncovered) + " of " + std::to_string(risk.records) +
          " records fit nobody in the population: k_map and the journalist's risk leave them out",
      "Either the population lacks people, or its columns are read in another way. The argument attributes, or"
      " register_population, lists every quasi column, with its column there, its taxonomy, or \"interval\": true.");
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_risk);
Datum anon_seq_risk(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const release = arguments.text(0, "release");
    auto const population = text_or_none(arguments, 1, "population");
    auto const quasi = arguments.has(2) ? std::optional(arguments.array(2, "quasi")) : std::nullopt;
    ReleaseRisk found;
    {
      SpiSession session;
      InterruptCheckpoint checkpoint;
      found = release_risk(session, release, population, quasi, checkpoint);
    }
    tell_uncovered(found.measured);
    auto row = risk_row(found.measured);
    row.push_back(found.changed ? std::optional<std::string>(*found.changed ? "t" : "f") : std::nullopt);
    return make_row(fcinfo, row);
  });
}

PG_FUNCTION_INFO_V1(anon_seq_audit_risk);
Datum anon_seq_audit_risk(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    std::vector<Oid> relations{arguments.relation(0, "relation")};
    auto columns = arguments.array(1, "quasi");
    auto const quasi = columns;
    auto const person = text_or_none(arguments, 2, "person");
    if (arguments.has(3)) relations.push_back(arguments.relation(3, "population"));
    auto const counts = text_or_none(arguments, 4, "counts");
    if (counts && relations.size() == 1)
      throw Error(Fault::kParameter, "counts are of a population, and none is given");
    auto const attributes = json_or_none(arguments, 5, "attributes");
    MeasuredRisk found;
    {
      SpiSession session;
      InterruptCheckpoint checkpoint;
      if (person) columns.push_back(*person);
      select_columns(session, relations[0], columns);  // says which one is missing
      if (counts) select_columns(session, relations[1], {&*counts, 1});
      auto const json = parse_json(attributes.value_or("null"), "attributes");
      auto tables = relation_tables(session, relations, attributes ? &json : nullptr);
      if (person) {
        tables[0].persons = Persons::kKey;
        tables[0].person_column = *person;
      }
      std::optional<PopulationSource> population;
      if (relations.size() > 1) population = PopulationSource{std::move(tables[1]), counts, InvalidOid};
      found = measure_risk(session, std::move(tables[0]), quasi, population ? &*population : nullptr, checkpoint);
    }
    tell_uncovered(found);
    return make_row(fcinfo, risk_row(found));
  });
}

PG_FUNCTION_INFO_V1(anon_seq_register_population);
Datum anon_seq_register_population(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    Oid const relation = arguments.relation(1, "relation");
    auto const counts = text_or_none(arguments, 2, "counts");
    auto const attributes = json_or_none(arguments, 3, "attributes");
    SpiSession session;
    require_publisher(session);
    register_population(session, name, relation, counts, attributes);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_withdraw_population);
Datum anon_seq_withdraw_population(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    auto const name = Arguments(fcinfo).text(0, "name");
    SpiSession session;
    remove_population(session, name);
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
