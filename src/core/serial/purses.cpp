#include "core/serial/purses.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <optional>
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

using PurseSizes = std::vector<std::int64_t>;

class PurseMaker {
 public:
  PurseMaker(std::size_t rows, std::size_t bounds) {
    purses_.bounds = bounds;
    purses_.of_row.assign(rows, 0);
  }

  std::int32_t number_of(PurseSizes const& purse) {
    auto const [at, fresh] = numbers_.try_emplace(purse, static_cast<std::int32_t>(numbers_.size()));
    if (fresh) {
      purses_.classes_of.insert(purses_.classes_of.end(), purse.begin(), purse.end());
      purses_.rows.push_back(0);
    }
    return at->second;
  }

  void assign(std::size_t row, std::int32_t number) {
    purses_.of_row[row] = number;
    number == Purses::kWithheld ? ++purses_.withheld : ++purses_.rows[static_cast<std::size_t>(number)];
  }

  Purses take() { return std::move(purses_); }

 private:
  Purses purses_;
  std::map<PurseSizes, std::int32_t> numbers_;
};

}  // namespace

std::int64_t rows_for_one(Ratio share, Ratio planned) {
  if (share.num == 0 || planned.num == 0) return kNoRows;
  if (wide_mul(planned.num, share.den) <= wide_mul(share.num, planned.den)) return planned.den;
  return coarsened(share.den / share.num + (share.den % share.num != 0));
}

Purses make_purses(std::size_t rows, std::size_t bounds, std::span<Met const> met, Spending const& spending,
                   Checkpoint& checkpoint) {
  PurseMaker maker(rows, bounds);
  std::map<std::int64_t, Ratio> planned;  // times -> share
  auto const plan = [&](std::int64_t times) {
    auto const [at, fresh] = planned.try_emplace(times);
    if (fresh) at->second = planned_share(spending.plan, spending.least, times);
    return at->second;
  };
  auto const is_too_many = [&](std::int64_t m) {
    return m == kNoRows || (spending.largest_m > 0 && m > spending.largest_m);
  };
  PurseSizes const untouched(bounds, rows_for_one(share_left(kUntouched, spending.least), plan(0)));
  PurseSizes purse;
  std::optional<std::int32_t> first;  // the number of who met nothing
  auto next = met.begin();
  for (std::size_t row = 0; row < rows; ++row) {
    checkpoint.tick();
    if (next == met.end() || static_cast<std::size_t>(next->row) != row) {
      if (!first) first = std::ranges::any_of(untouched, is_too_many) ? Purses::kWithheld : maker.number_of(untouched);
      maker.assign(row, *first);
      continue;
    }
    purse = untouched;
    for (; next != met.end() && static_cast<std::size_t>(next->row) == row; ++next) {
      Ratio const share = plan(next->times);
      bool const fits = share.num > 0 && is_left(next->kept, spending.least, share.den);  // nearly always, and cheaper
      purse[static_cast<std::size_t>(next->bound)] =
          fits ? share.den : rows_for_one(share_left(next->kept, spending.least), share);
    }
    maker.assign(row, std::ranges::any_of(purse, is_too_many) ? Purses::kWithheld : maker.number_of(purse));
  }
  return maker.take();
}

Vector<std::uint32_t> shown_rows(Purses const& purses, Checkpoint& checkpoint) {
  Vector<std::uint32_t> rows;
  rows.reserve(purses.of_row.size() - static_cast<std::size_t>(purses.withheld));
  for (std::size_t row = 0; row < purses.of_row.size(); ++row) {
    checkpoint.tick();
    if (purses.of_row[row] != Purses::kWithheld) rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

Purses shown_purses(Purses const& purses, std::span<std::int32_t const> bounds, Checkpoint& checkpoint) {
  PurseMaker maker(purses.of_row.size() - static_cast<std::size_t>(purses.withheld), bounds.size());
  Vector<std::int32_t> number(purses.size());
  PurseSizes sizes(bounds.size());
  for (std::size_t purse = 0; purse < purses.size(); ++purse) {
    for (std::size_t b = 0; b < bounds.size(); ++b) sizes[b] = purses.sizes(purse)[static_cast<std::size_t>(bounds[b])];
    number[purse] = maker.number_of(sizes);
  }
  std::size_t shown = 0;
  for (auto const purse : purses.of_row) {
    checkpoint.tick();
    if (purse != Purses::kWithheld) maker.assign(shown++, number[static_cast<std::size_t>(purse)]);
  }
  return maker.take();
}

}  // namespace anon_seq
