#include "pg/progress.h"

#include <utility>

extern "C" {
#include "mb/pg_wchar.h"
#include "pgstat.h"
#include "tcop/tcopprot.h"
#include "utils/backend_status.h"
#include "utils/timestamp.h"
}

namespace anon_seq::pg {
namespace {

constexpr std::int64_t kOften = 100000;  // microseconds between details
constexpr int kLongest = 400;            // bytes of a name: pg_stat_activity cuts the whole text at 1024

std::string shortened(std::string name) {
  auto const size = static_cast<int>(name.size());
  if (size > kLongest)
    name = name.substr(0, static_cast<std::size_t>(pg_mbcliplen(name.data(), size, kLongest))) + "...";
  return name;
}

}  // namespace

Progress::Progress(char const* work, std::string of, std::size_t steps, bool details)
    : work_(work),
      of_(shortened(std::move(of))),
      steps_(steps),
      details_(details),
      around_(std::exchange(innermost_, this)) {}

Progress::~Progress() {
  innermost_ = around_;
  if (number_ == 0) return;
  if (around_ != nullptr && around_->number_ > 0)
    around_->show({});
  else if (debug_query_string != nullptr)
    pgstat_report_activity(STATE_RUNNING, debug_query_string);
}

void Progress::step(std::string_view name, std::size_t number) {
  name_ = name;
  number_ = number;
  shown_ = 0;
  show({});
}

void Progress::show(std::string_view detail) {
  std::string text = "anon_seq " + std::string(work_) + " " + quoted(of_) + ": " + name_;
  if (!detail.empty()) text.append(", ").append(detail);
  text += " (" + std::to_string(number_) + " of " + std::to_string(steps_) + ")";
  pgstat_report_activity(STATE_RUNNING, text.c_str());
}

void Progress::at(std::string_view detail) {
  if (innermost_ == nullptr || innermost_->number_ == 0 || !innermost_->details_) return;
  innermost_->shown_ = 0;
  innermost_->show(detail);
}

void Progress::at(std::string_view unit, std::int64_t done, std::int64_t total) {
  if (innermost_ == nullptr || innermost_->number_ == 0 || !innermost_->details_) return;
  auto const now = GetCurrentTimestamp();
  if (now - innermost_->shown_ < kOften) return;
  innermost_->shown_ = now;
  innermost_->show(std::string(unit) + " " + std::to_string(done) + " of " + std::to_string(total));
}

}  // namespace anon_seq::pg
