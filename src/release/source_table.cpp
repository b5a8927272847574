#include "release/source_table.h"

#include <algorithm>
#include <optional>

#include "catalog/ledger.h"
#include "pg/roles.h"
#include "release/declare.h"
#include "release/person_key.h"

namespace anon_seq::release {
namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  auto const product = static_cast<unsigned __int128>(a ^ 0x9e3779b97f4a7c15ULL) * (b ^ 0xd6e8feb86659fd93ULL);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

void count_persons(SourceTable& source, std::string const& name, Checkpoint& checkpoint) {
  auto const& column = source.table.columns[source.person];
  Vector<char> seen(static_cast<std::size_t>(column.distinct()), 0);
  for (Code code : column.codes) {
    checkpoint.tick();
    if (code == kNull) throw Error(Fault::kData, "column " + quoted(name) + " holds NULL, but names persons");
    auto& met = seen[static_cast<std::size_t>(code)];
    source.one_row_each &= met == 0;
    source.persons += met == 0;
    met = 1;
  }
}

}  // namespace

std::size_t SourceTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == name) return i;
  return kNoIndex;
}

// Two sums over the rows of hashes of their values: independent of the order of rows, and of codes. It tells
// an unchanged source from a changed one and is kept in the ledger only.
std::string fingerprint_of(CodedTable const& table, Vector<char> const& left_out, Checkpoint& checkpoint) {
  Vector<std::uint64_t> rows(table.rows(), 0);
  std::uint64_t names = 0;
  for (auto const& column : table.columns) {
    names = mix(names, hash_bytes(column.name));
    Vector<std::uint64_t> hashes;
    hashes.reserve(static_cast<std::size_t>(column.distinct()));
    for (Code code = 0; code < column.distinct(); ++code)
      hashes.push_back(code == kNull ? 1 : mix(hash_bytes(column.values[code]), 2));
    for (std::size_t row = 0; row < rows.size(); ++row) {
      checkpoint.tick();
      rows[row] = mix(rows[row], hashes[static_cast<std::size_t>(column.codes[row])]);
    }
  }
  std::uint64_t sum = 0, mixed = 0;
  std::size_t counted = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!left_out.empty() && left_out[row] != 0) continue;
    sum += rows[row];
    mixed += mix(rows[row], names);
    ++counted;
  }
  char text[64];
  auto const length = static_cast<std::size_t>(
      pg_snprintf(text, sizeof text, "%zu-%016llx%016llx%016llx", counted, static_cast<unsigned long long>(sum),
                  static_cast<unsigned long long>(mixed), static_cast<unsigned long long>(names)));
  return std::string(text, std::min(length, sizeof text - 1));
}

std::string person_type(SpiSession& session, Policy const& policy) {
  return policy.person ? person_key(session, policy).type : std::string();
}

SourceTable read_policy_source(SpiSession& session, Policy const& policy, std::vector<std::string> const& columns,
                               Checkpoint& checkpoint, std::function<void(RowReader&)> const& prepare) {
  SourceTable source;
  Oid const relation = source_of(session, policy);
  Oid const owner = reader_of(session, relation);
  PersonKey key;
  if (policy.person) key = person_key(session, policy);
  source.person_type = key.type;
  auto const query = select_with_key(session, relation, key, columns);
  {
    std::optional<ActingAs> as(owner);
    RowReader reader(session, query, "source " + qualified_name(relation), {}, policy.person ? 1 : 0);
    as.reset();
    if (prepare) prepare(reader);
    as.emplace(owner);
    source.table = reader.finish(checkpoint);
    if (key.is_composite()) source.table.columns.front().name.clear();  // a column may have any name that it could have
    source.person_value = reader.types().front();
    for (auto const& type : reader.types()) source.types.push_back(type.type);
  }
  if (source.table.rows() == 0) throw Error(Fault::kData, "source " + qualified_name(relation) + " is empty");
  source.fingerprint = fingerprint_of(source.table, {}, checkpoint);
  source.persons = static_cast<std::int64_t>(source.table.rows());
  if (policy.person) {
    source.person = 0;
    source.persons = 0;
    count_persons(source, *policy.person, checkpoint);
  }
  return source;
}

void require_not_unique(Policy const& policy, SourceTable const& source, std::vector<std::string> const& allowed) {
  constexpr std::size_t kFewRows = 50;
  for (auto const& ours : policy.columns) {
    if (ours.role == "quasi" || std::find(allowed.begin(), allowed.end(), ours.column) != allowed.end()) continue;
    auto const& column = source.table.columns[source.column(ours.column)];
    Vector<char> met(static_cast<std::size_t>(column.distinct()), 0);
    std::size_t distinct = 0;
    for (Code code : column.codes)
      distinct += code != kNull && std::exchange(met[static_cast<std::size_t>(code)], 1) == 0;
    if (column.codes.size() >= kFewRows && 2 * distinct > column.codes.size())
      throw Error(
          Fault::kData, "column " + quoted(ours.column) + " is nearly unique, and would be published as it is",
          "Most of its values occur once, so it names persons.",
          std::string(ours.role == "sensitive" ? "Offer it coarser in a view" : "Leave it out of publish_as_is") +
              ", or allow it: options => '{\"allow_unique\": [" + json_string(ours.column) + "]}'.");
  }
}

}  // namespace anon_seq::release
