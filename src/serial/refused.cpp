#include "serial/refused.h"

#include "catalog/ledger.h"
#include "pg/report.h"

namespace anon_seq::serial {
namespace {

std::string sequence_of(PublishRun const& run) {
  return "pg_catalog.pg_get_serial_sequence(" + sql_literal(ledger_table(run.policy.ledger(), "secret")) +
         ", 'refused')::pg_catalog.regclass";
}

constexpr int kBits = 31;
constexpr std::int64_t kMask = (std::int64_t{1} << kBits) - 1;

std::int64_t bits_of(std::string const& text) { return static_cast<std::int64_t>(hash_bytes(text)) & kMask; }

// The content, and the parameters: two numbers of 31 bits in one, not 0.
std::int64_t mark_of(PublishRun const& run, std::string const& content) {
  return (bits_of(content) << kBits |
          bits_of(run.policy.parameters + run.policy.options + columns_json(run.policy.columns))) +
         1;
}

}  // namespace

void remember_refused(PublishRun const& run, std::string const& content) {
  run.session.execute("SELECT pg_catalog.setval(" + sequence_of(run) + ", $1::pg_catalog.int8)",
                      {std::to_string(mark_of(run, content))});
}

bool was_refused(PublishRun const& run, std::string const& content) {
  auto const rows = run.session.execute("SELECT pg_catalog.pg_sequence_last_value(" + sequence_of(run) + ")", {});
  if (rows.count() == 0 || !rows.text(0, 1)) return false;
  auto const last = rows.integer(0, 1) - 1, now = mark_of(run, content) - 1;
  if (last >> kBits != now >> kBits || last == now) return false;
  if (!run.silent)
    warning(
        "this content of the source was refused before, under other parameters of policy " + quoted(run.policy.name),
        "Who knows that they were tried first may learn from it what did not fit: audits have a row \"retried\".");
  return true;
}

void add_retried(AuditRun const& run, Release const& release, Checks& checks) {
  auto const rows = run.session.execute("SELECT FROM " + ledger_table(release.ledger, "note") +
                                            " WHERE version = $1 AND (detail->>'retried')::pg_catalog.bool",
                                        {release.version}, true);
  if (rows.count() == 0 || release.id == 0) return;  // one that is being published is wanted in spite of that
  checks.push_back({"retried", release.reference(), "no content that was refused under other parameters",
                    "it was refused, and published under these", false, 1, "{}"});
}

}  // namespace anon_seq::serial
