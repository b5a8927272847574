// What a sequential policy demands, read from its parameters and options.
#pragma once

#include <algorithm>
#include <map>
#include <optional>

#include "core/sequential/rule_spec.h"
#include "core/sequential/sequential.h"
//
#include "catalog/policy.h"
#include "release/demands.h"

namespace anon_seq::sequential {

inline constexpr double kMostDetail = 1e15;  // of widths

struct SequentialPolicy : Demands {
  std::optional<std::int64_t> k;
  std::optional<Ratio> max_link;
  std::vector<RuleSpec> rules;  // as written; k and max_link come on top
  std::string label;            // empty: none
  Objective objective = Objective::kDistortion;
  std::optional<std::vector<std::string>> previous;  // none: all releases of the population

  // Who may be left out, as a share of all persons; none: nobody. Decided by k and quasi columns alone.
  std::optional<Ratio> max_suppressed;
  bool blanks = false;  // whoever may not be shown is published without quasi values, if k are; else left out

  // options
  Pruning pruning = Pruning::kExact;
  bool valid_split = true, overlap = true, search = false;
  bool null_is_public = false;    // max_link does not bound NULL
  bool suppress_unknown = false;  // rows with values that a taxonomy does not know are left out; else an error
  bool simulatable = false;       // decisions tell a reader of the code nothing of sensitive columns
  bool local = false;             // boxes, each cut for itself, in place of one cut of each column
  Dangling dangling = Dangling::kError;
  std::map<std::string, std::int64_t> weights;     // quasi column -> how much what is lost of it counts; else 1
  std::map<std::string, double> finest, coarsest;  // quasi column -> width or depth, see detail.h
  std::vector<std::vector<std::string>> linked;    // quasi columns that go together, each in one group at most
  std::vector<std::string> not_common;             // columns waived as common attributes

  bool unguarded_by_wish() const { return previous && previous->empty(); }
  bool leaves_out_all() const override { return unguarded_by_wish(); }
  bool may_blank() const override { return blanks; }
  bool reads_others() const override {
    return std::ranges::any_of(rules, [](auto const& rule) { return !rule.population.empty(); });
  }
};

// Throws kParameter, saying which parameter or option is wrong. Meets no table and no release.
SequentialPolicy sequential_policy(Policy const& policy);

// Whether options ask for local recoding.
bool is_local(std::string const& options);

// Whether a column of the source is in the policy's releases, in whatever role.
bool is_published(Policy const& policy, std::string const& column);

// The label, if cuts follow it and no release shows it (release::Method).
std::vector<std::string> shaped_by(Policy const& policy);

// Throws kParameter for max_link beside a label that is not published: nobody could count what the cuts tell of it.
void require_bounded_label(Policy const& policy, SequentialPolicy const& demands);

// The rules that k stands for, in terms of the policy's own columns.
RuleSpec rule_of_k(Policy const& policy, std::int64_t k);

}  // namespace anon_seq::sequential
