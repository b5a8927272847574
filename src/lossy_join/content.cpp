#include "lossy_join/content.h"

namespace anon_seq::lossy_join {
SourceTable read_content(SpiSession& session, Policy const& policy, PolicySource const& source, Checkpoint& checkpoint,
                         std::function<void(RowReader&)> const& prepare) {
  std::vector<std::string> wanted;
  for (auto const& column : policy.columns)
    if (column.role != Role::kClass) wanted.push_back(column.column);
  return read_policy_source(session, policy, source, wanted, checkpoint, prepare);
}

void spell_out(SourceTable& source) {
  auto& table = source.table;
  if (table.weights.empty()) return;
  for (auto& column : table.columns) {
    Vector<Code> codes;
    codes.reserve(static_cast<std::size_t>(table.total_weight()));
    for (std::size_t row = 0; row < column.codes.size(); ++row)
      codes.insert(codes.end(), static_cast<std::size_t>(table.weights[row]), column.codes[row]);
    column.codes = std::move(codes);
  }
  table.weights.clear();
}

}  // namespace anon_seq::lossy_join
