#include "core/taxonomy/grown_taxonomy.h"

#include <algorithm>
#include <compare>

#include "core/numbers/decimal.h"
#include "core/taxonomy/taxonomy_builder.h"

namespace anon_seq {
namespace {

// Where a label stands among its siblings.
struct Key {
  std::int64_t units = 0;  // of a number, or where an interval begins: whole steps of the rule's grid, rounded down
  std::string rest;        // what is above these, or the time, or the text itself
  auto operator<=>(Key const&) const = default;
};

Key key_of(PrefixRule const&, std::string_view label) { return {0, std::string(label)}; }

Key key_of(RangeRule const& rule, std::string_view label) {
  std::string_view const begin = label.front() == '[' ? label.substr(1, label.find(',') - 1) : label;
  auto const digits = plain_decimal(begin);
  auto const point = digits.find('.');
  std::string rest;
  if (point != std::string::npos)
    rest = digits.substr(std::min(digits.size(), point + 1 + static_cast<std::size_t>(rule.scale)));
  rest.erase(rest.find_last_not_of('0') + 1);
  if (digits.front() == '-' && !rest.empty()) {  // further down the more digits there are
    for (char& digit : rest) digit = static_cast<char>('0' + '9' - digit);
    rest += '~';
  }
  return {decimal_floor(begin, rule.scale).value_or(0), std::move(rest)};
}

// "2024-Q2" begins as "2024-04" does, "2020s" as "2020"; years have four digits or more.
Key key_of(DateRule const&, std::string_view label) {
  if (label == "-infinity") return {-1, ""};
  if (label == "infinity") return {1, ""};
  constexpr std::size_t kMostDigits = 6;
  std::size_t const digits = std::min(label.find_first_not_of("0123456789"), label.size());
  std::string time =
      std::string(kMostDigits - std::min(kMostDigits, digits), '0') + std::string(label.substr(0, digits));
  auto const rest = label.substr(digits);
  if (rest.starts_with("-Q"))
    time +=
        std::string("-") + (rest[2] == '4' ? "10" : std::string("0") + static_cast<char>('1' + 3 * (rest[2] - '1')));
  else if (rest != "s")
    time += rest;
  std::replace(time.begin(), time.end(), 'T', ' ');
  return {0, std::move(time)};
}

struct Branch {
  Path path;              // from the node below the root to the value
  std::vector<Key> keys;  // of the path
};

bool comes_before(Branch const& a, Branch const& b) {
  for (std::size_t i = 0; i < a.path.size() && i < b.path.size(); ++i) {
    if (a.path[i] == b.path[i]) continue;
    auto const order = a.keys[i] <=> b.keys[i];
    return order != 0 ? order < 0 : a.path[i] < b.path[i];
  }
  return a.path.size() < b.path.size();
}

}  // namespace

Taxonomy grow_taxonomy(std::string const& name, OpenTaxonomy const& open, ValueTexts const& values,
                       Checkpoint& checkpoint) {
  std::vector<Branch> branches;
  for (auto const& value : values) {
    checkpoint.tick();
    Branch branch;
    std::visit(
        [&](auto const& rule) {
          branch.path = *rule.path(value);
          branch.path.pop_back();
          std::reverse(branch.path.begin(), branch.path.end());
          for (auto const& label : branch.path) branch.keys.push_back(key_of(rule, label));
        },
        open);
    branches.push_back(std::move(branch));
  }
  std::sort(branches.begin(), branches.end(), [&](Branch const& a, Branch const& b) {
    checkpoint.tick();
    return comes_before(a, b);
  });
  auto const root = root_label(open);
  if (branches.empty() || (branches.size() == 1 && branches.front().path.empty())) {  // nobody has a value
    Dictionary labels;
    labels.intern(root);
    return Taxonomy(labels, Vector<Node>{kNoNode});
  }
  TaxonomyBuilder builder(name, [](TaxonomyBuilder::Place) { return std::string("made by rule"); });
  builder.add_root(root, 0);
  for (auto const& branch : branches) {
    checkpoint.tick();
    std::string const* above = &root;
    for (auto const& label : branch.path) {
      builder.add_edge(label, *above, 0);
      above = &label;
    }
  }
  return builder.finish(checkpoint);
}

}  // namespace anon_seq
