#include "incremental/declare.h"

#include "core/text/some_of.h"
//
#include "incremental/policy.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "release/declare.h"

namespace anon_seq::incremental {

namespace {

void warn_of_plain(Policy const& policy) {
  std::vector<std::string> names;
  for (auto const& column : policy.columns)
    if (column.is_plain()) names.push_back(quoted(column.column));
  if (names.empty()) return;
  warning((names.size() == 1 ? "column " + some_of(names) + " is" : "columns " + some_of(names) + " are") +
              " published as in the source, and k does not bound what that tells",
          "All persons of a region may have the same value: rows \"diversity\" of anon_seq.audit(" +
              sql_literal(policy.name) + ") count them.");
}

}  // namespace

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
  if (policy.version == 0) warn_of_plain(policy);
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
