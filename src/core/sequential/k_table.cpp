#include "core/sequential/k_table.h"

#include <algorithm>

namespace anon_seq {

KTable::KTable(Problem const& problem, std::vector<AttributeCut> const& root, Checkpoint& checkpoint)
    : problem_(problem), checkpoint_(checkpoint) {
  CodedTable const& table = *problem.table;
  std::vector<Vector<std::int32_t>> rank_of(root.size());
  std::vector<KeyColumn> keys;
  for (std::size_t a = 0; a < root.size(); ++a) {
    auto const& column = table.columns[problem.attributes[a].column];
    for (Code code = 0; code < column.distinct(); ++code) rank_of[a].push_back(root[a].rank_of(code));
    bounds_.push_back(root[a].ranks());
    keys.push_back({column.codes, bounds_[a], rank_of[a]});
  }
  auto groups = group_rows(table.rows(), keys, checkpoint);
  for (auto const& key : keys) {
    Vector<Rank> ranks;
    for (auto row : groups.first_row) ranks.push_back(key.of(row));
    ranks_.push_back(std::move(ranks));
  }
  persons_.assign(groups.count(), 0);
  cell_of_ = std::move(groups.of_row);
  if (problem.person == kNoColumn) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
      persons_[static_cast<std::size_t>(cell_of_[row])] += table.weight(row);
      total_ += table.weight(row);
    }
    return;
  }
  auto const& persons = table.columns[problem.person].codes;
  Vector<std::uint64_t> met;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    checkpoint.tick();
    met.push_back(static_cast<std::uint64_t>(persons[row]) << 32 | static_cast<std::uint32_t>(cell_of_[row]));
  }
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  for (std::size_t i = 0; i < met.size(); ++i) {
    checkpoint.tick();
    ++persons_[met[i] & 0xffffffff];
    bool const same = i > 0 && met[i] >> 32 == met[i - 1] >> 32;
    several_ = several_ || same;
    total_ += same ? 0 : 1;
  }
}

// Takes out whoever has a row in a group of fewer than k persons. Returns how many went.
std::int64_t KTable::drop_small(Vector<std::int32_t> const& group_of, std::size_t groups, std::int64_t k,
                                Vector<char>& out) const {
  auto const& persons = problem_.table->columns[problem_.person].codes;
  Vector<std::uint64_t> met;
  for (std::size_t row = 0; row < out.size(); ++row) {
    checkpoint_.tick();
    if (out[row] == 0)
      met.push_back(static_cast<std::uint64_t>(static_cast<std::uint32_t>(group_of[row])) << 32 |
                    static_cast<std::uint32_t>(persons[row]));
  }
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  Vector<std::int64_t> size(groups, 0);
  for (auto pair : met) ++size[pair >> 32];
  Vector<char> goes(static_cast<std::size_t>(problem_.table->columns[problem_.person].distinct()), 0);
  std::int64_t gone = 0;
  for (auto pair : met) {
    char& person = goes[pair & 0xffffffff];
    if (size[pair >> 32] >= k || person != 0) continue;
    person = 1;
    ++gone;
  }
  if (gone > 0)
    for (std::size_t row = 0; row < out.size(); ++row)
      if (goes[static_cast<std::size_t>(persons[row])] != 0) out[row] = 1;
  return gone;
}

KTable::LeftOut KTable::left_out(Pieces const& cut, std::int64_t k) const {
  std::vector<KeyColumn> keys;
  for (std::size_t a = 0; a < width(); ++a) keys.push_back({ranks_[a], cut[a].empty() ? 1 : cut[a].back() + 1, cut[a]});
  auto const groups = group_rows(cells(), keys, checkpoint_);
  LeftOut left;
  left.rows.assign(cell_of_.size(), 0);
  Vector<std::int32_t> group_of(cell_of_.size());
  for (std::size_t row = 0; row < cell_of_.size(); ++row)
    group_of[row] = groups.of_row[static_cast<std::size_t>(cell_of_[row])];
  if (several_) {
    while (auto const gone = drop_small(group_of, groups.count(), k, left.rows)) left.persons += gone;
    return left;
  }
  Vector<std::int64_t> size(groups.count(), 0);
  for (std::size_t cell = 0; cell < cells(); ++cell)
    size[static_cast<std::size_t>(groups.of_row[cell])] += persons_[cell];
  for (auto n : size)
    if (n < k) left.persons += n;
  for (std::size_t row = 0; row < left.rows.size(); ++row)
    left.rows[row] = size[static_cast<std::size_t>(group_of[row])] < k;
  return left;
}

}  // namespace anon_seq
