// What a reader learns from a lossy join about who has which value, from the release alone.
//
// Kifer: Attacks on Privacy and deFinetti's Theorem, SIGMOD 2009. A projection shows exact quasi-identifiers beside
// bags of sensitive values. Values go together with quasi-identifiers, and that can be learnt from all classes at once:
// a naive Bayes model begins with every row having its class's values in their shares, and is fitted by expectation and
// maximization, each class keeping the counts of its bag. The best guess of a row is its likeliest value. (alpha,k) and
// l-diversity promise nothing against this; it is to be measured.
#pragma once

#include "core/lossy/class_counts.h"

namespace anon_seq {

struct QuasiCodes {
  std::span<Code const> codes;  // row -> code
  Code distinct = 1;
};

// Row -> likeliest value of the sensitive column, kNoCode for withheld rows; the least code where several are.
// `counts`: of that column, whose codes are below `distinct`. Cost of an iteration: the sum over classes of rows times
// values, times axes.
Vector<Code> learn_values(Classes const& classes, std::span<QuasiCodes const> axes, ClassCounts const& counts,
                          Code distinct, int iterations, Checkpoint& checkpoint);

}  // namespace anon_seq
