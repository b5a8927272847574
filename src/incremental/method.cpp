#include "incremental/method.h"

#include "catalog/ledger.h"
#include "incremental/alter.h"
#include "incremental/audit.h"
#include "incremental/declare.h"
#include "incremental/draft.h"
#include "incremental/forget.h"
#include "incremental/points.h"
#include "incremental/policy.h"
#include "incremental/region_ledger.h"
#include "incremental/retire.h"
#include "release/publish_run.h"
#include "release/relations.h"
#include "release/release_objects.h"

namespace anon_seq::incremental {
namespace {

constexpr std::string_view kParameters[] = {"k"};
constexpr char const* kPhases[] = {"read", "diff", "refine"};

std::unique_ptr<Demands> demands(Policy const& policy) {
  return std::make_unique<IncrementalPolicy>(incremental_policy(policy));
}

std::vector<RelationShape> relations(Policy const& policy) {
  auto relation = whole(policy);
  auto const demanded = incremental_policy(policy);
  if (demanded.object_id) relation.more = "object_id";
  if (demanded.shared) relation.form = RelationForm::kShared;
  return {relation};
}

std::vector<std::string> read_beside(Policy const& policy) {
  auto const column = incremental_policy(policy).changed_since;
  return column.empty() ? std::vector<std::string>() : std::vector{column};
}

std::string create_relation(SpiSession& session, Policy const& policy, RelationShape const& relation) {
  if (relation.is_shared()) return create_shared_view(session, policy, relation);
  auto const planning = Settings::for_arrays();
  return relation.more.empty() ? create_region_view(session, policy, relation)
                               : create_object_view(session, policy, relation);
}

void finish(PublishRun const& run) {
  if (auto const keep = run.demanded<IncrementalPolicy>().keep) retire_older(run.session, run.policy, *keep);
}

std::string objects(SpiSession& session, Release const& release) {
  require_persons(session, release, "object");
  std::string columns;
  for (std::size_t i = 1; i <= release.columns.size(); ++i) columns += ", c" + std::to_string(i);
  return "SELECT object::pg_catalog.text" + columns + ", region FROM " + ledger_table(release.ledger, "object") +
         " WHERE version = " + std::to_string(release.version);
}

}  // namespace

constinit Method const kMethod{
    .name = "incremental",
    .parameters = kParameters,
    .phases = kPhases,
    .labels = labels_of,
    .demands = demands,
    .ledger = region_ledger,
    .relations = relations,
    .own_columns = nullptr,
    .read_beside = read_beside,
    .lock_beside = nullptr,
    .check = check,
    .advise = advise,
    .advise_again = false,
    .describe = [](SpiSession&, Policy const&) { return Description(); },
    .require_followable = require_followable,
    .draft = make_draft,
    .create_relation = create_relation,
    .attack = attack,
    .finish = finish,
    .audit_version = audit_version,
    .audit_all = audit_all,
    .cut = select_cut,
    .trace = select_trace,
    .objects = objects,
    .places = select_points,
    .forget = forget,
    .minimality = nullptr,
    .rests_on = nullptr,
    .shown_once = nullptr,
    .shaped_by = nullptr,
    .advice = nullptr,
    .refines = true,
    .spans_versions = true,
};

}  // namespace anon_seq::incremental
