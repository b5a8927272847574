#include "serial/method.h"

#include "catalog/ledger.h"
#include "lossy_join/correlation.h"
#include "lossy_join/joined.h"
#include "lossy_join/method.h"
#include "lossy_join/row_ledger.h"
#include "release/release_objects.h"
#include "serial/audit.h"
#include "serial/budget.h"
#include "serial/declare.h"
#include "serial/draft.h"
#include "serial/forgotten.h"
#include "serial/lives.h"
#include "serial/lives_forgotten.h"

namespace anon_seq::serial {
namespace {

constexpr std::string_view kParameters[] = {"sensitive_values", "l", "form", "plan", "horizon", "persistence"};
constexpr char const* kPhases[] = {"read", "budget", "group"};

std::vector<PublishedColumn> own_columns(Policy const&) {
  return {{lossy_join::kClassColumn, "", "", catalog::Role::kClass, "integer"}};
}

LedgerSchema ledger(Policy const& policy, std::string const& keys) {
  auto schema =
      lossy_join::is_generalized(policy) ? counted_ledger(policy.columns, keys) : lossy_join::row_ledger(policy, keys);
  if (is_permanent(policy.parameters)) {
    schema.relations.push_back(life_relation(policy, keys));
    schema.relations.push_back(secret_relation());
    schema.relations.push_back(forgotten_place_relation());
    return schema;
  }
  for (auto& relation : budget_relations(keys)) schema.relations.push_back(std::move(relation));
  schema.relations.push_back(secret_relation());
  schema.relations.push_back(forgotten_relation());
  return schema;
}

std::vector<RelationShape> relations(Policy const& policy) {
  auto shapes = lossy_join::relations(policy);
  shapes.front().row_for = is_permanent(policy.parameters)
                               ? "place of a class, all NULL but for its number while the person is absent"
                               : "person of the source who is not withheld";
  return shapes;
}

std::set<std::int32_t> forget_person(ForgetRequest const& request) {
  return is_permanent(request.release.parameters) ? forget_place(request) : forget(request);
}

}  // namespace

constinit Method const kMethod{
    .name = "serial",
    .parameters = kParameters,
    .phases = kPhases,
    .labels = [](Policy const& policy) -> char const* { return lossy_join::is_generalized(policy) ? "text" : nullptr; },
    .demands = [](Policy const& policy) -> std::unique_ptr<Demands> {
      return std::make_unique<SerialPolicy>(serial_policy(policy));
    },
    .ledger = ledger,
    .relations = relations,
    .own_columns = own_columns,
    .read_beside = [](Policy const&) { return std::vector<std::string>(); },
    .lock_beside = nullptr,
    .check = check,
    .advise = advise,
    .advise_again = false,
    .describe = [](SpiSession&, Policy const&) { return Description(); },
    .require_followable = require_followable,
    .draft = make_draft,
    .create_relation = lossy_join::create_relation,
    .attack = lossy_join::warn_of_correlation,
    .finish = nullptr,
    .audit_version = audit_version,
    .audit_all = audit_all,
    .cut = lossy_join::select_cut,
    .trace = lossy_join::select_trace,
    .objects = select_persons,
    .places = nullptr,
    .forget = forget_person,
    .minimality = nullptr,
    .rests_on = nullptr,
    .shown_once = nullptr,
    .shaped_by = nullptr,
    .advice = nullptr,
    .refines = false,
    .spans_versions = true,
};

}  // namespace anon_seq::serial
