#include "core/sequential/published_loss.h"

#include <algorithm>
#include <cmath>

#include "core/sequential/loss.h"

namespace anon_seq {
namespace {

struct Published {
  Vector<std::int64_t> rows;  // per rank
  Extent codes{0, 0};         // from the least to the greatest, NULL apart
};

Published published_of(Problem const& problem, std::size_t a, AttributeCut const& cut, Vector<char> const& out,
                       Checkpoint& checkpoint) {
  auto const& codes = problem.table->columns[problem.attributes[a].column].codes;
  Published published;
  published.rows.assign(static_cast<std::size_t>(cut.ranks()), 0);
  for (std::size_t row = 0; row < codes.size(); ++row) {
    checkpoint.tick();
    if (out[row] != 0) continue;
    published.rows[static_cast<std::size_t>(cut.rank_of(codes[row]))] += problem.table->weight(row);
    if (codes[row] == kNull) continue;
    auto& [begin, end] = published.codes;
    begin = begin == 0 ? codes[row] : std::min(begin, codes[row]);
    end = std::max(end, codes[row] + 1);
  }
  return published;
}

// Of each current value, in their order.
std::vector<double> shares_of(Problem const& problem, std::size_t a, AttributeCut const& cut, Extent codes) {
  std::vector<double> shares;
  if (!cut.continuous()) {
    for (ValueId v : cut.current()) shares.push_back(cut.share(cut[v]));
    return shares;
  }
  auto const& attribute = problem.attributes[a];
  Vector<CutValue> values;
  for (ValueId v : cut.current()) values.push_back(cut[v]);
  auto const axis = line_axis(attribute, problem.table->columns[attribute.column], codes, values);
  double const width = axis.upper - axis.lower;
  std::size_t interval = 0;
  for (auto const& value : values) {
    bool const is_null = value.ranks.end <= 1;
    shares.push_back(is_null || !(width > 0) ? 0 : (axis.bounds[interval + 1] - axis.bounds[interval]) / width);
    interval += is_null ? 0 : 1;
  }
  return shares;
}

}  // namespace

std::int64_t published_loss(Problem const& problem, std::vector<AttributeCut> const& cuts, Vector<char> const& out,
                            Vector<std::int64_t> const& weights, Checkpoint& checkpoint) {
  std::int64_t loss = 0, all = 0;
  for (std::size_t a = 0; a < cuts.size(); ++a) {
    auto const published = published_of(problem, a, cuts[a], out, checkpoint);
    auto const shares = shares_of(problem, a, cuts[a], published.codes);
    std::size_t i = 0;
    for (ValueId v : cuts[a].current()) {
      std::int64_t rows = 0;
      Extent const ranks = cuts[a][v].ranks;
      for (Rank rank = ranks.begin; rank < ranks.end; ++rank) rows += published.rows[static_cast<std::size_t>(rank)];
      loss += rows * std::llround(static_cast<double>(weights[a]) * shares[i++]);
    }
    all += weights[a];
  }
  for (std::size_t row = 0; row < out.size(); ++row)
    if (out[row] != 0) loss += problem.table->weight(row) * all;
  return loss;
}

}  // namespace anon_seq
