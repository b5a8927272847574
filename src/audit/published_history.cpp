#include "audit/published_history.h"

#include <algorithm>
#include <optional>

#include "catalog/ledger.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

std::string column_of(PublishedSource::Attribute const& attribute) { return "q.c" + std::to_string(attribute.number); }

std::string relation_text(PublishedSource const& source) { return "relation " + source.name; }

// Types of a source's attributes, found without reading a row of it.
std::vector<ColumnForm> forms_of(SpiSession& session, PublishedSource const& source) {
  std::vector<std::string> list;
  for (auto const& attribute : source.attributes)
    list.push_back(attribute.number == 0 ? "0" : "pg_typeof(" + column_of(attribute) + ")::oid");
  auto const sql = sql_text(R"(
SELECT {types}
FROM (SELECT) AS one
LEFT JOIN ({objects}) AS q ON false)",
                            {{"types", joined(list, ", ")}, {"objects", source.query}});
  auto const rows = read_rows(session, sql, {}, relation_text(source));
  std::vector<Oid> types;
  for (std::size_t i = 0; i < source.attributes.size(); ++i) types.push_back(rows.oid(0, static_cast<int>(i) + 1));
  std::vector<ColumnForm> forms;
  for (std::size_t i = 0; i < types.size(); ++i)
    forms.push_back(types[i] == InvalidOid ? ColumnForm() : form_of(types[i], source.attributes[i].column));
  return forms;
}

// Object and attributes as texts, the latter in their order, those not published left out.
CodedTable read_rows(SpiSession& session, PublishedSource const& source, Checkpoint& checkpoint) {
  std::string columns;
  for (auto const& attribute : source.attributes)
    if (attribute.number > 0) columns += sql_text(", q.c{i}::text AS c{i}", {{"i", std::to_string(attribute.number)}});
  auto const sql = sql_text("SELECT q.object::text AS object{columns} FROM ({objects}) AS q",
                            {{"columns", columns}, {"objects", source.query}});
  RowReader reader(session, sql, relation_text(source));
  return reader.finish(checkpoint);
}

void check_objects(Column const& objects, PublishedSource const& source, Checkpoint& checkpoint) {
  Vector<std::int32_t> rows(static_cast<std::size_t>(objects.distinct()), 0);
  for (Code const code : objects.codes) {
    ++rows[static_cast<std::size_t>(code)];
    checkpoint.tick();
  }
  std::string const column = "object id " + quoted(source.object_column) + " of " + relation_text(source);
  if (rows[kNull] > 0)
    throw Error(Fault::kData, column + " has NULLs",
                std::to_string(rows[kNull]) + (rows[kNull] == 1 ? " row has" : " rows have") + " none.");
  auto const repeated = std::count_if(rows.begin(), rows.end(), [](auto count) { return count > 1; });
  if (repeated > 0)
    throw Error(Fault::kData, column + " is not unique",
                std::to_string(repeated) + (repeated == 1 ? " object has" : " objects have") + " several rows.",
                "An object may have one row in each relation.");
}

}  // namespace

struct PublishedHistory::SourceRows {
  std::vector<ColumnForm> forms;  // attribute -> form
  CodedTable table;               // object, then the attributes that are published

  Column const& objects() const { return table.columns.front(); }
  // nullptr: not published.
  Column const* column(PublishedSource const& source, std::size_t attribute) const {
    if (source.attributes[attribute].number == 0) return nullptr;
    auto const before = source.attributes.begin() + static_cast<std::ptrdiff_t>(attribute);
    auto const published =
        std::count_if(source.attributes.begin(), before, [](auto const& of) { return of.number > 0; });
    return &table.columns[1 + static_cast<std::size_t>(published)];
  }
};

PublishedHistory::PublishedHistory(SpiSession& session, std::vector<std::string> attributes,
                                   std::vector<PublishedSource> const& sources, Checkpoint& checkpoint,
                                   bool with_points)
    : attributes_(std::move(attributes)), boxes_(attributes_.size()), shown_(attributes_.size()) {
  std::vector<SourceRows> rows;
  for (auto const& source : sources) {
    std::optional<ActingAs> acting;
    if (source.owner != InvalidOid) acting.emplace(source.owner);
    sources_.push_back(source.name);
    rows.push_back({forms_of(session, source), read_rows(session, source, checkpoint)});
    check_objects(rows.back().objects(), source, checkpoint);
  }
  number_objects(rows, checkpoint);
  for (std::size_t a = 0; a < attributes_.size(); ++a) read_sets(session, a, rows, sources);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    put_into_boxes(s, rows[s], sources[s], checkpoint);
    rows[s] = {};
    number_of_[s] = {};
  }
  if (with_points) take_points();
}

// What the sources show of an attribute, as sets of values.
void PublishedHistory::read_sets(SpiSession& session, std::size_t a, std::vector<SourceRows> const& rows,
                                 std::vector<PublishedSource> const& sources) {
  std::vector<PublishedValues> values;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    auto const& of = sources[s].attributes[a];
    values.push_back({rows[s].column(sources[s], a), rows[s].forms[a], sources[s].name, of.column, of.interval,
                      of.taxonomy, sources[s].owner});
  }
  sets_.push_back(read_attribute(session, attributes_[a], values, boxes_.sets_of(a)));
}

void PublishedHistory::put_into_boxes(std::size_t s, SourceRows const& rows, PublishedSource const& source,
                                      Checkpoint& checkpoint) {
  auto& release = objects_.releases.emplace_back(objects_.objects, kAbsent);
  std::vector<Column const*> columns;
  for (std::size_t a = 0; a < attributes_.size(); ++a) columns.push_back(rows.column(source, a));
  Vector<SetId> box(columns.size());
  auto const& objects = rows.objects().codes;
  for (std::size_t row = 0; row < objects.size(); ++row) {
    checkpoint.tick();
    for (std::size_t a = 0; a < box.size(); ++a)
      box[a] = columns[a] == nullptr ? kAnything : sets_[a].of[s][static_cast<std::size_t>(columns[a]->codes[row])];
    release[static_cast<std::size_t>(number_of_[s][static_cast<std::size_t>(objects[row])])] = boxes_.add(box);
  }
}

// The last two sources: points, and boxes of those whose point is not known.
void PublishedHistory::take_points() {
  auto const places = std::move(objects_.releases.back());
  objects_.releases.pop_back();
  objects_.points = std::move(objects_.releases.back());
  objects_.releases.pop_back();
  sources_.resize(sources_.size() - 2);
  for (std::size_t object = 0; object < places.size(); ++object) {
    if (places[object] == kAbsent) continue;
    objects_.vague.resize(places.size(), 0);
    objects_.vague[object] = 1;
    objects_.points[object] = places[object];
  }
}

void PublishedHistory::number_objects(std::vector<SourceRows> const& rows, Checkpoint& checkpoint) {
  number_of_.resize(rows.size());
  for (std::size_t s = 0; s < rows.size(); ++s) {
    auto const& objects = rows[s].objects();
    number_of_[s].assign(static_cast<std::size_t>(objects.distinct()), -1);
    for (Code code = 1; code < objects.distinct(); ++code) {
      number_of_[s][static_cast<std::size_t>(code)] = names_.intern(objects.values[code]);
      checkpoint.tick();
    }
  }
  for (Code code = 0; code < names_.size(); ++code) by_number_.push_back(code);
  std::sort(by_number_.begin(), by_number_.end(), [&](Code a, Code b) {
    checkpoint.tick();
    return names_[a] < names_[b];
  });
  Vector<std::int32_t> rank(by_number_.size());
  for (std::size_t i = 0; i < by_number_.size(); ++i)
    rank[static_cast<std::size_t>(by_number_[i])] = static_cast<std::int32_t>(i);
  for (auto& numbers : number_of_)
    for (auto& number : numbers)
      if (number >= 0) number = rank[static_cast<std::size_t>(number)];
  objects_.objects = by_number_.size();
}

std::string_view PublishedHistory::json(std::size_t attribute, SetId set) const {
  auto& [texts, json] = shown_[attribute];
  auto const number = static_cast<std::size_t>(set);
  if (texts.size() <= number) texts.resize(static_cast<std::size_t>(boxes_.sets_of(attribute).size()), kNoCode);
  if (texts[number] == kNoCode) texts[number] = json.add_hidden(sets_[attribute].as_json(set));
  return json[texts[number]];
}

std::string PublishedHistory::members(BoxId box) const {
  std::string members;
  for (std::size_t a = 0; a < attributes_.size(); ++a) {
    SetId const set = boxes_[box][a];
    if (set == kAnything) continue;
    members += (members.empty() ? "" : ", ") + json_string(attributes_[a]) + ": ";
    members += json(a, set);
  }
  return members;
}

}  // namespace anon_seq::audit
