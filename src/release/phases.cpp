#include "release/phases.h"

extern "C" {
#include "pgstat.h"
#include "utils/backend_status.h"
#include "utils/timestamp.h"
}

namespace anon_seq::release {

Phases::Phases(std::string policy, int phases, bool verbose)
    : policy_(std::move(policy)), phases_(phases), verbose_(verbose) {}

Phases::~Phases() = default;

void Phases::begin(char const* phase) {
  end();
  phase_ = phase;
  began_ = GetCurrentTimestamp();
  std::string const activity = "anon_seq publish " + quoted(policy_) + ": " + phase + " (" + std::to_string(++number_) +
                               " of " + std::to_string(phases_) + ")";
  pgstat_report_activity(STATE_RUNNING, activity.c_str());
}

void Phases::end() {
  if (phase_ == nullptr) return;
  double const seconds = static_cast<double>(GetCurrentTimestamp() - began_) / 1e6;
  char const* const phase = phase_;
  char const* const policy = policy_.c_str();
  phase_ = nullptr;
  if (verbose_)
    call_pg(
        [&]() noexcept { ereport(INFO, (errmsg_internal("policy \"%s\": %s took %.3f s", policy, phase, seconds))); });
}

}  // namespace anon_seq::release
