#include "release/label_question.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/acting_as.h"
#include "pg/line_type.h"
#include "pg/no_column.h"
#include "pg/reading.h"
#include "pg/roles.h"
#include "pg/sql_text.h"
#include "release/flat.h"
#include "release/shared_rows.h"

namespace anon_seq::release {
namespace {

// p7 of anon_seq_ledger.p7_shown; "" of what is called otherwise.
std::string ledger_of_cells(std::string const& relation) {
  auto const begin = relation.find('.') + 1, end = relation.find("_shown", begin);
  auto const ledger = end == std::string::npos ? std::string() : relation.substr(begin, end - begin);
  return is_ledger_name(ledger) && shown_cells(ledger) == relation ? ledger : "";
}

}  // namespace

std::optional<Release> release_behind(SpiSession& session, Oid relation) {
  auto const rows = session.execute(R"(
WITH RECURSIVE below (oid, steps) AS (
  SELECT $1::oid, 0
  UNION
  SELECT d.refobjid, b.steps + 1
  FROM below AS b
  JOIN pg_class AS v ON v.oid = b.oid AND v.relkind = 'v'
  JOIN pg_rewrite AS r ON r.ev_class = b.oid
  JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
  JOIN pg_class AS c ON c.oid = d.refobjid AND c.relowner = v.relowner
  WHERE d.refobjid <> b.oid AND b.steps < 2
)
SELECT format('%I.%I', n.nspname, c.relname), b.steps, top.relname, c.relowner
FROM below AS b
JOIN pg_class AS c ON c.oid = b.oid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_class AS top ON top.oid = $1
ORDER BY b.steps)",
                                    {SqlValue::oid(relation)}, true);
  std::string const top = rows.count() == 0 ? "" : rows.get(0, 1);
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto const cells = ledger_of_cells(rows.get(row, 1));
    auto release = cells.empty() ? release_with(session, rows.get(row, 1)) : release_shown(session, cells);
    if (!release || ledger_owner(session, release->ledger) != rows.oid(row, 4)) continue;
    for (auto const& own : release->relations) {
      if (cells.empty() ? own.name != rows.get(row, 1) : !own.is_shared()) continue;
      auto const stable = stable_name(*release, own);
      if (top == own.name || top == stable || top == flat_on(session, stable)) return release;
    }
  }
  return std::nullopt;
}

namespace {

void require_right(SpiSession& session, Oid relation, std::string const& column) {
  auto const rows = session.execute(R"(
SELECT has_column_privilege(a.attrelid, a.attnum, 'SELECT')
FROM pg_attribute AS a
WHERE a.attrelid = $1 AND a.attname = $2 AND a.attnum > 0 AND NOT a.attisdropped)",
                                    {SqlValue::oid(relation), column}, true);
  if (rows.count() == 0) throw NoColumn(session, relation, column);
  if (!rows.boolean(0, 1)) throw_denied(session, relation);
}

// As SQL names it. REQUIRES: it is there.
std::string column_type(SpiSession& session, Oid relation, std::string const& column) {
  return session
      .execute(
          "SELECT format_type(a.atttypid, NULL) FROM pg_attribute AS a"
          " WHERE a.attrelid = $1 AND a.attname = $2 AND NOT a.attisdropped",
          {SqlValue::oid(relation), column}, true)
      .get(0, 1);
}

}  // namespace

LabelQuestion::LabelQuestion(SpiSession& session, Oid relation, std::string const& column)
    : name_(qualified_name(relation)), column_(column) {
  require_right(session, relation, column);
  auto const release = release_behind(session, relation);
  if (!release)
    throw Error(Fault::kParameter, "relation " + name_ + " is no release", "",
                "Name a release of anon_seq, its stable name or its companion.");
  auto const* const published = release->find_column(column);
  if (published == nullptr)
    throw Error(Fault::kParameter,
                "column " + quoted(column) + " of " + name_ + " is a bound or a number of a companion", "",
                "Compare it with <, = and >, or ask of the release itself.");
  bool const as_is = published->taxonomy.empty() && !is_range_type(published->type);
  if (!published->is_quasi() || as_is)
    throw Error(Fault::kParameter, "column " + quoted(column) + " of " + name_ + " is published as it is", "",
                "Compare it with =.");
  type_ = published->type;
  shown_type_ = type_ == "text[]" ? column_type(session, relation, column) : type_;
  taxonomy_name_ = published->taxonomy;
  if (is_range_type(type_)) return;
  try {
    load(session);
  } catch (Error const& error) {  // it is not there for him: he knows what he can read
    if (error.fault() != Fault::kNoObject && error.fault() != Fault::kPrivilege) throw;
    {
      ActingAs const owner(ledger_owner(session, release->ledger));
      load(session);
    }
    if (std::holds_alternative<Taxonomy>(*taxonomy_)) find_public(session);
  }
}

void LabelQuestion::load(SpiSession& session) {
  InterruptCheckpoint checkpoint;
  taxonomy_.emplace(load_taxonomy(session, taxonomy_name_, checkpoint));
}

// By his own rights, out of the relation that he names.
void LabelQuestion::find_public(SpiSession& session) {
  public_.emplace();
  auto const label = shown_type_ == "text[]" ? "unnest(r." + quote_name(column_) + ")" : "r." + quote_name(column_);
  auto const rows = session.execute(
      sql_text("SELECT DISTINCT {label} FROM {relation} AS r", {{"label", label}, {"relation", name_}}), {}, true);
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    if (auto const text = rows.text(row, 1))
      for (auto const& of : is_joined() ? joined_labels(*text) : Labels{*text})
        if (of)
          for (auto& above : path_of(*of, Begin::kLabel)) public_->insert(std::move(above));
}

// What a companion shows, see flat.cpp, taken apart: the one way in which all parts are labels.
LabelQuestion::Labels LabelQuestion::joined_labels(std::string const& published) const {
  constexpr std::string_view kOr = " or ", kUnknown = "not known";
  struct Way {
    std::size_t ways = 0, from = 0;  // in which the text ends here, and where the last part begins
  };
  std::vector<std::size_t> ends;  // of parts
  for (auto at = published.find(kOr); at != std::string::npos; at = published.find(kOr, at + 1)) ends.push_back(at);
  ends.push_back(published.size());
  std::map<std::size_t, Way> begins{{0, {1, 0}}};
  for (auto const end : ends)
    for (auto const& [begin, way] : std::map(begins)) {
      if (way.ways == 0 || begin > end) continue;
      auto const part = published.substr(begin, end - begin);
      if (part != kUnknown && path_of(part, Begin::kLabel).empty()) continue;
      auto& next = begins[end + kOr.size()];
      next.ways += way.ways;
      next.from = begin;
    }
  auto const last = published.size() + kOr.size();
  if (begins[last].ways > 1)
    throw Error(Fault::kData, "what column " + quoted(column_) + " of " + name_ + " shows can be read in several ways",
                "Labels of its taxonomy have \" or \" in them.", "Ask of the release itself, which shows arrays.");
  if (begins[last].ways == 0) refuse(published);
  Labels labels;
  for (std::size_t end = last; end > 0; end = begins[end].from) {
    auto const begin = begins[end].from;
    auto const part = published.substr(begin, end - kOr.size() - begin);
    labels.push_back(part == kUnknown ? std::nullopt : std::optional(part));
  }
  return labels;
}

LabelQuestion::Labels LabelQuestion::labels_of(SpiSession& session, std::string const& published) const {
  if (is_joined()) return joined_labels(published);
  if (type_ != "text[]") return {published};
  auto const rows = session.execute("SELECT e.v FROM unnest($1::text[]) AS e (v)", {published}, true);
  Labels labels;
  for (std::uint64_t row = 0; row < rows.count(); ++row) labels.push_back(rows.text(row, 1));
  return labels;
}

LabelQuestion::Path LabelQuestion::path_of(std::string const& label, Begin begin) const {
  if (auto const* open = std::get_if<OpenTaxonomy>(&*taxonomy_)) {
    auto const path = std::visit([&](auto const& rule) { return rule.path(label); }, *open);
    return path ? Path(path->begin(), path->end()) : Path();
  }
  auto const& tree = std::get<Taxonomy>(*taxonomy_);
  Path path;
  Node node = tree.find(label);
  // A node above one leaf stands for that leaf. Not the root: whoever has no value is below it, too.
  if (begin == Begin::kMeaning && node > kRoot)
    while (!tree.is_leaf(node) && tree.end(node + 1) == tree.end(node)) ++node;
  while (node != kNoNode) {
    path.emplace_back(tree.label(node));
    node = node == kRoot ? kNoNode : tree.ancestor(node, 1);
  }
  return path;
}

void LabelQuestion::refuse(std::string const& value) const {
  throw Error(Fault::kData, quoted(value) + " is nothing that column " + quoted(column_) + " of " + name_ + " shows",
              public_ ? "Of its taxonomy that part is public which the release shows, and what lies above it." : "",
              "SELECT DISTINCT " + quote_name(column_) + " FROM " + name_ + "; shows what there is." +
                  (public_ ? " Its owner may let you read all of it, by anon_seq.grant_taxonomy()." : ""));
}

// A question about another value.
void LabelQuestion::ask(std::string const& value) {
  auto path = path_of(value, Begin::kMeaning);
  if (path.empty() || (public_ && !public_->contains(value))) refuse(value);
  asked_ = std::move(path);
}

LabelQuestion::Answer LabelQuestion::of_labels(SpiSession& session, std::string const& published) const {
  auto const labels = labels_of(session, published);
  Answer answer{!labels.empty(), false};
  auto const has = [](Path const& path, std::string const& label) {
    return std::find(path.begin(), path.end(), label) != path.end();
  };
  for (auto const& label : labels) {
    if (!label) {  // it may not be known
      answer.surely = false;
      continue;
    }
    auto const path = path_of(*label, Begin::kMeaning);
    if (path.empty() || (public_ && !public_->contains(*label))) refuse(*label);
    bool const within = has(path, asked_.front());
    answer.surely &= within;
    answer.possibly |= within || has(asked_, path.front());
  }
  return answer;
}

// A value of such a column is one, or an interval of them.
LabelQuestion::Answer LabelQuestion::of_range(SpiSession& session, std::string const& published) const {
  bool const interval = value_.starts_with("[") || value_.starts_with("(");
  auto const value =
      interval ? "$2::" + type_ : type_ + "($2::" + element_of(type_) + ", $2::" + element_of(type_) + ", '[]')";
  auto const rows = session.execute(
      sql_text("SELECT p.r <@ v.r, p.r && v.r FROM (SELECT $1::{type} AS r) AS p, (SELECT {value} AS r) AS v",
               {{"type", type_}, {"value", value}}),
      {published, value_}, true);
  return {rows.boolean(0, 1), rows.boolean(0, 2)};
}

LabelQuestion::Answer LabelQuestion::answer(SpiSession& session, std::string const& published,
                                            std::string const& value) {
  bool const ranges = is_range_type(type_);
  constexpr std::size_t kMost = 100000, kLongest = 200;  // that are remembered, and bytes of each
  if (value != value_ || (asked_.empty() && !ranges) || answers_.size() > kMost) {
    answers_.clear();
    asked_.clear();
    value_ = value;
    if (!ranges) ask(value);
  }
  if (auto const known = answers_.find(published); known != answers_.end()) return known->second;
  auto const found = ranges ? of_range(session, published) : of_labels(session, published);
  if (published.size() <= kLongest) answers_.emplace(published, found);
  return found;
}

}  // namespace anon_seq::release
