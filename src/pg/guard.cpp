#include "pg/guard.h"

#include <new>

namespace anon_seq::pg {
namespace {

int sqlstate_of(Fault fault) {
  switch (fault) {
    case Fault::kParameter: return ERRCODE_INVALID_PARAMETER_VALUE;
    case Fault::kData: return ERRCODE_DATA_EXCEPTION;
    case Fault::kNoColumn: return ERRCODE_UNDEFINED_COLUMN;
    case Fault::kNoObject: return ERRCODE_UNDEFINED_OBJECT;
    case Fault::kExists: return ERRCODE_DUPLICATE_OBJECT;
    case Fault::kInUse: return ERRCODE_OBJECT_IN_USE;
    case Fault::kLocked: return ERRCODE_LOCK_NOT_AVAILABLE;
    case Fault::kReadOnly: return ERRCODE_READ_ONLY_SQL_TRANSACTION;
    case Fault::kState: return ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE;
    case Fault::kPrivilege: return ERRCODE_INSUFFICIENT_PRIVILEGE;
    case Fault::kName: return ERRCODE_NAME_TOO_LONG;
    case Fault::kType: return ERRCODE_DATATYPE_MISMATCH;
    case Fault::kUnsupported: return ERRCODE_FEATURE_NOT_SUPPORTED;
    case Fault::kLimit: return ERRCODE_PROGRAM_LIMIT_EXCEEDED;
    case Fault::kDamaged: return ERRCODE_DATA_CORRUPTED;
    case Fault::kBroken: return ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION;
    case Fault::kInternal: break;
  }
  return ERRCODE_INTERNAL_ERROR;
}

// Copies as much as fits without cutting a character in two.
template <std::size_t N>
void copy(char (&to)[N], char const* from) noexcept {
  std::size_t length = strlen(from);
  if (length >= N)
    length = static_cast<std::size_t>(pg_mbcliplen(from, static_cast<int>(length), static_cast<int>(N) - 1));
  memcpy(to, from, length);
  to[length] = '\0';
}

constinit MemoryContext error_home = nullptr;

}  // namespace

MemoryContext error_memory() { return error_home == nullptr ? CurTransactionContext : error_home; }

ErrorHome::ErrorHome() : before_(error_home) { error_home = CurTransactionContext; }

ErrorHome::~ErrorHome() { error_home = before_; }

ErrorData* attempt(void (*step)(void*) noexcept, void* arg) noexcept {
  MemoryContext const home = CurrentMemoryContext;
  ErrorData* volatile failure = nullptr;
  PG_TRY();
  { step(arg); }
  PG_CATCH();
  {
    MemoryContextSwitchTo(error_memory());
    failure = CopyErrorData();
    FlushErrorState();
    MemoryContextSwitchTo(home);
  }
  PG_END_TRY();
  return failure;
}

void Verdict::note(int code, char const* message, char const* detail, char const* hint) noexcept {
  code_ = code;
  copy(message_, message);
  copy(detail_, detail);
  copy(hint_, hint);
}

void Verdict::take_current_exception() noexcept {
  try {
    throw;
  } catch (PgError const& e) {
    rethrow_ = e.data;
  } catch (Error const& e) {
    note(sqlstate_of(e.fault()), e.what(), e.detail().c_str(), e.hint().c_str());
  } catch (std::bad_alloc const&) {
    note(ERRCODE_OUT_OF_MEMORY, "out of memory");
  } catch (std::exception const& e) {
    note(ERRCODE_INTERNAL_ERROR, e.what());
  } catch (...) {
    note(ERRCODE_INTERNAL_ERROR, "unexpected C++ exception");
  }
}

void Verdict::raise() {
  if (rethrow_ != nullptr) ReThrowError(rethrow_);
  ereport(ERROR,
          (errcode(code_), errmsg_internal("%s", message_), detail_[0] == '\0' ? 0 : errdetail_internal("%s", detail_),
           hint_[0] == '\0' ? 0 : errhint("%s", hint_)));
  pg_unreachable();
}

}  // namespace anon_seq::pg
