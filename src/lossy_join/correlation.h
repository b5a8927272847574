// What a reader guesses who learns from a version how values go with quasi-identifiers (core/lossy/naive_bayes.h):
// against the truth, which the ledger knows. A lossy join promises nothing of it; so it is measured, and told.
#pragma once

#include <optional>

#include "release/method.h"

namespace anon_seq::lossy_join {

inline constexpr int kIterations = 10;

// Of a sensitive column; `listed`: of those who are guessed to hold a listed value of it, else of everybody.
struct Guesses {
  std::string column;
  bool listed = false;
  std::int64_t rows = 0, right = 0;
  std::int64_t guessed = 0, plainly_right = 0;  // the same where the most frequent value of the class is guessed
  std::optional<Ratio> promised;                // nothing where only listed values are bounded
};

// A version and those before it whose rows say more of the same: of its ledger, with its columns, which people may have
// read. At most `most` together, oldest first, the version itself last.
std::vector<Release> learnt_from(std::vector<Release> const& population, Release const& release, std::size_t most);

// Of all cells of versions together: who learns from all of them learns more of how values go with quasi-identifiers.
// REQUIRES: who owns the ledger acts; versions are as learnt_from() has them. Throws kDamaged, and kLimit if what is
// learnt takes too much memory.
std::vector<Guesses> measure_correlation(SpiSession& session, std::span<Release const> versions,
                                         Checkpoint& checkpoint);

// For the owner of projections: a row of an audit, always ok, and a WARNING at publish where more is learnt than is
// comfortable. Both on the classes of the first kSampled cells, of all versions together, or on nothing where that
// would take long or much memory: classes are numbered at random.
inline constexpr std::int64_t kSampled = 20000;
Check correlation_check(SpiSession& session, std::span<Release const> versions);
void warn_of_correlation(PublishRun const& run, Release const& release);

}  // namespace anon_seq::lossy_join
