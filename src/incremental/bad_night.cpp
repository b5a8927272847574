#include "incremental/bad_night.h"

#include <algorithm>

#include "pg/report.h"
#include "pg/sql_text.h"
#include "release/declare.h"

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

// A taxonomy that knows nobody any more, as when a source has recoded a column overnight, is no typing mistake.
void require_few_unknown(IncrementalState const& state, std::int64_t held) {
  if (held == 0 || state.run.force) return;
  require_calm(state);
  // Also those whose rows were not read, as they have not changed.
  auto const live = state.unloaded + std::count(state.objects.gone.begin(), state.objects.gone.end(), 0);
  auto const k = state.demands.demands.k;
  constexpr std::int64_t kMost = 10;  // one of so many
  if (held * kMost <= live && (state.policy->version > 1 || live - held >= k)) return;
  throw Error(
      Fault::kData,
      std::to_string(held) + " of " + std::to_string(live) +
          " persons have values that taxonomies do not know: too many to wait",
      "More than one in " + std::to_string(kMost) + " looks like a column that is coded in another way now.",
      "Mend the source, or add the values by anon_seq.add_to_taxonomy(). If it is as it should be: SELECT * FROM"
      " anon_seq.publish(" +
          sql_literal(state.policy->name) + ", force => true);");
}

}  // namespace

void require_calm(IncrementalState const& state) {
  if (state.run.force || state.policy->version <= 1) return;
  require_share(state, state.turnover.left, "left", state.demands.max_leavers, "max_leavers");
  require_share(state, state.turnover.came, "come", state.demands.max_newcomers, "max_newcomers");
}

void hold_unknown(IncrementalState& state) {
  auto const known = [&](std::size_t row) {
    return row < state.turnover.known.size() && state.turnover.known[row] != 0;
  };
  Vector<char> held(state.unknown.empty() ? 0 : state.live, 0);
  for (auto& unknown : state.unknown) {
    for (std::size_t row = 0; row < state.live; ++row) {
      if (unknown.codes[static_cast<std::size_t>(state.codes.at(row, unknown.axis))] == 0) continue;
      ++unknown.persons;
      auto& before = state.objects.before;
      if (before.size() <= row) before.resize(row + 1, kNoRegion);
      before[row] = kNeverAgain;
      state.turnover.left += held[row] == 0 && known(row);  // what was shown of him goes, and nothing comes
      held[row] = 1;
    }
  }
  require_few_unknown(state, std::count(held.begin(), held.end(), 1));
}

std::int64_t unseen(IncrementalState const& state) {
  std::int64_t persons = 0;
  for (std::size_t row = 0; row < state.live; ++row)
    persons += state.refined.region[row] == kNoRegion &&
               (row >= state.turnover.known.size() || state.turnover.known[row] == 0);
  return persons;
}

void tell_of_unknown(IncrementalState const& state) {
  for (auto const& unknown : state.unknown) {
    if (unknown.persons == 0) continue;
    bool const open = state.pool->is_open(unknown.taxonomy);
    auto const values = std::count(unknown.codes.begin(), unknown.codes.end(), 1);
    release::Misfits const misfits(unknown.column, unknown.taxonomy, values,
                                   open                ? "not of the form"
                                   : unknown.all_inner ? "inner nodes, not leaves,"
                                                       : "no part");
    notice(std::to_string(unknown.persons) + (unknown.persons == 1 ? " person waits" : " persons wait") +
               ", as values of column " + quoted(unknown.column) + " are " + misfits.what + " of taxonomy " +
               quoted(unknown.taxonomy),
           misfits.about(state.run.session, qualified_name(source_of(state.run.session, *state.policy))).hint());
  }
}

}  // namespace anon_seq::incremental
