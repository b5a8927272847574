#include "release/source_table.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "catalog/ledger.h"
#include "pg/roles.h"
#include "release/declare.h"
#include "release/person_key.h"
#include "release/source_shape.h"

namespace anon_seq::release {
namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  auto const product = static_cast<unsigned __int128>(a ^ 0x9e3779b97f4a7c15ULL) * (b ^ 0xd6e8feb86659fd93ULL);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

void count_persons(SourceTable& source, std::string const& name, Checkpoint& checkpoint) {
  auto const& column = source.table.columns[source.person];
  Vector<char> seen(static_cast<std::size_t>(column.distinct()), 0);
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    checkpoint.tick();
    Code const code = column.codes[row];
    if (code == kNull) throw Error(Fault::kData, "column " + quoted(name) + " holds NULL, but names persons");
    auto& met = seen[static_cast<std::size_t>(code)];
    source.one_row_each &= met == 0 && source.table.weight(row) == 1;
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
  ContentSum content{0, 0, 0, names};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!left_out.empty() && left_out[row] != 0) continue;
    auto const weight = static_cast<std::uint64_t>(table.weight(row));
    content.sum += weight * rows[row];
    content.mixed += weight * mix(rows[row], names);
    content.rows += weight;
  }
  return content.text();
}

std::string ContentSum::text() const {
  auto const number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  char text[80];
  auto const length = static_cast<std::size_t>(pg_snprintf(text, sizeof text, "%llu-%016llx%016llx%016llx",
                                                           number(rows), number(sum), number(mixed), number(names)));
  return std::string(text, std::min(length, sizeof text - 1));
}

std::optional<ContentSum> ContentSum::of(std::string const& text) {
  constexpr std::size_t kDigits = 16;
  auto const dash = text.find('-');
  if (dash == std::string::npos || text.size() < dash + 1 + 3 * kDigits) return std::nullopt;
  ContentSum content;
  bool whole = true;
  auto const take = [&](std::size_t from, std::size_t to, int base, std::uint64_t& into) {
    auto const [end, error] = std::from_chars(text.data() + from, text.data() + to, into, base);
    whole &= error == std::errc() && end == text.data() + to;
  };
  take(0, dash, 10, content.rows);
  take(dash + 1, dash + 1 + kDigits, 16, content.sum);
  take(dash + 1 + kDigits, dash + 1 + 2 * kDigits, 16, content.mixed);
  take(dash + 1 + 2 * kDigits, dash + 1 + 3 * kDigits, 16, content.names);
  return whole ? std::optional(content) : std::nullopt;
}

void ContentSum::add(CodedTable const& table, std::span<Code const> codes, std::int64_t times) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < codes.size(); ++i)
    hash = mix(hash, codes[i] == kNull ? 1 : mix(hash_bytes(table.columns[i].values[codes[i]]), 2));
  add({1, hash, mix(hash, names), names}, times);
}

void ContentSum::add(ContentSum const& other, std::int64_t times) {
  auto const factor = static_cast<std::uint64_t>(times);  // modulo 2^64, as all of it
  rows += factor * other.rows;
  sum += factor * other.sum;
  mixed += factor * other.mixed;
}

ContentSum no_content(CodedTable const& table) {
  ContentSum none;
  for (auto const& column : table.columns) none.names = mix(none.names, hash_bytes(column.name));
  return none;
}

std::string person_type(SpiSession& session, Policy const& policy) {
  return policy.person ? person_key(session, policy).type : std::string();
}

PolicySource policy_source(SpiSession& session, Policy const& policy, Declared declared) {
  PolicySource source;
  source.relation = source_of(session, policy);
  source.reader = reader_of(session, source.relation);
  if (policy.person) source.key = person_key(session, policy);
  require_same_shape(session, policy, source, declared);
  return source;
}

namespace {

bool counted_reads = false;
constexpr char kCount[] = "anon_seq rows";

// The same rows, each once, with how many there are of it.
std::string counted_rows(std::string const& query, std::size_t width) {
  std::string groups;
  for (std::size_t i = 1; i <= width; ++i) groups += (groups.empty() ? "" : ", ") + std::to_string(i);
  return "SELECT s.*, pg_catalog.count(*) AS " + quote_name(kCount) + " FROM (" + query + ") AS s GROUP BY " + groups;
}

}  // namespace

void read_sources_counted(bool counted) { counted_reads = counted; }

SourceTable read_policy_source(SpiSession& session, Policy const& policy, PolicySource const& from,
                               std::vector<std::string> const& columns, Checkpoint& checkpoint,
                               std::function<void(RowReader&)> const& prepare) {
  SourceTable source;
  auto const& key = from.key;
  source.person_type = key.type;
  auto query = select_with_key(session, from.relation, key, columns);
  if (counted_reads) query = counted_rows(query, columns_with_key(key, columns).size());
  {
    std::optional<ActingAs> as(from.reader);
    RowReader reader(session, query, "source " + qualified_name(from.relation), counted_reads ? kCount : "",
                     policy.person ? 1 : 0);
    as.reset();
    if (prepare) prepare(reader);
    as.emplace(from.reader);
    source.table = reader.finish(checkpoint);
    if (key.is_composite()) source.table.columns.front().name.clear();  // a column may have any name that it could have
    source.person_value = reader.types().front();
    for (auto const& type : reader.types()) source.types.push_back(type.type);
  }
  if (source.table.rows() == 0) throw Error(Fault::kData, "source " + qualified_name(from.relation) + " is empty");
  source.fingerprint = fingerprint_of(source.table, {}, checkpoint);
  source.persons = source.table.total_weight();
  if (policy.person) {
    source.person = 0;
    source.persons = 0;
    count_persons(source, *policy.person, checkpoint);
  }
  return source;
}

void take_out(SourceTable& source, Vector<char> const& rows, std::int64_t persons, Checkpoint& checkpoint) {
  auto const keep = [&](auto& values) {
    std::size_t kept = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      checkpoint.tick();
      if (rows[row] == 0) values[kept++] = values[row];
    }
    values.resize(kept);
  };
  for (auto& column : source.table.columns) keep(column.codes);
  if (!source.table.weights.empty()) keep(source.table.weights);
  source.persons -= persons;
}

void require_not_unique(Policy const& policy, SourceTable const& source, std::vector<std::string> const& allowed,
                        std::span<Vector<std::int64_t> const> elsewhere) {
  constexpr std::size_t kFewRows = 50;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    auto const& ours = policy.columns[i];
    if (!ours.is_plain() || std::find(allowed.begin(), allowed.end(), ours.column) != allowed.end()) continue;
    auto const& column = source.table.columns[source.column(ours.column)];
    Vector<char> met(static_cast<std::size_t>(column.distinct()), 0);
    std::size_t distinct = 0;
    for (Code code : column.codes)
      distinct += code != kNull && std::exchange(met[static_cast<std::size_t>(code)], 1) == 0;
    auto rows = static_cast<std::size_t>(source.table.total_weight());
    for (Code code = 0; !elsewhere.empty() && code < column.distinct(); ++code) {
      auto const more = elsewhere[i][static_cast<std::size_t>(code)];
      rows += static_cast<std::size_t>(more);
      distinct += more > 0 && code != kNull && met[static_cast<std::size_t>(code)] == 0;
    }
    if (rows >= kFewRows && 2 * distinct > rows)
      throw Error(
          Fault::kData, "column " + quoted(ours.column) + " is nearly unique, and would be published as it is",
          "Most of its values occur once, so it names persons.",
          std::string(ours.role == Role::kSensitive ? "Offer it coarser in a view" : "Leave it out of publish_as_is") +
              ", or allow it: options => '{\"allow_unique\": [" + json_string(ours.column) + "]}'.");
  }
}

void spell_out(SourceTable& source) {
  auto& table = source.table;
  if (table.weights.empty()) return;
  for (auto& column : table.columns) {
    Vector<Code> codes;
    codes.reserve(static_cast<std::size_t>(table.total_weight()));
    for (std::size_t row = 0; row < column.codes.size(); ++row)
      codes.insert(codes.end(), static_cast<std::size_t>(table.weights[row]), column.codes[row]);
    column.codes = std::move(codes);
  }
  table.weights.clear();
}

}  // namespace anon_seq::release
