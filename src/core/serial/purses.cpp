#include "core/serial/purses.h"

#include <bit>
#include <map>
#include <vector>

namespace anon_seq {
namespace {

// Up to 16 as it is, then the next number of four significant bits: at most an eighth more.
std::int64_t coarsened(std::int64_t m) {
  if (m <= 16) return m;
  int const shift = std::bit_width(static_cast<std::uint64_t>(m)) - 4;
  std::int64_t const step = std::int64_t{1} << shift;
  return (m + step - 1) / step * step;
}

}  // namespace

std::int64_t rows_for_one(Ratio share, Ratio planned) {
  if (share.num == 0 || planned.num == 0) return kNoRows;
  if (wide_mul(planned.num, share.den) <= wide_mul(share.num, planned.den)) return planned.den;
  return coarsened(share.den / share.num + (share.den % share.num != 0));
}

Purses make_purses(std::size_t rows, std::size_t bounds, std::span<Met const> met, Spending const& spending,
                   Checkpoint& checkpoint) {
  Purses purses;
  purses.bounds = bounds;
  purses.of_row.assign(rows, 0);
  std::map<std::int64_t, Ratio> planned;  // times -> share
  auto const plan = [&](std::int64_t times) {
    auto const [at, fresh] = planned.try_emplace(times);
    if (fresh) at->second = planned_share(spending.plan, spending.least, times);
    return at->second;
  };
  std::map<std::vector<std::int64_t>, std::int32_t> numbers;
  auto const number_of = [&](std::vector<std::int64_t> const& purse) {
    for (auto const m : purse)
      if (m == kNoRows || (spending.largest_m > 0 && m > spending.largest_m)) return Purses::kWithheld;
    auto const [at, fresh] = numbers.try_emplace(purse, static_cast<std::int32_t>(numbers.size()));
    if (fresh) {
      purses.classes_of.insert(purses.classes_of.end(), purse.begin(), purse.end());
      purses.rows.push_back(0);
    }
    return at->second;
  };
  std::vector<std::int64_t> const untouched(bounds, rows_for_one(share_left(kUntouched, spending.least), plan(0)));
  std::vector<std::int64_t> purse;
  auto next = met.begin();
  for (std::size_t row = 0; row < rows; ++row) {
    checkpoint.tick();
    purse = untouched;
    for (; next != met.end() && static_cast<std::size_t>(next->row) == row; ++next)
      purse[static_cast<std::size_t>(next->bound)] =
          rows_for_one(share_left(next->kept, spending.least), plan(next->times));
    auto const number = number_of(purse);
    purses.of_row[row] = number;
    number == Purses::kWithheld ? ++purses.withheld : ++purses.rows[static_cast<std::size_t>(number)];
  }
  return purses;
}

}  // namespace anon_seq
