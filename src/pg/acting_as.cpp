#include "pg/acting_as.h"

namespace anon_seq::pg {

ActingAs::ActingAs(Oid role) {
  if (!OidIsValid(role))
    throw Error(Fault::kDamaged, "the ledger has lost its owner",
                "Its tables were dropped, or made again by somebody.");
  GetUserIdAndSecContext(&caller_, &security_context_);
  call_pg([this]() noexcept { settings_level_ = NewGUCNestLevel(); });
  // What another role's source runs (functions in a view) must leave nothing behind that runs as the caller later.
  int const restricted = role == caller_ ? 0 : SECURITY_RESTRICTED_OPERATION;
  SetUserIdAndSecContext(role, security_context_ | SECURITY_LOCAL_USERID_CHANGE | restricted);
}

ActingAs::~ActingAs() {
  SetUserIdAndSecContext(caller_, security_context_);
  if (std::uncaught_exceptions() == unwinding_) AtEOXact_GUC(false, settings_level_);
}

}  // namespace anon_seq::pg
