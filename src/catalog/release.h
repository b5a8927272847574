// Releases as the catalog knows them: versions of policies, and what was registered.
#pragma once

#include "catalog/policy.h"

namespace anon_seq::catalog {

// What a relation of a release is: a materialized view, which shows the same to everybody, for good; a plain view that
// joins others of the release, and tells nothing of its own, so that it is neither audited nor part of a digest; or a
// plain view of rows that the ledger keeps for all versions.
enum class RelationForm { kCopied, kJoined, kShared };

// A relation of a release: some of its columns, of all rows.
struct ReleaseRelation {
  std::string name;                  // qualified and quoted
  std::string suffix;                // after <target>_r<version>, and after <target> in the stable name
  std::vector<std::size_t> columns;  // that it shows, in their order: i is column c<i> of the cells
  bool counted = false;              // a row for each distinct one, with the number of rows in a last column, n
  RelationForm form = RelationForm::kCopied;

  bool is_view() const { return form != RelationForm::kCopied; }
  bool is_joined() const { return form == RelationForm::kJoined; }
  bool is_shared() const { return form == RelationForm::kShared; }
};

// The method of what was registered, which no policy has.
inline constexpr char kRegistered[] = "registered";

struct Release {
  std::int32_t id = 0;
  std::string name;          // of the policy, or as registered
  std::int32_t version = 0;  // 0: registered
  std::string ledger, method, population;
  std::vector<ReleaseRelation> relations;  // empty once retired, else at least one
  std::int64_t published = 0, withheld = 0, waiting = 0, deferred = 0, classes = 0;
  std::optional<std::int64_t> smallest_class;
  std::string parameters = "{}", options = "{}";  // what the policy demanded
  std::vector<PublishedColumn> columns;
  // The first column of the ledger's cells, c2, that is not of the type which the catalog says; empty if all are. The
  // types in `columns` are safe in SQL either way, see ledger_types.h. Who reads cells asks require_unaltered().
  std::string altered;
  std::string digest;
  bool retired = false;
  bool withdrawn = false;  // a version nobody has read: retired, and counting; of what was registered nothing is found

  // Not made by a policy: a table that was out already.
  bool is_registered() const { return version == 0; }
  // In relations that share the number of a class: the cells say which rows belong together, these do not.
  bool is_projected() const;
  // The name of a registered release's relation.
  std::string const& registered_relation() const;
  std::string reference() const { return is_registered() ? name : name + "/" + std::to_string(version); }
  PublishedColumn const* find_column(std::string_view column) const;
  // Which column c<i> of the cells it is, from 1. REQUIRES: one of columns.
  std::size_t number_of(PublishedColumn const& column) const {
    return static_cast<std::size_t>(&column - columns.data()) + 1;
  }
};

// Throws kDamaged if the cells of a release have other types than the catalog says.
void require_unaltered(Release const& release);

// All releases of a population, retired ones too, but for registrations that were withdrawn; oldest first; whoever owns
// them.
std::vector<Release> releases_of(SpiSession& session, std::string const& population);

// What a reference means: 'policy' all versions, 'policy/3' one, a registered name that; newest first.
// Only those whose owner's rights the caller has. Throws kNoObject if there is none.
std::vector<Release> find_releases(SpiSession& session, std::string const& reference);

// The newest release that a reference means, whoever owns it.
std::optional<Release> newest_called(SpiSession& session, std::string const& reference);

// The version that a relation shows, qualified and quoted, whoever owns it.
std::optional<Release> release_with(SpiSession& session, std::string const& relation);

// A version by its ledger, whoever owns it.
std::optional<Release> version_of(SpiSession& session, std::string const& ledger, std::int32_t version);

// The newest of find_releases().
Release find_release(SpiSession& session, std::string const& reference);

// The stable name on top of a relation of a policy's release, qualified: <target><suffix>.
std::string stable_name(Release const& release, ReleaseRelation const& relation);

// Stores a release; `published_at` is the transaction's time.
void insert_release(SpiSession& session, Release const& release);

// What withdraw_release() remembers, of all releases of a population, oldest first.
struct Withdrawal {
  std::string reference, by, at, reason;
};
std::vector<Withdrawal> withdrawals_of(SpiSession& session, std::string const& population);

// All releases made after one, whatever their population.
std::vector<Release> releases_after(SpiSession& session, Release const& release);

// The newest version of a policy's releases that was not withdrawn; nullptr if there is none.
Release const* newest_shown(std::vector<Release> const& releases, std::string const& policy);

// Notes that the caller, `by`, has withdrawn a release, and why; a version has no relation from then on.
void mark_withdrawn(SpiSession& session, Release const& release, std::string const& by, std::string const& reason);

// Notes that a release has no relation any more.
void mark_retired(SpiSession& session, Release const& release);

}  // namespace anon_seq::catalog
