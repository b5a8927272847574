// What is kept of a budget, against exact products of whole numbers of any size; and plans that spend it.
#include <random>

#include "core/serial/kept.h"
#include "core/serial/plan.h"
#include "lossy_fixture.h"

namespace anon_seq::testing {
namespace {

// A whole number of any size: digits of base 2^32, the lowest first.
class Big {
 public:
  explicit Big(Wide value) {
    for (; value != 0; value >>= 32) digits_.push_back(static_cast<std::uint32_t>(value));
  }
  Big operator*(Big const& other) const {
    Big product(0);
    product.digits_.resize(digits_.size() + other.digits_.size());
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < other.digits_.size(); ++j) {
        carry += product.digits_[i + j] + std::uint64_t{digits_[i]} * other.digits_[j];
        product.digits_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      product.digits_[i + other.digits_.size()] = static_cast<std::uint32_t>(carry);
    }
    while (!product.digits_.empty() && product.digits_.back() == 0) product.digits_.pop_back();
    return product;
  }
  Big operator*(std::int64_t other) const { return *this * Big(static_cast<Wide>(other)); }
  bool operator==(Big const&) const = default;
  bool operator<(Big const& other) const {
    if (digits_.size() != other.digits_.size()) return digits_.size() < other.digits_.size();
    return std::lexicographical_compare(digits_.rbegin(), digits_.rend(), other.digits_.rbegin(), other.digits_.rend());
  }

 private:
  std::vector<std::uint32_t> digits_;
};

struct Exact {
  Big num{1}, den{1};
  void times(std::int64_t a, std::int64_t b) {
    num = num * a;
    den = den * b;
  }
  bool equals(Ratio r) const { return num * r.den == den * r.num; }
  bool is_at_least(Ratio r) const { return !(num * r.den < den * r.num); }
};

constexpr std::int64_t kMost = std::int64_t{1} << 62;

TEST(SerialKept, IsExactWhileItFits) {
  EXPECT_EQ(rounded_down(6, 8), (Ratio{3, 4}));
  EXPECT_EQ(rounded_down(0, 8), (Ratio{0, 1}));
  EXPECT_EQ(rounded_down(9, 9), (Ratio{1, 1}));
  EXPECT_EQ(rounded_down(static_cast<Wide>(kMost) * 3, static_cast<Wide>(kMost) * 4), (Ratio{3, 4}));
  EXPECT_EQ(rounded_down(kMost - 1, kMost), (Ratio{kMost - 1, kMost}));
}

// The greatest over 2^62 that is not above it: r <= x < r + 2^-62.
TEST(SerialKept, IsRoundedDownToTheNext) {
  std::mt19937_64 random(runs(1421, 0).seed);
  int rounded = 0;
  for (int i = 0; i < 20000; ++i) {
    Wide den = static_cast<Wide>(random()) << 62 | random() >> 2,
         num = static_cast<Wide>(random()) << 62 | random() >> 2;
    den >>= random() % 100;
    num >>= random() % 100;
    if (num > den) std::swap(num, den);
    if (den == 0) continue;
    Exact exact;
    exact.num = Big(num);
    exact.den = Big(den);
    Ratio const r = rounded_down(num, den);
    ASSERT_LE(r.den, kMost);
    ASSERT_LE(r.num, r.den);
    if (exact.equals(r)) continue;
    ++rounded;
    ASSERT_EQ(kMost % r.den, 0);
    ASSERT_TRUE(exact.is_at_least(r));
    ASSERT_FALSE(exact.is_at_least({r.num * (kMost / r.den) + 1, kMost}));
  }
  EXPECT_GT(rounded, 1000);
}

TEST(SerialKept, NobodyIsThoughtSaferThanHeIs) {
  std::mt19937_64 random(runs(1422, 0).seed);
  for (int i = 0; i < 300; ++i) {
    Ratio kept = kUntouched;
    Exact exact;
    Wide num = 1, den = 1;  // the same in lowest terms, as long as it fits
    bool fits = true;
    std::int64_t const largest = random() % 2 == 0 ? 30 : 1000000;
    for (int version = 0; version < 40; ++version) {
      auto const size = 2 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(largest));
      auto const held = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size / 2 + 1));
      kept = kept_after(kept, held, size);
      exact.times(size - held, size);
      ASSERT_TRUE(exact.is_at_least(kept));
      if (fits) {
        num *= static_cast<Wide>(size - held);
        den *= static_cast<Wide>(size);
        for (Wide a = num, b = den; b != 0;) {
          std::swap(a, b);
          b %= a;
          if (b != 0) continue;
          num /= a;
          den /= a;
        }
        fits = den <= static_cast<Wide>(kMost);
      }
      ASSERT_TRUE(!fits || exact.equals(kept));
    }
    auto const over_most = static_cast<std::int64_t>(wide_mul(kept.num, kMost) / static_cast<Wide>(kept.den));
    ASSERT_TRUE(fits || !exact.is_at_least({over_most + 41, kMost})) << "2^-62 for each version, not more";
  }
}

TEST(SerialKept, WhatIsLeft) {
  EXPECT_EQ(least_kept({2, 1}), (Ratio{1, 2}));
  EXPECT_EQ(least_kept({5, 2}), (Ratio{3, 5}));
  EXPECT_EQ(least_kept({1, 1}), (Ratio{0, 1}));
  EXPECT_EQ(share_left(kUntouched, {1, 2}), (Ratio{1, 2}));
  EXPECT_EQ(share_left({3, 4}, {1, 2}), (Ratio{1, 3}));
  EXPECT_EQ(share_left({1, 2}, {1, 2}), (Ratio{0, 1}));
  EXPECT_EQ(share_left({1, 3}, {1, 2}), (Ratio{0, 1}));
  EXPECT_EQ(times({3, 4}, {2, 3}), (Ratio{1, 2}));
  EXPECT_EQ(kept_after({3, 4}, 1, 3), (Ratio{1, 2}));
}

// Taking all that is left leaves exactly the least, or a little more.
TEST(SerialKept, WhatIsLeftIsAllThatIsLeft) {
  std::mt19937_64 random(runs(1423, 0).seed);
  for (int i = 0; i < 20000; ++i) {
    auto const den = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(kMost));
    auto const num = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(den)) + 1;
    Ratio const least{1 + static_cast<std::int64_t>(random() % 999), 1000}, kept = rounded_down(num, den);
    Ratio const share = share_left(kept, least);
    Exact after;
    after.times(kept.num, kept.den);
    bool const had = after.is_at_least(least);
    after.times(share.den - share.num, share.den);
    EXPECT_EQ(after.is_at_least(least), had);
    EXPECT_EQ(share.num > 0, had && !(kept == least));
    auto const m = 1 + static_cast<std::int64_t>(random() % (std::uint64_t{1} << random() % 40));
    Exact other;  // m (kept - least) >= kept
    other.num = Big(static_cast<Wide>(m - 1)) * kept.num;
    other.den = Big(static_cast<Wide>(m)) * kept.den;
    EXPECT_EQ(is_left(kept, least, m), other.is_at_least(least) && had && !(kept == least));
  }
}

std::string text_of(Plan const& plan, Ratio l) {
  return "plan " + std::to_string(static_cast<int>(plan.kind)) + ", horizon " + std::to_string(plan.horizon) + ", l " +
         std::to_string(l.num) + "/" + std::to_string(l.den);
}

// (1 - r_1) (1 - r_2) ... >= 1 - 1/l, in whole numbers.
TEST(SerialPlan, EveryPlanKeepsItsPromise) {
  Ratio const some_l[] = {{2, 1}, {3, 1}, {5, 2}, {3, 2}, {4, 3}, {10, 1}, {1000, 1}, {1001, 1000}, {7, 6}, {333, 250}};
  for (auto const l : some_l)
    for (auto const kind : {PlanKind::kFixed, PlanKind::kHarmonic, PlanKind::kGeometric, PlanKind::kWindow})
      for (std::int64_t const horizon : {1, 2, 3, 7, 12, 50})
        for (auto const rho : {Ratio{1, 2}, Ratio{1, 3}, Ratio{9, 10}}) {
          if (kind != PlanKind::kGeometric && rho != Ratio{1, 2}) continue;
          if (kind != PlanKind::kFixed && kind != PlanKind::kWindow && horizon > 1) continue;
          Plan const plan{kind, horizon, rho};
          SCOPED_TRACE(text_of(plan, l));
          Exact kept;
          for (std::int64_t met = 0; met < (kind == PlanKind::kWindow ? horizon : 120); ++met) {
            Ratio const share = planned_share(plan, least_kept(l), met);
            ASSERT_TRUE(share == (Ratio{0, 1}) || (share.num == 1 && share.den >= 2));
            kept.times(share.den - share.num, share.den);
            ASSERT_TRUE(kept.is_at_least(least_kept(l))) << met;
          }
        }
}

TEST(SerialPlan, Fixed) {
  Plan plan{PlanKind::kFixed, 1, {1, 2}};
  EXPECT_EQ(planned_share(plan, {1, 2}, 0), (Ratio{1, 2}));
  EXPECT_EQ(planned_share(plan, {1, 2}, 1), (Ratio{0, 1}));
  EXPECT_EQ(planned_share(plan, {2, 3}, 0), (Ratio{1, 3}));
  plan.horizon = 2;
  // l = 4/3: half of what is kept goes each time, and exactly a quarter stays.
  EXPECT_EQ(planned_share(plan, {1, 4}, 0), (Ratio{1, 2}));
  EXPECT_EQ(planned_share(plan, {1, 4}, 1), (Ratio{1, 2}));
  EXPECT_EQ(planned_share(plan, {1, 4}, 2), (Ratio{0, 1}));
  // l = 2: 1 - sqrt(1/2) = 0.2929
  EXPECT_EQ(planned_share(plan, {1, 2}, 1), (Ratio{1, 4}));
  EXPECT_EQ(planned_share({PlanKind::kFixed, 10000, {1, 2}}, {1, 2}, 9999).num, 1);
}

TEST(SerialPlan, Window) {
  Plan const plan{PlanKind::kWindow, 2, {1, 2}};
  for (std::int64_t met : {0, 1, 2, 1000}) EXPECT_EQ(planned_share(plan, {1, 2}, met), (Ratio{1, 4}));
}

TEST(SerialPlan, Harmonic) {
  Plan const plan;
  EXPECT_EQ(planned_share(plan, {1, 2}, 0), (Ratio{1, 4}));
  // ln(3/2) / (12 * 13) of the budget: 385 rows for one
  EXPECT_NEAR(static_cast<double>(planned_share(plan, {2, 3}, 11).den), 385, 1);
  EXPECT_EQ(planned_share(plan, {1, 2}, 1000).num, 1);
}

TEST(SerialPlan, Geometric) {
  Plan const plan{PlanKind::kGeometric, 1, {1, 2}};
  EXPECT_EQ(planned_share(plan, {1, 4}, 0), (Ratio{1, 2}));
  EXPECT_EQ(planned_share(plan, {1, 4}, 1), (Ratio{1, 4}));
  EXPECT_EQ(planned_share(plan, {1, 4}, 30).num, 1);
  EXPECT_EQ(planned_share(plan, {1, 4}, 50), (Ratio{0, 1}));
  EXPECT_EQ(planned_share(plan, {1, 4}, 1000), (Ratio{0, 1}));
}

TEST(SerialPlan, NothingIsBoundedByOne) {
  for (auto const kind : {PlanKind::kFixed, PlanKind::kHarmonic, PlanKind::kGeometric, PlanKind::kWindow})
    EXPECT_EQ(planned_share({kind, 3, {1, 2}}, least_kept({1, 1}), 0), (Ratio{1, 1}));
}

}  // namespace
}  // namespace anon_seq::testing
