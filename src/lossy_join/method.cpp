#include "lossy_join/method.h"

#include "catalog/ledger.h"
#include "lossy_join/alter.h"
#include "lossy_join/audit.h"
#include "lossy_join/correlation.h"
#include "lossy_join/declare.h"
#include "lossy_join/draft.h"
#include "lossy_join/joined.h"
#include "lossy_join/policy.h"
#include "lossy_join/row_ledger.h"
#include "release/forget.h"
#include "release/release_objects.h"

namespace anon_seq::lossy_join {
namespace {

constexpr std::string_view kParameters[] = {"alpha", "k", "form", "classes", "l", "sensitive_values"};
constexpr char const* kPhases[] = {"read", "group"};

std::vector<PublishedColumn> own_columns(Policy const& policy) {
  if (is_generalized(policy)) return {};
  return {{kClassColumn, "", "", catalog::Role::kClass, "integer"}};
}

// Nothing is generalized, and regions are nobody's to see.
std::string no_cut(Release const&) { return "SELECT NULL::text, NULL::text WHERE false"; }
std::string no_trace(Release const&) {
  return "SELECT NULL::int, NULL::text, NULL::text, NULL::text[], NULL::double precision, NULL::double precision,"
         " NULL::double precision, NULL::jsonb WHERE false";
}

}  // namespace

constinit Method const kMethod{
    .name = "lossy_join",
    .parameters = kParameters,
    .phases = kPhases,
    .labels = [](Policy const& policy) -> char const* { return shows_labels(policy) ? "text" : nullptr; },
    .demands = [](Policy const& policy) -> std::unique_ptr<Demands> {
      return std::make_unique<LossyPolicy>(lossy_policy(policy));
    },
    .ledger =
        [](Policy const& policy, std::string const& keys) {
          return is_generalized(policy) ? counted_ledger(policy.columns, keys) : row_ledger(policy, keys);
        },
    .relations = relations,
    .own_columns = own_columns,
    .read_beside = [](Policy const&) { return std::vector<std::string>(); },
    .check = check,
    .advise = advise,
    .advise_again = false,
    .describe = [](SpiSession&, Policy const&) { return Description(); },
    .require_followable = require_followable,
    .draft = make_draft,
    .create_relation = create_relation,
    .attack = warn_of_correlation,
    .finish = nullptr,
    .audit_version = audit_version,
    .audit_all = [](AuditRun const&, Checks&) {},
    .cut = no_cut,
    .trace = no_trace,
    .objects = select_persons,
    .points = nullptr,
    .forget = versions_with_person,
    .rests_on = nullptr,
    .refines = false,
};

}  // namespace anon_seq::lossy_join
