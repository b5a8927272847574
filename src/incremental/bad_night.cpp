#include "incremental/bad_night.h"

#include <algorithm>

namespace anon_seq::incremental {
namespace {

void require_share(IncrementalState const& state, std::int64_t persons, char const* did, std::optional<Ratio> most,
                   char const* option) {
  auto const before = state.turnover.before;
  if (!most || before == 0 || at_most(persons, before, *most)) return;
  throw Error(
      Fault::kData,
      std::to_string(persons) + " persons have " + did + ", where " + std::to_string(before) +
          " were there at the last version: more than options." + option + " allows",
      "It is " + ratio_text(*most) + ". A source that was emptied, or filled in part or twice, looks like that.",
      "If it is as it should be: SELECT * FROM anon_seq.publish(" + sql_literal(state.policy->name) +
          ", force => true);");
}

}  // namespace

void require_calm(IncrementalState const& state) {
  if (state.run.force || state.policy->version <= 1) return;
  require_share(state, state.turnover.left, "left", state.demands.max_leavers, "max_leavers");
  require_share(state, state.turnover.came, "come", state.demands.max_newcomers, "max_newcomers");
}

void hold_unknown(IncrementalState& state) {
  for (auto& unknown : state.unknown) {
    for (std::size_t row = 0; row < state.live; ++row) {
      if (unknown.codes[static_cast<std::size_t>(state.codes.at(row, unknown.axis))] == 0) continue;
      ++unknown.persons;
      auto& before = state.objects.before;
      if (before.size() <= row) before.resize(row + 1, kNoRegion);
      before[row] = kNeverAgain;
    }
  }
}

std::vector<std::string> unknown_notices(IncrementalState const& state) {
  std::vector<std::string> texts;
  for (auto const& unknown : state.unknown)
    if (unknown.persons > 0)
      texts.push_back(std::to_string(unknown.persons) + (unknown.persons == 1 ? " person waits" : " persons wait") +
                      ", as values of column " + quoted(unknown.column) + " are no part of taxonomy " +
                      quoted(unknown.taxonomy));
  return texts;
}

}  // namespace anon_seq::incremental
