// Whose rights our SQL runs with.
#pragma once

#include <optional>

#include "pg/hidden_portals.h"

namespace anon_seq::pg {

// Acts as a role for as long as it lives: what belongs to a policy's owner is read and made by him, whoever
// asks; as with REFRESH MATERIALIZED VIEW, code of his that runs on the way gets no rights of the caller's, and no
// setting that it changes stays; it fetches from no cursor that is open. For another role than the caller search_path
// is kSearchPath. Functions run with the rights of who fetches, not of who opened a cursor: open, drain and close one
// under the same role.
class ActingAs {
 public:
  explicit ActingAs(Oid role);
  ~ActingAs();
  ActingAs(ActingAs const&) = delete;
  ActingAs& operator=(ActingAs const&) = delete;

 private:
  int const unwinding_ = std::uncaught_exceptions();
  std::optional<HiddenPortals> hidden_;  // from another role
  Oid caller_ = InvalidOid;
  int security_context_ = 0;
  int settings_level_ = 0;
  Live live_;
};

}  // namespace anon_seq::pg
