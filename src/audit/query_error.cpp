#include "audit/query_error.h"

#include <algorithm>

#include "audit/published_column.h"
#include "catalog/cell_source.h"
#include "pg/line_type.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

std::string c(std::size_t number) { return "c" + std::to_string(number); }

// Columns of a release, by their place in it, and the part that they play in a query.
struct Parts {
  std::vector<std::size_t> quasi, sensitive;
  std::size_t class_id = kNone;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
};

Parts parts_of(Release const& release) {
  bool const has_sensitive = std::any_of(release.columns.begin(), release.columns.end(),
                                         [](auto const& column) { return column.role == Role::kSensitive; });
  Parts parts;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    switch (release.columns[i].role) {
      case Role::kQuasi: parts.quasi.push_back(i); break;
      case Role::kSensitive: parts.sensitive.push_back(i); break;
      case Role::kAsIs: (has_sensitive ? parts.quasi : parts.sensitive).push_back(i); break;
      case Role::kClass: parts.class_id = i; break;
    }
  }
  return parts;
}

void require_parts(Release const& release, Parts const& parts, std::size_t dimensions) {
  if (parts.sensitive.empty())
    throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " shows no sensitive column",
                "A query asks for values of one, and for quasi columns beside it.",
                "Declare a policy with sensitive or publish_as_is columns.");
  if (dimensions > parts.quasi.size())
    throw Error(Fault::kParameter, "a query cannot have " + std::to_string(dimensions) + " dimensions",
                "Release " + quoted(release.reference()) + " has " + std::to_string(parts.quasi.size()) +
                    (parts.quasi.size() == 1 ? " quasi column." : " quasi columns."),
                "Ask with dimensions => " + std::to_string(parts.quasi.size()) + ".");
}

// The cells of a release: columns as they are in it, sets of values as their texts.
struct PublishedCells {
  CodedTable table;
  std::vector<ColumnForm> forms;  // of the quasi columns of a generalized table; else nothing is known
};

PublishedCells read_cells(SpiSession& session, Release const& release, Parts const& parts, Checkpoint& checkpoint) {
  CellSource const cells(session, release);
  std::string shown, types;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    auto const& type = release.columns[i].type;
    bool const is_set = is_range_type(type) || type == "text[]";
    shown += c(i + 1) + (is_set ? "::text AS " + c(i + 1) : "") + ", ";
    types += (i == 0 ? "" : ", ") + ("pg_typeof(q." + c(i + 1) + ")::oid");
  }
  auto const what = "release " + quoted(release.reference());
  PublishedCells published;
  published.forms.resize(release.columns.size());
  auto const found = read_rows(session,
                               sql_text("SELECT {types} FROM (SELECT) AS one LEFT JOIN ({cells}) AS q ON false",
                                        {{"types", types}, {"cells", cells.query()}}),
                               {}, what);
  for (std::size_t const i : parts.quasi)
    published.forms[i] = form_of(found.oid(0, static_cast<int>(i) + 1), release.columns[i].column);
  RowReader reader(session,
                   sql_text("SELECT {shown}n FROM ({cells}) AS q", {{"shown", shown}, {"cells", cells.query()}}), what,
                   "n");
  published.table = reader.finish(checkpoint);
  return published;
}

// The original, with its columns in the order of the release's, a class left out.
struct Original {
  std::string name;
  CodedTable table;
  std::vector<ValueType> types;
  std::vector<std::size_t> place;  // column of the release -> column of the table

  Column const& column(std::size_t of_release) const { return table.columns[place[of_release]]; }
};

Original read_original(SpiSession& session, Release const& release, Oid relation, Checkpoint& checkpoint) {
  Original original;
  original.name = qualified_name(relation);
  std::vector<std::string> names;
  for (auto const& column : release.columns) {
    original.place.push_back(names.size());
    if (column.role != Role::kClass) names.push_back(column.column);
  }
  RowReader reader(session, select_columns(session, relation, names), original.name);
  original.types.assign(reader.types().begin(), reader.types().end());
  original.table = reader.finish(checkpoint);
  if (original.table.rows() == 0) throw Error(Fault::kData, "relation " + original.name + " has no rows");
  for (auto const& column : original.table.columns)
    if (column.distinct() < 2)
      throw Error(Fault::kData, "column " + quoted(column.name) + " of relation " + original.name + " has no value");
  return original;
}

// What was published as it was covers itself, if the original has it.
void cover_equal(QueriedColumn& into, Column const& published, Column const& original, Checkpoint& checkpoint) {
  for (Code code = 1; code < original.distinct(); ++code) into.order.push_back(code);
  into.begins.assign(2, 0);  // NULL covers no value
  for (Code code = 1; code < published.distinct(); ++code) {
    checkpoint.tick();
    if (auto const found = original.values.find(published.values[code]); found != kNoCode)
      into.runs.push_back({static_cast<std::size_t>(found) - 1, static_cast<std::size_t>(found)});
    into.begins.push_back(into.runs.size());
  }
}

// A set covers the values of the original that lie in it. In the order of their pieces these are few runs.
void cover_held(QueriedColumn& into, ValueSets const& sets, Vector<SetId> const& published,
                Vector<SetId> const& original, Checkpoint& checkpoint) {
  auto const set_of = [&](Code code) { return original[static_cast<std::size_t>(code)]; };
  auto const first_piece = [&](Code code) {
    auto const runs = sets[set_of(code)];
    return runs.empty() ? -1 : runs.front().first;
  };
  for (std::size_t code = 1; code < original.size(); ++code) into.order.push_back(static_cast<Code>(code));
  std::sort(into.order.begin(), into.order.end(),
            [&](Code a, Code b) { return std::pair(first_piece(a), a) < std::pair(first_piece(b), b); });
  into.begins.push_back(0);
  for (auto const set : published) {
    for (auto const run : sets[set]) {
      auto const from = std::lower_bound(into.order.begin(), into.order.end(), run.first,
                                         [&](Code code, std::int32_t piece) { return first_piece(code) < piece; });
      for (auto i = static_cast<std::size_t>(from - into.order.begin());
           i < into.order.size() && first_piece(into.order[i]) <= run.last; ++i) {
        checkpoint.tick();
        if (!sets.holds(set, set_of(into.order[i]))) continue;
        if (into.runs.size() > into.begins.back() && into.runs.back().end == i)
          into.runs.back().end = i + 1;
        else
          into.runs.push_back({i, i + 1});
      }
    }
    into.begins.push_back(into.runs.size());
  }
}

class Reading {
 public:
  Reading(SpiSession& session, Release const& release, bool generalized, Oid relation, Parts const& parts,
          Checkpoint& checkpoint)
      : session_(session),
        release_(release),
        generalized_(generalized),
        original_(read_original(session, release, relation, checkpoint)),
        cells_(read_cells(session, release, parts, checkpoint)) {
    for (std::size_t const i : parts.quasi) queried.quasi.push_back(column(i, checkpoint));
    for (std::size_t const i : parts.sensitive) queried.sensitive.push_back(column(i, checkpoint));
    queried.counts = std::move(cells_.table.weights);
    if (parts.class_id == Parts::kNone) return;
    auto const& classes = cells_.table.columns[parts.class_id];
    queried.class_of.assign(classes.codes.begin(), classes.codes.end());
    queried.classes = classes.distinct();
  }
  Reading(Reading const&) = delete;
  Reading& operator=(Reading const&) = delete;

  QueriedRelease queried;  // borrows from the rest

 private:
  QueriedColumn column(std::size_t i, Checkpoint& checkpoint) {
    auto const &published = cells_.table.columns[i], &original = original_.column(i);
    QueriedColumn made;
    made.original = original.codes;
    made.distinct = original.distinct();
    made.published = published.codes;
    if (!generalized_ || !release_.columns[i].is_quasi()) {
      cover_equal(made, published, original, checkpoint);
      return made;
    }
    auto const& of = release_.columns[i];
    ValueSets sets;
    auto const meant = read_attribute(session_, of.attribute.empty() ? of.column : of.attribute,
                                      {{&published, cells_.forms[i], quoted(release_.reference()), of.column, false,
                                        of.taxonomy, ledger_owner(session_, release_.ledger)},
                                       {&original, form_of(original_.types[original_.place[i]].type, of.column),
                                        original_.name, of.column, false, "", InvalidOid}},
                                      sets);
    cover_held(made, sets, meant.of[0], meant.of[1], checkpoint);
    return made;
  }

  SpiSession& session_;
  Release const& release_;
  bool generalized_;
  Original original_;
  PublishedCells cells_;
};

}  // namespace

QueryErrors measure_query_errors(SpiSession& session, Release const& release, bool generalized, Oid original,
                                 WorkloadDemands const& demands, Checkpoint& checkpoint) {
  auto const parts = parts_of(release);
  require_parts(release, parts, demands.dimensions);
  Reading const reading(session, release, generalized, original, parts, checkpoint);
  return query_errors(reading.queried, demands, checkpoint);
}

}  // namespace anon_seq::audit
