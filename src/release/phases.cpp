#include "release/phases.h"

#include <algorithm>

extern "C" {
#include "utils/timestamp.h"
}

namespace anon_seq::release {

namespace {

constexpr char const* kAfterwards[] = {"ledger", "views", "audit", "names"};

}  // namespace

Phases::Phases(char const* work, std::string policy, std::span<char const* const> method, bool verbose)
    : policy_(std::move(policy)), phases_(method.begin(), method.end()), verbose_(verbose) {
  if (phases_.empty()) return;
  if (std::string_view(work) == "publish")
    phases_.insert(phases_.end(), std::begin(kAfterwards), std::end(kAfterwards));
  progress_.emplace(work, policy_, phases_.size(), false);
}

Phases::~Phases() = default;

void Phases::begin(std::string_view phase) {
  end();
  if (phases_.empty()) return;
  auto const known = std::find(phases_.begin(), phases_.end(), phase);
  if (known == phases_.end()) throw Error(Fault::kInternal, "a publish has no phase " + std::string(phase));
  phase_ = *known;
  began_ = GetCurrentTimestamp();
  progress_->step(phase_, static_cast<std::size_t>(known - phases_.begin()) + 1);
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
