// The part of a taxonomy that occurs: a finite tree for labels of stored and of open taxonomies alike.
#pragma once

#include "catalog/taxonomy_store.h"

namespace anon_seq::audit {

struct Span {
  std::int32_t first = 0, last = 0;
};

class LabelForest {
 public:
  LabelForest(SpiSession& session, std::string const& taxonomy);

  // Must be called for every label before finish(); false if it is not in the taxonomy.
  bool add(std::string const& label);
  void finish();

  // Overlap iff one label is the other or above it; nullopt is NULL. REQUIRES: added.
  Span span(std::optional<std::string> const& label) const;
  // What is below a label, to find out what predicates cover: leaves only, so that two nodes with the same
  // leaves are equal; the root's hold NULL, the last. Below a node of an open taxonomy there is always a leaf nobody
  // named.
  Span leaves(std::optional<std::string> const& label) const;

 private:
  Path path(std::string const& label) const;  // of an open taxonomy; empty: not in it
  Node node(std::string const& label) const;
  Taxonomy const& tree() const { return stored_ != nullptr ? *stored_ : *grown_; }

  AnyTaxonomy taxonomy_;
  Taxonomy const* stored_ = nullptr;  // in taxonomy_, unless that is open
  Dictionary labels_;
  Vector<Node> parents_;
  std::optional<Taxonomy> grown_;
};

}  // namespace anon_seq::audit
