#include "incremental/returned.h"

#include <set>

#include "catalog/ledger.h"
#include "release/key_digest.h"

namespace anon_seq::incremental {

void find_returned(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint) {
  auto const ledger = state.policy->ledger();
  auto const rows =
      session.execute("SELECT pg_catalog.encode(digest, 'hex') FROM " + ledger_table(ledger, "forgotten"), {}, true);
  if (rows.count() == 0) return;
  std::set<std::string, std::less<>> digests;
  for (std::uint64_t row = 0; row < rows.count(); ++row) digests.insert(rows.get(row, 1));
  auto const secret = secret_of(session, ledger);
  if (!secret)
    throw Error(Fault::kDamaged, "the ledger of policy " + quoted(state.policy->name) + " is damaged",
                "It has no secret any more.");
  auto const& person = state.source.table.columns[state.source.person];
  KeyTexts texts(person, state.source.person_value, checkpoint);
  auto& before = state.objects.before;
  for (std::size_t row = 0; row < state.live; ++row) {
    checkpoint.tick();
    if (state.objects.region[row] != kNoRegion || !digests.contains(key_digest(*secret, texts[person.codes[row]])))
      continue;
    if (before.size() <= row) before.resize(row + 1, kNoRegion);
    before[row] = state.demands.demands.arrivals_known ? kNeverAgain : kScattered;
    state.returned.resize(state.live, 0);
    state.returned[row] = 1;
  }
}

}  // namespace anon_seq::incremental
