#include "release/person_key.h"

#include <algorithm>

#include "pg/array_text.h"
#include "pg/no_column.h"
#include "pg/reading.h"
#include "release/declare.h"

namespace anon_seq::release {
namespace {

bool is_array(std::string_view text) { return text.starts_with('{'); }

struct KeyColumn {
  std::string name, type;
  Oid declared;
};

std::vector<KeyColumn> describe(SpiSession& session, Oid source, std::vector<std::string> const& columns) {
  std::vector<KeyColumn> described;
  for (auto const& column : columns) {
    auto const rows = session.execute(
        "SELECT atttypid, atttypmod FROM pg_catalog.pg_attribute WHERE attrelid = $1 AND attname = $2 AND NOT attisdropped",
        {SqlValue::oid(source), column}, true);
    if (rows.count() == 0) throw NoColumn(session, source, column);
    require_own_enum(rows.oid(0, 1), column);  // it may have another type than when the policy was declared
    described.push_back({column, base_type_name(rows.oid(0, 1), rows.int32(0, 2)), rows.oid(0, 1)});
  }
  return described;
}

// A text that two values share if, and only if, their type takes them for equal: 1 and 1.0, 0 and -0.
std::string equal_text(KeyColumn const& column) {
  std::string const name = quote_name(column.name);
  switch (value_type_of(column.declared, column.name).kind) {
    case ValueKind::kNumeric: return "pg_catalog.trim_scale(" + name + ")::pg_catalog.text";
    case ValueKind::kFloat: return "CASE WHEN " + name + " = 0 THEN '0' ELSE " + name + "::pg_catalog.text END";
    case ValueKind::kText: return name + "::pg_catalog.text COLLATE \"C\"";
    default: return name + "::pg_catalog.text";
  }
}

std::string joined_key(std::vector<KeyColumn> const& columns) {
  std::string known, texts;
  for (auto const& column : columns) {
    known += (known.empty() ? "" : " AND ") + quote_name(column.name) + " IS NOT NULL";
    texts += (texts.empty() ? "" : ", ") + equal_text(column);
  }
  return "CASE WHEN " + known + " THEN (ARRAY[" + texts + "])::pg_catalog.text COLLATE \"C\" END";
}

}  // namespace

std::vector<std::string> person_columns(SpiSession& session, std::string const& person) {
  if (!is_array(person)) return {person};
  auto const rows = session.execute("SELECT pg_catalog.unnest($1::pg_catalog.text[])", {person}, true);
  std::vector<std::string> columns;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto const column = rows.text(row, 1);
    if (!column)
      throw Error(Fault::kParameter, "argument \"person\" has a NULL at position " + std::to_string(row + 1));
    columns.push_back(*column);
  }
  if (columns.empty())
    throw Error(Fault::kParameter, "argument \"person\" must name at least one column", "",
                "Write a column, an array of several, or NULL if every row is another person.");
  return columns;
}

std::string person_text(std::vector<std::string> const& columns) {
  if (columns.size() == 1 && !is_array(columns.front())) return columns.front();
  std::string text = "{";
  for (auto const& column : columns) append_element(text, column);
  return text + "}";
}

PersonKey person_key(SpiSession& session, Policy const& policy) {
  PersonKey key;
  key.columns = person_columns(session, *policy.person);
  auto const columns = describe(session, source_of(session, policy), key.columns);
  for (auto const& column : columns) key.types.push_back(column.type);
  key.expression = key.is_composite() ? joined_key(columns) : quote_name(columns.front().name);
  key.type = key.is_composite() ? "text" : columns.front().type;
  return key;
}

std::vector<std::string> columns_with_key(PersonKey const& key, std::vector<std::string> const& columns) {
  std::vector<std::string> wanted;
  if (key.is_composite()) wanted.emplace_back();
  if (key.columns.size() == 1) wanted = key.columns;
  for (auto const& column : columns)
    if (std::find(wanted.begin(), wanted.end(), column) == wanted.end()) wanted.push_back(column);
  return wanted;
}

std::string select_with_key(SpiSession& session, Oid source, PersonKey const& key,
                            std::vector<std::string> const& columns) {
  auto wanted = columns_with_key(key, columns);
  if (!key.is_composite()) return select_columns(session, source, wanted);
  wanted.erase(wanted.begin());
  constexpr std::string_view kSelect = "SELECT ";
  return std::string(kSelect) + key.expression + " AS person" + (wanted.empty() ? "" : ", ") +
         select_columns(session, source, wanted).substr(kSelect.size());
}

std::string canonical_key(SpiSession& session, Policy const& policy, std::string const& key) {
  auto const names = person_columns(session, *policy.person);
  if (names.size() == 1 || !is_array(key)) return key;
  if (person_columns(session, key).size() != names.size()) return key;
  std::string values;
  auto const columns = describe(session, source_of(session, policy), names);
  for (std::size_t i = 0; i < columns.size(); ++i)
    values += (i == 0 ? "" : ", ") + ("($1::pg_catalog.text[])[" + std::to_string(i + 1) + "]::" + columns[i].type) +
              " AS " + quote_name(columns[i].name);
  return session.execute("SELECT " + joined_key(columns) + " FROM (SELECT " + values + ") AS k", {key}, true).get(0, 1);
}

}  // namespace anon_seq::release
