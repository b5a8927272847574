#include "audit/align.h"

#include <algorithm>
#include <map>
#include <set>

#include "audit/text_intervals.h"
#include "catalog/taxonomy_store.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

struct Attribute {
  std::vector<AuditColumn*> columns;
  std::set<std::string> taxonomies;
  bool ranges = false;
};

// A root's label, and whether the taxonomy's labels are ranges of numbers.
struct Taxonomies {
  struct About {
    std::string root;
    bool of_ranges;
  };
  SpiSession& session;
  std::map<std::string, About> known;

  About const& operator[](std::string const& name) {
    auto found = known.find(name);
    if (found != known.end()) return found->second;
    InterruptCheckpoint checkpoint;
    auto const taxonomy = load_taxonomy(session, name, checkpoint);
    if (auto const* const open = std::get_if<OpenTaxonomy>(&taxonomy))
      return known[name] = {root_label(*open), std::holds_alternative<RangeRule>(*open)};
    return known[name] = {std::string(std::get<Taxonomy>(taxonomy).label(kRoot)), false};
  }
};

bool is_range(AuditColumn const& column) { return column.interval || is_range_type(column.type); }
bool is_label(AuditColumn const& column) { return !column.taxonomy.empty() && !is_range(column); }

// A column as a range of the type that all of its line have.
std::string as_range(AuditColumn const& column, std::string const& c, std::string const& root) {
  if (column.interval || is_label(column)) return interval_expression(c, root);
  auto const range = line_of(column.type) == Line::kNumbers ? std::string("numrange") : range_of(column.type);
  if (column.type == range) return c;
  if (is_range_type(column.type))  // int4range, int8range
    return sql_text(R"(
  CASE WHEN isempty({c}) THEN 'empty'::numrange
       WHEN {c} IS NOT NULL THEN numrange(lower({c}), upper({c}), '[)') END)",
                    {{"c", c}});
  return sql_text("CASE WHEN {c} IS NOT NULL THEN {range}({point}, {point}, '[]') END",
                  {{"c", c},
                   {"range", range},
                   {"point", c + (range == "numrange" ? "::text::numeric" : "")}});  // floats with all their digits
}

Line line_of_column(AuditColumn const& column) {
  return column.interval || is_label(column) ? Line::kNumbers : line_of(column.type);
}

// Gives the columns of an attribute that is on a line their ranges.
void put_on_line(std::string const& name, Attribute const& attribute, Taxonomies& taxonomies) {
  Line const line = line_of_column(*attribute.columns.front());
  for (auto const* const column : attribute.columns) {
    if (is_label(*column) && !taxonomies[column->taxonomy].of_ranges) throw_not_comparable(name);
    if (line_of_column(*column) == Line::kNone || line_of_column(*column) != line) throw_not_comparable(name);
  }
  for (auto* const column : attribute.columns) column->match = "anon_seq range of " + column->name;
}

// Exact values are equal as numbers, as dates, as timestamps of a kind, or by their text.
void require_one_family(std::string const& name, Attribute const& attribute) {
  auto const family = [](AuditColumn const& column) {
    return column.type == "boolean" ? -1 : static_cast<int>(line_of(column.type));
  };
  for (auto const* const column : attribute.columns)
    if (family(*column) != family(*attribute.columns.front())) throw_not_comparable(name);
}

std::map<std::string, Attribute> attributes_of(std::vector<AuditTable>& tables) {
  std::map<std::string, Attribute> attributes;
  for (auto& table : tables)
    for (auto& column : table.columns) {
      if (column.attribute.empty()) continue;
      auto& attribute = attributes[column.attribute];
      attribute.columns.push_back(&column);
      attribute.ranges = attribute.ranges || is_range(column);
      if (is_label(column)) attribute.taxonomies.insert(column.taxonomy);
    }
  return attributes;
}

void add_ranges(AuditTable& table, Taxonomies& taxonomies) {
  std::string added;
  for (auto const& column : table.columns)
    if (!column.match.empty()) {
      auto const root = is_label(column) ? taxonomies[column.taxonomy].root : std::string();
      added += ", " + as_range(column, "a." + quote_name(column.name), root) + " AS " + quote_name(column.match);
    }
  if (!added.empty())
    table.query = sql_text("SELECT a.*{ranges} FROM ({table}) AS a", {{"ranges", added}, {"table", table.query}});
}

}  // namespace

void align(SpiSession& session, std::vector<AuditTable>& tables, bool overlap) {
  Taxonomies taxonomies{session, {}};
  if (!overlap)
    for (auto& table : tables)
      for (auto& column : table.columns)
        if (is_range(column)) column.attribute.clear();
  for (auto const& [name, attribute] : attributes_of(tables)) {
    if (attribute.columns.size() < 2 && !attribute.ranges) continue;
    bool const two = attribute.taxonomies.size() > 1;
    bool const all_ranges = std::all_of(attribute.taxonomies.begin(), attribute.taxonomies.end(),
                                        [&](auto const& taxonomy) { return taxonomies[taxonomy].of_ranges; });
    if (attribute.ranges || (two && all_ranges)) {
      if (overlap)
        put_on_line(name, attribute, taxonomies);
      else
        for (auto* const column : attribute.columns) column->attribute.clear();
    } else if (attribute.taxonomies.empty()) {
      require_one_family(name, attribute);
    } else if (two) {
      throw_two_taxonomies(name, *attribute.taxonomies.begin(), *std::next(attribute.taxonomies.begin()));
    }
  }
  for (auto& table : tables) add_ranges(table, taxonomies);
}

void find_roots(SpiSession& session, std::vector<AuditTable>& tables, std::vector<AuditTerm> const& y) {
  Taxonomies taxonomies{session, {}};
  for (auto const& term : y) {
    auto& column = tables[term.table].columns[term.column];
    if (term.what != AuditTerm::kColumn || !is_label(column)) continue;
    try {
      column.nothing = taxonomies[column.taxonomy].root;
    } catch (Error const& unseen) {
      if (unseen.fault() != Fault::kNoObject) throw;
    }
  }
}

}  // namespace anon_seq::audit
