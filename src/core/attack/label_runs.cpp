#include "core/attack/label_runs.h"

#include <algorithm>

namespace anon_seq {

LabelRuns::LabelRuns(std::vector<std::string> labels, Vector<PieceRun> runs)
    : labels_(std::move(labels)), runs_(std::move(runs)) {
  for (std::uint32_t i = 0; i < labels_.size(); ++i) order_.push_back(i);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (runs_[a] == runs_[b]) return a < b;
    return runs_[a].first != runs_[b].first ? runs_[a].first < runs_[b].first : runs_[a].last > runs_[b].last;
  });
}

PieceRun LabelRuns::run_of(std::string_view label) const {
  return runs_[static_cast<std::size_t>(std::lower_bound(labels_.begin(), labels_.end(), label) - labels_.begin())];
}

std::vector<std::optional<std::string>> LabelRuns::names_of(std::span<PieceRun const> set) const {
  std::vector<std::optional<std::string>> names;
  for (PieceRun const part : set) {
    std::int32_t reach = part.first - 1;  // the last piece that is named
    auto at = std::lower_bound(order_.begin(), order_.end(), part.first,
                               [&](std::uint32_t i, std::int32_t first) { return runs_[i].first < first; });
    if (part.first == kUnknownPiece &&
        (at == order_.end() || runs_[*at].first > kUnknownPiece || std::none_of(at, order_.end(), [&](std::uint32_t i) {
           return runs_[i].first == kUnknownPiece && runs_[i].last <= part.last;
         })))
      names.emplace_back();
    for (; at != order_.end() && runs_[*at].first <= part.last; ++at)
      if (runs_[*at].first > reach && runs_[*at].last <= part.last) {
        names.emplace_back(labels_[*at]);
        reach = runs_[*at].last;
      }
  }
  return names;
}

LabelRuns prefix_runs(std::vector<std::string> labels) {
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  struct Stem {
    std::string_view text;
    bool exact;  // no stars: after the prefix of the same text
    std::size_t label;
    auto operator<=>(Stem const&) const = default;
  };
  std::vector<Stem> stems;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::string_view const label = labels[i];
    auto const last = label.find_last_not_of('*');
    auto const kept = last == std::string_view::npos ? 0 : last + 1;
    stems.push_back({label.substr(0, kept), kept == label.size(), i});
  }
  std::sort(stems.begin(), stems.end());
  Vector<PieceRun> runs(labels.size());
  // A piece per stem; that of a prefix is what begins so and is named by no other label.
  auto const pieces = static_cast<std::int32_t>(stems.size());
  std::vector<std::size_t> open;  // prefixes of the stem at hand
  std::vector<std::pair<std::size_t, std::size_t>> twins;
  auto const close = [&](std::int32_t before) {
    runs[stems[open.back()].label].last = before;
    open.pop_back();
  };
  for (std::int32_t i = 0; i < pieces; ++i) {
    auto const& stem = stems[static_cast<std::size_t>(i)];
    if (!stem.exact && !open.empty() && stem.text == stems[open.back()].text) {  // 204* and 204** are one
      twins.emplace_back(stem.label, stems[open.back()].label);
      continue;
    }
    while (!open.empty() && !stem.text.starts_with(stems[open.back()].text)) close(i);
    runs[stem.label] = {i + 1, i + 1};
    if (stem.exact) continue;
    if (stem.text.empty()) runs[stem.label].first = kUnknownPiece;
    open.push_back(static_cast<std::size_t>(i));
  }
  while (!open.empty()) close(pieces);
  for (auto const& [label, twin] : twins) runs[label] = runs[twin];
  return {std::move(labels), std::move(runs)};
}

}  // namespace anon_seq
