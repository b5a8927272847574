#include "catalog/ledger_sums.h"

extern "C" {
#include "commands/trigger.h"
#include "utils/rel.h"
}

namespace anon_seq::catalog {
namespace {

std::vector<RowSum> kept_sums(SpiSession& session, std::string const& ledger, std::string const& table) {
  std::vector<RowSum> kept;
  if (!OidIsValid(ledger_part(session, ledger, "sum"))) return {{0, -1, 0}};  // equal to no sums
  auto const rows = session.execute("SELECT s.bucket, s.n, s.bits FROM " + ledger_table(ledger, "sum") +
                                        " AS s WHERE s.relation = $1 AND (s.n <> 0 OR s.bits <> 0) ORDER BY s.bucket",
                                    {table}, true);
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    kept.push_back({rows.int32(row, 1), rows.integer(row, 2), static_cast<std::uint64_t>(rows.integer(row, 3))});
  return kept;
}

void forget_sums(SpiSession& session, std::string const& ledger, std::string const& table) {
  session.execute("DELETE FROM " + ledger_table(ledger, "sum") + " WHERE relation = $1", {table});
}

bool is_changed(SpiSession& session, std::string const& ledger, std::string const& table) {
  Oid const relation = ledger_part(session, ledger, table);
  return !OidIsValid(relation) || sums_of(relation) != kept_sums(session, ledger, table);
}

}  // namespace

LedgerRelation sum_relation() {
  return {
      .name = "sum",
      .columns = "relation text, bucket int, n bigint NOT NULL, bits bigint NOT NULL, PRIMARY KEY (relation, bucket)"};
}

void keep_sums(SpiSession& session, std::string const& table) {
  struct Event {
    char const *name, *what, *rows;
  };
  for (Event const event : {Event{"sum_inserted", "INSERT", "NEW TABLE AS new_rows"},
                            Event{"sum_updated", "UPDATE", "OLD TABLE AS old_rows NEW TABLE AS new_rows"},
                            Event{"sum_deleted", "DELETE", "OLD TABLE AS old_rows"}})
    session.execute(std::string("CREATE TRIGGER ") + event.name + " AFTER " + event.what + " ON " + table +
                    " REFERENCING " + event.rows + " FOR EACH STATEMENT EXECUTE FUNCTION anon_seq.sum_rows()");
  // Where a session replays what others wrote, what we write is summed all the same.
  session.execute("ALTER TABLE " + table +
                  " ENABLE ALWAYS TRIGGER sum_inserted, ENABLE ALWAYS TRIGGER sum_updated,"
                  " ENABLE ALWAYS TRIGGER sum_deleted");
}

void follow_change(SpiSession& session, TriggerData const& trigger) {
  if (!TRIGGER_FIRED_AFTER(trigger.tg_event) || !TRIGGER_FIRED_FOR_STATEMENT(trigger.tg_event))
    throw Error(Fault::kParameter, "sum_rows is a trigger function for statements, after them");
  if (!LedgerPen::held()) return;
  auto const& form = *trigger.tg_relation->rd_rel;
  if (form.relnamespace != get_namespace_oid("anon_seq_ledger", true) || form.relowner != GetUserId()) return;
  add_sums(session, "anon_seq_ledger." + quote_name(NameStr(form.relname)), sums_of_change(trigger));
}

void take_as_written(SpiSession& session, std::string const& ledger, std::string const& table) {
  Oid const relation = ledger_part(session, ledger, table);
  if (!OidIsValid(relation)) return;
  forget_sums(session, ledger, table);
  FreshSnapshot const snapshot;
  add_sums(session, ledger_table(ledger, table), sums_of(relation));
}

void clear_table(SpiSession& session, std::string const& ledger, std::string const& table) {
  session.execute("DELETE FROM " + ledger_table(ledger, table));
  forget_sums(session, ledger, table);
}

void sum_anew(SpiSession& session, std::string const& ledger, LedgerSchema const& schema) {
  for (auto const& relation : schema.relations) {
    auto const table = ledger_table(ledger, relation.name);
    Oid const id = relation.query.empty() ? ledger_part(session, ledger, relation.name) : InvalidOid;
    if (!OidIsValid(id)) continue;
    bool keeps = false;
    call_pg([&]() noexcept { keeps = keeps_sums(id); });
    if (!keeps) keep_sums(session, table);
    take_as_written(session, ledger, relation.name);
  }
}

std::vector<std::string> changed_tables(SpiSession& session, std::string const& ledger, LedgerSchema const& schema) {
  std::vector<std::string> tables;
  for (auto const& relation : schema.relations)
    if (relation.query.empty()) tables.push_back(relation.name);
  return changed_tables(session, ledger, tables);
}

std::vector<std::string> changed_tables(SpiSession& session, std::string const& ledger,
                                        std::vector<std::string> const& tables) {
  std::vector<std::string> changed;
  FreshSnapshot const snapshot;
  for (auto const& table : tables)
    if (is_changed(session, ledger, table)) changed.push_back(table);
  return changed;
}

void require_as_written(SpiSession& session, std::string const& policy, std::string const& ledger,
                        std::vector<std::string> const& tables) {
  auto const changed = changed_tables(session, ledger, tables);
  if (changed.empty()) return;
  std::string names;
  for (auto const& table : changed) names += (names.empty() ? "_" : ", _") + table;
  throw Error(Fault::kDamaged, "the ledger of policy " + quoted(policy) + " is damaged",
              "Rows of " + names + " are not those that anon_seq wrote.",
              "Restore the whole ledger from a backup, or drop the policy and publish under a new one.");
}

}  // namespace anon_seq::catalog
