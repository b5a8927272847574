#include "lossy_join/listed.h"

#include <algorithm>

#include "pg/array_text.h"
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

// Entry by entry the texts that it means.
std::vector<Vector<std::size_t>> meant_by(SpiSession& session, PublishedColumn const& column,
                                          std::vector<std::string_view> const& texts,
                                          std::vector<std::string> const& entries, TaxonomyPool& pool) {
  std::vector<Vector<std::size_t>> meant(entries.size());
  std::vector<std::string_view> plain;  // entries that are no label
  Vector<std::size_t> plain_entries;
  Vector<Node> labels(entries.size(), kNoNode);
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
  if (plain.empty()) return meant;
  auto const equal = equal_texts(session, column, texts, plain);
  for (std::size_t i = 0; i < plain.size(); ++i)
    if (equal[i] > 0) meant[plain_entries[i]].push_back(static_cast<std::size_t>(equal[i]) - 1);
  return meant;
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
  auto const meant = meant_by(session, column, texts, entries, pool);

  ListedValues found{Vector<char>(texts.size(), list == demands.listed.end()), {}, 0};
  std::map<std::size_t, Ratio> own;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    bool const known = e >= listed && std::count(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(listed),
                                                 entries[e]) > 0;
    found.absent += meant[e].empty() && !known;
    for (auto const text : meant[e]) {
      found.is_listed[text] = 1;
      if (e < listed) continue;
      Ratio const alpha = alphas->second.at(entries[e]);
      auto& least = own.try_emplace(text, alpha).first->second;
      if (!at_most(least.num, least.den, alpha)) least = alpha;
    }
  }
  found.own.assign(own.begin(), own.end());
  return found;
}

}  // namespace anon_seq::lossy_join
