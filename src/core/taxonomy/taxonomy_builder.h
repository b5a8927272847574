// Collects the edges of a taxonomy, in whatever form they come, and all that is wrong with them.
//
// Labels are unique: a label is a node. One that is too long (check_label) is refused at once. Faults do not stop the
// collecting, so that a person sees every offender with its place at once (up to kListedFaults, then "and N more"). A
// place is a number that the caller's `describe` turns into words: "row 7", "$.ANY.White-collar[2]". Long labels are
// shown shortened.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "core/base/checkpoint.h"
#include "core/taxonomy/taxonomy.h"

namespace anon_seq {

class TaxonomyBuilder {
 public:
  using Place = std::int64_t;
  using Describe = std::function<std::string(Place)>;
  static constexpr int kListedFaults = 10;

  TaxonomyBuilder(std::string name, Describe describe) : name_(std::move(name)), describe_(std::move(describe)) {}

  // One path, leaf first, root last. Equal neighbours are one node. The same path may come twice.
  void add_path(std::span<std::string_view const> labels, Place place);

  // An edge. The same edge may come twice.
  void add_edge(std::string_view child, std::string_view parent, Place place);

  // A root. The same root may come twice.
  void add_root(std::string_view label, Place place);

  // A node that must not have been there before; parent is a label already added, or empty for the root.
  void add_new(std::string_view label, std::string_view parent, Place place);

  // A label that is no label. `what` completes "... has <what>": "an empty label", "a NULL label".
  void note_bad_label(char const* what, Place place);

  // Throws kData with all faults, or if there is nothing below the root; kLimit if it is too deep.
  Taxonomy finish(Checkpoint& checkpoint);

 private:
  Node node_of(std::string_view label, Place place);
  void set_parent(Node child, Node parent, Place place);
  bool is_bad(std::string_view label, Place place);
  template <class MakeText>
  void note(MakeText make_text);
  void note_roots();
  void note_cycles(Checkpoint& checkpoint);
  std::string at(Place place) const { return " (" + describe_(place) + ")"; }
  std::string shown(Node node) const;

  std::string name_;
  Describe describe_;
  Dictionary labels_;
  Vector<Node> parents_;      // kNoNode: a root, or not known yet
  Vector<Place> places_;      // where the parent was given, or else where the label was first seen
  Vector<bool> is_leaf_row_;  // the label began a path
  Vector<bool> is_root_row_;  // the label ended a path, or was given as a root
  std::string listed_;
  std::int64_t faults_ = 0;
};

// Throws kLimit if a label has more than 10,000 bytes. `which`: "The label at position 2".
void check_label(std::string_view taxonomy, std::string_view label, std::string const& which = "It");

// Throws kName if a name has more than 63 bytes, kParameter if it is empty. `what`: "taxonomy".
void check_name(char const* what, std::string_view name);

}  // namespace anon_seq
