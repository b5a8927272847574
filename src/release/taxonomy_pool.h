// The taxonomies of one publish, loaded once, as trees.
//
// An open taxonomy becomes the tree over the values that occur, in the source and in earlier
// releases. Trees live as long as the pool and do not move.
#pragma once

#include <deque>
#include <map>

#include "core/table/table.h"
#include "core/taxonomy/grown_taxonomy.h"
//
#include "catalog/taxonomy_store.h"

namespace anon_seq::release {

// The error of throw_misfits(), of which whoever knows the source can say how to find the values.
struct Misfits : Error {
  Misfits(std::string of_column, std::string in_taxonomy, std::int64_t count, char const* what);
  // The same, with a query that lists the values in the hint.
  Error about(SpiSession& session, std::string const& source) const;

  std::string column, taxonomy, what;
};

// Error kData for so many distinct values of a column that are "no part", or "not of the form", of a taxonomy.
[[noreturn]] void throw_misfits(std::string const& column, std::string const& taxonomy, std::int64_t count,
                                char const* what);

// The leaf that each code of a column is, kNoNode for NULL. Error kData for values that are none of the tree's leaves.
Vector<Node> leaves_of(Column const& column, Taxonomy const& tree, std::string const& taxonomy);

class TaxonomyPool {
 public:
  TaxonomyPool(SpiSession& session, Checkpoint& checkpoint) : session_(session), checkpoint_(checkpoint) {}

  // Values that trees over an open taxonomy must have; tell them before the first tree() of that name.
  void expect(std::string const& taxonomy, std::string_view value);

  // Throws kNoObject, kData for a value that does not fit (with `column` and how many do not).
  Taxonomy const& tree(std::string const& taxonomy);

  // Whether a value is a node of the taxonomy, or of its form.
  bool knows(std::string const& taxonomy, std::string_view value);

  bool is_open(std::string const& taxonomy) { return std::holds_alternative<OpenTaxonomy>(stored(taxonomy)); }
  // Whether its labels are ranges of numbers.
  bool is_of_ranges(std::string const& taxonomy);

  // Values told by expect() that do not fit the open taxonomy of that name.
  std::int64_t misfits(std::string const& taxonomy) const;

 private:
  AnyTaxonomy const& stored(std::string const& taxonomy);

  SpiSession& session_;
  Checkpoint& checkpoint_;
  std::map<std::string, AnyTaxonomy> stored_;
  std::map<std::string, ValueTexts> expected_;
  std::map<std::string, std::int64_t> misfits_;
  std::map<std::string, Taxonomy const*> trees_;
  std::deque<Taxonomy> made_;
};

}  // namespace anon_seq::release
