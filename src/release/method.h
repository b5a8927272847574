// A method is a thing, not a word: what it brings to the life of a release, which is the same for all.
//
// Each method has one table of functions and data, in its own folder; api/methods.cpp lists them. Nobody asks which
// method a policy is of: he calls what its table holds. A function that is nullptr is not needed by the method, where
// its line says so.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>

#include "audit/published_history.h"
#include "catalog/ledger_schema.h"
#include "catalog/release.h"
#include "release/check.h"
#include "release/demands.h"
#include "release/measures.h"
#include "release/minimality.h"
#include "release/release_cells.h"

namespace anon_seq::release {

struct PublishRun;

// A version in the making, from what was read to what it shows. Made by Method::draft, which reads the source.
class Draft {
 public:
  virtual ~Draft() = default;
  // What was read; its fingerprint says whether there is anything new.
  virtual SourceTable const& content() const = 0;
  // The algorithm. Throws if the policy cannot be met; gives NOTICEs unless the run is silent.
  virtual void solve() = 0;
  // All of the following REQUIRE solve().
  virtual ReleaseCells const& cells() = 0;
  virtual CellCounts counts() { return cells(); }
  // What its digest is, where that is known without all cells; nullopt: it is worked out from them.
  virtual std::optional<std::string> digest() { return std::nullopt; }
  virtual std::string measures() = 0;                         // json: metric -> value
  virtual std::vector<ColumnDetail> columns() { return {}; }  // that are generalized; the note has them, too
  virtual std::vector<Release> const* heeded() const { return nullptr; }
  // Checks of what it changed, once it is written, where the rest is as it was in a version that was audited; nullopt:
  // all of it is to be audited.
  virtual std::optional<Checks> audit(Release const&) const { return std::nullopt; }
  virtual void complete(Release&) const {}          // numbers that cells do not tell: waiting, deferred, ...
  virtual void write() = 0;                         // into the ledger, but for the note
  virtual void note(std::string const& print) = 0;  // writes the row of the version into _note
};

// What is audited: a policy as it is now, and all releases of its population.
struct AuditRun {
  SpiSession& session;
  Policy const& policy;
  std::vector<Release> const& population;
  std::vector<Release> const* heeded = nullptr;  // of a version just made: what it was measured against
  bool everything = true;                        // all versions; else the newest
  // A full audit looks at everybody, at every sum of the ledger and at all that versions add up to. Else what changed
  // after version `since` is enough, which binds, and was found good; what stayed as it was, was looked at then.
  bool full = false;
  std::int32_t since = 0;  // before the newest; 0: none is known
};

// SELECTs of object, c1, c2, ..., region for objects whose true values are known, and for the others, of whom only the
// region is; and of region, parent for all regions, in their order, from 0.
struct PlaceQueries {
  std::string known, vague, regions;
};

// What describe_policy() adds, as json.
struct Description {
  std::string common = "{}", rules = "[]", unnamed = "[]";
};

// Who is asked for: his key as SQL over parameter $1, which is `key`.
struct ForgetRequest {
  SpiSession& session;
  Release const& release;  // one of the ledger's
  std::string person, key;
};

struct Method {
  char const* name;
  std::span<std::string_view const> parameters;  // keys of alter_policy and preview, beyond the common ones
  std::span<char const* const> phases;           // of a publish, in order, up to the algorithm
  // The type of a column that shows labels of a taxonomy; nullptr: quasi columns show what they are, in their own type.
  char const* (*labels)(Policy const&);

  std::unique_ptr<Demands> (*demands)(Policy const&);
  LedgerSchema (*ledger)(Policy const&, std::string const& person_type);
  std::vector<RelationShape> (*relations)(Policy const&);
  // Columns of the policy that its source does not have; nullptr: none.
  std::vector<PublishedColumn> (*own_columns)(Policy const&);
  // Columns of the source that are read beside those that are published and the person's.
  std::vector<std::string> (*read_beside)(Policy const&);
  // Locks other relations of users that a publish reads, before its snapshot; nullptr: there are none.
  void (*lock_beside)(SpiSession&, Policy const&);

  // When a policy is declared or changed: beyond the common checks; then what its declarer should know.
  void (*check)(SpiSession&, Policy const&);
  void (*advise)(SpiSession&, Policy const&);
  bool advise_again;  // after each change, too
  Description (*describe)(SpiSession&, Policy const&);
  // Throws kParameter for a change after the first release that takes back a promise, or cannot be followed.
  void (*require_followable)(SpiSession&, Policy const& before, Policy const& after);

  std::unique_ptr<Draft> (*draft)(PublishRun const&);
  // Makes a relation; nullptr: a materialized view of the ledger's cells. Returns its name.
  std::string (*create_relation)(SpiSession&, Policy const&, RelationShape const&);
  // Once a version is audited, before the catalog knows it: throws what stops it; and afterwards. nullptr: nothing.
  void (*attack)(PublishRun const&, Release const&);
  void (*finish)(PublishRun const&);

  // Checks of one version; `then` is the policy as it was. And of all versions together.
  void (*audit_version)(AuditRun const&, Policy const& then, Release const&, Checks&);
  void (*audit_all)(AuditRun const&, Checks&);

  // SELECTs of what cut() and trace() show.
  std::string (*cut)(Release const&);
  std::string (*trace)(Release const&);
  // SELECT of who is in a version: object, c1, c2, ... And of where they truly are, for versions of one policy;
  // nullptr: the ledger does not know, else `objects` has a column region too.
  std::string (*objects)(SpiSession&, Release const&);
  PlaceQueries (*places)(std::vector<Release> const& versions);
  // The versions that showed a person, whose key is taken out of the ledger next; blanks whatever else it has of him.
  std::set<std::int32_t> (*forget)(ForgetRequest const&);
  // What a reader who knows the code learns from a version that is out; nullptr: not measured.
  MinimalityFinding (*minimality)(SpiSession&, Release const& version, std::int64_t runs);
  // Whether a version, as it was demanded, was measured against an earlier release; nullptr: never.
  bool (*rests_on)(Release const& version, Release const& earlier);
  // Attributes of which a version of the policy promises a reader of the code something only as long as no other
  // release shows them; nullptr: none.
  std::vector<std::string> (*shown_once)(Policy const&);
  // Columns that shape a version and are not shown by it: what it tells of them counts as shown. nullptr: none.
  std::vector<std::string> (*shaped_by)(Policy const&);
  // What may help where everybody shows the same value, if not what common advice says: a clause; "": it does, nullptr.
  std::string (*advice)(Policy const&);
  // Whether later versions build on what a version shows, so that it cannot be withdrawn before them.
  bool refines;
  // Whether what is promised holds for all versions together, so that one that the ledger does not know breaks it.
  bool spans_versions;
};

// Throws kUnsupported for a method that this library does not know.
Method const& method_of(Policy const& policy);
Method const& method_of(Release const& release);  // REQUIRES: not registered
Method const& method_called(std::string const& name);

}  // namespace anon_seq::release
