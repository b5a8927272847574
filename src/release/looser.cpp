#include "release/looser.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/text/json_value.h"
//
#include "pg/report.h"
#include "release/declare.h"
#include "release/measures.h"

namespace anon_seq::release {
namespace {

// Of parameters that are bounds: whether a larger number asks for less.
constexpr std::array kUpper = {std::string_view("max_link"), std::string_view("max_suppressed"),
                               std::string_view("alpha"), std::string_view("max")};
constexpr std::array kLower = {std::string_view("k"), std::string_view("l"), std::string_view("min")};

enum class Compared { kOther, kEqual, kLooser };

Compared together(Compared one, Compared other) {
  if (one == Compared::kOther || other == Compared::kOther) return Compared::kOther;
  return one == Compared::kLooser ? one : other;
}

// How what `json` asks for under a key stands to what `than` asks for.
Compared compare(std::string_view key, JsonValue const& json, JsonValue const& than) {
  if (json.kind() != than.kind()) return Compared::kOther;
  if (text_of(json) == text_of(than)) return Compared::kEqual;
  if (json.kind() == JsonValue::Kind::kNumber) {
    double const number = std::strtod(json.number().c_str(), nullptr),
                 other = std::strtod(than.number().c_str(), nullptr);
    if (number > other && std::ranges::find(kUpper, key) != kUpper.end()) return Compared::kLooser;
    if (number < other && std::ranges::find(kLower, key) != kLower.end()) return Compared::kLooser;
    return Compared::kOther;
  }
  auto all = Compared::kEqual;
  if (json.kind() == JsonValue::Kind::kArray) {
    auto const& these = json.elements();
    auto const& those = than.elements();
    if (std::size(these) != std::size(those)) return Compared::kOther;
    for (std::size_t i = 0; i < std::size(these); ++i) all = together(all, compare("", these[i], those[i]));
    return all;
  }
  if (json.kind() != JsonValue::Kind::kObject) return Compared::kOther;
  for (auto const& [name, value] : than.members())
    if (json.find(name) == nullptr) return Compared::kOther;
  for (auto const& [name, value] : json.members()) {
    auto const* const other = than.find(name);
    auto const added = name == "max_suppressed" ? Compared::kLooser : Compared::kOther;  // else nobody is left out
    all = together(all, other == nullptr ? added : compare(name, value, *other));
  }
  return all;
}

bool is_looser(Variant const& variant, Variant const& than) {
  return variant.rest == than.rest && compare("", parse_json(variant.parameters, "parameters"),
                                              parse_json(than.parameters, "parameters")) == Compared::kLooser;
}

std::optional<std::string> lost(Variant const& variant) {
  return variant.feasible ? measured(parse_json(variant.measures, "measures"), "ncp") : std::nullopt;
}

}  // namespace

void note_looser(std::vector<Variant> const& variants) {
  for (std::size_t i = 0; i < variants.size(); ++i) {
    auto const ours = lost(variants[i]);
    std::optional<std::size_t> least;
    double most = ours ? std::strtod(ours->c_str(), nullptr) * (1 - 1e-9) : 0;
    for (std::size_t j = 0; ours && j < variants.size(); ++j) {
      auto const theirs = lost(variants[j]);
      if (!theirs || std::strtod(theirs->c_str(), nullptr) >= most || !is_looser(variants[i], variants[j])) continue;
      most = std::strtod(theirs->c_str(), nullptr);
      least = j;
    }
    if (!least) continue;
    auto const number = [](std::size_t n) { return "variant " + std::to_string(n + 1); };
    notice(number(i) + " asks for less than " + number(*least) + " and loses more: ncp " + *ours + ", not " +
               *lost(variants[*least]),
           "Steps that look best at first need not end best. What " + number(*least) + " gives keeps the bounds of " +
               number(i) + ", too.");
  }
}

}  // namespace anon_seq::release
