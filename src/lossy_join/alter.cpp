#include "lossy_join/alter.h"

#include <cstdlib>

#include "lossy_join/policy.h"
#include "release/alter.h"

namespace anon_seq::lossy_join {
namespace {

constexpr char kAnother[] = "Declare another policy, or change only what asks for more.";

[[noreturn]] void refuse(Policy const& policy, std::string const& what, std::string const& why) {
  refuse_change(policy, what, why, kAnother);
}

// Least alphas hold, so one more that is no greater than what held before lowers it or changes nothing.
void require_no_greater_alphas(Policy const& policy, LossyPolicy const& old, LossyPolicy const& now) {
  for (auto const& [column, alphas] : old.alphas)
    for (auto const& [value, alpha] : alphas) {
      auto const found = now.alphas.find(column);
      if (found == now.alphas.end() || !found->second.contains(value))
        refuse(policy, "an alpha of a value's own may be lowered, not taken away", "Earlier releases promised it.");
      auto const& later = found->second.at(value);
      if (!at_most(later.num, later.den, alpha))
        refuse(policy, "alpha of a value may be lowered, not raised", "Earlier releases promised the lower one.");
    }
  for (auto const& [column, alphas] : now.alphas)
    for (auto const& [value, alpha] : alphas)
      if (!(old.alphas.contains(column) && old.alphas.at(column).contains(value)) &&
          !at_most(alpha.num, alpha.den, old.alpha))
        refuse(policy, "alpha of a value may be lowered, not raised", "Earlier releases promised that of all values.");
}

}  // namespace

void require_followable(SpiSession&, Policy const& before, Policy const& after) {
  auto const old = lossy_policy(before), now = lossy_policy(after);
  require_same_frame(before, after, "Views on it keep their columns, types and meaning.",
                     "Counts of earlier releases are counts of these persons.", kAnother);
  if (now.classes != old.classes) refuse(before, "classes are fixed", "They are how its promise is kept.");
  if (!at_most(now.alpha.num, now.alpha.den, old.alpha))
    refuse(before, "alpha may be lowered, not raised", "Earlier releases promised the lower one.");
  require_no_greater_alphas(before, old, now);
  if (now.k < old.k) refuse(before, "k may be raised, not lowered", "Earlier releases promised the greater one.");
  if (now.listed != old.listed || now.each != old.each)
    refuse(before, "listed values are fixed", "Earlier releases promised to bound these.");
  if (now.domains != old.domains) refuse(before, "domains are fixed", "They bound what its releases show.");
  if (old.near && (!now.near || std::strtod(now.near->c_str(), nullptr) < std::strtod(old.near->c_str(), nullptr)))
    refuse(before, "near may grow, not shrink", "Earlier releases promised to count so many values together.");
  if (now.decisions == Decisions::kPaper && old.decisions != Decisions::kPaper)
    refuse(before, "decisions must stay simulatable", "Earlier releases promised alpha to who knows the code as well.");
  require_no_more_unique(before, old, now, kAnother);
}

}  // namespace anon_seq::lossy_join
