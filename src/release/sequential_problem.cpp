#include "release/sequential_problem.h"

#include <algorithm>

#include "core/cut_point.h"
#include "core/decimal.h"
//
#include "pg/reading.h"

namespace anon_seq::pg {
namespace {

constexpr std::size_t kNoIndex = SourceTable::kNoIndex;

[[noreturn]] void throw_misfits(std::string const& column, std::string const& taxonomy, std::int64_t count,
                                char const* what) {
  throw Error(Fault::kData,
              "column " + quoted(column) + " has values that are " + what + " of taxonomy " + quoted(taxonomy),
              std::to_string(count) + (count == 1 ? " distinct value." : " distinct values."),
              "Add them with anon_seq.add_to_taxonomy(), or mend the source.");
}

}  // namespace

SequentialProblem::SequentialProblem(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                                     SourceTable source, Checkpoint& checkpoint)
    : policy_(policy), demands_(demands), source_(std::move(source)), pool_(session, checkpoint) {
  check_rule_columns(policy, demands);
  releases_ = heeded_releases(session, policy, demands);
  bound_ = bind_rules(session, policy, demands, releases_);
  read_earlier_tables(session, checkpoint);
  problem_.table = &source_.table;
  if (source_.person != kNoIndex && !source_.one_row_each) problem_.person = source_.person;
  if (!demands.label.empty()) problem_.label = source_.column(demands.label);
  problem_.objective = demands.objective;
  problem_.pruning = demands.pruning;
  problem_.dangling = demands.dangling;
  problem_.valid_split = demands.valid_split;
  problem_.search = demands.search;
  tell_values();
  add_attributes();
  add_join_attributes();
  add_inconsistencies(session);
  add_rules();
  warn();
}

void SequentialProblem::read_earlier_tables(SpiSession& session, Checkpoint& checkpoint) {
  for (auto const& release : releases_) earlier_.push_back(read_earlier(session, release, checkpoint));
  for (auto const& earlier : earlier_) {
    problem_.earlier.push_back(&earlier.table);
    problem_.names.push_back("release " + quoted(earlier.release.reference()));
  }
}

// Open taxonomies grow to the values of the source and of every release that shares the attribute.
void SequentialProblem::tell_values() {
  for (auto const& ours : policy_.columns) {
    if (ours.taxonomy.empty()) continue;
    auto const& column = source_.table.columns[source_.column(ours.column)];
    for (Code code = 1; code < column.distinct(); ++code) pool_.expect(ours.taxonomy, column.values[code]);
    if (auto const misfits = pool_.misfits(ours.taxonomy); misfits > 0)
      throw_misfits(ours.column, ours.taxonomy, misfits, "not of the form");
  }
  for (auto const& earlier : earlier_)
    for (std::size_t i = 0; i < earlier.release.columns.size(); ++i) {
      auto const& theirs = earlier.release.columns[i];
      for (auto const& ours : policy_.columns) {
        auto const& taxonomy = ours.taxonomy.empty() ? theirs.taxonomy : ours.taxonomy;
        if (ours.attribute != theirs.attribute || taxonomy.empty()) continue;
        auto const& column = earlier.table.columns[i];
        for (Code code = 1; code < column.distinct(); ++code) pool_.expect(taxonomy, column.values[code]);
      }
    }
}

Vector<Node> SequentialProblem::leaves_of(Column const& column, Taxonomy const& tree,
                                          std::string const& taxonomy) const {
  Vector<Node> leaves(static_cast<std::size_t>(column.distinct()), kNoNode);
  std::int64_t unknown = 0, inner = 0;
  for (Code code = 1; code < column.distinct(); ++code) {
    Node const node = leaves[static_cast<std::size_t>(code)] = tree.find(column.values[code]);
    unknown += node == kNoNode;
    inner += node != kNoNode && !tree.is_leaf(node);
  }
  if (unknown > 0) throw_misfits(column.name, taxonomy, unknown, "no part");
  if (inner > 0) throw_misfits(column.name, taxonomy, inner, "inner nodes, not leaves,");
  return leaves;
}

void SequentialProblem::add_domain(Attribute& attribute, Column const& column) {
  auto const declared = demands_.domains.find(column.name);
  if (declared == demands_.domains.end()) return;
  bool const is_date = column.kind >= ValueKind::kDate;
  auto const number = [&](std::string const& text) {
    bool const fits = is_date ? text.size() >= 10 && text[4] == '-' && text[7] == '-' : decimal_scale(text).has_value();
    if (!fits)
      throw Error(Fault::kParameter,
                  "options.domains." + column.name + " must be two " + (is_date ? "dates" : "numbers"), "",
                  is_date ? "Write [\"2000-01-01\", \"2030-01-01\"]." : "Write [0, 120].");
    constexpr std::int64_t kLargestInteger = 2147483646;  // so that the range type still has a next value
    if (column.kind == ValueKind::kInteger) {
      auto const whole = decimal_floor(text, 0);
      if (decimal_scale(text).value_or(1) != 0 || !whole || *whole < -kLargestInteger || *whole > kLargestInteger)
        throw Error(Fault::kParameter,
                    "options.domains." + column.name + " must be two whole numbers within the range of integer");
    }
    return cut_position(column.kind, text);
  };
  attribute.lower = number(declared->second.lower);
  attribute.upper = number(declared->second.upper);
  if (!(attribute.lower < attribute.upper))
    throw Error(Fault::kParameter,
                "options.domains." + column.name + " has a lower bound that is not below the upper one");
  for (std::size_t code = 1; code < column.positions.size(); ++code)
    if (column.positions[code] < attribute.lower || column.positions[code] > attribute.upper)
      throw Error(Fault::kData, "column " + quoted(column.name) + " has values outside its declared domain");
}

void SequentialProblem::add_attributes() {
  for (auto const& ours : policy_.columns) {
    if (ours.role != "quasi") continue;
    Attribute attribute;
    attribute.column = source_.column(ours.column);
    auto const& column = source_.table.columns[attribute.column];
    if (!ours.taxonomy.empty())
      attribute.taxonomy = &pool_.tree(ours.taxonomy);
    else
      add_domain(attribute, column);
    if (attribute.taxonomy != nullptr) attribute.leaves = leaves_of(column, *attribute.taxonomy, ours.taxonomy);
    problem_.attributes.push_back(std::move(attribute));
  }
}

void SequentialProblem::warn() {
  for (auto const& attribute : problem_.attributes)
    if (auto const& column = source_.table.columns[attribute.column];
        column.distinct() <= 2 && source_.table.rows() > 1)
      notices_.push_back("quasi column \"" + column.name + "\" has one value at most");
  for (auto const& ours : policy_.columns) {
    if (ours.role != "as_is" || std::find(demands_.allow_unique.begin(), demands_.allow_unique.end(), ours.column) !=
                                    demands_.allow_unique.end())
      continue;
    auto const& column = source_.table.columns[source_.column(ours.column)];
    constexpr std::size_t kFewRows = 50;
    if (source_.table.rows() >= kFewRows && 2 * static_cast<std::size_t>(column.distinct() - 1) > source_.table.rows())
      throw Error(Fault::kData, "column " + quoted(ours.column) + " is nearly unique, and would be published as it is",
                  "Most of its values occur once, so it names persons.",
                  "Leave it out of publish_as_is, or allow it: options => '{\"allow_unique\": [" +
                      json_string(ours.column) + "]}'.");
  }
}

}  // namespace anon_seq::pg
