#include "release/taxonomy_pool.h"

#include "catalog/catalog_writer.h"

namespace anon_seq::release {

AnyTaxonomy const& TaxonomyPool::stored(std::string const& taxonomy) {
  auto found = stored_.find(taxonomy);
  if (found == stored_.end()) found = stored_.emplace(taxonomy, load_taxonomy(session_, taxonomy, checkpoint_)).first;
  return found->second;
}

Misfits::Misfits(std::string of_column, std::string in_taxonomy, std::int64_t count, char const* of_what)
    : Error(Fault::kData,
            "column " + quoted(of_column) + " has values that are " + of_what + " of taxonomy " + quoted(in_taxonomy),
            std::to_string(count) + (count == 1 ? " distinct value." : " distinct values.")),
      column(std::move(of_column)),
      taxonomy(std::move(in_taxonomy)),
      what(of_what) {}

Error Misfits::about(SpiSession& session, std::string const& source) const {
  std::string const c = quote_name(column), name = sql_literal(taxonomy);
  std::string const list = "SELECT DISTINCT " + c + " FROM " + source + " WHERE ";
  auto const with = [&](std::string const& hint) { return Error(fault(), Error::what(), detail(), hint); };
  if (what == "no part")
    return with(list + c + "::text NOT IN (SELECT value FROM anon_seq.taxonomy_tree(" + name +
                ")); lists them. Add them with anon_seq.add_to_taxonomy(), or mend the source.");
  if (what != "not of the form")
    return with(list + c + "::text IN (SELECT parent FROM anon_seq.taxonomy_tree(" + name +
                ")); lists them. Mend the source, or give them a leaf of their own with anon_seq.add_to_taxonomy().");
  CatalogWriter catalog(session);
  auto const range = catalog.read(
      "SELECT t.parameters[1], t.parameters[2] FROM anon_seq.taxonomy AS t WHERE t.name OPERATOR(pg_catalog.=) $1"
      " AND t.kind OPERATOR(pg_catalog.=) 'range'",
      {taxonomy});
  if (range.count() == 0)
    return with("SELECT kind, parameters FROM anon_seq.taxonomies WHERE name = " + name +
                "; says which form it has. Mend the source, or take another taxonomy.");
  return with(list + c + "::numeric < " + range.get(0, 1) + " OR " + c + "::numeric >= " + range.get(0, 2) +
              "; lists them. Mend the source, or take a taxonomy that has room for them.");
}

void throw_misfits(std::string const& column, std::string const& taxonomy, std::int64_t count, char const* what) {
  throw Misfits(column, taxonomy, count, what);
}

Vector<Node> leaves_of(Column const& column, Taxonomy const& tree, std::string const& taxonomy) {
  Vector<Node> leaves(static_cast<std::size_t>(column.distinct()), kNoNode);
  std::int64_t unknown = 0, inner = 0;
  for (Code code = 1; code < column.distinct(); ++code) {
    Node const node = leaves[static_cast<std::size_t>(code)] = tree.find(column.values[code]);
    unknown += node == kNoNode;
    inner += node != kNoNode && !tree.is_leaf(node);
  }
  if (unknown > 0) throw_misfits(column.name, taxonomy, unknown, "no part");
  if (inner > 0) throw_misfits(column.name, taxonomy, inner, "inner nodes, not leaves,");
  return leaves;
}

void TaxonomyPool::expect(std::string const& taxonomy, std::string_view value) {
  auto const* const open = std::get_if<OpenTaxonomy>(&stored(taxonomy));
  if (open == nullptr) return;
  if (climb(*open, value, 0))
    expected_[taxonomy].emplace(value);
  else
    ++misfits_[taxonomy];
}

bool TaxonomyPool::knows(std::string const& taxonomy, std::string_view value) {
  auto const& any = stored(taxonomy);
  if (auto const* const open = std::get_if<OpenTaxonomy>(&any)) return climb(*open, value, 0).has_value();
  return std::get<Taxonomy>(any).find(value) != kNoNode;
}

bool TaxonomyPool::is_of_ranges(std::string const& taxonomy) {
  auto const* const open = std::get_if<OpenTaxonomy>(&stored(taxonomy));
  return open != nullptr && std::holds_alternative<RangeRule>(*open);
}

std::int64_t TaxonomyPool::misfits(std::string const& taxonomy) const {
  auto const found = misfits_.find(taxonomy);
  return found == misfits_.end() ? 0 : found->second;
}

Taxonomy const& TaxonomyPool::tree(std::string const& taxonomy) {
  if (auto const found = trees_.find(taxonomy); found != trees_.end()) return *found->second;
  auto const& any = stored(taxonomy);
  if (auto const* const tree = std::get_if<Taxonomy>(&any)) return *(trees_[taxonomy] = tree);
  made_.push_back(grow_taxonomy(taxonomy, std::get<OpenTaxonomy>(any), expected_[taxonomy], checkpoint_));
  return *(trees_[taxonomy] = &made_.back());
}

}  // namespace anon_seq::release
