// Taxonomies in the catalog: who may see which, loading and keeping them.
//
// A stored taxonomy is a tree, node by node, or the rule of an open one. It is read by members of its
// owner's role, by those the owner granted it, and by members of the extension's owner; to everybody
// else it does not exist. Nodes carry numbers that never change: a tree keeps its siblings in their
// order, and what add_to_taxonomy() adds comes last below its parent.
#pragma once

#include <string>
#include <variant>

#include "catalog/catalog_writer.h"
#include "core/taxonomy/open_spec.h"
#include "core/taxonomy/taxonomy.h"

namespace anon_seq::catalog {

using AnyTaxonomy = std::variant<Taxonomy, OpenTaxonomy>;

// Stores a new taxonomy of the caller. Throws kPrivilege, kName, kExists.
void create_tree(SpiSession& session, std::string const& name, Taxonomy const& tree);
void create_open(SpiSession& session, std::string const& name, OpenSpec const& spec);  // kParameter if it makes no rule

// The name of the flat taxonomy of a boolean or an enum: "type p1.mood". It stands in no catalog but the type's own, so
// it is nobody's to squat, to grant or to drop; no other taxonomy has a name that begins so.
std::string taxonomy_of_type(Oid type);

// Throws kNoObject if there is none that the caller may see.
AnyTaxonomy load_taxonomy(SpiSession& session, std::string const& name, Checkpoint& checkpoint);

// The owner's part: kPrivilege for those who may read it only.
void add_to_taxonomy(SpiSession& session, std::string const& name, std::string const& parent, std::string const& value,
                     Checkpoint& checkpoint);
// Until the end of the transaction nobody drops a taxonomy that a policy or a release begins to use; throws kNoObject
// if it has gone. REQUIRES: it was looked at (load_taxonomy). Nothing of "" and of the labels of a type.
void hold_taxonomy(SpiSession& session, std::string const& name);
void drop_taxonomy(SpiSession& session, std::string const& name);
void set_reader(SpiSession& session, std::string const& name, std::string const& role, bool may_read);

// Throws unless the caller may make a taxonomy and the name is one. Cheap: called before anything is read.
void check_new_taxonomy(SpiSession& session, std::string const& name);

}  // namespace anon_seq::catalog
