#include "release/relation_fill.h"

#include <algorithm>

#include "pg/writing.h"

namespace anon_seq::release {
namespace {

void put(BulkWriter& writer, ReleaseCells const& cells, std::size_t cell, std::size_t number) {
  writer.put_code(cells.texts[number - 1], cells.values[cell * cells.width + number - 1], ReleaseCells::kNullText);
}

void fill_rows(BulkWriter& writer, ReleaseRelation const& relation, ReleaseCells const& cells) {
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (std::int64_t n = cells.counts[cell]; n > 0; --n) {
      for (std::size_t const number : relation.columns) put(writer, cells, cell, number);
      writer.end_row();
    }
}

// The values of each class, each once with its count.
void fill_counts(BulkWriter& writer, ReleaseRelation const& relation, ReleaseCells const& cells,
                 Checkpoint& checkpoint) {
  auto const code = [&](std::size_t cell, std::size_t column) {
    return cells.values[cell * cells.width + relation.columns[column] - 1];
  };
  Vector<std::pair<Code, std::size_t>> held;  // value, cell
  for (std::size_t begin = 0, end; begin < cells.size(); begin = end) {
    held.clear();
    for (end = begin; end < cells.size() && code(end, 0) == code(begin, 0); ++end) {
      checkpoint.tick();
      held.emplace_back(code(end, 1), end);
    }
    std::sort(held.begin(), held.end());
    for (std::size_t i = 0; i < held.size();) {
      auto const [value, cell] = held[i];
      std::int64_t n = 0;
      for (; i < held.size() && held[i].first == value; ++i) n += cells.counts[held[i].second];
      for (std::size_t const number : relation.columns) put(writer, cells, cell, number);
      writer.put(n);
      writer.end_row();
    }
  }
}

}  // namespace

void fill_relations(SpiSession& session, Policy const& policy, Release const& release, ReleaseCells const& cells,
                    Checkpoint& checkpoint) {
  for (auto const& relation : release.relations) {
    char const* const name = relation.name.c_str();
    bool unfilled = false;
    if (!relation.is_view()) call_pg([&]() noexcept { unfilled = is_unfilled(name); });
    if (!unfilled) continue;
    std::vector<std::string> columns;
    for (std::size_t const number : relation.columns) columns.push_back(policy.columns[number - 1].column);
    if (relation.counted) columns.emplace_back("n");
    BulkWriter writer(session, relation.name, columns, Placement::kAtEnd);
    if (relation.counted)
      fill_counts(writer, relation, cells, checkpoint);
    else
      fill_rows(writer, relation, cells);
    writer.finish();
    call_pg([&]() noexcept { set_filled(name); });
  }
}

}  // namespace anon_seq::release
