#include "incremental/declare.h"

#include "incremental/policy.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "release/declare.h"

namespace anon_seq::incremental {

void check(SpiSession& session, Policy const& policy) {
  auto const demands = incremental_policy(policy);
  if (!policy.person)
    throw Error(Fault::kParameter, "an incremental policy needs a person column",
                "Persons are found again by their key when the next version is made.");
  if (demands.independent)
    throw Error(Fault::kParameter, "independent releases cannot be published",
                "Together they give people away; see anon_seq.audit_inference_relations().",
                "Look at one by preview(" + sql_literal(policy.name) +
                    ", ARRAY['{\"options\": {\"independent\": true}}'::jsonb]).");
  check_domains(session, policy, demands.domains);
  for (auto const& column : policy.sensitive)
    warning("sensitive column \"" + column + "\" is published as it is, and k does not bound what it tells",
            "All persons of a region may have the same value.");
  if (!demands.changed_since.empty()) select_columns(session, source_of(session, policy), {&demands.changed_since, 1});
  for (auto const& column : policy.columns)
    if (demands.object_id && column.column == "object_id")
      throw Error(Fault::kParameter, "column \"object_id\" of the source has the name of what options.object_id adds");
}

void advise(SpiSession&, Policy const& policy) {
  if (incremental_policy(policy).demands.arrivals_known) return;
  notice("this policy does not guard against who knows when people came and went",
         "options => '{\"arrivals\": \"known\"}' does: newcomers and leavers then wait for each other.");
}

}  // namespace anon_seq::incremental
