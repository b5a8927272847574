// write_version(): what changed goes into the ledger; rows that are there stay as they are.
#include <algorithm>
#include <charconv>

#include "pg/ledger.h"
#include "pg/writing.h"
#include "release/incremental_method.h"
#include "release/member_match.h"

namespace anon_seq::pg {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

class VersionWriter {
 public:
  VersionWriter(SpiSession& session, IncrementalState& state, ShownRegions const& shown, ReleaseCells const& cells,
                Checkpoint& checkpoint)
      : session_(session),
        state_(state),
        policy_(*state.policy),
        shown_(shown),
        cells_(cells),
        checkpoint_(checkpoint),
        codes_(session, policy_) {
    for (std::size_t i = 0; i < policy_.columns.size(); ++i) {
      columns_.push_back(&state.column(i));
      if (policy_.columns[i].role != "quasi") plain_.push_back(i);
    }
  }

  void run() {
    give_ids();
    write_regions();
    end_regions();
    open_regions();
    write_cells_of_new_regions();
    write_changes_of_old_regions();
    write_members();
    write_values();
  }

 private:
  std::string table(char const* name) const { return ledger_table(policy_.ledger(), name); }
  std::string version() const { return std::to_string(policy_.version); }
  Region const& region(RegionId id) const { return state_.partition.regions[at(id)]; }
  // Whether nobody was published in this region before.
  bool is_new(RegionId id) const { return at(id) >= state_.known_regions || !state_.was_open[at(id)]; }
  bool is_over(RegionId id) const { return region(id).children > 0; }

  // Random, so that they tell neither key nor order nor time.
  void give_ids() {
    constexpr std::size_t kBatch = 4096;
    std::vector<std::uint64_t> random(kBatch);
    std::size_t left = 0;
    for (std::size_t row = 0; row < state_.ids.size(); ++row) {
      if (state_.refined.region[row] == kNoRegion || state_.ids[row] != 0) continue;
      if (left == 0) {
        if (!pg_strong_random(random.data(), kBatch * sizeof random[0]))
          throw Error(Fault::kInternal, "could not generate random object ids");
        left = kBatch;
        checkpoint_.poll();
      }
      state_.ids[row] = static_cast<std::int64_t>(random[--left] >> 1 | 1);
      fresh_.push_back(row);
    }
  }

  void write_regions() {
    std::vector<WriteColumn> columns{{"region", INT4OID, ""}, {"parent", INT4OID, ""}, {"attribute", INT4OID, ""},
                                     {"side", TEXTOID, ""},   {"bound", TEXTOID, ""},  {"nodes", TEXTOID, "text[]"},
                                     {"since", INT4OID, ""}};
    std::size_t const width = state_.axis_count();
    for (std::size_t a = 0; a < width; ++a)
      columns.push_back({"c" + std::to_string(a + 1), TEXTOID, policy_.columns[a].type});
    BulkWriter writer(session_, table("region"), columns);
    for (std::size_t id = state_.known_regions; id < state_.partition.regions.size(); ++id) {
      auto const& made = state_.partition.regions[id];
      writer.put(static_cast<std::int64_t>(id));
      writer.put(std::int64_t{made.parent});
      writer.put(std::int64_t{made.attribute} + 1);
      writer.put(side_name(made.side));
      bool const is_bounded = made.side == Side::kBelow || made.side == Side::kFrom;
      if (is_bounded)
        writer.put(shown_.bounds.at({at(made.attribute), made.at}));
      else
        writer.put_null();
      put_nodes(writer, made);
      auto const place = shown_.place[id];
      if (made.open && made.children == 0)
        writer.put(std::int64_t{policy_.version});
      else
        writer.put_null();
      for (std::size_t a = 0; a < width; ++a) {
        auto const* const text = place < 0 ? nullptr : &shown_.texts[at(place) * width + a];
        if (text != nullptr && *text)
          writer.put(**text);
        else
          writer.put_null();
      }
      writer.end_row();
    }
    writer.finish();
  }

  void put_nodes(BulkWriter& writer, Region const& made) {
    if (made.side != Side::kNodes) return writer.put_null();
    std::string array = "{";
    for (Node node : state_.partition.nodes_of(made)) {
      array += array.size() > 1 ? "," : "";
      if (node == kUnknown) {
        array += "NULL";
        continue;
      }
      array += '"';
      for (char c : state_.trees[at(made.attribute)]->label(node)) {
        if (c == '"' || c == '\\') array += '\\';
        array += c;
      }
      array += '"';
    }
    writer.put(array += '}');
  }

  // Leaves that were cut in this version are shown for the last time in the one before.
  void end_regions() {
    std::string ended;
    for (RegionId id = 0; at(id) < state_.known_regions; ++id)
      if (is_over(id) && at(region(id).first_child) >= state_.known_regions)
        ended += (ended.empty() ? "" : ",") + std::to_string(id);
    if (!ended.empty())
      session_.execute("UPDATE " + table("region") + " SET until = " + version() +
                       " WHERE region = ANY ($1::pg_catalog.int4[])", {"{" + ended + "}"});
  }

  // Leaves that waited for k persons and have them now.
  void open_regions() {
    std::size_t const width = state_.axis_count();
    for (RegionId id = 0; at(id) < state_.known_regions; ++id) {
      if (!region(id).open || state_.was_open[at(id)] || is_over(id)) continue;
      std::string set = "since = " + version();
      auto const place = shown_.place[at(id)];
      for (std::size_t a = 0; a < width && place >= 0; ++a) {
        auto const& text = shown_.texts[at(place) * width + a];
        set += ", c" + std::to_string(a + 1) + " = " + (text ? sql_literal(*text) : "NULL") +
               "::" + policy_.columns[a].type;
      }
      session_.execute("UPDATE " + table("region") + " SET " + set + " WHERE region = " + std::to_string(id));
    }
  }

  std::vector<WriteColumn> count_columns() const {
    std::vector<WriteColumn> columns{{"region", INT4OID, ""}, {"since", INT4OID, ""}, {"n", INT8OID, ""}};
    for (std::size_t i : plain_) columns.push_back({"c" + std::to_string(i + 1), TEXTOID, policy_.columns[i].type});
    return columns;
  }

  void write_cells_of_new_regions() {
    Vector<RegionId> region_of(cells_.size(), kNoRegion);
    for (std::size_t row = 0; row < cells_.cell_of.size(); ++row)
      if (cells_.cell_of[row] >= 0) region_of[at(cells_.cell_of[row])] = state_.refined.region[row];
    BulkWriter writer(session_, table("count"), count_columns());
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      if (!is_new(region_of[cell])) continue;
      writer.put(std::int64_t{region_of[cell]});
      writer.put(std::int64_t{policy_.version});
      writer.put(cells_.counts[cell]);
      for (std::size_t i : plain_) {
        Code const code = cells_.values[cell * cells_.width + i];
        if (code == ReleaseCells::kNullText)
          writer.put_null();
        else
          writer.put(cells_.texts[i][code]);
      }
      writer.end_row();
    }
    writer.finish();
  }

  // Counts of regions that stay: one more for who came, one less for who went. The first of a row's two codes
  // is what it was.
  void write_changes_of_old_regions() {
    std::map<std::vector<std::int32_t>, std::int64_t> change;  // (region, codes) -> persons
    auto key = [&](RegionId id, std::size_t row) {
      std::vector<std::int32_t> parts{id};
      for (std::size_t i : plain_) parts.push_back(columns_[i]->codes[row]);
      return parts;
    };
    BulkWriter gone(session_, table("gone"), {{"region", INT4OID, ""}, {"since", INT4OID, ""}, {"object", INT8OID, ""}});
    auto leaves = [&](RegionId id, std::size_t row) {
      gone.put(std::int64_t{id});
      gone.put(std::int64_t{policy_.version});
      gone.put(state_.ids[row]);
      gone.end_row();
    };
    for (std::size_t row = 0; row < state_.ids.size(); ++row) {
      checkpoint_.tick();
      RegionId const before = state_.objects.region[row], now = state_.refined.region[row];
      if (before == now) continue;
      if (before != kNoRegion && !is_over(before)) {
        leaves(before, row);
        --change[key(before, row)];
      }
      if (now != kNoRegion && !is_new(now)) ++change[key(now, row)];
    }
    for (auto const& changed : state_.changed) {
      RegionId const before = state_.objects.region[changed.row], now = state_.refined.region[changed.row];
      if (before != now || is_over(before)) {
        // Cut, or withheld: counted with its new values above or in the new region; the old ones are taken back here.
        if (before != now && !is_over(before)) ++change[key(before, changed.row)], --change[key_before(before, changed)];
        continue;
      }
      leaves(before, changed.row);
      rewritten_.push_back(changed.row);
      --change[key_before(before, changed)];
      ++change[key(now, changed.row)];
    }
    gone.finish();
    BulkWriter writer(session_, table("count"), count_columns());
    for (auto const& [parts, n] : change) {
      if (n == 0) continue;
      writer.put(std::int64_t{parts[0]});
      writer.put(std::int64_t{policy_.version});
      writer.put(n);
      for (std::size_t j = 0; j < plain_.size(); ++j) {
        if (parts[j + 1] == kNull)
          writer.put_null();
        else
          writer.put(columns_[plain_[j]]->values[parts[j + 1]]);
      }
      writer.end_row();
    }
    writer.finish();
  }

  std::vector<std::int32_t> key_before(RegionId id, IncrementalState::Changed const& changed) const {
    std::vector<std::int32_t> parts{id};
    parts.insert(parts.end(), changed.before.begin(), changed.before.end());
    return parts;
  }

  // A row per region that somebody joins: those who do.
  void write_members() {
    Vector<std::uint32_t> joining;
    for (std::size_t row = 0; row < state_.ids.size(); ++row)
      if (state_.refined.region[row] != kNoRegion && state_.refined.region[row] != state_.objects.region[row])
        joining.push_back(static_cast<std::uint32_t>(row));
    for (std::size_t row : rewritten_) joining.push_back(static_cast<std::uint32_t>(row));
    std::size_t const regions = state_.partition.regions.size();
    Vector<std::uint32_t> ends(regions + 1, 0), order(joining.size());
    for (auto row : joining) ++ends[at(state_.refined.region[row]) + 1];
    for (std::size_t id = 0; id < regions; ++id) ends[id + 1] += ends[id];
    Vector<std::uint32_t> next(ends);
    for (auto row : joining) order[next[at(state_.refined.region[row])]++] = row;
    for (std::size_t row : fresh_) state_.objects.since[row] = policy_.version;
    auto const& person = state_.source.table.columns[state_.source.person];
    KeyTexts texts(person, state_.source.person_value, checkpoint_);
    BulkWriter writer(session_, table("member"),
                      {{"region", INT4OID, ""},
                       {"since", INT4OID, ""},
                       {"persons", TEXTOID, state_.source.person_type + "[]"},
                       {"objects", TEXTOID, "bigint[]"},
                       {"codes", TEXTOID, "int[]"}});
    for (std::size_t id = 0; id < regions; ++id) {
      if (ends[id] == ends[id + 1]) continue;
      std::string persons = "{", objects = "{", codes = "{";
      for (std::size_t i = ends[id]; i < ends[id + 1]; ++i) {
        checkpoint_.tick();
        append_member(order[i], person, texts, persons, objects, codes);
      }
      writer.put(static_cast<std::int64_t>(id));
      writer.put(std::int64_t{policy_.version});
      writer.put(persons += '}');
      writer.put(objects += '}');
      writer.put(codes += '}');
      writer.end_row();
    }
    writer.finish();
  }

  void append_member(std::size_t row, Column const& person, KeyTexts& texts, std::string& persons, std::string& objects,
                     std::string& codes) {
    if (persons.size() > 1) persons += ',', objects += ',', codes += ',';
    if (person.codes[row] == kNull)
      persons += "NULL";
    else
      append_key(persons, texts[person.codes[row]]);
    append_number(objects, state_.ids[row]);
    append_number(codes, state_.objects.since[row]);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      codes += ',';
      append_number(codes, codes_.of(i, *columns_[i], columns_[i]->codes[row]));
    }
  }

  static void append_number(std::string& text, std::int64_t number) {
    char digits[24];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }

  static void append_key(std::string& array, std::string_view text) {
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos) {
      array += text;
      return;
    }
    array += '"';
    for (char c : text) {
      if (c == '"' || c == '\\') array += '\\';
      array += c;
    }
    array += '"';
  }

  void write_values() {
    BulkWriter writer(session_, table("value"),
                      {{"attribute", INT4OID, ""}, {"code", INT4OID, ""}, {"value", TEXTOID, ""}});
    for (auto const& added : codes_.added()) {
      writer.put(std::int64_t{added.attribute});
      writer.put(std::int64_t{added.code});
      writer.put(added.value);
      writer.end_row();
    }
    writer.finish();
  }

  SpiSession& session_;
  IncrementalState& state_;
  Policy const& policy_;
  ShownRegions const& shown_;
  ReleaseCells const& cells_;
  Checkpoint& checkpoint_;
  LedgerCodes codes_;
  std::vector<Column const*> columns_;
  std::vector<std::size_t> plain_;
  std::vector<std::size_t> fresh_;      // rows that got an id
  std::vector<std::size_t> rewritten_;  // rows with other values in their old region
};

}  // namespace

void write_version(SpiSession& session, IncrementalState& state, ShownRegions const& shown, ReleaseCells const& cells,
                   Checkpoint& checkpoint) {
  VersionWriter(session, state, shown, cells, checkpoint).run();
}

}  // namespace anon_seq::pg
