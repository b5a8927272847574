// Tells apart what snapshots see, and for whom: what a call site has read holds while it is the same. Two snapshots of
// one transaction with the same numbers see the same: transactions only ever leave the set of those in progress below
// xmax, so equal counts are equal sets; curcid and the subtransaction stand for our own changes.
#pragma once

#include <cstdint>

#include "pg/guard.h"
#include "pg/pg_headers.h"

namespace anon_seq::pg {

struct SnapshotKey {
  TransactionId xmin, xmax;
  std::uint32_t in_progress;
  std::int32_t in_progress_sub;
  CommandId command;
  SubTransactionId subtransaction;
  Oid user;

  static SnapshotKey current() {
    Snapshot const s = GetActiveSnapshot();
    return {s->xmin, s->xmax, s->xcnt, s->subxcnt, s->curcid, GetCurrentSubTransactionId(), GetUserId()};
  }
  bool operator==(SnapshotKey const&) const = default;
};

}  // namespace anon_seq::pg
