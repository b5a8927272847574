#include "lossy_join/content.h"

namespace anon_seq::lossy_join {
SourceTable read_content(SpiSession& session, Policy const& policy, PolicySource const& source, Checkpoint& checkpoint,
                         std::function<void(RowReader&)> const& prepare) {
  std::vector<std::string> wanted;
  for (auto const& column : policy.columns)
    if (column.role != Role::kClass) wanted.push_back(column.column);
  return read_policy_source(session, policy, source, wanted, checkpoint, prepare);
}

}  // namespace anon_seq::lossy_join
