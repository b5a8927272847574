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
  for (auto const& column : policy.columns) {
    auto const found = demands.listed.find(column.column);
    if (found == demands.listed.end() || column.role != Role::kSensitive || !column.taxonomy.empty()) continue;
    std::vector<std::string_view> const list(found->second.begin(), found->second.end());
    try {
      SubTransaction work;
      session.execute("SELECT count(t::" + bare_type(column) + ") FROM unnest($1) AS l (t)", {array_of(list)}, true);
      work.commit();
    } catch (PgError const&) {
      throw Error(Fault::kParameter, "sensitive_values lists what is no value of column " + quoted(column.column),
                  "It is of type " + column.type + ".");
    }
  }
}

ListedValues find_listed(SpiSession& session, PublishedColumn const& column, std::vector<std::string_view> const& texts,
                         std::vector<std::string> const& list, TaxonomyPool& pool) {
  ListedValues found{Vector<char>(texts.size(), 0), 0};
  std::vector<std::string_view> plain;  // entries that are no label
  std::vector<Node> labels;
  if (!column.taxonomy.empty()) {
    for (auto const text : texts) pool.expect(column.taxonomy, text);
    auto const& tree = pool.tree(column.taxonomy);
    for (auto const& entry : list)
      if (Node const node = tree.find(entry); node != kNoNode)
        labels.push_back(node);
      else
        plain.push_back(entry);
    Vector<char> met(labels.size(), 0);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      Node const node = tree.find(texts[i]);
      for (std::size_t l = 0; l < labels.size() && node != kNoNode; ++l)
        if (tree.covers(labels[l], node)) found.is_listed[i] = met[l] = 1;
    }
    found.absent = std::count(met.begin(), met.end(), 0);
  } else {
    plain.assign(list.begin(), list.end());
  }
  if (plain.empty()) return found;
  for (auto const number : equal_texts(session, column, texts, plain))
    if (number == 0)
      ++found.absent;
    else
      found.is_listed[static_cast<std::size_t>(number) - 1] = 1;
  return found;
}

}  // namespace anon_seq::lossy_join
