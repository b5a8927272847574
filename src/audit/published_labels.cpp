// read_labels() and labels_in() of published_column.h.
#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "core/attack/label_runs.h"
#include "core/text/json_value.h"
//
#include "audit/forest.h"
#include "audit/published_column.h"
#include "catalog/ledger.h"
#include "pg/array_text.h"
#include "pg/reading.h"

namespace anon_seq::audit {
namespace {

// The labels of each code of a column; nullopt: the unknown value.
using Labels = std::vector<std::vector<std::optional<std::string>>>;

Labels labels_of(SpiSession& session, PublishedValues const& column) {
  Labels labels(static_cast<std::size_t>(column.values->distinct()));
  labels[kNull].push_back(std::nullopt);
  std::vector<std::string_view> texts;
  std::vector<std::int32_t> codes;
  for (Code code = 1; code < column.values->distinct(); ++code) {
    texts.push_back(column.values->values[code]);
    codes.push_back(code);
    if (column.form.family != Family::kLabels) labels[static_cast<std::size_t>(code)].emplace_back(texts.back());
  }
  if (column.form.family != Family::kLabels) return labels;
  std::vector<SqlValue> const parameters{SqlValue::datum(INT4ARRAYOID, integer_array(codes)),
                                         SqlValue::datum(TEXTARRAYOID, text_array(texts))};
  auto const rows = read_rows(session, R"(
SELECT u.i, e.v
FROM unnest($1::int[], $2::text[]) AS u (i, t)
CROSS JOIN LATERAL unnest(u.t::text[]) AS e (v))",
                              parameters, "column " + quoted(column.column));
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    labels[static_cast<std::size_t>(rows.integer(row, 1))].push_back(rows.text(row, 2));
  return labels;
}

std::vector<Labels> all_labels(SpiSession& session, std::vector<PublishedValues> const& columns) {
  std::vector<Labels> all;
  for (auto const& column : columns) all.push_back(column.values == nullptr ? Labels() : labels_of(session, column));
  return all;
}

void gather(Labels const& column, std::vector<std::string>& into) {
  for (auto const& code : column)
    for (auto const& label : code)
      if (label) into.push_back(*label);
}

std::vector<std::string> distinct(std::vector<Labels> const& all) {
  std::vector<std::string> labels;
  for (auto const& column : all) gather(column, labels);
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

LabelForest load(SpiSession& session, std::string const& taxonomy, Oid owner) {
  if (owner == InvalidOid) return LabelForest(session, taxonomy);
  ActingAs const acting(owner);
  return LabelForest(session, taxonomy);
}

[[noreturn]] void throw_unknown(std::vector<PublishedValues> const& columns, std::vector<Labels> const& all,
                                std::vector<std::string> const& unknown, std::string const& taxonomy) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].is_open) continue;
    std::size_t count = 0;
    for (auto const& code : all[i])
      count += std::any_of(code.begin(), code.end(), [&](auto const& label) {
        return label && std::binary_search(unknown.begin(), unknown.end(), *label);
      });
    if (count > 0)
      throw Error(Fault::kData,
                  "column " + quoted(columns[i].column) + " of relation " + columns[i].relation +
                      " has values that are not in taxonomy " + quoted(taxonomy),
                  std::to_string(count) + (count == 1 ? " distinct value is" : " distinct values are") + " unknown.");
  }
  throw Error(Fault::kInternal, "an unknown label is in no column");
}

// Beyond all that a taxonomy knows, its root too: a piece that no label holds.
constexpr std::int32_t kForeignPiece = std::numeric_limits<std::int32_t>::max() - 1;

struct TaxonomyRuns {
  LabelRuns runs;
  std::vector<std::string> foreign;  // labels of open columns alone that the taxonomy does not know, sorted
};

TaxonomyRuns taxonomy_runs(SpiSession& session, std::vector<PublishedValues> const& columns,
                           std::vector<Labels> const& all, std::string const& taxonomy, Oid owner) {
  LabelForest forest = load(session, taxonomy, owner);
  auto labels = distinct(all);
  std::vector<std::string> unknown;
  for (auto const& label : labels)
    if (!forest.add(label)) unknown.push_back(label);
  bool const all_of_open = [&] {
    std::vector<std::string> closed;
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (!columns[i].is_open) gather(all[i], closed);
    return std::none_of(closed.begin(), closed.end(),
                        [&](auto const& label) { return std::binary_search(unknown.begin(), unknown.end(), label); });
  }();
  if (!all_of_open) throw_unknown(columns, all, unknown, taxonomy);
  std::erase_if(labels, [&](auto const& label) { return std::binary_search(unknown.begin(), unknown.end(), label); });
  forest.finish();
  Vector<PieceRun> runs;
  for (auto const& label : labels) {
    Span const leaves =
        forest.leaves(label);  // piece 0 is the unknown value, which only the root holds, there as its last
    bool const is_root = forest.span(label).first == kRoot;
    runs.push_back({is_root ? kUnknownPiece : leaves.first + 1, is_root ? leaves.last : leaves.last + 1});
  }
  return {LabelRuns(std::move(labels), std::move(runs)), std::move(unknown)};
}

std::string names_json(std::vector<std::optional<std::string>> const& names, bool arrays) {
  auto const one = [](std::optional<std::string> const& name) {
    return name ? json_string(*name) : std::string("null");
  };
  if (names.empty() || arrays || names.size() > 1) return json_array(names, one);
  return one(names.front());
}

}  // namespace

Acquaintance labels_in(SpiSession& session, std::vector<PublishedValues> const& columns, std::string const& taxonomy) {
  Acquaintance found;
  found.exists =
      session.execute("SELECT FROM anon_seq.taxonomies AS t WHERE t.name = $1", {taxonomy}, true).count() > 0;
  if (!found.exists) return found;
  LabelForest forest = load(session, taxonomy, InvalidOid);
  std::vector<PublishedValues> closed;
  for (auto const& column : columns)
    if (!column.is_open) closed.push_back(column);
  for (auto const& label : distinct(all_labels(session, closed))) {
    if (!forest.add(label))
      ++found.unknown;
    else if (label != "*")
      ++found.known;
  }
  return found;
}

AttributeSets read_labels(SpiSession& session, std::vector<PublishedValues> const& columns, std::string const& taxonomy,
                          Oid owner, ValueSets& sets) {
  auto const all = all_labels(session, columns);
  auto const made =
      std::make_shared<TaxonomyRuns>(taxonomy.empty() ? TaxonomyRuns{prefix_runs(distinct(all)), {}}
                                                      : taxonomy_runs(session, columns, all, taxonomy, owner));
  std::shared_ptr<LabelRuns> const runs(made, &made->runs);
  auto const run_of = [&](std::optional<std::string> const& label) {
    if (!label) return PieceRun{kUnknownPiece, kUnknownPiece};
    if (std::binary_search(made->foreign.begin(), made->foreign.end(), *label))
      return PieceRun{kForeignPiece, kForeignPiece};
    return runs->run_of(*label);
  };
  AttributeSets found;
  found.unknown = made->foreign.size();
  bool arrays = false;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    arrays = arrays || (columns[i].values != nullptr && columns[i].form.family == Family::kLabels);
    auto& of = found.of.emplace_back();
    for (auto const& labels : all[i]) {
      std::vector<PieceRun> union_of;
      for (auto const& label : labels) union_of.push_back(run_of(label));
      of.push_back(sets.add(union_of));
    }
  }
  found.as_json = [runs, arrays, &sets](SetId set) { return names_json(runs->names_of(sets[set]), arrays); };
  return found;
}

}  // namespace anon_seq::audit
