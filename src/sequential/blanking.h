// Persons who are published without quasi values, "suppress": "cells": where that is offered, and where it is not
// (core/sequential/blanked.h).
#pragma once

#include "release/taxonomy_pool.h"
#include "sequential/earlier_table.h"
#include "sequential/rule_scope.h"

namespace anon_seq::sequential {

// What a quasi column shows of such a person: the root of its taxonomy, the range of everything.
std::string blank_text(PublishedColumn const& column, TaxonomyPool& pool);

// How many persons there have to be, by the rules that count persons of this release alone: fewer are left out.
std::int64_t fewest_blanked(Policy const& policy, std::vector<BoundRule> const& rules);

// The rows of an earlier release without quasi values: row -> not 0; empty: there are none.
Vector<char> rows_without_quasi(EarlierTable const& earlier, TaxonomyPool& pool);

// The same in SQL, of rows l with its columns by their names, or of its cells (c1, c2, ..); empty: it shows none.
enum class CellNames { kColumns, kNumbers };
std::string blank_condition(Release const& release, TaxonomyPool& pool, CellNames names);
bool shows_blanked(SpiSession& session, Release const& release, TaxonomyPool& pool);

// Two readings of releases with such rows, see core/sequential/blanked.h: rules once more for every choice of them
// without these. Release i without them is number releases + (how many before i show such).
inline constexpr std::size_t kShowsNone = static_cast<std::size_t>(-1);
std::vector<std::size_t> bare_numbers(std::vector<bool> const& shows);  // kShowsNone: it is one reading only
void add_readings(std::vector<BoundRule>& rules, std::vector<bool> const& shows);

// Throws kUnsupported if a rule joins what nobody can promise anything of: the policy's own persons without quasi
// values (`own`), or those of an earlier release, by more than is in x.
void require_readable(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                      Problem const& problem, std::vector<Release> const& releases, std::vector<bool> const& shows,
                      bool own);

}  // namespace anon_seq::sequential
