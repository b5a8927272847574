#include "lossy_join/declare.h"

#include <algorithm>

#include "core/text/some_of.h"
//
#include "catalog/release.h"
#include "lossy_join/listed.h"
#include "lossy_join/policy.h"
#include "pg/report.h"
#include "pg/roles.h"
#include "pg/sql_text.h"

namespace anon_seq::lossy_join {
namespace {

// Releases of the population that are out, as a sentence for whoever answers for them; "" if there are none.
std::string who_to_tell(SpiSession& session, Policy const& policy) {
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::string> named;
  std::size_t others = 0;
  for (auto const& release : releases_of(session, policy.population)) {
    if (release.withdrawn || release.name == policy.name) continue;
    bool const ours = has_rights_of(session, ledger_owner(session, release.ledger));
    if (ours && named.size() < kMostNamed)
      named.push_back(release.reference());
    else
      ++others;
  }
  if (others > 0) named.push_back(std::to_string(others) + (named.empty() ? "" : " more"));
  if (named.empty()) return "";
  return " Releases of it are out (" + joined(named, ", ") +
         "): tell who answers for them that from the day this one is published they may hide nobody among k.";
}

std::string leave_out(SpiSession& session, Policy const& policy) {
  return "Policies of that population have to leave this one out of account by options.unguarded, and audits say so." +
         who_to_tell(session, policy);
}

void require_line(Policy const& policy) {
  for (auto const& column : policy.columns)
    if (column.role == Role::kSensitive && !has_line(column))
      throw Error(Fault::kParameter, "options.near is for numbers and dates, not for column " + quoted(column.column),
                  "It is of type " + column.type + ".");
}

}  // namespace

void check_names(Policy const& policy) {
  for (auto const& column : policy.columns) {
    bool const sensitive = column.role == Role::kSensitive;
    if (column.role == Role::kClass || (column.column != kClassColumn && column.column != kWeightColumn &&
                                        !(sensitive && column.column == kCountColumn)))
      continue;
    throw Error(Fault::kName, "column " + quoted(column.column) + " has the name of one that a lossy join adds",
                "They are \"class_id\", in SS also \"n\", in the join also \"weight\".",
                "Rename the column in a view of the source.");
  }
}

void check(SpiSession& session, Policy const& policy) {
  auto const demands = lossy_policy(policy);
  if (policy.sensitive.empty())
    throw Error(Fault::kParameter, "argument \"sensitive\" must name at least one column", "",
                "A lossy join bounds what is known of its values.");
  if (!demands.generalized) check_names(policy);
  if (demands.generalized && demands.decisions == Decisions::kPaper && !policy.publish_as_is.empty())
    throw Error(Fault::kUnsupported, "publish_as_is of a generalized table is not offered with decisions \"paper\"",
                "Columns as they are would tell rows of a class apart.",
                "options => '{\"decisions\": \"simulatable\"}' makes them part of the class; or list them in quasi.");
  if (!demands.domains.empty() && !shows_labels(policy))
    throw Error(Fault::kUnsupported, "options.domains is not offered where quasi columns are published as they are",
                "There are no ranges that could be bounded.",
                "It is for form \"generalized\", and for options => '{\"nss\": \"generalized\"}'.");
  check_domains(session, policy, demands.domains);
  check_listed(session, policy, demands);
  if (demands.near) require_line(policy);
  if (demands.decisions == Decisions::kPaper)
    warning("with decisions \"paper\" alpha holds for what the rows tell: who knows the code may learn more",
            "options => '{\"decisions\": \"simulatable\"}' holds for him as well.");
}

void advise(SpiSession& session, Policy const& policy) {
  if (is_generalized(policy)) return;
  bool const coarse = shows_labels(policy);
  std::vector<std::string> names;
  for (auto const& column : policy.columns)
    if ((column.is_quasi() && !coarse) || column.role == Role::kAsIs) names.push_back(quoted(column.column));
  if (names.empty()) {
    warning(
        "who knows somebody's quasi-identifiers finds the classes that he may be in: together with any other release"
        " of population " +
            quoted(policy.population) + " they may tell him apart from all others",
        leave_out(session, policy));
    return;
  }
  warning("everybody's exact " + some_of(names) +
              " will be published: who knows somebody's finds his row and his class, so k of every"
              " other release of population " +
              quoted(policy.population) + " is gone, and only what is told of sensitive values stays bounded",
          leave_out(session, policy));
}

}  // namespace anon_seq::lossy_join
