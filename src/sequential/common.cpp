#include "sequential/common.h"

#include <algorithm>

#include "catalog/catalog_writer.h"
#include "catalog/ledger.h"
#include "pg/json_object.h"
#include "pg/line_type.h"
#include "pg/roles.h"
#include "release/followable.h"
#include "release/withdrawal.h"

namespace anon_seq::sequential {
namespace {

bool is_range_taxonomy(SpiSession& session, std::string const& name) {
  CatalogWriter catalog(session);
  return catalog
             .read(
                 "SELECT FROM anon_seq.taxonomy WHERE name OPERATOR(pg_catalog.=) $1 AND kind OPERATOR(pg_catalog.=) 'range'",
                 {name})
             .count() > 0;
}

// Texts, numbers, truth values and each kind of dates are equal among themselves only.
int family(PublishedColumn const& column) {
  if (line_of(column.type) != Line::kNone) return static_cast<int>(line_of(column.type));
  return column.type == "boolean" ? -1 : 0;
}

Comparison compare_forms(SpiSession& session, PublishedColumn const& ours, PublishedColumn const& theirs) {
  bool const ranges = is_range_type(ours.type) || is_range_type(theirs.type);
  if (!ours.taxonomy.empty() && !theirs.taxonomy.empty())
    return ours.taxonomy == theirs.taxonomy ? Comparison::kLabels
           : is_range_taxonomy(session, ours.taxonomy) && is_range_taxonomy(session, theirs.taxonomy)
               ? Comparison::kOverlap
               : Comparison::kNone;
  if (!ours.taxonomy.empty() || !theirs.taxonomy.empty()) {
    if (!ranges) return Comparison::kLabels;  // exact values are labels, if the taxonomy has them
    auto const& labels = ours.taxonomy.empty() ? theirs : ours;
    auto const& other = ours.taxonomy.empty() ? ours : theirs;
    bool const numbers = line_of(other.type) == Line::kNumbers && is_range_taxonomy(session, labels.taxonomy);
    return numbers ? Comparison::kOverlap : Comparison::kNone;
  }
  if (ranges) return line_of(ours.type) == line_of(theirs.type) ? Comparison::kOverlap : Comparison::kNone;
  return family(ours) == family(theirs) ? Comparison::kEqual : Comparison::kNone;
}

std::string form_of(PublishedColumn const& column) {
  return column.taxonomy.empty() ? column.type : "labels of taxonomy " + quoted(column.taxonomy);
}

std::string place_of(Policy const& policy, Release const* release) {
  return release == nullptr ? "policy " + quoted(policy.name) : "release " + quoted(release->reference());
}

// A registration that can be corrected: without it, and with the attribute under a name of its own.
std::string registered_anew(Release const& release, std::string const& attribute) {
  JsonObject attributes;
  for (auto const& column : release.columns) {
    JsonObject shown;
    shown.text("column", column.column);
    if (!column.taxonomy.empty()) shown.text("taxonomy", column.taxonomy);
    attributes.add(column.attribute == attribute ? attribute + "_of_" + release.name : column.attribute, shown.json());
  }
  return "SELECT anon_seq.withdraw_release(" + sql_literal(release.name) + ", " +
         sql_literal("its " + attribute + " cannot be compared") + "); SELECT anon_seq.register_release(" +
         sql_literal(release.name) + ", " + sql_literal(release.registered_relation()) + ", " +
         sql_literal(release.population) + ", " + sql_literal(attributes.json()) + ");";
}

// The one release without which nothing clashes, as unguarded has it; the policy's own are not asked, nor are those
// that a rule names. Of several that would do, one that was withdrawn, else the oldest.
std::optional<std::string> in_the_way(Policy const& policy, SequentialPolicy const& demands,
                                      std::vector<Clash> const& clashes) {
  std::vector<Release const*> candidates;
  for (Release const* release : {clashes.front().a, clashes.front().b})
    if (release != nullptr && release->name != policy.name) candidates.push_back(release);
  std::ranges::stable_sort(candidates, [](auto const* a, auto const* b) { return a->withdrawn > b->withdrawn; });
  for (auto const* release : candidates) {
    auto const is_its = [&](Release const* other) { return other != nullptr && other->name == release->name; };
    bool const all =
        std::ranges::all_of(clashes, [&](auto const& clash) { return is_its(clash.a) || is_its(clash.b); });
    bool const named = std::ranges::any_of(demands.rules, [&](auto const& rule) {
      return std::ranges::any_of(
          names_in(rule), [&](auto const& name) { return name == release->name || name == release->reference(); });
    });
    if (!all || named) continue;
    bool const several = std::ranges::any_of(clashes, [&](auto const& clash) {
      return (is_its(clash.a) && clash.a->version != release->version) ||
             (is_its(clash.b) && clash.b->version != release->version);
    });
    return several ? release->name : release->reference();
  }
  return std::nullopt;
}

// The list given replaces the one before.
std::string unguarded_option(SequentialPolicy const& demands, std::string const& reference) {
  auto unguarded = demands.unguarded;
  unguarded.push_back(reference);
  return "\"options\": {\"unguarded\": " + json_array(unguarded, json_string) + "}";
}

std::string way_out(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                    std::vector<Clash> const& clashes) {
  auto const& clash = clashes.front();
  std::string hint;
  for (Release const* release : {clash.a, clash.b})
    if (hint.empty() && release != nullptr && release->is_registered() && may_be_withdrawn(session, *release))
      hint = "If that is another attribute, register it so: " + registered_anew(*release, clash.attribute) +
             " Or leave the attribute out of the comparison";
  auto const release = in_the_way(policy, demands, clashes);
  if (hint.empty() && release && is_allowed(session, policy, unguarded_option(demands, *release)))
    hint =
        alter_statement(policy, unguarded_option(demands, *release)) + " leaves release " + quoted(*release) +
        " alone out of account, and audits will say so. Or leave the attribute out of the comparison with all releases";
  if (hint.empty()) hint = "Leave the attribute out of the comparison with all releases";
  auto waived = demands.not_common;
  waived.push_back(clash.attribute);
  return hint + ", of which audits will tell: SELECT anon_seq.alter_policy(" + sql_literal(policy.name) + ", " +
         sql_literal("{\"options\": {\"not_common\": " + json_array(waived, json_string) + "}}") + ");";
}

}  // namespace

char const* name_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::kLabels: return "labels";
    case Comparison::kOverlap: return "overlap";
    case Comparison::kEqual: return "equal";
    case Comparison::kWaived: return "waived";
    case Comparison::kNone: break;
  }
  return "not comparable";
}

Comparison comparison(SpiSession& session, SequentialPolicy const& demands, PublishedColumn const& ours,
                      PublishedColumn const& theirs) {
  auto const& waived = demands.not_common;
  for (auto const* name : {&ours.attribute, &ours.column})
    if (std::find(waived.begin(), waived.end(), *name) != waived.end()) return Comparison::kWaived;
  auto const how = compare_forms(session, ours, theirs);
  return how == Comparison::kOverlap && !demands.overlap ? Comparison::kWaived : how;
}

std::vector<Clash> clashes(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                           std::vector<Release> const& releases) {
  struct Holder {
    PublishedColumn const* column;
    Release const* release;
  };
  std::vector<Holder> holders;
  for (auto const& column : policy.columns) holders.push_back({&column, nullptr});
  for (auto const& release : releases)
    for (auto const& column : release.columns) holders.push_back({&column, &release});
  std::vector<Clash> found;
  for (std::size_t i = 0; i < holders.size(); ++i)
    for (std::size_t j = i + 1; j < holders.size(); ++j) {
      auto const &a = holders[i], &b = holders[j];
      if (a.column->attribute != b.column->attribute) continue;
      if (a.release == b.release || (a.release != nullptr && a.release->ledger == b.release->ledger)) continue;
      if (comparison(session, demands, *a.column, *b.column) == Comparison::kNone)
        found.push_back({a.column->attribute, a.column, b.column, a.release, b.release});
    }
  return found;
}

void require_comparable(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                        std::vector<Release> const& releases) {
  auto const found = clashes(session, policy, demands, releases);
  if (found.empty()) return;
  auto const& clash = found.front();
  bool const two = !clash.column_a->taxonomy.empty() && !clash.column_b->taxonomy.empty();
  throw Error(
      two ? Fault::kParameter : Fault::kType,
      "attribute " + quoted(clash.attribute) +
          (two ? " has two taxonomies, " + quoted(clash.column_a->taxonomy) + " and " + quoted(clash.column_b->taxonomy)
               : " has values that cannot be compared"),
      "It shows " + form_of(*clash.column_a) + " in " + place_of(policy, clash.a) + ", and " +
          form_of(*clash.column_b) + " in " + place_of(policy, clash.b) + ".",
      way_out(session, policy, demands, found));
}

std::string common_json(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                        Release const& release) {
  JsonObject json;
  for (auto const& ours : policy.columns)
    for (auto const& theirs : release.columns)
      if (ours.attribute == theirs.attribute)
        json.text(ours.column, name_of(comparison(session, demands, ours, theirs)));
  return json.json();
}

}  // namespace anon_seq::sequential
