#include "audit/published_history.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "catalog/ledger.h"
#include "pg/progress.h"
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

// Object and attributes as texts, the latter in their order, those not published left out; then the region, if asked.
CodedTable read_rows(SpiSession& session, PublishedSource const& source, bool placed, Checkpoint& checkpoint) {
  std::string columns;
  for (auto const& attribute : source.attributes)
    if (attribute.number > 0) columns += sql_text(", q.c{i}::text AS c{i}", {{"i", std::to_string(attribute.number)}});
  if (placed) columns += ", q.region::text AS region";
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

// Region of each code of a column of regions, which texts say.
Vector<PieceRun> runs_of(Column const& regions, TruePlaces const& places) {
  Vector<PieceRun> runs(static_cast<std::size_t>(regions.distinct()));
  for (Code code = 1; code < regions.distinct(); ++code) {
    auto const text = regions.values[code];
    std::size_t region = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), region);
    if (error != std::errc() || end != text.data() + text.size() || region >= places.of_region.size())
      throw Error(Fault::kDamaged, "a row of the ledger is in a region that is none");
    runs[static_cast<std::size_t>(code)] = places.of_region[region];
  }
  return runs;
}

}  // namespace

struct PublishedHistory::SourceRows {
  std::vector<ColumnForm> forms;  // attribute -> form
  CodedTable table;               // object, then the attributes that are published

  Column const& objects() const { return table.columns.front(); }
  Column const& regions() const { return table.columns.back(); }  // REQUIRES: asked for
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
                                   TruePlaces const* places)
    : attributes_(std::move(attributes)),
      boxes_(attributes_.size() + (places != nullptr ? 1 : 0)),
      shown_(attributes_.size()) {
  std::vector<SourceRows> rows;
  for (auto const& source : sources) {
    Progress::at("relation", static_cast<std::int64_t>(sources_.size()) + 1, static_cast<std::int64_t>(sources.size()));
    std::optional<ActingAs> acting;
    if (source.owner != InvalidOid) acting.emplace(source.owner);
    sources_.push_back(source.name);
    rows.push_back({forms_of(session, source), read_rows(session, source, places != nullptr, checkpoint)});
    check_objects(rows.back().objects(), source, checkpoint);
  }
  number_objects(rows, checkpoint);
  for (std::size_t a = 0; a < attributes_.size(); ++a) read_sets(session, a, rows, sources);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    put_into_boxes(s, rows[s], sources[s], places, checkpoint);
    rows[s] = {};
    number_of_[s] = {};
  }
  if (places != nullptr) take_points();
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
                                      TruePlaces const* places, Checkpoint& checkpoint) {
  auto& release = objects_.releases.emplace_back(objects_.objects, kAbsent);
  Vector<PieceRun> runs;
  if (places != nullptr) {
    placed_.objects = objects_.objects;
    placed_.releases.emplace_back(objects_.objects, kAbsent);
    runs = runs_of(rows.regions(), *places);
  }
  std::vector<Column const*> columns;
  for (std::size_t a = 0; a < attributes_.size(); ++a) columns.push_back(rows.column(source, a));
  Vector<SetId> box(boxes_.attributes(), kAnything);
  auto const& objects = rows.objects().codes;
  for (std::size_t row = 0; row < objects.size(); ++row) {
    checkpoint.tick();
    for (std::size_t a = 0; a < columns.size(); ++a)
      box[a] = columns[a] == nullptr ? kAnything : sets_[a].of[s][static_cast<std::size_t>(columns[a]->codes[row])];
    auto const object = static_cast<std::size_t>(number_of_[s][static_cast<std::size_t>(objects[row])]);
    if (places == nullptr) {
      release[object] = boxes_.add(box);
      continue;
    }
    auto& place = box.back();
    place = kAnything;
    release[object] = boxes_.add(box);
    auto const region = rows.regions().codes[row];
    if (region == kNull) throw Error(Fault::kDamaged, "a row of the ledger is in no region");
    place = boxes_.sets_of(columns.size()).add(runs[static_cast<std::size_t>(region)]);
    placed_.releases.back()[object] = boxes_.add(box);
  }
}

// The last two sources: points, and boxes of those whose point is not known.
void PublishedHistory::take_points() {
  auto const vague = std::move(placed_.releases.back());
  placed_.releases.pop_back();
  placed_.points = std::move(placed_.releases.back());
  placed_.releases.pop_back();
  sources_.resize(sources_.size() - 2);
  for (std::size_t object = 0; object < vague.size(); ++object) {
    if (vague[object] == kAbsent) continue;
    placed_.vague.resize(vague.size(), 0);
    placed_.vague[object] = 1;
    placed_.points[object] = vague[object];
  }
  objects_.releases.resize(objects_.releases.size() - 2);
  objects_.points = placed_.points;
  objects_.vague = placed_.vague;
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
