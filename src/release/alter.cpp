#include "release/alter.h"

#include <algorithm>

#include "release/method.h"
#include "release/source_shape.h"

namespace anon_seq::release {

void require_allowed_change(SpiSession& session, Policy const& before, Policy const& after) {
  method_of(before).require_followable(session, before, after);
}

void refuse_change(Policy const& policy, std::string const& what, std::string const& why, std::string const& hint) {
  throw Error(Fault::kParameter, "policy " + quoted(policy.name) + " has releases: " + what, why, hint);
}

void require_same_frame(Policy const& before, Policy const& after, std::string const& about_names,
                        std::string const& about_persons, std::string const& hint) {
  require_same_types(before, after, hint);
  for (std::size_t i = 0; i < std::min(before.columns.size(), after.columns.size()); ++i)  // modifier and collation
    if (before.columns[i].column == after.columns[i].column &&
        before.columns[i].taxonomy == after.columns[i].taxonomy && before.columns[i].role == after.columns[i].role &&
        before.columns[i].type != after.columns[i].type)
      refuse_change(before, "column " + quoted(before.columns[i].column) + " is published with another type",
                    "Views on it keep their columns, types and meaning.", hint);
  if (columns_json(before.columns) != columns_json(after.columns))
    refuse_change(before, "its columns and taxonomies are fixed", "Views on it keep their columns, types and meaning.",
                  hint);
  if (before.target_schema != after.target_schema || before.target_name != after.target_name)
    refuse_change(before, "publish_as is fixed", about_names, hint);
  if (before.person != after.person) refuse_change(before, "person is fixed", about_persons, hint);
  if (before.population != after.population)
    refuse_change(before, "population is fixed", "Its releases would count for nobody else any more.", hint);
}

void require_no_more_unique(Policy const& policy, Demands const& before, Demands const& after,
                            std::string const& hint) {
  auto const& known = before.allow_unique;
  for (auto const& name : after.allow_unique)
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse_change(policy, "no column can be allowed to be unique later", "allow_unique would add " + name + ".",
                    hint);
}

}  // namespace anon_seq::release
