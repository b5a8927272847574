// What everybody has met so far, as the ledgers of a population's serial policies have it: their one shared budget.
//
// An account is a person and a bounded value that have met. The ledger of each policy holds what its own versions came
// to: one state per version, of which the newest two are kept; under a window the charges of each version by
// themselves, as long as they count. Accounts of persons who are not in the source are kept as they are.
#pragma once

#include <map>

#include "core/serial/purses.h"
//
#include "release/publish_run.h"
#include "serial/person_codes.h"
#include "serial/policy.h"

namespace anon_seq::serial {

// A bounded value: a column, and a value as the server prints it, or a label of its taxonomy; of values that are
// bounded together no column, and their list. `below`: which values labels stand for, as a digest. Where a taxonomy has
// grown a label is another bound, which knows all that was published of its values.
struct BoundName {
  std::string column, value, below;
  auto operator<=>(BoundName const&) const = default;
};

struct Account {
  Code person = kNull;  // see PersonCodes: also of who is not in the source
  std::int32_t bound = 0;
  std::int32_t times = 0;
  Ratio kept{1, 1};
};

struct Budget {
  std::map<BoundName, std::int32_t> numbers;  // what it is -> bound
  std::vector<BoundName> names;               // bound -> what it is
  // Ascending by person and bound: this ledger's, those of other policies, both together.
  Vector<Account> own, others, all;
  std::int32_t number_of(BoundName const& name);   // added if it is new
  std::int32_t find(BoundName const& name) const;  // -1: nobody met it
};

// The tables of a ledger that hold it. `keys`: the type of the person key. A row of `pair` has persons of one bound,
// and for each of them, or once for all, how often they met it, and what is kept, num / den.
std::vector<LedgerRelation> budget_relations(std::string const& keys);

using Releases = std::vector<Release>;

// A ledger of the population that counts, the policy's own among them: its newest state, or the charges of the versions
// in the window.
struct CountedLedger {
  Release const* newest = nullptr;
  std::vector<std::int32_t> versions;
  bool own = false;
};
std::vector<CountedLedger> counted_ledgers(Releases const& population, Policy const& policy,
                                           SerialPolicy const& demands);

// The bounded values that a ledger has accounts of.
std::vector<BoundName> names_in(SpiSession& session, std::string const& ledger);

// Throws kDamaged if rows of budgets that a publish reads, of whichever ledger, are not those that were written.
void require_budgets_as_written(PublishRun const& run);

// What counts for the policy's version, policy.version: the releases of the population so far. Ledgers of others are
// read as their owners.
Budget read_budget(SpiSession& session, Releases const& population, Policy const& policy, SerialPolicy const& demands,
                   PersonCodes& persons, Checkpoint& checkpoint);

// The accounts that a ledger has for a version; names are added.
Vector<Account> read_state(SpiSession& session, std::string const& ledger, std::int32_t version, PersonCodes& persons,
                           Budget& names, Checkpoint& checkpoint);

// Bounds of the budget as the ledger numbers them; new ones are added to it. Once a publish.
std::vector<std::int32_t> ledger_numbers(PublishRun const& run, Budget const& budget);

// Writes accounts as those of a version. Persons are those of the source's dictionary.
void write_accounts(PublishRun const& run, SourceTable const& source, std::vector<std::int32_t> const& numbers,
                    Vector<Account> const& accounts, std::int32_t version);

// States that nobody needs any more, once this version's is written.
void drop_old_accounts(PublishRun const& run);

// Accounts of one person and bound become one.
void merge_accounts(Vector<Account>& accounts, Checkpoint& checkpoint);

// Does so with own and others, and makes `all` of them.
void combine(Budget& budget, Checkpoint& checkpoint);

}  // namespace anon_seq::serial
