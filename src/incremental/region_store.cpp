#include "incremental/region_store.h"

#include "core/partition/node_set.h"
//
#include "catalog/ledger.h"
#include "incremental/policy.h"
#include "pg/array_text.h"
#include "pg/datum_cursor.h"

namespace anon_seq::incremental {
namespace {

constexpr char const* kSides[] = {"root", "unknown", "known", "below", "from", "nodes", "others"};

Side side_called(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kSides); ++i)
    if (name == kSides[i]) return static_cast<Side>(i);
  throw Error(Fault::kDamaged, "a region of the ledger has an unknown side");
}

// Whether a cut of that side can have been made in a taxonomy, or on a line.
bool fits(Side side, bool taxonomy) {
  if (side == Side::kRoot) return false;
  return taxonomy == (side == Side::kNodes || side == Side::kOthers);
}

}  // namespace

char const* side_name(Side side) { return kSides[static_cast<std::size_t>(side)]; }

RegionStore::RegionStore(SpiSession& session, Policy const& policy, Checkpoint& checkpoint)
    : session_(session), policy_(policy) {
  labels_.resize(policy.columns.size());
  if (policy.version > 1) load(checkpoint);
}

void RegionStore::load(Checkpoint& checkpoint) {
  DatumCursor cursor(session_, "SELECT region, parent, attribute, side, bound, nodes, since IS NOT NULL, place FROM " +
                                   ledger_table(policy_.ledger(), "region") + " ORDER BY region");
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      checkpoint.tick();
      if (cursor.integer(row, 0) != static_cast<std::int32_t>(rows_.size())) throw out_of_place();
      Row region{cursor.integer(row, 1),           cursor.integer(row, 2) - 1, -1,   0, 0,
                 side_called(cursor.text(row, 3)), cursor.boolean(row, 6),     false};
      if (cursor.is_null(row, 7) == region.open) throw out_of_place();
      make_room(place_of_, 1);
      place_of_.push_back(kNoCode);
      if (region.open) {
        auto const place = cursor.bytes(row, 7);
        if (place.empty() || place.back() == '\0') throw out_of_place();  // no key that was ever made
        place_of_.back() = places_.intern(place);
      }
      if (!cursor.is_null(row, 4)) region.bound = texts_.intern(cursor.text(row, 4));
      region.nodes_begin = static_cast<std::uint32_t>(nodes_.size());
      if (!cursor.is_null(row, 5)) {
        auto const labels = cursor.elements(row, 5, TEXTARRAYOID);
        for (std::size_t i = 0; i < labels.count; ++i) {
          auto* const bytes = reinterpret_cast<varlena*>(DatumGetPointer(labels.values[i]));
          nodes_.push_back(labels.nulls[i] ? kNoCode : texts_.intern({VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)}));
        }
      }
      region.nodes_end = static_cast<std::uint32_t>(nodes_.size());
      require_in_place(region);
      make_room(rows_, 1);
      rows_.push_back(region);
    }
  require_cuts();
  load_departures();
  note_bounds();
}

Error RegionStore::out_of_place() const {
  return Error(Fault::kDamaged, "the ledger of policy " + quoted(policy_.name) + " has a region out of place");
}

// A region by itself: what its side says is there, and nothing else. The root is no side of a cut.
void RegionStore::require_in_place(Row const& region) const {
  bool const has_bound = region.bound != kNoCode, has_nodes = region.nodes_end > region.nodes_begin;
  if (rows_.empty()) {
    if (region.parent != kNoRegion || region.attribute != -1 || region.side != Side::kRoot || has_bound || has_nodes)
      throw out_of_place();
    return;
  }
  if (!has(region.parent) || region.attribute < 0 ||
      static_cast<std::size_t>(region.attribute) >= policy_.quasi.size() ||
      !fits(region.side, !policy_.columns[static_cast<std::size_t>(region.attribute)].taxonomy.empty()) ||
      has_bound != (region.side == Side::kBelow || region.side == Side::kFrom) ||
      has_nodes != (region.side == Side::kNodes))
    throw out_of_place();
}

// The regions of one cut stand one after the other: two of a line with one bound, or sets of nodes and the others.
void RegionStore::require_cuts() const {
  if (rows_.empty()) throw out_of_place();
  Vector<char> is_cut(rows_.size(), 0);
  for (std::size_t begin = 1, end = 1; begin < rows_.size(); begin = end) {
    auto const& first = rows_[begin];
    if (std::exchange(is_cut[static_cast<std::size_t>(first.parent)], 1) != 0) throw out_of_place();
    while (end < rows_.size() && rows_[end].parent == first.parent) ++end;
    auto const& last = rows_[end - 1];
    bool holds = end - begin >= 2;
    for (std::size_t i = begin; i < end; ++i) holds &= rows_[i].attribute == first.attribute;
    if (first.side == Side::kNodes || first.side == Side::kOthers)
      for (std::size_t i = begin; i < end; ++i) holds &= (rows_[i].side == Side::kOthers) == (i + 1 == end);
    else
      holds &= end - begin == 2 && first.bound == last.bound &&
               ((first.side == Side::kBelow && last.side == Side::kFrom) ||
                (first.side == Side::kUnknownOnly && last.side == Side::kKnown));
    if (!holds) throw out_of_place();
  }
}

// Somebody who was published in a region, or in one that it was cut from, is not any more; or was forgotten there,
// so that where he is put from then on is not where he was.
void RegionStore::load_departures() {
  auto const demands = incremental_policy(policy_).demands;
  if (demands.arrivals_known && !demands.erase_at_once) return;  // people leave in groups of k with one history
  DatumCursor departed(session_,
                       "SELECT DISTINCT region FROM " + ledger_table(policy_.ledger(), "gone") + " WHERE NOT rejoined");
  while (departed.next())
    for (std::size_t row = 0; row < departed.rows(); ++row)
      if (has(departed.integer(row, 0))) rows_[static_cast<std::size_t>(departed.integer(row, 0))].departed = true;
  for (auto& row : rows_)
    if (row.parent != kNoRegion) row.departed |= rows_[static_cast<std::size_t>(row.parent)].departed;
}

void RegionStore::tell_nodes(TaxonomyPool& pool) const {
  for (auto const& row : rows_)
    for (auto i = row.nodes_begin; i < row.nodes_end; ++i)
      if (nodes_[i] != kNoCode)
        pool.expect(policy_.columns[static_cast<std::size_t>(row.attribute)].taxonomy, texts_[nodes_[i]]);
}

void RegionStore::note_bounds() {
  bounds_.resize(policy_.columns.size());
  std::vector<Vector<char>> met(bounds_.size(), Vector<char>(static_cast<std::size_t>(texts_.size()), 0));
  for (auto const& row : rows_) {
    auto const attribute = static_cast<std::size_t>(row.attribute);
    if (row.bound == kNoCode || std::exchange(met[attribute][static_cast<std::size_t>(row.bound)], 1) != 0) continue;
    bounds_[attribute].push_back(row.bound);
  }
}

std::string RegionStore::bounds_of(std::size_t attribute) const {
  std::string array = "{";
  for (Code const bound : bounds_[attribute]) append_element(array, texts_[bound]);
  return array + "}";
}

void RegionStore::forget_cuts() {
  give_back(rows_);
  give_back(nodes_);
}

void RegionStore::seed(RowReader& reader, std::size_t column, std::size_t of_reader) {
  if (rows_.empty()) return;
  auto const number = std::to_string(column + 1);
  auto const type = base_type_name(reader.types()[of_reader].type, -1);
  auto values = "SELECT value AS b FROM " + ledger_table(policy_.ledger(), "value") + " WHERE attribute = " + number;
  if (policy_.columns[column].is_quasi() && policy_.columns[column].taxonomy.empty())  // others have no bounds
    values += " UNION SELECT pg_catalog.unnest(" + sql_literal(bounds_of(column)) + "::text[])";
  RowReader known(session_, "SELECT b, b::" + type + " AS v FROM (" + values + ") AS s",
                  "ledger of policy " + quoted(policy_.name));
  while (known.next_batch()) continue;
  reader.seed(of_reader, known.columns()[1].values);
  InterruptCheckpoint checkpoint;
  auto const table = known.finish(checkpoint);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    auto const text = table.columns[0].values[table.columns[0].codes[row]];
    auto const label = table.columns[1].values[table.columns[1].codes[row]];
    if (text != label) labels_[column].emplace(text, label);
  }
}

std::string RegionStore::label_of(std::size_t attribute, Code bound) const {
  auto const text = texts_[bound];
  auto const found = labels_[attribute].find(text);
  return found == labels_[attribute].end() ? std::string(text) : found->second;
}

Partition RegionStore::partition(std::span<Column const* const> lines, std::span<Taxonomy const* const> trees) const {
  if (rows_.empty()) return whole_space();
  Partition made;
  made.regions.reserve(rows_.size());
  made.nodes.reserve(nodes_.size());
  std::vector<std::map<Code, Code>> codes(lines.size());  // per attribute: number of a text -> code of the line
  auto code_of = [&](std::size_t attribute, Code bound) {
    auto const [at, added] = codes[attribute].emplace(bound, kNoCode);
    if (added) at->second = lines[attribute]->values.find(label_of(attribute, bound));
    if (at->second == kNoCode) throw Error(Fault::kDamaged, "a bound of the ledger was not read with the source");
    return at->second;
  };
  std::vector<std::map<Code, Node>> places(trees.size());
  auto node_of = [&](std::size_t attribute, Code label) {
    if (label == kNoCode) return kUnknown;
    auto const [at, added] = places[attribute].emplace(label, kNoNode);
    if (added) at->second = trees[attribute]->find(texts_[label]);
    if (at->second == kNoNode)
      throw Error(Fault::kDamaged, "a node of the ledger is not in taxonomy " +
                                       quoted(policy_.columns[attribute].taxonomy) + " any more");
    return at->second;
  };
  for (std::size_t id = 0; id < rows_.size(); ++id) {
    auto const& row = rows_[id];
    auto const attribute = static_cast<std::size_t>(row.attribute);
    Region region;
    region.parent = row.parent;
    region.attribute = static_cast<std::int16_t>(row.attribute);
    region.side = row.side;
    region.open = row.open;
    region.departed = row.departed;
    if (row.bound != kNoCode) region.at = code_of(attribute, row.bound);
    region.nodes_begin = static_cast<std::uint32_t>(made.nodes.size());
    for (auto i = row.nodes_begin; i < row.nodes_end; ++i) made.nodes.push_back(node_of(attribute, nodes_[i]));
    region.nodes_end = static_cast<std::uint32_t>(made.nodes.size());
    made.regions.push_back(region);
    if (row.parent == kNoRegion) continue;
    auto& parent = made.regions[static_cast<std::size_t>(row.parent)];
    if (parent.children++ == 0) parent.first_child = static_cast<RegionId>(id);
  }
  put_in_order(made);
  return made;
}

Vector<Code> RegionStore::bounds(std::size_t attribute, Column const& line) const {
  Vector<Code> codes;
  if (bounds_.empty()) return codes;
  Vector<char> met(static_cast<std::size_t>(line.distinct()), 0);
  for (Code const bound : bounds_[attribute]) {
    Code const code = line.values.find(label_of(attribute, bound));
    if (code == kNoCode || std::exchange(met[static_cast<std::size_t>(code)], 1) != 0) continue;
    codes.push_back(code);
  }
  return codes;
}

}  // namespace anon_seq::incremental
