#include "release/digest.h"

#include <map>

#include "pg/array_text.h"

extern "C" {
#include "common/cryptohash.h"
#include "common/sha2.h"
}

namespace anon_seq::release {
namespace {

void append_copy_text(std::string& line, std::string_view text) {
  for (char c : text) switch (c) {
      case '\\': line += "\\\\"; break;
      case '\b': line += "\\b"; break;
      case '\f': line += "\\f"; break;
      case '\n': line += "\\n"; break;
      case '\r': line += "\\r"; break;
      case '\t': line += "\\t"; break;
      case '\v': line += "\\v"; break;
      default: line += c;
    }
}

class Sha256 {
 public:
  Sha256() {
    call_pg([this]() noexcept {
      context_ = pg_cryptohash_create(PG_SHA256);
      if (context_ == nullptr || pg_cryptohash_init(context_) < 0) elog(ERROR, "could not start sha256");
    });
  }
  ~Sha256() { pg_cryptohash_free(context_); }
  Sha256(Sha256 const&) = delete;
  Sha256& operator=(Sha256 const&) = delete;

  void add(std::string const& bytes) {
    call_pg([&]() noexcept {
      if (pg_cryptohash_update(context_, reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size()) < 0)
        elog(ERROR, "could not go on with sha256");
    });
  }
  std::string digits() {
    std::uint8_t sum[PG_SHA256_DIGEST_LENGTH];
    call_pg([&]() noexcept {
      if (pg_cryptohash_final(context_, sum, sizeof sum) < 0) elog(ERROR, "could not finish sha256");
    });
    constexpr char kHex[] = "0123456789abcdef";
    std::string text;
    for (auto byte : sum) text += {kHex[byte >> 4], kHex[byte & 15]};
    return text;
  }

 private:
  pg_cryptohash_ctx* context_ = nullptr;
  Live live_;
};

// The distinct values of a column as the output function of its type prints them: t, and 1.50 of numeric(10,2).
std::vector<std::string> as_printed(SpiSession& session, Dictionary const& texts, std::string const& type) {
  std::vector<std::string> copies;
  for (Code code = 0; code < texts.size(); ++code) copies.emplace_back(texts[code]);
  bool const as_is = type.starts_with("text") || (type.ends_with("range") && type != "daterange") ||
                     type.ends_with("int") || type == "integer" || type == "date";
  if (as_is || copies.size() < 2) return copies;
  std::vector<std::string_view> const known(copies.begin() + 1, copies.end());
  auto const rows = session.execute(
      "SELECT pg_catalog.concat(u.t::" + type + ") FROM pg_catalog.unnest($1) WITH ORDINALITY AS u (t, i) ORDER BY u.i",
      {SqlValue::datum(TEXTARRAYOID, text_array(known))}, true);
  for (std::uint64_t row = 0; row < rows.count(); ++row) copies[static_cast<std::size_t>(row) + 1] = rows.get(row, 1);
  return copies;
}

using Texts = std::vector<std::vector<std::string>>;  // per column: code -> what is printed

// A row of a relation as a line.
std::string line_of(ReleaseCells const& cells, std::size_t cell, RelationShape const& relation, Texts const& texts) {
  std::string line;
  for (std::size_t const number : relation.columns) {
    Code const code = cells.values[cell * cells.width + number - 1];
    if (!line.empty() || number != relation.columns.front()) line += '\t';
    if (code == ReleaseCells::kNullText)
      line += "\\N";
    else
      append_copy_text(line, texts[number - 1][static_cast<std::size_t>(code)]);
  }
  return line;
}

// Rows in the order of the cells, each as often as it stands there.
std::string digest_of_all(ReleaseCells const& cells, RelationShape const& relation, Texts const& texts,
                          Checkpoint& checkpoint) {
  constexpr std::size_t kChunk = 1 << 16;
  Sha256 sha;
  std::string chunk;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    auto const line = line_of(cells, cell, relation, texts) + '\n';
    for (std::int64_t copy = 0; copy < cells.counts[cell]; ++copy) {
      checkpoint.tick();
      chunk += line;
      if (chunk.size() < kChunk) continue;
      sha.add(chunk);
      chunk.clear();
    }
  }
  sha.add(chunk);
  return sha.digits();
}

// Of a part of the columns: in the order of the lines, as that of the cells says which other columns go with them.
std::string digest_of_part(ReleaseCells const& cells, RelationShape const& relation, Texts const& texts,
                           Checkpoint& checkpoint) {
  std::map<std::string, std::int64_t> lines;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    checkpoint.tick();
    lines[line_of(cells, cell, relation, texts)] += cells.counts[cell];
  }
  Sha256 sha;
  for (auto const& [line, count] : lines)
    for (std::int64_t copy = relation.counted ? 1 : count; copy > 0; --copy) {
      checkpoint.tick();
      sha.add(line + (relation.counted ? "\t" + std::to_string(count) : "") + '\n');
    }
  return sha.digits();
}

}  // namespace

std::string digest_of(SpiSession& session, Policy const& policy, std::vector<RelationShape> const& relations,
                      ReleaseCells const& cells, Checkpoint& checkpoint) {
  Texts texts;
  for (std::size_t i = 0; i < cells.width; ++i)
    texts.push_back(as_printed(session, cells.texts[i], policy.columns[i].type));
  std::vector<std::string> digests;
  for (auto const& relation : relations)
    digests.push_back(relation.columns.size() == cells.width && !relation.counted
                          ? digest_of_all(cells, relation, texts, checkpoint)
                          : digest_of_part(cells, relation, texts, checkpoint));
  if (digests.size() == 1) return digests.front();
  Sha256 sha;
  for (auto const& digest : digests) sha.add(digest);
  return sha.digits();
}

}  // namespace anon_seq::release
