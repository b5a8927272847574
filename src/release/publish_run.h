// What the phases of one publish share: looked up once, under the locks and the snapshot of the publish. The owner of
// the policy acts.
#pragma once

#include "release/method.h"
#include "release/phases.h"
#include "release/source_table.h"
#include "release/watched.h"

namespace anon_seq::release {

// The last version's row of _note.
struct LastNote {
  bool there = false;
  std::string fingerprint;
  std::optional<std::int64_t> k;             // where the method notes it
  std::optional<std::string> measures;       // json
  std::int64_t unseen = 0;                   // persons who waited, and of whom nothing was shown
  std::optional<std::string> changed_since;  // the greatest value of that column then
};

struct PublishRun {
  SpiSession& session;
  Policy const& policy;  // version: the one to be made
  Method const& method;
  Checkpoint& checkpoint;
  Phases& phases;
  std::unique_ptr<Demands const> demands;  // of the method's own type
  PolicySource source;
  std::vector<Release> population;  // all releases
  LastNote last;
  Watched watched;  // changes of the source
  bool silent;      // a preview: no NOTICE
  bool force;       // also what looks like a fault of whoever fills the source

  template <class Own>
  Own const& demanded() const {
    return static_cast<Own const&>(*demands);
  }
};

// The one way to a run, and so to a draft. Throws kType for a source that is not as it was declared.
PublishRun publish_run(SpiSession& session, Policy const& policy, Checkpoint& checkpoint, Phases& phases, bool silent,
                       bool force, Declared declared = Declared::kBefore);

#ifdef ANON_SEQ_SELFTEST
// For tests: from now on in this session, the changes of the sources of policies whose names begin so are those keys, a
// SELECT of one column, `key`; empty: what is known of them.
void watch_for_tests(std::string const& policies, std::string const& keys);
#endif

}  // namespace anon_seq::release
