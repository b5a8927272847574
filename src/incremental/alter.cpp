#include "incremental/alter.h"

#include "incremental/policy.h"
#include "release/alter.h"

namespace anon_seq::incremental {
namespace {

constexpr char kAnother[] = "Declare another policy.";

[[noreturn]] void refuse(Policy const& policy, std::string const& what, std::string const& why) {
  refuse_change(policy, what, why, kAnother);
}

}  // namespace

void require_followable(SpiSession&, Policy const& before, Policy const& after) {
  auto const old = incremental_policy(before), now = incremental_policy(after);
  if (now.independent) return;
  if (now.demands.box != old.demands.box) refuse(before, "shape is fixed", "What is published cannot be reshaped.");
  if (now.by_children != old.by_children && !old.demands.box)
    refuse(before, "categorical is fixed", "It decides whether columns show one label or several.");
  require_same_frame(before, after, "Views on it keep their names.", "Persons are found again by their key.", kAnother);
  if (now.demands.k > old.demands.k)
    refuse_change(before, "k cannot be raised",
                  "Its regions hold " + std::to_string(old.demands.k) +
                      " persons or more and are published; they can be refined, never merged.",
                  "Declare another policy with a greater k from the start.");
  if (now.demands.arrivals_known && !old.demands.arrivals_known)
    refuse(before, "arrivals cannot become known", "Earlier versions took no care of who came when.");
  if (!now.demands.arrivals_known && old.demands.arrivals_known)
    refuse(before, "arrivals must stay known", "Earlier versions promised to take care of who came when.");
  if (now.demands.erase_at_once && !old.demands.erase_at_once)
    refuse(before, "erasure cannot become immediate", "Earlier versions promised that no region is ever withheld.");
  if (now.object_id != old.object_id) refuse(before, "object_id is fixed", "Releases of a policy keep their columns.");
  if (old.domains != now.domains) refuse(before, "domains are fixed", "They bound the root of its regions.");
  require_no_more_unique(before, old, now, kAnother);
}

}  // namespace anon_seq::incremental
