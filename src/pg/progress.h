// What long work is at, for everybody who may know: the text that pg_stat_activity shows for the session, and the view
// anon_seq.progress takes apart.
//
// The innermost work of a session is shown; when it ends, what is around it is, and at last the statement itself. No
// text has a value of a cell.
#pragma once

#include <string>
#include <string_view>

#include "pg/guard.h"

namespace anon_seq::pg {

class Progress {
 public:
  // `work` is the SQL function, `of` the policy or the releases that it is about, `steps` how many there will be.
  // details: whether at() is shown.
  Progress(char const* work, std::string of, std::size_t steps, bool details = true);
  ~Progress();
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;

  // The next step begins, or step `number`, from 1.
  void step(std::string_view name) { step(name, number_ + 1); }
  void step(std::string_view name, std::size_t number);

  // What the innermost work is at within its step; nothing, if none goes on. Of many that follow each other at once not
  // all are shown.
  static void at(std::string_view detail);
  static void at(std::string_view unit, std::int64_t done, std::int64_t total);

 private:
  void show(std::string_view detail);

  char const* work_;
  std::string of_, name_;
  std::size_t steps_, number_ = 0;
  bool details_;
  std::int64_t shown_ = 0;  // when a detail was
  Progress* around_;
  inline static constinit Progress* innermost_ = nullptr;
};

}  // namespace anon_seq::pg
