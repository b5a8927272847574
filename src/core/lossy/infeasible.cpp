#include "core/lossy/infeasible.h"

#include "core/numbers/decimal.h"

namespace anon_seq {
namespace {

constexpr std::int64_t kMostTries = 1000;

std::int64_t over(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }  // rounded up

// At most 1, rounded up to four digits.
std::string text_of(Ratio alpha) {
  Wide const units = (wide_mul(alpha.num, 10000) + static_cast<Wide>(alpha.den) - 1) / static_cast<Wide>(alpha.den);
  return decimal_text(std::min<std::int64_t>(static_cast<std::int64_t>(units), 10000), 4);
}

// The least alpha with which c of n rows can be dealt, c being the most frequent: either classes of k rows hold more of
// them, or larger ones hold one. Every greater alpha does as well.
Ratio least_alpha(std::int64_t rows, std::int64_t most, std::int64_t k) {
  Ratio const in_k{over(most, rows / k), k};
  std::int64_t const size = rows / most;
  return size > k && wide_mul(in_k.den, 1) < wide_mul(in_k.num, size) ? Ratio{1, size} : in_k;
}

struct Need {
  std::int64_t count;
  Ratio alpha;
};

// The least class size above `from` with which all can be dealt, 0 if there is none near.
std::int64_t better_size(std::int64_t rows, std::int64_t from, std::span<Need const> needs) {
  for (std::int64_t size = from + 1; size <= std::min(rows, from + kMostTries); ++size)
    if (std::ranges::all_of(needs, [&](auto const& n) { return rows / size * most_of(size, n.alpha) >= n.count; }))
      return size;
  return 0;
}

Error too_few(std::int64_t rows, std::int64_t least) {
  return {Fault::kData, "the source has too few rows for one class",
          "A class has at least " + std::to_string(least) + " rows, the source has " + std::to_string(rows) + "."};
}

}  // namespace

Error not_dealable(Sensitive const& sensitive, std::int64_t k, Tally const& tally, std::int64_t most_near) {
  auto const rows = static_cast<std::int64_t>(sensitive.rows());
  std::int64_t const size = tally.least_class();
  if (rows < size) return too_few(rows, size);
  std::vector<Need> needs;
  for (auto const& block : sensitive.blocks()) needs.push_back({block.count, block.alpha});
  if (most_near > 0) needs.push_back({most_near, sensitive.near_alpha()});
  std::int64_t most = 0, larger = 0, worst = 0;
  for (auto const& need : needs) {
    std::int64_t const wanted = over(need.count, most_of(size, need.alpha));
    most = std::max(most, need.count);
    if (checked_mul(wanted, size) <= larger) continue;
    larger = wanted * size;
    worst = need.count;
  }
  std::string hint = "Alpha " + text_of(least_alpha(rows, most, k)) + " would do, or a source of " +
                     std::to_string(larger) + " rows with no more of these values";
  if (auto const better = better_size(rows, size, needs); better > 0) hint += ", or k = " + std::to_string(better);
  return {Fault::kData, "the values of the source cannot be dealt to classes within alpha",
          "Of " + std::to_string(rows) + " rows " + std::to_string(worst) +
              " hold one bounded value, or bounded values that occur together; classes have " + std::to_string(size) +
              " rows or more.",
          hint + "."};
}

Error not_one_class(Sensitive const& sensitive, std::int64_t k, std::int64_t most_near) {
  auto const rows = static_cast<std::int64_t>(sensitive.rows());
  if (rows < k) return too_few(rows, k);
  std::int64_t most = most_near, larger = most_near > 0 ? rows_for(most_near, sensitive.near_alpha()) : 0;
  for (auto const& bound : sensitive.bounds()) {
    if (!at_most(bound.count, rows, bound.alpha)) most = std::max(most, bound.count);
    larger = std::max(larger, rows_for(bound.count, bound.alpha));
  }
  return {Fault::kData, "a bounded value has a greater share of the source than alpha",
          "Of " + std::to_string(rows) + " rows " + std::to_string(most) + " hold it.",
          "Alpha " + text_of({most, rows}) + " would do, or a source of " + std::to_string(larger) +
              " rows with no more of these values."};
}

Error not_diverse(std::int64_t rows, std::int64_t most, std::int64_t l) {
  if (rows < l) return too_few(rows, l);
  return {Fault::kData, "a sensitive value is too frequent for l",
          "Of " + std::to_string(rows) + " rows " + std::to_string(most) + " hold it, 1/l of them at most may.",
          "l = " + std::to_string(rows / most) + " would do, or a source of " + std::to_string(checked_mul(most, l)) +
              " rows with no more of it."};
}

}  // namespace anon_seq
