#include "lossy_join/minimality.h"

#include "lossy_join/content.h"
#include "lossy_join/grouped.h"
#include "lossy_join/read_back.h"
#include "lossy_join/shown_cells.h"
#include "pg/report.h"
#include "release/declare.h"
#include "release/digest.h"
#include "release/ledger_format.h"
#include "release/release_audit.h"

namespace anon_seq::lossy_join {
namespace {

constexpr int kMostTries = 100;  // to make the release again, where chance has a part in it

// Rows of classes that show what their region has in common stand in the ledger without their quasi values, and chance
// has dealt them: nothing is left by which a run could be held against the release.
void require_exact(LossyPolicy const& demands, Release const& release) {
  if (!demands.coarse) return;
  throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " shows groups of its quasi columns",
              "Neither NSS nor its ledger has the values by which its classes were made.",
              "Measure a policy that differs from it in options.nss alone: its classes are made alike.");
}

// The policy as it was; a dropped one as far as the release knows it, which is all that projections need.
Policy policy_of(SpiSession& session, Release const& release) {
  if (!release.is_projected()) return policy_at(load_policy(session, release.name, false), release);
  Policy policy;
  policy.name = release.name;
  return policy_at(policy, release);
}

// A table's quasi columns stand in the source alone.
SourceTable source_again(SpiSession& session, Policy const& policy, Release const& release, Checkpoint& checkpoint) {
  auto const from = policy_source(session, policy);
  auto source = read_content(session, policy, from, checkpoint);
  require_same_content(session, release, source.fingerprint);
  return source;
}

// Bags of joint values, in order.
Vector<JointValue> bags(Classes const& classes, Sensitive const& sensitive) {
  std::vector<Vector<JointValue>> held(static_cast<std::size_t>(classes.count()));
  for (std::size_t row = 0; row < classes.rows(); ++row)
    held[static_cast<std::size_t>(classes.class_of(row))].push_back(sensitive.joint_of(row));
  for (auto& bag : held) std::sort(bag.begin(), bag.end());
  std::sort(held.begin(), held.end());
  Vector<JointValue> all;
  for (auto const& bag : held) {
    all.insert(all.end(), bag.begin(), bag.end());
    all.push_back(-1);
  }
  return all;
}

// Whether each class lies in one part of the run, and each part has as many as it is dealt into.
bool deals(Rerun const& run, Classes const& classes) {
  Vector<ClassId> part_of(static_cast<std::size_t>(classes.count()), kWithheld), dealt(run.dealt.size());
  for (std::size_t row = 0; row < classes.rows(); ++row) {
    auto& part = part_of[static_cast<std::size_t>(classes.class_of(row))];
    if (part == kWithheld) ++dealt[static_cast<std::size_t>(part = run.parts.class_of(row))];
    if (part != run.parts.class_of(row)) return false;
  }
  return dealt == run.dealt;
}

// A version and its algorithm, which can be run on its rows again.
class Replay {
 public:
  Replay(SpiSession& session, Release const& release, Checkpoint& checkpoint)
      : session_(session),
        release_(release),
        checkpoint_(checkpoint),
        policy_(policy_of(session, release)),
        demands_(lossy_policy(policy_)),
        draws_([this] { return next_number(state_); }) {
    require_exact(demands_, release);
    if (demands_.generalized) {
      source_ = source_again(session, policy_, release, checkpoint);
      spell_out(source_);
      as_is_ = as_is_groups(policy_, demands_, source_, checkpoint);
    } else {
      auto read = read_back(session, {&release, 1}, kAllCells, false, checkpoint);
      source_ = std::move(read.source);
      classes_ = std::move(read.classes);
    }
    problem_.emplace(session, policy_, demands_, source_, checkpoint);
    sensitive_.emplace(problem_->rows(), problem_->columns(), checkpoint);
  }

  MinimalityFinding measure(std::int64_t runs) {
    auto const released = made_again();
    if (!released) {
      MinimalityFinding finding;
      finding.bound = demands_.alpha;
      finding.meaning = "the algorithm, run again, did not make this release: chance has a part in it";
      return finding;
    }
    return try_release(
        *classes_, bounded_values(*sensitive_), demands_.alpha, runs,
        [&](std::span<JointValue const> values) { return run(sensitive_->rearranged(values)).signature == *released; },
        checkpoint_);
  }

 private:
  Rerun run(Sensitive const& sensitive) {
    return run_again(*problem_, sensitive, demands_, as_is_, draws_, checkpoint_);
  }

  // A run that makes the release; of a table its classes are as good as any: nobody is told who is in which.
  std::optional<Signature> made_again() {
    for (int tries = draws_rows(demands_) ? kMostTries : 1; tries > 0; --tries) {
      auto made = run(*sensitive_);
      if (!is_release(made)) continue;
      if (demands_.generalized) classes_ = std::move(made.parts);
      return std::move(made.signature);
    }
    if (draws_rows(demands_)) return std::nullopt;
    throw_not_made_again(release_);
  }

  bool is_release(Rerun const& made) {
    if (demands_.generalized) {
      auto const shown = shown_cells(policy_, demands_, source_, *problem_, made.parts, checkpoint_);
      return digest_of(session_, policy_, release_, relations(policy_), shown.cells, checkpoint_) == release_.digest;
    }
    return draws_rows(demands_) ? bags(made.parts, *sensitive_) == bags(*classes_, *sensitive_)
                                : deals(made, *classes_);
  }

  SpiSession& session_;
  Release const& release_;
  Checkpoint& checkpoint_;
  Policy const policy_;
  LossyPolicy const demands_;
  std::uint64_t state_ = 0;
  Draws draws_;
  SourceTable source_;
  RowGroups as_is_;
  std::optional<Classes> classes_;
  std::optional<LossyProblem> problem_;
  std::optional<Sensitive> sensitive_;
};

// Before the snapshot under which the source is read, see reading.h.
void lock_content(SpiSession& session, Policy const& policy) {
  std::vector<std::string> columns =
      policy.person ? person_columns(session, *policy.person) : std::vector<std::string>();
  for (auto const& column : policy.columns)
    if (std::find(columns.begin(), columns.end(), column.column) == columns.end()) columns.push_back(column.column);
  lock_source(session, source_of(session, policy), columns);
}

}  // namespace

MinimalityFinding audit_minimality(SpiSession& session, Release const& release, std::int64_t runs) {
  InterruptCheckpoint checkpoint;
  OwnLedger const owner(session, release);
  if (!release.is_projected()) lock_content(session, policy_of(session, release));
  FreshSnapshot const snapshot;
  return Replay(session, release, checkpoint).measure(runs);
}

}  // namespace anon_seq::lossy_join
