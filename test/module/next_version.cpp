#include "next_version.h"

namespace anon_seq::selftest {

void make_next(catalog::LedgerSchema& schema) {
  for (auto& relation : schema.relations)
    if (relation.name == "note")
      relation.columns += ", made_in int NOT NULL DEFAULT " + std::to_string(schema.format + 1);
  schema.steps.push_back({schema.format,
                          {"ALTER TABLE anon_seq_ledger.{ledger}_note ADD COLUMN made_in int NOT NULL DEFAULT " +
                               std::to_string(schema.format),
                           "ALTER TABLE anon_seq_ledger.{ledger}_note ALTER COLUMN made_in SET DEFAULT " +
                               std::to_string(schema.format + 1)}});
  ++schema.format;
}

}  // namespace anon_seq::selftest
