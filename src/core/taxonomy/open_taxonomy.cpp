#include "core/taxonomy/open_taxonomy.h"

#include <algorithm>

#include "core/base/error.h"

namespace anon_seq {
namespace {

bool starts_character(char byte) { return (byte & 0xc0) != 0x80; }  // in UTF-8

}  // namespace

PrefixRule make_prefix_rule(std::vector<int> lengths) {
  if (lengths.empty()) throw Error(Fault::kParameter, "a prefix taxonomy needs at least one length");
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] < 1 || lengths[i] > 1000)
      throw Error(Fault::kParameter, "length " + std::to_string(lengths[i]) + " is out of range",
                  "Lengths are numbers of characters to keep, from 1 to 1000.");
    if (i > 0 && lengths[i] >= lengths[i - 1])
      throw Error(Fault::kParameter,
                  "length " + std::to_string(lengths[i]) + " does not follow " + std::to_string(lengths[i - 1]), "",
                  "Give lengths from long to short, such as '{4,3,2}'.");
  }
  return {std::move(lengths)};
}

std::optional<Path> PrefixRule::path(std::string_view value) const {
  if (value.empty()) return std::nullopt;
  std::vector<std::size_t> starts;  // byte at which each character begins
  for (std::size_t i = 0; i < value.size(); ++i)
    if (starts_character(value[i])) starts.push_back(i);
  std::size_t known = starts.size();  // characters before the trailing stars
  while (known > 0 && value[starts[known - 1]] == '*') --known;
  Path path;
  if (known > 0) path.emplace_back(value);
  for (int length : lengths) {
    auto const kept = static_cast<std::size_t>(length);
    if (kept >= known) continue;
    path.push_back(std::string(value.substr(0, starts[kept])) + std::string(starts.size() - kept, '*'));
  }
  path.emplace_back("*");
  return path;
}

std::optional<std::string> climb(OpenTaxonomy const& taxonomy, std::string_view value, int levels) {
  auto path = std::visit([&](auto const& rule) { return rule.path(value); }, taxonomy);
  if (!path) return std::nullopt;
  return std::move((*path)[std::min(static_cast<std::size_t>(levels), path->size() - 1)]);
}

std::string root_label(OpenTaxonomy const& taxonomy) {
  if (auto const* range = std::get_if<RangeRule>(&taxonomy)) return range->interval(range->lower, range->upper);
  return std::holds_alternative<PrefixRule>(taxonomy) ? "*" : "ANY";
}

}  // namespace anon_seq
