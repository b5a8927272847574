#include "release/taxonomy_pool.h"

namespace anon_seq::pg {

AnyTaxonomy const& TaxonomyPool::stored(std::string const& taxonomy) {
  auto found = stored_.find(taxonomy);
  if (found == stored_.end()) found = stored_.emplace(taxonomy, load_taxonomy(session_, taxonomy, checkpoint_)).first;
  return found->second;
}

void throw_misfits(std::string const& column, std::string const& taxonomy, std::int64_t count, char const* what) {
  throw Error(Fault::kData,
              "column " + quoted(column) + " has values that are " + what + " of taxonomy " + quoted(taxonomy),
              std::to_string(count) + (count == 1 ? " distinct value." : " distinct values."),
              "Add them with anon_seq.add_to_taxonomy(), or mend the source.");
}

void TaxonomyPool::expect(std::string const& taxonomy, std::string_view value) {
  auto const* const open = std::get_if<OpenTaxonomy>(&stored(taxonomy));
  if (open == nullptr) return;
  if (climb(*open, value, 0))
    expected_[taxonomy].emplace(value);
  else
    ++misfits_[taxonomy];
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

}  // namespace anon_seq::pg
