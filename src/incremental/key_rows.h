// Keys of persons on their way into a statement: as rows that it reads by name, so that they stand in no text of a
// statement, nor in its plan, which others may log.
#pragma once

#include "pg/named_rows.h"
#include "pg/reading.h"
#include "release/person_key.h"

namespace anon_seq::incremental {

// A column of raw keys that a query yields. `types` gets its type.
Column read_keys(SpiSession& session, std::string const& query, std::string const& what, Checkpoint& checkpoint,
                 ValueType* type = nullptr);

class KeyRows {
 public:
  // Codes of `keys`, whose values are keys of that type; it must outlive this.
  KeyRows(Column const& keys, ValueType type, Checkpoint& checkpoint);

  void add(Code code);
  void publish() { rows_.publish(); }
  std::size_t size() const { return added_; }

  // SQL: SELECT of the keys, in their type. REQUIRES: publish().
  std::string select(PersonKey const& person) const;
  // SQL: the rows of a ledger's table with such persons, one each, to be given a name: found by its index, whatever the
  // planner thinks of how many there are.
  std::string looked_up(PersonKey const& person, std::string const& table, std::string const& columns = "m.*") const;
  // For statements with looked_up(): a row each, for which a bitmap is too much.
  static Settings planning() { return Settings({{"enable_bitmapscan", "off"}}); }
  // What is true of a row of the source whose person is one of these: an index on the columns of the key can find it.
  std::string condition(PersonKey const& person) const;

 private:
  NamedRows rows_;
  KeyTexts texts_;
  ScratchContext scratch_;
  std::size_t added_ = 0;
};

}  // namespace anon_seq::incremental
