// How audits run their SQL: read-only, under the active snapshot, planned for what they are.
#pragma once

#include "pg/reading.h"

namespace anon_seq::pg {

// While it lives, statements are planned without JIT, whose compilation takes longer than most audits, and
// by hashing where that will do: row counts behind several GROUP BY are guesses, mostly far too low, and a
// nested loop or a sort of the join is what the planner makes of them. work_mem is 64 MB at least.
class AuditPlanning {
 public:
  AuditPlanning();
  ~AuditPlanning();
  AuditPlanning(AuditPlanning const&) = delete;
  AuditPlanning& operator=(AuditPlanning const&) = delete;

 private:
  int const unwinding_ = std::uncaught_exceptions();
  int level_ = 0;
  Live live_;
};

// Runs a SELECT over users' relations, called `what` in messages; errors lose what could show a value.
Rows read_source(SpiSession& session, std::string const& sql, std::span<SqlValue const> values,
                 std::string const& what);

// text[] and int4[] datums in the current memory context.
Datum text_array(std::vector<std::string_view> const& texts);
Datum integer_array(std::vector<std::int32_t> const& numbers);

}  // namespace anon_seq::pg
