// The regions of an incremental policy in its ledger: read back as a partition, written when they change.
//
// The ledger knows bounds and nodes by their texts, a partition by codes and nodes of this publish: the source
// is read with every bound among its values, so that a cut made on other data still says the same.
#pragma once

#include <map>

#include "core/partition/partition.h"
//
#include "catalog/policy.h"
#include "pg/reading.h"
#include "release/taxonomy_pool.h"

namespace anon_seq::incremental {

class RegionStore {
 public:
  // Reads the ledger; of a policy without releases the whole space.
  RegionStore(SpiSession& session, Policy const& policy, Checkpoint& checkpoint);

  // Tells the trees which nodes regions name.
  void tell_nodes(TaxonomyPool& pool) const;

  // Seeds a reader with the bounds of a column of the policy, and with the values that the ledger knows of it.
  void seed(RowReader& reader, std::size_t column, std::size_t of_reader);

  // The partition in terms of the columns and trees of this publish, one entry per quasi column.
  Partition partition(std::span<Column const* const> lines, std::span<Taxonomy const* const> trees) const;

  std::size_t size() const { return rows_.size(); }
  // Whether a region is another one or was cut out of it.
  bool lies_in(RegionId region, RegionId other) const {
    while (region > other) region = rows_[static_cast<std::size_t>(region)].parent;
    return region == other;
  }
  bool has(RegionId region) const { return region >= 0 && static_cast<std::size_t>(region) < rows_.size(); }
  // Where a region stands in the order of what regions show; "" if it was never open. See region_places.h.
  std::string place(RegionId region) const {
    auto const place = place_of_[static_cast<std::size_t>(region)];
    return place == kNoCode ? std::string() : std::string(places_[place]);
  }
  // Codes of a quasi column that are bounds of some region.
  Vector<Code> bounds(std::size_t attribute, Column const& line) const;

  // Frees what nobody asks for once there is a partition: from then on only place() and bounds() know anything.
  void forget_cuts();

 private:
  struct Row {
    std::int32_t parent, attribute;  // attribute: from 0
    std::int32_t bound;              // number of a text, -1: none
    std::uint32_t nodes_begin, nodes_end;
    Side side;
    bool open, departed;
  };
  // Those of a quasi column, each once, as an array in text.
  std::string bounds_of(std::size_t attribute) const;
  void note_bounds();
  std::string label_of(std::size_t attribute, Code bound) const;
  void load(Checkpoint& checkpoint);
  void load_departures();
  // Who owns the ledger may have altered it: what does not make a tree of cuts is Error kDamaged.
  void require_in_place(Row const& region) const;
  void require_cuts() const;
  Error out_of_place() const;

  SpiSession& session_;
  Policy const& policy_;
  Vector<Row> rows_;
  Dictionary texts_;                  // bounds and node labels
  Dictionary places_;                 // keys
  Vector<std::int32_t> place_of_;     // region -> number of a key, -1: none
  std::vector<Vector<Code>> bounds_;  // per attribute: numbers of texts, each once
  Vector<Code> nodes_;                // numbers of labels; kNoCode: unknown
  std::vector<std::map<std::string, std::string, std::less<>>>
      labels_;  // per attribute: bound -> as the column prints it
};

// How a side is called in the ledger.
char const* side_name(Side side);

}  // namespace anon_seq::incremental
