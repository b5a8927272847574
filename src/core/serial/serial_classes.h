// The classes of a new version: cohort by cohort, by the simulatable algorithms of a lossy join.
//
// Dealt: regions of the quasi space, dealt (regional.h). Recoded: nodes of the taxonomies (topdown.h, simulatable). All
// nodes whose sensitive counts were read, those of the cohorts too, are unions of classes; that is asserted.
#pragma once

#include "core/lossy/draws.h"
#include "core/lossy/topdown.h"
#include "core/serial/cohorts.h"

namespace anon_seq {

// Numbered at random. REQUIRES: cohorts were made for dealt classes.
Classes dealt_classes(std::span<QuasiAxis const> axes, Sensitive const& sensitive, Cohorts const& cohorts,
                      std::int64_t k, Draws& draws, Checkpoint& checkpoint);

// The same, with what classes show. REQUIRES: every axis has a taxonomy; cohorts were made for such classes.
Classes recoded_classes(std::span<QuasiAxis const> axes, Sensitive const& sensitive, Cohorts const& cohorts,
                        std::int64_t k, Draws& draws, Checkpoint& checkpoint);

}  // namespace anon_seq
