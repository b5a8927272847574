#include "release/digest.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstring>

#include "core/table/row_groups.h"
//
#include "catalog/ledger.h"
#include "pg/array_text.h"
#include "pg/sql_text.h"
#include "release/relations.h"

extern "C" {
#include "mb/pg_wchar.h"
#include "port/pg_bswap.h"
}
#include <openssl/evp.h>

namespace anon_seq::release {
namespace {

using Sum = DigestLeaves::Leaf;

// sha256 of one text after the other. OpenSSL itself, which the server is linked with: the server's own calls look the
// algorithm up again for each text, which takes longer than a row's sum.
class Sha256 {
 public:
  Sha256() : algorithm_(EVP_MD_fetch(nullptr, "SHA256", nullptr)), context_(EVP_MD_CTX_new()) {
    if (algorithm_ == nullptr || context_ == nullptr) {
      release();
      throw Error(Fault::kInternal, "could not start sha256");
    }
  }
  ~Sha256() { release(); }
  Sha256(Sha256 const&) = delete;
  Sha256& operator=(Sha256 const&) = delete;

  Sum of(std::string_view bytes) {
    Sum sum;
    if (EVP_DigestInit_ex2(context_, algorithm_, nullptr) != 1 ||
        EVP_DigestUpdate(context_, bytes.data(), bytes.size()) != 1 ||
        EVP_DigestFinal_ex(context_, sum.data(), nullptr) != 1)
      throw Error(Fault::kInternal, "could not compute sha256");
    return sum;
  }

 private:
  void release() {
    EVP_MD_CTX_free(context_);
    EVP_MD_free(algorithm_);
  }

  EVP_MD* algorithm_;
  EVP_MD_CTX* context_;
  Live live_;
};

std::string_view bytes_of(Sum const& sum) { return {reinterpret_cast<char const*>(sum.data()), sum.size()}; }

std::string digits(Sum const& sum) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (auto byte : sum) text += {kHex[byte >> 4], kHex[byte & 15]};
  return text;
}

std::string in_utf8(std::string text) {
  if (GetDatabaseEncoding() == PG_UTF8 || GetDatabaseEncoding() == PG_SQL_ASCII) return text;
  std::string converted;
  char* made = nullptr;
  call_pg([&]() noexcept { made = pg_server_to_any(text.data(), static_cast<int>(text.size()), PG_UTF8); });
  if (made == text.data()) return text;
  converted = made;
  pfree(made);
  return converted;
}

// A value as it stands in the text of a row, as record_out writes it.
std::string in_row(std::string const& value) {
  bool const quoted =
      value.empty() || std::any_of(value.begin(), value.end(), [](char c) {
        return std::string_view("\"\\(),").find(c) != std::string_view::npos || isspace(static_cast<unsigned char>(c));
      });
  if (!quoted) return value;
  std::string text = "\"";
  for (char c : value) text += c == '"' || c == '\\' ? std::string(2, c) : std::string(1, c);
  return text + '"';
}

// The distinct values of a column as the output function of its type prints them, t, and 1.50 of numeric(10,2), as they
// stand in a row, in UTF-8; NULL is nothing.
std::vector<std::string> as_printed(SpiSession& session, Dictionary const& texts, std::string const& type) {
  std::vector<std::string> copies;
  for (Code code = 0; code < texts.size(); ++code) copies.emplace_back(texts[code]);
  bool const as_is = type.starts_with("text") || type.ends_with("int") || type == "integer" || type == "date";
  if (!as_is && copies.size() > 1) {
    std::vector<std::string_view> const known(copies.begin() + 1, copies.end());
    auto const rows =
        session.execute("SELECT concat(u.t::" + type + ") FROM unnest($1) WITH ORDINALITY AS u (t, i) ORDER BY u.i",
                        {SqlValue::datum(TEXTARRAYOID, text_array(known))}, true);
    for (std::uint64_t row = 0; row < rows.count(); ++row) copies[static_cast<std::size_t>(row) + 1] = rows.get(row, 1);
  }
  for (std::size_t code = 1; code < copies.size(); ++code) copies[code] = in_utf8(in_row(copies[code]));
  copies[ReleaseCells::kNullText].clear();
  return copies;
}

using Texts = std::vector<std::vector<std::string>>;  // per column: code -> what is printed

// But for the bracket that ends it.
void put_row(std::string& row, ReleaseCells const& cells, std::size_t cell, RelationShape const& relation,
             Texts const& texts) {
  row.clear();
  for (std::size_t const number : relation.columns) {
    row += row.empty() ? '(' : ',';
    row += texts[number - 1][static_cast<std::size_t>(cells.values[cell * cells.width + number - 1])];
  }
}

// Of a row, whose text is changed, and its count.
Sum leaf_of(Sha256& sha, std::string& row, std::int64_t count) {
  std::uint64_t const big = pg_hton64(static_cast<std::uint64_t>(count));
  row.append(reinterpret_cast<char const*>(&big), sizeof big);
  return sha.of(row);
}

void put_in_order(Vector<Sum>& leaves, Checkpoint& checkpoint) {
  auto const head = [](Sum const& sum) {
    std::uint64_t word;
    std::memcpy(&word, sum.data(), sizeof word);
    return pg_ntoh64(word);
  };
  std::sort(leaves.begin(), leaves.end(), [&](Sum const& a, Sum const& b) {
    checkpoint.tick();
    auto const x = head(a), y = head(b);
    return x != y ? x < y : a < b;
  });
}

// Cells that show the same in these columns are rows of one text: visit(one of them, how many rows).
template <class Visit>
void each_row(ReleaseCells const& cells, RelationShape const& relation, Checkpoint& checkpoint, Visit visit) {
  std::vector<Vector<std::int32_t>> codes;
  std::vector<KeyColumn> keys;
  for (std::size_t const number : relation.columns) {
    auto& of_cell = codes.emplace_back();
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      of_cell.push_back(cells.values[cell * cells.width + number - 1]);
    keys.push_back({{of_cell.data(), of_cell.size()}, cells.texts[number - 1].size()});
  }
  auto const groups = group_rows(cells.size(), keys, checkpoint);
  Vector<std::int64_t> counts(groups.count(), 0);
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    counts[static_cast<std::size_t>(groups.of_row[cell])] += cells.counts[cell];
  for (std::size_t group = 0; group < groups.count(); ++group) visit(groups.first_row[group], counts[group]);
}

// The same of a relation that shows the numbers of classes, the last column of the cells: those of a class stand
// together, so that nothing has to be kept beyond it.
template <class Visit>
void each_row_by_class(ReleaseCells const& cells, RelationShape const& relation, Checkpoint& checkpoint, Visit visit) {
  auto const code = [&](std::size_t cell, std::size_t number) { return cells.values[cell * cells.width + number - 1]; };
  auto const order = [&](std::size_t a, std::size_t b) {
    for (std::size_t const number : relation.columns)
      if (code(a, number) != code(b, number)) return code(a, number) <=> code(b, number);
    return std::strong_ordering::equal;
  };
  std::vector<std::size_t> of_class;
  for (std::size_t begin = 0, end; begin < cells.size(); begin = end) {
    of_class.clear();
    for (end = begin; end < cells.size() && code(end, cells.width) == code(begin, cells.width); ++end)
      of_class.push_back(end);
    auto const before = [&](std::size_t a, std::size_t b) {
      checkpoint.tick();
      return order(a, b) < 0;
    };
    if (!std::is_sorted(of_class.begin(), of_class.end(), before)) std::sort(of_class.begin(), of_class.end(), before);
    for (std::size_t i = 0; i < of_class.size();) {
      std::size_t const first = of_class[i];
      std::int64_t count = 0;
      for (; i < of_class.size() && order(of_class[i], first) == 0; ++i) count += cells.counts[of_class[i]];
      visit(first, count);
    }
  }
}

std::string digest_of_cells(ReleaseCells const& cells, RelationShape const& relation, Texts const& texts, bool by_class,
                            Checkpoint& checkpoint) {
  DigestLeaves leaves;
  Sha256 sha;
  std::string row;
  auto const visit = [&](std::size_t cell, std::int64_t count) {
    checkpoint.tick();
    put_row(row, cells, cell, relation, texts);
    if (relation.counted) row += "," + std::to_string(count);
    row += ')';
    leaves.add(leaf_of(sha, row, relation.counted ? 1 : count));
  };
  if (by_class)
    each_row_by_class(cells, relation, checkpoint, visit);
  else
    each_row(cells, relation, checkpoint, visit);
  return leaves.digest(checkpoint);
}

// What a reader asks, see doc/reference.md. `lines`: SELECT of lines and how many rows there are of each.
std::string digest_of_lines(SpiSession& session, std::string const& lines) {
  auto const sql =
      sql_text(R"(
WITH line (line, n) AS ({lines}),
     leaf AS (SELECT sha256(convert_to(line, '{encoding}') || int8send(n)) AS leaf FROM line),
     bucket AS (SELECT substr(leaf, 1, 1) AS byte, sha256(string_agg(leaf, '' ORDER BY leaf)) AS sum FROM leaf GROUP BY 1)
SELECT encode(sha256(coalesce(string_agg(byte || sum, '' ORDER BY byte), '')), 'hex') FROM bucket)",
               {{"lines", lines}, {"encoding", GetDatabaseEncoding() == PG_SQL_ASCII ? "SQL_ASCII" : "UTF8"}});
  return session.execute(sql, {}).get(0, 1);
}

std::string digest_of_relation(SpiSession& session, std::string const& relation) {
  return digest_of_lines(session,
                         "SELECT ROW(r.*)::text COLLATE \"C\", count(*) FROM " + relation + " AS r GROUP BY 1");
}

Texts texts_of(SpiSession& session, Policy const& policy, ReleaseCells const& cells) {
  Texts texts;
  for (std::size_t i = 0; i < cells.width; ++i)
    texts.push_back(as_printed(session, cells.texts[i], policy.columns[i].type));
  return texts;
}

}  // namespace

void DigestLeaves::add(Leaf const& leaf) {
  make_room(leaves_[leaf[0]], 1);
  leaves_[leaf[0]].push_back(leaf);
}

std::string DigestLeaves::digest(Checkpoint& checkpoint) {
  Sha256 sha;
  std::string buckets, bucket;
  for (std::size_t byte = 0; byte < leaves_.size(); ++byte) {
    auto& leaves = leaves_[byte];
    if (leaves.empty()) continue;
    put_in_order(leaves, checkpoint);
    bucket.clear();
    for (auto const& leaf : leaves) bucket += bytes_of(leaf);
    give_back(leaves);
    (buckets += static_cast<char>(byte)) += bytes_of(sha.of(bucket));
  }
  return digits(sha.of(buckets));
}

void each_leaf(SpiSession& session, Policy const& policy, ReleaseCells const& cells, RelationShape const& relation,
               Checkpoint& checkpoint, std::function<void(std::size_t, DigestLeaves::Leaf const&)> const& visit) {
  auto const texts = texts_of(session, policy, cells);
  Sha256 sha;
  std::string row;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    checkpoint.tick();
    put_row(row, cells, cell, relation, texts);
    visit(cell, leaf_of(sha, row += ')', cells.counts[cell]));
  }
}

std::string digest_of(SpiSession& session, Policy const& policy, Release const& release,
                      std::vector<RelationShape> const& relations, ReleaseCells const& cells, Checkpoint& checkpoint) {
  auto const texts = texts_of(session, policy, cells);
  std::vector<std::string> digests;
  for (std::size_t i = 0; i < relations.size(); ++i) {
    if (relations[i].is_joined()) continue;
    auto const& shown = relations[i].columns;
    bool const by_class =
        policy.columns.back().role == Role::kClass && std::find(shown.begin(), shown.end(), cells.width) != shown.end();
    digests.push_back(relations[i].more.empty() ? digest_of_cells(cells, relations[i], texts, by_class, checkpoint)
                                                : digest_of_relation(session, release.relations[i].name));
  }
  return digests.size() == 1 ? digests.front() : digits(Sha256().of(joined(digests, "")));
}

std::string digest_as_shown(SpiSession& session, Release const& release) {
  std::vector<std::string> digests;
  for (auto const& relation : release.relations)
    if (!relation.is_joined()) digests.push_back(digest_of_relation(session, relation.name));
  return digests.size() == 1 ? digests.front() : digits(Sha256().of(joined(digests, "")));
}

std::string digest_of_shown(SpiSession& session, Release const& release) {
  std::string shown;
  for (std::size_t const i : release.relations.front().columns)
    shown += (shown.empty() ? "r.c" : ", r.c") + std::to_string(i);
  return digest_of_lines(session, "SELECT ROW(" + shown + ")::text COLLATE \"C\", sum(r.n)::bigint FROM " +
                                      shown_cells(release.ledger, release.version) + " AS r GROUP BY 1");
}

}  // namespace anon_seq::release
