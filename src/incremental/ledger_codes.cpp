#include "incremental/ledger_codes.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"

namespace anon_seq::incremental {

LedgerCodes::LedgerCodes(SpiSession& session, Policy const& policy)
    : values_(policy.columns.size()), known_(policy.columns.size()) {
  for (auto& values : values_) values.add_hidden("");
  if (policy.version <= 1) return;
  DatumCursor cursor(session, "SELECT attribute, code, value FROM " + ledger_table(policy.ledger(), "value") +
                                  " ORDER BY attribute, code");
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      auto const column = static_cast<std::size_t>(std::max(cursor.integer(row, 0), 1)) - 1;
      if (column >= values_.size())
        throw Error(Fault::kDamaged, "the ledger of policy " + quoted(policy.name) + " has a value of no column");
      auto& values = values_[column];
      if (values.intern(cursor.text(row, 2)) != cursor.integer(row, 1))
        throw Error(Fault::kDamaged, "the ledger of policy " + quoted(policy.name) + " lacks a value");
    }
}

Vector<Code> LedgerCodes::to_column(std::size_t i, Column const& column) const {
  Vector<Code> map(static_cast<std::size_t>(values_[i].size()), kNull);
  for (Code code = 1; code < values_[i].size(); ++code)
    map[static_cast<std::size_t>(code)] = column.values.find(values_[i][code]);
  return map;
}

Code LedgerCodes::of(std::size_t i, Column const& column, Code code) {
  if (code == kNull) return kNull;
  auto& known = known_[i];
  if (known.empty()) known.assign(static_cast<std::size_t>(column.distinct()), kNoCode);
  Code& of_ledger = known[static_cast<std::size_t>(code)];
  if (of_ledger != kNoCode) return of_ledger;
  Code const next = values_[i].size();
  of_ledger = values_[i].intern(column.values[code]);
  if (of_ledger == next) added_.push_back({static_cast<std::int32_t>(i) + 1, of_ledger, column.values[code]});
  return of_ledger;
}

}  // namespace anon_seq::incremental
