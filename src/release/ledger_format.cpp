#include "release/ledger_format.h"

#include <algorithm>

#include "catalog/ledger_sums.h"
#include "pg/settings.h"
#ifdef ANON_SEQ_SELFTEST
#include "next_version.h"
#endif

namespace anon_seq::release {
namespace {

constexpr std::size_t kLongestLedger = 10;  // p999999999

std::string filled(std::string statement, std::string const& ledger) {
  constexpr std::string_view kPlace = "{ledger}";
  for (auto at = statement.find(kPlace); at != std::string::npos; at = statement.find(kPlace, at + ledger.size()))
    statement.replace(at, kPlace.size(), ledger);
  return statement;
}

// Throws kUnsupported for a format that this library cannot make its own.
void require_known(std::int32_t format, std::string const& what, LedgerSchema const& schema) {
  std::string const formats = "It has format " + std::to_string(format) + "; this library makes and reads format " +
                              std::to_string(schema.format) + ".";
  if (format > schema.format)
    throw Error(Fault::kUnsupported, "the ledger of " + what + " was made by a newer version of anon_seq", formats,
                "Install that version, or a newer one.");
  for (std::int32_t from = format; from < schema.format; ++from)
    if (std::none_of(schema.steps.begin(), schema.steps.end(), [&](auto const& step) { return step.from == from; }))
      throw Error(Fault::kUnsupported, "the ledger of " + what + " was made by a version of anon_seq that is too old",
                  formats, "Go by way of a version in between.");
  if (format < schema.format && XactReadOnly)
    throw Error(Fault::kUnsupported, "the ledger of " + what + " was made by an older version of anon_seq",
                formats + " It is brought up to date when it is used, but this transaction is read-only.",
                "Use it once where it can be changed, for example by SELECT * FROM anon_seq.audit(...).");
}

// Whether anything was to be done. REQUIRES: its owner acts.
bool bring_up(SpiSession& session, std::string const& ledger, std::string const& what, LedgerSchema const& schema) {
  std::int32_t format = ledger_format(session, ledger, false);
  if (format == schema.format) return false;
  require_known(format, what, schema);
  format = ledger_format(session, ledger, true);  // somebody may have done it while we waited
  require_known(format, what, schema);
  require_parts(session, ledger, schema, false);
  LedgerPen const pen;
  for (; format < schema.format; ++format)
    for (auto const& step : schema.steps)
      if (step.from == format)
        for (auto const& statement : step.statements) session.execute(filled(statement, ledger));
  sum_anew(session, ledger, schema);
  set_ledger_format(session, ledger, schema.format);
  return true;
}

}  // namespace

LedgerSchema ledger_of(Method const& method, Policy const& policy, std::string const& persons) {
  auto schema = method.ledger(policy, persons);
#ifdef ANON_SEQ_SELFTEST
  if (plays_next_version()) selftest::make_next(schema);
#endif
  return schema;
}

LedgerSchema schema_of(SpiSession& session, Policy const& policy) {
  std::string persons;
  if (policy.person) {
    // The type is that of the keys that are there: the source may have gone.
    persons = key_type(session, policy.ledger(), ledger_of(method_of(policy), policy, "text")).value_or("text");
  }
  return ledger_of(method_of(policy), policy, persons);
}

LedgerSchema schema_of(SpiSession& session, Release const& release) {
  if (release.is_registered()) return counted_ledger(release.columns, "");
  if (release.ledger.front() != 'p' || release.ledger.size() > kLongestLedger)
    throw Error(Fault::kDamaged, "the catalog has a damaged row, of release " + quoted(release.reference()));
  Policy policy;  // as far as its ledger depends on it
  policy.name = release.name;
  policy.method = release.method;
  policy.id = static_cast<std::int32_t>(std::stol(release.ledger.substr(1)));
  policy.columns = release.columns;
  for (auto const& column : release.columns)
    if (column.is_quasi()) policy.quasi.push_back(column.column);
  policy.parameters = release.parameters;
  policy.options = release.options;
  auto const persons = key_type(session, release.ledger, ledger_of(method_of(release), policy, "text"));
  return ledger_of(method_of(release), policy, persons.value_or(""));
}

Oid part_of(SpiSession& session, Release const& release, std::string_view name) {
  for (auto const& relation : schema_of(session, release).relations)
    if (relation.name == name) return ledger_part(session, release.ledger, name, kind_of(relation));
  return InvalidOid;
}

OwnLedger::OwnLedger(SpiSession& session, Policy const& policy, Parts parts) {
  auto const schema = schema_of(session, policy);
  owner_.emplace(ledger_owner(session, policy.ledger()));
  if (bring_up(session, policy.ledger(), "policy " + quoted(policy.name), schema)) converted_.emplace();
  if (parts == Parts::kRequired) require_parts(session, policy.ledger(), schema);
}

OwnLedger::OwnLedger(SpiSession& session, Release const& release) {
  require_unaltered(release);
  auto const schema = schema_of(session, release);
  owner_.emplace(ledger_owner(session, release.ledger));
  if (bring_up(session, release.ledger, "release " + quoted(release.reference()), schema)) converted_.emplace();
  require_parts(session, release.ledger, schema);
}

}  // namespace anon_seq::release
