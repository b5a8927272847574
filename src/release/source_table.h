// The source of a policy, read once under one snapshot into a coded table.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/table/table.h"
//
#include "catalog/policy.h"
#include "pg/reading.h"
#include "release/person_key.h"

namespace anon_seq::release {

struct SourceTable {
  CodedTable table;
  std::vector<Oid> types;         // of its columns, domains stripped
  std::size_t person = kNoIndex;  // column of the person key; its values are keys, see KeyTexts
  ValueType person_value;
  std::string person_type;   // as SQL; empty: every row is another person
  bool one_row_each = true;  // no person has two rows
  std::int64_t persons = 0;
  std::string fingerprint;  // of the rows as a bag: equal contents, equal text

  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

  std::size_t column(std::string_view name) const;  // kNoIndex if it was not read
};

// Where a policy reads from, and as whom.
struct PolicySource {
  Oid relation = InvalidOid;
  Oid reader = InvalidOid;  // see roles.h
  PersonKey key;            // empty where every row is another person
};
// kJustNow: a variant of a policy without releases, made from the source as it is: its ledger may have been made for
// keys of another type.
enum class Declared { kBefore, kJustNow };
// Throws kType if a column has another type than what was declared (source_shape.h).
PolicySource policy_source(SpiSession& session, Policy const& policy, Declared declared = Declared::kBefore);

// Reads the key of the person and `columns`, each once; `prepare` may seed the reader. Throws kData for an empty
// source, or a NULL person. What comes back may have weights: a row then stands for so many equal ones.
SourceTable read_policy_source(SpiSession& session, Policy const& policy, PolicySource const& source,
                               std::vector<std::string> const& columns, Checkpoint& checkpoint,
                               std::function<void(RowReader&)> const& prepare = {});

// A row for each person: rows that were read as one, with a weight, are told apart again.
void spell_out(SourceTable& source);

// For tests: sources are read as counted rows, GROUP BY all columns.
void read_sources_counted(bool counted);

// Throws kData for a column that is published as it is, sensitive or not, though it is nearly unique, unless it is
// allowed.
// elsewhere: column of the policy -> code -> rows that are not in the table; may be empty.
void require_not_unique(Policy const& policy, SourceTable const& source, std::vector<std::string> const& allowed,
                        std::span<Vector<std::int64_t> const> elsewhere = {});

// What a fingerprint tells of rows: sums of hashes of their values, independent of the order of rows, and of codes. So
// rows can be added and taken away.
struct ContentSum {
  std::uint64_t rows = 0, sum = 0, mixed = 0, names = 0;

  std::string text() const;
  // Of a text that begins so; nullopt if it does not.
  static std::optional<ContentSum> of(std::string const& text);
  // So many rows with these codes, one per column of a table; -1 takes one away.
  void add(CodedTable const& table, std::span<Code const> codes, std::int64_t times);
  void add(ContentSum const& other, std::int64_t times);
};
// Of no rows of a table.
ContentSum no_content(CodedTable const& table);

// Takes rows out of a source, as if they had not been in it: row -> not 0. `persons`: how many persons go with them.
void take_out(SourceTable& source, Vector<char> const& rows, std::int64_t persons, Checkpoint& checkpoint);

// fingerprint of the rows that are not left out: equal contents, equal text. left_out: row -> not 0; may be empty.
std::string fingerprint_of(CodedTable const& table, Vector<char> const& left_out, Checkpoint& checkpoint);

// The type of the person key as SQL; empty where there is none.
std::string person_type(SpiSession& session, Policy const& policy);

}  // namespace anon_seq::release
