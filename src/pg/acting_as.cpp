#include "pg/acting_as.h"

#include "pg/settings.h"

extern "C" {
#include "catalog/namespace.h"
#include "utils/guc.h"
}

namespace anon_seq::pg {

ActingAs::ActingAs(Oid role) {
  if (!OidIsValid(role))
    throw Error(Fault::kDamaged, "the ledger has lost its owner",
                "Its tables were dropped, or made again by somebody.");
  GetUserIdAndSecContext(&caller_, &security_context_);
  bool const is_other = role != caller_;
  if (is_other) hidden_.emplace();
  call_pg([this, is_other]() noexcept {
    settings_level_ = NewGUCNestLevel();
    // Whatever the names of our statements meant to the caller, they mean this to the role, which may be a superuser.
    if (is_other && strcmp(namespace_search_path, kSearchPath) != 0)
      (void)set_config_option("search_path", kSearchPath, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
  });
  // What another role's source runs (functions in a view) must leave nothing behind that runs as the caller later.
  int const restricted = is_other ? SECURITY_RESTRICTED_OPERATION : 0;
  SetUserIdAndSecContext(role, security_context_ | SECURITY_LOCAL_USERID_CHANGE | restricted);
}

ActingAs::~ActingAs() {
  SetUserIdAndSecContext(caller_, security_context_);
  if (std::uncaught_exceptions() == unwinding_) AtEOXact_GUC(false, settings_level_);
}

}  // namespace anon_seq::pg
