// What is kept of a policy's audits for the next one: which versions were found good, when a full audit is due, and as
// what everything stood that the last good one looked at.
//
// The rows are written by the library alone: the owner of the extension may insert results (anon_seq.audit_result, for
// a restore), and nothing here rests on them. They are not dumped, and hold in the place where they were written: after
// a restore nothing is known, and the next audit is full.
#pragma once

#include "pg/spi.h"

namespace anon_seq::catalog {

struct AuditRecord {
  bool there = false;                  // else nothing is known here
  std::string state = "{}";            // json: as everything stood when the last good audit began
  std::string checks = "[]";           // json: what that one found
  std::string at;                      // when that was kept
  bool good = false;                   // the last audit was that one; else it found something
  std::vector<std::int32_t> versions;  // that were found good, ascending
  std::int32_t runs = 0;               // audits since the last full one that was good
  std::int32_t wanted = 0;             // how often a full one was asked for, by what changes ledgers
  std::int32_t heeded = 0;             // of these, as of the last full one
  // Whether the next one is full, if one of so many is.
  bool full_due(std::int32_t every) const { return !there || wanted > heeded || runs + 1 >= every; }
};

AuditRecord audit_record(SpiSession& session, std::int32_t policy);

// After an audit, and after a night whose result stood. All but `wanted` is stored. False if another transaction holds
// the row, as an audit does until it ends: nothing is stored.
bool store_audit(SpiSession& session, std::int32_t policy, AuditRecord const& record);

// The next audit of each policy of a population is full.
void want_full_audits(SpiSession& session, std::string const& population);

// Of a policy that was dropped.
void delete_audit_record(SpiSession& session, std::int32_t policy);

}  // namespace anon_seq::catalog
