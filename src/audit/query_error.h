// The error of random COUNT queries over a release of ours, against its source or any relation of its columns.
#pragma once

#include "core/lossy/count_queries.h"
//
#include "catalog/release.h"

namespace anon_seq::audit {

// Quasi columns of the workload are those of the release, and what it publishes as it is beside sensitive columns;
// without any, what it publishes as it is is sensitive. What a published value covers is counted in distinct values of
// the original, which is read as the current user. `generalized`: quasi columns show groups of values, not as
// projections do that show the values themselves. Throws kParameter for more dimensions than quasi columns,
// kUnsupported for a release without such columns, kNoColumn, kData for an original or a column of it without values.
QueryErrors measure_query_errors(SpiSession& session, Release const& release, bool generalized, Oid original,
                                 WorkloadDemands const& demands, Checkpoint& checkpoint);

}  // namespace anon_seq::audit
