// How members stand in the ledger, one after the other in three columns of _member. DO NOT CHANGE: it is what ledgers
// hold; another form is another format of the ledger (see catalog/ledger_schema.h), with a step that converts.
//
//   points  bytea  four bytes per quasi column, of the machine's order: the exact value as a code of _value, from 1;
//                  all bits set for who was forgotten
//   codes   int[]  the version of arrival, then a code of _value per column that is published as it is; 0 is NULL
//   objects bigint[], persons key[]  object id and key, NULL for who was forgotten
#pragma once

#include <span>
#include <string>
#include <vector>

#include "catalog/column.h"
#include "core/table/dictionary.h"

namespace anon_seq::incremental {

class MemberFormat {
 public:
  explicit MemberFormat(std::vector<PublishedColumn> const& columns);

  std::size_t quasi() const { return quasi_; }
  std::size_t point_bytes() const { return quasi_ * sizeof(Code); }  // of one member
  std::size_t codes() const { return plain_ + 1; }                   // of one member

  // Appends to `points` the code of a quasi column.
  static void put_point(std::string& points, Code code) {
    points.append(reinterpret_cast<char const*>(&code), sizeof code);
  }

  // Whether arrays of these sizes are those of so many members.
  bool fits(std::size_t members, std::size_t point_bytes, std::size_t codes) const {
    return point_bytes == members * this->point_bytes() && codes == members * this->codes();
  }
  // What member i has: a code per quasi column; arrival, then a code per other column.
  std::int32_t const* points_of(std::string_view points, std::size_t i) const {
    return reinterpret_cast<std::int32_t const*>(points.data()) + i * quasi_;
  }
  std::int32_t const* codes_of(std::span<std::int32_t const> codes, std::size_t i) const {
    return codes.data() + i * this->codes();
  }

  // SQL over a row `m` of _member, of its member number `i`, an expression that begins at 1: the version of arrival,
  // the code of a column (number in the release, from 0), and his points with all bits set.
  std::string arrived(std::string const& m, std::string const& i) const;
  std::string plain_code(std::size_t column, std::string const& m, std::string const& i) const;
  // quasi_code() REQUIRES: the points of `m` are fetched, see points_once().
  std::string quasi_code(std::size_t column, std::string const& m, std::string const& i) const;
  // Its points, fetched and copied once: a byte of what is stored elsewhere costs all of it, for each member.
  static std::string points_once(std::string const& m) {
    return m + ".points OPERATOR(pg_catalog.||) ''::pg_catalog.bytea";
  }
  std::string blanked(std::string const& m, std::string const& i) const;

 private:
  std::string code(std::size_t place, std::string const& m, std::string const& i) const;

  std::vector<std::size_t> place_;  // of each column among those of its kind
  std::size_t quasi_ = 0, plain_ = 0;
};

}  // namespace anon_seq::incremental
