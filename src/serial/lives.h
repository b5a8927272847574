// Classes for life: who is in which class of a policy with persistence "permanent", as its ledger has it.
//
// Whoever is new is grouped with others who are new, and gets a place of a class, for good: with the values that he has
// then, whatever becomes of them. A class is shown as long as one of its members is in the source, always with all of
// its values; who is not there leaves a place that shows nothing but its class. Nobody else ever fills it. So every
// version shows the same bag of a class, and a reader of all of them knows no more of it than a reader of one.
#pragma once

#include "core/table/table.h"
//
#include "catalog/ledger_schema.h"
#include "pg/reading.h"
#include "release/source_table.h"

namespace anon_seq::serial {

inline constexpr std::int32_t kAbsent = -1;

// Entry by entry a place of a class, ascending by class; those of a class are its places 1, 2, ...
struct Lives {
  Vector<std::int32_t> class_of, place_of;
  Vector<std::int32_t> row_of;       // of the source, or kAbsent
  Vector<char> is_blank;             // its person was forgotten
  std::vector<Vector<Code>> values;  // sensitive column, in the order of the policy's columns -> codes of the source

  std::size_t size() const { return class_of.size(); }
  std::int32_t last_class() const { return class_of.empty() ? 0 : class_of.back(); }
  // kNoEntry if there is no such place.
  static constexpr std::size_t kNoEntry = static_cast<std::size_t>(-1);
  std::size_t find(std::int32_t class_id, std::int32_t place) const;
};

// Numbers of the sensitive columns among the policy's, from 0.
std::vector<std::size_t> sensitive_numbers(Policy const& policy);

// The table of the ledger that holds them. `keys`: the type of the person key.
LedgerRelation life_relation(Policy const& policy, std::string const& keys);

// Reads them. Values that its classes have need not occur in the source any more: it has to be read with them.
class LifeReader {
 public:
  LifeReader(SpiSession& session, Policy const& policy, Checkpoint& checkpoint)
      : session_(session), policy_(policy), checkpoint_(checkpoint) {}

  // Before the source is read.
  void seed(RowReader& reader);

  // Throws kDamaged for classes that are not whole. REQUIRES: the source was seeded, its persons are indexed, each has
  // one row. Cost: linear, and a sort of the ledger's.
  Lives read(SourceTable const& source);

 private:
  // The values of a column in the ledger: keys as a reader has them, and as the server prints them.
  struct Frozen {
    ValueType type;
    Dictionary keys;
    std::vector<std::string> texts;  // key -> text
    Vector<Code> codes;              // key -> code of the source
  };
  void match_codes(SourceTable const& source);
  Code code_of(Frozen const& frozen, Datum value) const;
  [[noreturn]] void throw_damaged() const;

  SpiSession& session_;
  Policy const& policy_;
  Checkpoint& checkpoint_;
  std::vector<Frozen> frozen_;  // one for each sensitive column
};

// Writes entries from `begin` on as classes that this version made. `persons`: of these entries; `texts`: of the
// policy's columns.
void write_lives(SpiSession& session, Policy const& policy, SourceTable const& source, Lives const& lives,
                 std::size_t begin, Vector<Code> const& persons, std::span<Dictionary const> texts,
                 Checkpoint& checkpoint);

}  // namespace anon_seq::serial
