// The sets of versions that leave the fewest candidates around one point: candidate_sets.h says how.
#pragma once

#include <vector>

#include "core/base/checkpoint.h"
#include "core/base/memory.h"

namespace anon_seq {

class VersionPaths {
 public:
  enum Sight : char { kAbsentThen, kHit, kMiss };
  struct Verdict {
    std::int64_t candidates = 0;         // fewer than k: of `versions`; k: there are at least so many in every set
    bool decided = true;                 // false: k was not proven
    std::vector<std::int32_t> versions;  // the worst set that was found, if it leaves fewer than k
  };

  VersionPaths(std::size_t versions, std::int64_t k, Checkpoint& checkpoint)
      : versions_(versions), k_(k), checkpoint_(checkpoint) {}

  // A row of `versions` to be filled in: where somebody is seen; in which versions a victim is where his point is.
  // Valid until the next is added.
  char* add_person() { return add(people_); }
  char* add_victim() { return add(victims_); }

  // Of the victims, in their order. Lowers `budget` by what was spent.
  std::vector<Verdict> judge(std::int64_t& budget);

 private:
  char* add(Vector<char>& rows) {
    rows.resize(rows.size() + versions_);
    return rows.data() + (rows.size() - versions_);
  }
  std::size_t people() const { return people_.size() / versions_; }
  void hold_versions_without_hits();
  void merge_columns();
  void weigh_pairs();
  void find_paths();
  Verdict judge_victim(char const* victim, std::int64_t& budget) const;
  std::vector<std::size_t> path_from(std::size_t column) const;
  std::int64_t count(std::vector<std::size_t> const& columns) const;
  std::vector<std::int32_t> versions_of(std::vector<std::size_t> const& columns) const;
  Verdict try_all(char const* victim, std::int64_t& budget) const;

  std::size_t const versions_;
  std::int64_t const k_;
  Checkpoint& checkpoint_;
  Vector<char> people_, victims_;      // rows
  std::vector<std::int32_t> held_;     // versions that are held in any case
  std::vector<std::int32_t> columns_;  // the others, the first of equal ones; ascending
  // From here on by columns:
  std::vector<std::vector<std::int64_t>>
      weights_;                     // c, d -> who is a candidate by c, if d comes next; d = columns: none
  std::vector<std::int64_t> from_;  // the least sum from a column on
  std::vector<std::size_t> next_;   // on that path; columns: none
};

}  // namespace anon_seq
