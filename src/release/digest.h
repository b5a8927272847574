// What a release is recognised by; a reader can compute it from what he sees, in any locale. doc/reference.md has the
// SQL.
//
// leaf = sha256(a distinct row as text, in UTF-8, and its count in 8 bytes); bucket = sha256 of the leaves that begin
// with a byte, in ascending order; digest = sha256 of each such byte and its bucket, in ascending order.
#pragma once

#include <array>

#include "release/release_cells.h"

namespace anon_seq::release {

// The leaves of a digest, by their first byte.
class DigestLeaves {
 public:
  using Leaf = std::array<std::uint8_t, 32>;

  void add(Leaf const& leaf);
  // In hexadecimal digits. Empties it.
  std::string digest(Checkpoint& checkpoint);

 private:
  std::array<Vector<Leaf>, 256> leaves_;
};

// Calls visit(cell, leaf) for cells that a relation shows whole, no two of them the same.
void each_leaf(SpiSession& session, Policy const& policy, ReleaseCells const& cells, RelationShape const& relation,
               Checkpoint& checkpoint, std::function<void(std::size_t, DigestLeaves::Leaf const&)> const& visit);

// As hexadecimal digits. Of a release with several relations: sha256 of their digits, one after the other.
// REQUIRES: the relations are there; one that shows more than cells do is read.
std::string digest_of(SpiSession& session, Policy const& policy, Release const& release,
                      std::vector<RelationShape> const& relations, ReleaseCells const& cells, Checkpoint& checkpoint);

// The same out of what the relations of a release show, as a reader works it out.
std::string digest_as_shown(SpiSession& session, Release const& release);

// The same of a version that is stored once, out of its cells.
std::string digest_of_shown(SpiSession& session, Release const& release);

}  // namespace anon_seq::release
