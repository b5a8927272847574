// write_regions(): regions that were made, ended or opened in a version.
#include "catalog/ledger.h"
#include "incremental/next_version.h"
#include "incremental/region_places.h"
#include "incremental/region_store.h"
#include "pg/array_text.h"
#include "pg/sql_text.h"
#include "pg/writing.h"

namespace anon_seq::incremental {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

class RegionWriter {
 public:
  RegionWriter(SpiSession& session, IncrementalState const& state, RegionTexts& texts, Checkpoint& checkpoint)
      : session_(session),
        state_(state),
        policy_(*state.policy),
        texts_(texts),
        places_(region_places(state, texts, checkpoint)) {}

  void run() {
    write_new();
    end_regions();
    open_regions();
  }

 private:
  std::string table(char const* name) const { return ledger_table(policy_.ledger(), name); }
  std::string version() const { return std::to_string(policy_.version); }
  Region const& region(RegionId id) const { return state_.partition.regions[at(id)]; }
  bool is_over(RegionId id) const { return region(id).children > 0; }

  void write_new() {
    std::vector<std::string> columns{"region", "parent", "attribute", "side", "bound",
                                     "nodes",  "made",   "since",     "place"};
    std::size_t const width = state_.axis_count();
    for (std::size_t a = 0; a < width; ++a) columns.push_back("c" + std::to_string(a + 1));
    BulkWriter writer(session_, table("region"), columns);
    for (std::size_t id = state_.known_regions; id < state_.partition.regions.size(); ++id) {
      auto const& made = state_.partition.regions[id];
      writer.put(static_cast<std::int64_t>(id));
      writer.put(std::int64_t{made.parent});
      writer.put(std::int64_t{made.attribute} + 1);
      writer.put(side_name(made.side));
      bool const is_bounded = made.side == Side::kBelow || made.side == Side::kFrom;
      if (is_bounded)
        writer.put(texts_.bound(at(made.attribute), made.at));
      else
        writer.put_null();
      put_nodes(writer, made);
      writer.put(std::int64_t{policy_.version});
      bool const is_shown = made.open && made.children == 0;
      if (is_shown) {
        writer.put(std::int64_t{policy_.version});
        writer.put(places_[id]);
      } else {
        writer.put_null();
        writer.put_null();
      }
      if (is_shown)
        each_shown(static_cast<RegionId>(id), [&](std::size_t, auto const& text) { put_text(writer, text); });
      else
        for (std::size_t a = 0; a < width; ++a) writer.put_null();
      writer.end_row();
    }
    writer.finish();
  }

  // Calls take(attribute, text) for what a region shows in each attribute.
  template <class Take>
  void each_shown(RegionId id, Take take) {
    auto const numbers = texts_.numbers_of(id);
    for (std::size_t a = 0; a < numbers.size(); ++a) take(a, texts_.text(a, numbers[a]));
  }

  static void put_text(BulkWriter& writer, std::optional<std::string> const& text) {
    if (text)
      writer.put(*text);
    else
      writer.put_null();
  }

  void put_nodes(BulkWriter& writer, Region const& made) {
    if (made.side != Side::kNodes) return writer.put_null();
    std::string array = "{";
    for (Node node : state_.partition.nodes_of(made)) {
      if (node == kUnknown)
        append_null_element(array);
      else
        append_element(array, state_.trees[at(made.attribute)]->label(node));
    }
    writer.put(array += '}');
  }

  // Leaves that were cut in this version are shown for the last time in the one before.
  void end_regions() {
    std::string ended;
    for (RegionId id = 0; at(id) < state_.known_regions; ++id)
      if (is_over(id) && at(region(id).first_child) >= state_.known_regions)
        ended += (ended.empty() ? "" : ",") + std::to_string(id);
    if (ended.empty()) return;
    session_.execute(
        "UPDATE " + table("region") + " SET until = " + version() + " WHERE region IN (SELECT unnest($1::int4[]))",
        {"{" + ended + "}"});
    close_rows(session_, policy_, "{" + ended + "}");
  }

  // Leaves that waited for k persons and have them now.
  void open_regions() {
    for (RegionId id = 0; at(id) < state_.known_regions; ++id) {
      if (!region(id).open || state_.was_open[at(id)] || is_over(id)) continue;
      std::string set = "since = " + version() + ", place = $1";
      each_shown(id, [&](std::size_t a, auto const& text) {
        set += ", c" + std::to_string(a + 1) + " = " + (text ? sql_literal(*text) : "NULL") +
               "::" + policy_.columns[a].type;
      });
      session_.execute("UPDATE " + table("region") + " SET " + set + " WHERE region = " + std::to_string(id),
                       {SqlValue::binary(places_[at(id)])});
    }
  }

  SpiSession& session_;
  IncrementalState const& state_;
  Policy const& policy_;
  RegionTexts& texts_;
  std::vector<std::string> places_;
};

}  // namespace

void close_rows(SpiSession& session, Policy const& policy, std::string const& regions) {
  for (char const* name : {"member", "count", "gone"})
    session.execute(
        sql_text("UPDATE {table} SET until = {version} WHERE until IS NULL AND region IN (SELECT unnest($1::int4[]))",
                 {{"table", ledger_table(policy.ledger(), name)}, {"version", std::to_string(policy.version)}}),
        {regions});
}

void write_regions(SpiSession& session, IncrementalState const& state, RegionTexts& texts, Checkpoint& checkpoint) {
  RegionWriter(session, state, texts, checkpoint).run();
}

}  // namespace anon_seq::incremental
