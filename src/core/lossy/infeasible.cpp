#include "core/lossy/infeasible.h"

#include "core/numbers/decimal.h"
#include "core/text/json_value.h"

namespace anon_seq {
namespace {

constexpr std::int64_t kMostTries = 1000;

std::int64_t over(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }  // rounded up

// In ten thousandths, rounded up; at most 1.
Ratio rounded(Ratio alpha) {
  Wide const units = (wide_mul(alpha.num, 10000) + static_cast<Wide>(alpha.den) - 1) / static_cast<Wide>(alpha.den);
  return {std::min<std::int64_t>(static_cast<std::int64_t>(units), 10000), 10000};
}

std::string text_of(Ratio rounded) { return decimal_text(rounded.num, 4); }

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

// Of each alpha the greatest count: what it does, others under that alpha do as well.
void add_need(std::vector<Need>& needs, std::int64_t count, Ratio alpha) {
  for (auto& need : needs)
    if (need.alpha == alpha) {
      need.count = std::max(need.count, count);
      return;
    }
  needs.push_back({count, alpha});
}

// As it was written.
std::string as_given(Ratio alpha) {
  auto den = alpha.den;
  while (den % 10 == 0) den /= 10;
  return den == 1 ? ratio_text(alpha) : std::to_string(alpha.num) + "/" + std::to_string(alpha.den);
}

// Where several are demanded, which one.
std::string whose_alpha(std::vector<Need> const& needs, Ratio alpha) {
  return needs.size() < 2 ? "" : ", of alpha " + as_given(alpha);
}

bool can_deal(std::int64_t rows, std::int64_t k, std::span<Need const> needs, Ratio least) {
  auto const raised = [&](Ratio alpha) { return at_most(alpha.num, alpha.den, least) ? least : alpha; };
  std::int64_t size = k;
  for (auto const& need : needs) size = std::max(size, rows_for(1, raised(need.alpha)));
  return size <= rows && std::ranges::all_of(needs, [&](auto const& need) {
           Ratio const alpha = raised(need.alpha);
           return alpha.num == alpha.den || rows / size * most_of(size, alpha) >= need.count;
         });
}

// The least alpha found that does if no other is below it. That of the greatest count does: every class holds as much
// of each then as one alpha for all would let it.
Ratio alpha_for_all(std::int64_t rows, std::int64_t k, std::span<Need const> needs) {
  Ratio best{10000, 10000};
  for (auto const& need : needs) {
    Ratio const one = rounded(least_alpha(rows, need.count, k));
    if (one.num < best.num && can_deal(rows, k, needs, one)) best = one;
  }
  return best;
}

// The least class size above `from` with which all can be dealt, 0 if there is none near.
std::int64_t better_size(std::int64_t rows, std::int64_t from, std::span<Need const> needs) {
  for (std::int64_t size = from + 1; size <= std::min(rows, from + kMostTries); ++size)
    if (std::ranges::all_of(needs, [&](auto const& n) { return rows / size * most_of(size, n.alpha) >= n.count; }))
      return size;
  return 0;
}

// With alpha 1 nothing is bounded: where this k asks for it, a larger one may ask for less.
std::string alpha_that_does(std::int64_t rows, std::int64_t k, std::span<Need const> needs) {
  std::string const what = needs.size() < 2 ? "Alpha " : "Alphas of at least ";
  Ratio best = alpha_for_all(rows, k, needs);
  std::int64_t best_k = k;
  for (std::int64_t larger = k + 1; best.num == best.den && larger <= std::min(rows, k + kMostTries); ++larger) {
    best = alpha_for_all(rows, larger, needs);
    best_k = larger;
  }
  if (best.num == best.den) return "No alpha below 1 would do";
  return what + text_of(best) + (best_k == k ? "" : " and k = " + std::to_string(best_k)) + " would do";
}

Error too_few(std::int64_t rows, std::int64_t least, std::string const& hint = {}) {
  return {Fault::kData, "the source has too few rows for one class",
          "A class has at least " + std::to_string(least) + " rows, the source has " + std::to_string(rows) + ".",
          hint};
}

}  // namespace

Error not_dealable(Sensitive const& sensitive, std::int64_t k, Tally const& tally, std::int64_t most_near) {
  auto const rows = static_cast<std::int64_t>(sensitive.rows());
  std::int64_t const size = tally.least_class();
  if (rows < k) return too_few(rows, k);
  std::vector<Need> needs;
  for (auto const& block : sensitive.blocks()) add_need(needs, block.count, block.alpha);
  if (most_near > 0) add_need(needs, most_near, sensitive.near_alpha());
  auto const alpha = alpha_that_does(rows, k, needs);
  if (rows < size) return too_few(rows, size, alpha + ".");
  std::int64_t larger = 0;
  Need worst{0, {}};
  for (auto const& need : needs) {
    std::int64_t const wanted = over(need.count, most_of(size, need.alpha));
    if (checked_mul(wanted, size) <= larger) continue;
    larger = wanted * size;
    worst = need;
  }
  auto hint = alpha + ", or a source of " + std::to_string(larger) + " rows with no more of these values";
  if (auto const better = better_size(rows, size, needs); better > 0) hint += ", or k = " + std::to_string(better);
  return {Fault::kData, "the values of the source cannot be dealt to classes within alpha",
          "Of " + std::to_string(rows) + " rows " + std::to_string(worst.count) +
              (worst.count == most_near ? " hold values near each other"
                                        : " hold one bounded value, or bounded values that occur together") +
              whose_alpha(needs, worst.alpha) + "; classes have " + std::to_string(size) + " rows or more.",
          hint + "."};
}

Error not_one_class(Sensitive const& sensitive, std::int64_t k, std::int64_t most_near) {
  auto const rows = static_cast<std::int64_t>(sensitive.rows());
  if (rows < k) return too_few(rows, k);
  std::vector<Need> needs;
  if (most_near > 0) add_need(needs, most_near, sensitive.near_alpha());
  for (auto const& bound : sensitive.bounds()) add_need(needs, bound.count, bound.alpha);
  std::int64_t larger = 0;
  Need worst{0, {}};
  std::string would;
  for (auto const& need : needs) {
    if (at_most(need.count, rows, need.alpha)) continue;
    would += (would.empty() ? "Alpha " : ", and ") + text_of(rounded({need.count, rows})) +
             (needs.size() < 2 ? "" : " in place of " + as_given(need.alpha));
    if (rows_for(need.count, need.alpha) <= larger) continue;
    larger = rows_for(need.count, need.alpha);
    worst = need;
  }
  return {Fault::kData, "a bounded value has a greater share of the source than alpha",
          "Of " + std::to_string(rows) + " rows " + std::to_string(worst.count) + " hold it" +
              whose_alpha(needs, worst.alpha) + ".",
          would + " would do, or a source of " + std::to_string(larger) + " rows with no more of these values."};
}

Error not_each_group(std::size_t groups, std::size_t refused) {
  return {Fault::kData,
          "not all rows that are equal in publish_as_is are as many, and as diverse, as a class has to be",
          "Of " + std::to_string(groups) + " combinations of these columns " + std::to_string(refused) + " " +
              (refused == 1 ? "has" : "have") + " fewer than k rows, or too many of a bounded value.",
          "List these columns in quasi, or make them coarser in a view of the source."};
}

Error not_diverse(std::int64_t rows, std::int64_t most, std::int64_t l) {
  if (rows < l) return too_few(rows, l);
  return {Fault::kData, "a sensitive value is too frequent for l",
          "Of " + std::to_string(rows) + " rows " + std::to_string(most) + " hold it, 1/l of them at most may.",
          (rows / most < 2 ? "No l would do: bound listed values with classes \"regional\". Or take a source of "
                           : "l = " + std::to_string(rows / most) + " would do, or a source of ") +
              std::to_string(checked_mul(most, l)) + " rows with no more of it."};
}

}  // namespace anon_seq
