#include "lossy_join/listed.h"

#include <algorithm>

#include "pg/array_text.h"
#include "pg/json.h"
#include "pg/sql_text.h"
#include "pg/subtransaction.h"

namespace anon_seq::lossy_join {
namespace {

SqlValue array_of(std::vector<std::string_view> const& texts) {
  return SqlValue::datum(TEXTARRAYOID, text_array(texts));
}

// Entry by entry the text, from 1, that equals it; 0 if there is none.
std::vector<std::int64_t> equal_texts(SpiSession& session, PublishedColumn const& column,
                                      std::vector<std::string_view> const& texts,
                                      std::vector<std::string_view> const& list) {
  auto const rows = session.execute(sql_text(R"(
SELECT coalesce(min(v.i), 0)
FROM unnest($2) WITH ORDINALITY AS l (t, o)
LEFT JOIN unnest($1) WITH ORDINALITY AS v (t, i) ON v.t::{type} = l.t::{type}
GROUP BY l.o
ORDER BY l.o)",
                                             {{"type", bare_type(column)}}),
                                    {array_of(texts), array_of(list)}, true);
  std::vector<std::int64_t> found;
  for (std::uint64_t row = 0; row < rows.count(); ++row) found.push_back(rows.integer(row, 1));
  return found;
}

// Entry by entry the texts that it means, and the node that it is, kNoNode if it is no label.
struct Meant {
  std::vector<Vector<std::size_t>> texts;
  Vector<Node> labels;
};

Meant meant_by(SpiSession& session, PublishedColumn const& column, std::vector<std::string_view> const& texts,
               std::vector<std::string> const& entries, TaxonomyPool& pool) {
  Meant found{std::vector<Vector<std::size_t>>(entries.size()), Vector<Node>(entries.size(), kNoNode)};
  auto& [meant, labels] = found;
  std::vector<std::string_view> plain;  // entries that are no label
  Vector<std::size_t> plain_entries;
  if (!column.taxonomy.empty() && !entries.empty()) {
    for (auto const text : texts) pool.expect(column.taxonomy, text);
    auto const& tree = pool.tree(column.taxonomy);
    for (std::size_t e = 0; e < entries.size(); ++e) labels[e] = tree.find(entries[e]);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      Node const node = tree.find(texts[i]);
      for (std::size_t e = 0; e < entries.size() && node != kNoNode; ++e)
        if (labels[e] != kNoNode && tree.covers(labels[e], node)) meant[e].push_back(i);
    }
  }
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (labels[e] == kNoNode) {
      plain.push_back(entries[e]);
      plain_entries.push_back(e);
    }
  if (plain.empty()) return found;
  auto const equal = equal_texts(session, column, texts, plain);
  for (std::size_t i = 0; i < plain.size(); ++i)
    if (equal[i] > 0) meant[plain_entries[i]].push_back(static_cast<std::size_t>(equal[i]) - 1);
  return found;
}

// The values that a label of a taxonomy stands for, as a digest. An open taxonomy says by the value what is below.
std::string values_below(SpiSession& session, std::string const& taxonomy, Node label, TaxonomyPool& pool) {
  if (label == kNoNode || pool.is_open(taxonomy)) return "";
  auto const& tree = pool.tree(taxonomy);
  if (tree.leaves(label) <= 1 && tree.end(label) == label + 1) return "";
  std::vector<std::string> labels;
  for (Node node = label; node < tree.end(label); ++node) labels.emplace_back(tree.label(node));
  std::sort(labels.begin(), labels.end());
  return session
      .execute("SELECT pg_catalog.encode(pg_catalog.sha256($1), 'hex')",
               {SqlValue::binary(json_array(labels, json_string))}, true)
      .get(0, 1);
}

std::vector<std::string> keys_of(std::map<std::string, Ratio> const& alphas) {
  std::vector<std::string> keys;
  for (auto const& [key, alpha] : alphas) keys.push_back(key);
  return keys;
}

}  // namespace

std::string bare_type(PublishedColumn const& column) {
  auto type = column.type;
  if (auto const collation = type.rfind(" COLLATE ");
      collation != std::string::npos &&
      std::count(type.begin(), type.begin() + static_cast<std::ptrdiff_t>(collation), '"') % 2 == 0)
    type.resize(collation);
  if (type.find('"') != std::string::npos) return type;
  if (auto const open = type.find('('), close = type.find(')'); open != std::string::npos && close != std::string::npos)
    type.erase(open, close + 1 - open);
  return type == "character" ? "bpchar" : type;  // character alone has one
}

void check_listed(SpiSession& session, Policy const& policy, LossyPolicy const& demands) {
  auto const check = [&](PublishedColumn const& column, std::vector<std::string> const& entries, char const* where) {
    std::vector<std::string_view> const list(entries.begin(), entries.end());
    try {
      SubTransaction work;
      session.execute("SELECT count(t::" + bare_type(column) + ") FROM unnest($1) AS l (t)", {array_of(list)}, true);
      work.commit();
    } catch (PgError const&) {
      throw Error(Fault::kParameter, std::string(where) + " what is no value of column " + quoted(column.column),
                  "It is of type " + column.type + ".");
    }
  };
  for (auto const& column : policy.columns) {
    if (column.role != Role::kSensitive || !column.taxonomy.empty()) continue;
    if (auto const found = demands.listed.find(column.column); found != demands.listed.end())
      check(column, found->second, "sensitive_values lists");
    if (auto const found = demands.alphas.find(column.column); found != demands.alphas.end())
      check(column, keys_of(found->second), "options.alphas names");
  }
}

ListedValues find_listed(SpiSession& session, PublishedColumn const& column, std::vector<std::string_view> const& texts,
                         LossyPolicy const& demands, TaxonomyPool& pool) {
  auto const list = demands.listed.find(column.column);
  auto const alphas = demands.alphas.find(column.column);
  auto entries = list == demands.listed.end() ? std::vector<std::string>() : list->second;
  std::size_t const listed = entries.size();
  if (alphas != demands.alphas.end())
    for (auto const& entry : keys_of(alphas->second)) entries.push_back(entry);
  auto const [meant, labels] = meant_by(session, column, texts, entries, pool);

  ListedValues found;
  found.is_listed.assign(texts.size(), list == demands.listed.end());
  found.bound_of.assign(texts.size(), ListedValues::kSingly);
  // Nodes are in preorder: of several that hold a text the least is the outermost.
  auto const is_outer = [&](std::size_t e, std::size_t other) { return labels[e] < labels[other]; };
  Vector<std::size_t> entry_of(texts.size(), ListedValues::kSingly);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    bool const known = e >= listed && std::count(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(listed),
                                                 entries[e]) > 0;
    found.absent += meant[e].empty() && !known;
    for (auto const text : meant[e]) {
      found.is_listed[text] = 1;
      auto& entry = entry_of[text];
      if (labels[e] != kNoNode && (entry == ListedValues::kSingly || is_outer(e, entry))) entry = e;
    }
  }
  std::map<Node, std::size_t> of_label;
  for (std::size_t text = 0; text < texts.size(); ++text) {
    if (entry_of[text] == ListedValues::kSingly) continue;
    auto const e = entry_of[text];
    auto const [at, fresh] = of_label.try_emplace(labels[e], found.bounded.size());
    if (fresh) found.bounded.push_back({entries[e], values_below(session, column.taxonomy, labels[e], pool), text});
    found.bound_of[text] = at->second;
  }
  std::map<std::size_t, Ratio> own;
  for (std::size_t e = listed; e < entries.size(); ++e)
    for (auto const text : meant[e]) {
      Ratio const alpha = alphas->second.at(entries[e]);
      auto& least = own.try_emplace(found.first(text), alpha).first->second;
      if (!at_most(least.num, least.den, alpha)) least = alpha;
    }
  found.own.assign(own.begin(), own.end());
  return found;
}

std::string values_below(SpiSession& session, std::vector<PublishedColumn> const& columns, LossyPolicy const& demands,
                         TaxonomyPool& pool) {
  std::string all;
  for (auto const& column : columns) {
    auto const list = demands.listed.find(column.column);
    if (list == demands.listed.end() || column.taxonomy.empty() || pool.is_open(column.taxonomy)) continue;
    auto entries = list->second;
    std::sort(entries.begin(), entries.end());
    for (auto const& entry : entries)
      all += values_below(session, column.taxonomy, pool.tree(column.taxonomy).find(entry), pool);
  }
  return all;
}

}  // namespace anon_seq::lossy_join
