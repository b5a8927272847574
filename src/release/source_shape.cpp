#include "release/source_shape.h"

#include <set>

#include "catalog/ledger.h"
#include "pg/value_type.h"
#include "release/alter.h"
#include "release/declare.h"
#include "release/ledger_format.h"
#include "release/method.h"

namespace anon_seq::release {
namespace {

std::string type_word(Oid declared) {
  auto const type = base_type_name(declared, -1);
  if (type == "smallint" || type == "bigint") return "integer";
  if (type == "character varying") return "text";
  return type;
}

[[noreturn]] void throw_changed(Policy const& policy, std::string const& column) {
  throw Error(Fault::kType,
              "column " + quoted(column) + " of the source has another type than when policy " + quoted(policy.name) +
                  " was declared",
              "Releases of a policy keep their columns and types.",
              "Give it back its type, point the policy to a view that does, or declare another policy.");
}

[[noreturn]] void throw_damaged(Policy const& policy) {
  throw Error(Fault::kDamaged, "the catalog has a damaged row, of policy " + quoted(policy.name));
}

}  // namespace

std::map<std::string, std::string> source_types(SpiSession& session, Oid source, Policy const& policy) {
  std::set<std::string> read;
  if (policy.person)
    for (auto const& column : person_columns(session, *policy.person)) read.insert(column);
  for (auto const& column : policy.columns)
    if (column.role != Role::kClass) read.insert(column.column);
  for (auto const& column : method_of(policy).read_beside(policy)) read.insert(column);
  auto const rows = session.execute(
      "SELECT attname, atttypid FROM pg_catalog.pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped",
      {SqlValue::oid(source)}, true);
  std::map<std::string, std::string> types;
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    if (auto const name = rows.get(row, 1); read.contains(name)) types.emplace(name, type_word(rows.oid(row, 2)));
  return types;
}

void require_declared_types(SpiSession& session, Policy const& policy, Oid source) {
  for (auto const& [column, type] : source_types(session, source, policy)) {
    auto const known = policy.source_types.find(column);
    if (known == policy.source_types.end()) throw_damaged(policy);
    if (known->second != type) throw_changed(policy, column);
  }
}

void require_same_shape(SpiSession& session, Policy const& policy, PolicySource const& source, Declared declared) {
  require_declared_types(session, policy, source.relation);
  // What is published as it is keeps its modifier and its collation, too.
  auto definition = definition_of(policy);
  definition.source = source.relation;
  auto const now = resolve(session, definition);
  if (now.columns.size() != policy.columns.size()) throw_damaged(policy);
  for (std::size_t i = 0; i < policy.columns.size(); ++i)
    if (now.columns[i].type != policy.columns[i].type) throw_changed(policy, policy.columns[i].column);
  if (!policy.person || declared == Declared::kJustNow) return;
  auto const kept = key_type(session, policy.ledger(), ledger_of(method_of(policy), policy, source.key.type));
  if (!kept) throw_missing();
  if (*kept != source.key.type) throw_changed(policy, *policy.person);
}

void require_same_types(Policy const& before, Policy const& after, std::string const& hint) {
  for (auto const& [column, type] : before.source_types)
    if (auto const now = after.source_types.find(column); now != after.source_types.end() && now->second != type)
      refuse_change(before, "column " + quoted(column) + " of the source keeps its type",
                    "It is of another one now, or in the new source.", "Give it back its type. " + hint);
}

}  // namespace anon_seq::release
