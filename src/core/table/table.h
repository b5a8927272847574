// A source as the algorithms see it: columns of dictionary codes, and a weight per row.
//
// Code 0 of every column is NULL, also where no NULL occurs; the other codes ascend in the order of the
// column's type (text by its bytes), so that they do not depend on the order in which rows arrived, and
// a Mondrian or a split may compare codes. A row stands for weight(row) equal rows of the source: what
// SQL could aggregate was aggregated there.
#pragma once

#include <cstdint>
#include <string>

#include "core/table/dictionary.h"

namespace anon_seq {

inline constexpr Code kNull = 0;

enum class ValueKind { kText, kBoolean, kEnum, kUuid, kInteger, kNumeric, kFloat, kDate, kTimestamp, kTimestampTz };

// Whether values of this kind lie on a line, so that intervals of them make sense.
constexpr bool is_continuous(ValueKind kind) { return kind >= ValueKind::kInteger; }

struct Column {
  std::string name;
  ValueKind kind = ValueKind::kText;
  Dictionary values;         // code -> text form under the pinned settings; [kNull] shows as ""
  bool single = false;       // kFloat: of single precision
  Vector<double> positions;  // continuous kinds: code -> place on the line, for widths only; else empty
  Vector<Code> codes;        // row -> code

  Code distinct() const { return values.size(); }  // NULL's code included
};

struct CodedTable {
  std::vector<Column> columns;
  Vector<std::int64_t> weights;  // empty: every row weighs 1

  std::size_t rows() const { return columns.empty() ? weights.size() : columns.front().codes.size(); }
  std::int64_t weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
  std::int64_t total_weight() const;
  Column const* find(std::string_view name) const;  // nullptr if there is none

  // The rows of which `of` is not 0, or is, if not `wanted`: same columns, same codes. Cost: linear.
  CodedTable rows_where(Vector<char> const& of, bool wanted) const;

  // Throws kInternal unless columns are equally long, codes in range and weights positive. Cost: linear.
  void check() const;
};

// Renumbers a column whose codes still stand in the order of first sight: order[i] is the old code of the
// value that comes i-th (all but NULL), labels[old code] its text form, which replaces the bytes that
// told values apart. Neighbours with one text form are one value: 1.0 and 1.00.
void renumber(Column& column, Vector<Code> const& order, Dictionary const& labels);

}  // namespace anon_seq
