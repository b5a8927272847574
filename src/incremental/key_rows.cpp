#include "incremental/key_rows.h"

namespace anon_seq::incremental {

Column read_keys(SpiSession& session, std::string const& query, std::string const& what, Checkpoint& checkpoint,
                 ValueType* type) {
  RowReader reader(session, query, what, {}, 1);
  if (type != nullptr) *type = reader.types().front();
  return std::move(reader.finish(checkpoint).columns.front());
}

KeyRows::KeyRows(Column const& keys, ValueType type, Checkpoint& checkpoint)
    : rows_({{"key", TEXTOID}}), texts_(keys, type, checkpoint) {}

void KeyRows::add(Code code) {
  ++added_;
  auto const text = texts_[code];
  Datum key{};
  bool const is_null = false;
  call_pg([&]() noexcept {
    if (added_ % 1024 == 0) scratch_.reset();
    MemoryContext const before = MemoryContextSwitchTo(scratch_.get());
    key = PointerGetDatum(cstring_to_text_with_len(text.data(), static_cast<int>(text.size())));
    MemoryContextSwitchTo(before);
  });
  rows_.add(&key, &is_null);
}

std::string KeyRows::select(PersonKey const& person) const {
  return "SELECT k.key::" + person.type + " FROM " + rows_.name() + " AS k";
}

std::string KeyRows::looked_up(PersonKey const& person, std::string const& table, std::string const& columns) const {
  return "(" + select(person) + ") AS k (key) CROSS JOIN LATERAL (SELECT " + columns + " FROM " + table +
         " AS m WHERE m.persons[1] = k.key OFFSET 0)";
}

std::string KeyRows::condition(PersonKey const& person) const {
  auto const keys = " IN (" + select(person) + ")";
  if (!person.is_composite()) return person.expression + keys;
  // The values that a key was made of are equal to those that it spells.
  std::string columns, values;
  for (std::size_t i = 0; i < person.columns.size(); ++i) {
    columns += (i == 0 ? "" : ", ") + quote_name(person.columns[i]);
    values += (i == 0 ? "" : ", ") + ("(k.key::pg_catalog.text[])[" + std::to_string(i + 1) + "]::") + person.types[i];
  }
  return "(" + columns + ") IN (SELECT " + values + " FROM " + rows_.name() + " AS k) AND " + person.expression + keys;
}

}  // namespace anon_seq::incremental
