#include "catalog/inconsistencies.h"

#include "catalog/catalog_writer.h"

namespace anon_seq::catalog {

std::vector<DeclaredInconsistency> declared_inconsistencies(SpiSession& session) {
  CatalogWriter catalog(session);
  auto const rows = catalog.read(R"(
SELECT DISTINCT i.attribute_a, i.value_a, i.attribute_b, i.value_b
FROM anon_seq.inconsistency AS i
WHERE anon_seq.heeds_declarations_of($1, i.declared_by)
ORDER BY 1, 2, 3, 4)",
                                 {catalog.caller_value()});
  std::vector<DeclaredInconsistency> all;
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    all.push_back({rows.get(row, 1), rows.get(row, 2), rows.get(row, 3), rows.get(row, 4)});
  return all;
}

}  // namespace anon_seq::catalog
