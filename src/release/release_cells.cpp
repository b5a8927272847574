#include "release/release_cells.h"

#include <algorithm>

#include "core/table/row_groups.h"
//
#include "catalog/ledger.h"
#include "release/key_arrays.h"

extern "C" {
#include "common/cryptohash.h"
#include "common/sha2.h"
}

namespace anon_seq::release {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Numbers the cells: rows with one class and equal values in the plain columns.
RowGroups group_cells(SourceTable const& source, std::vector<std::size_t> const& plain, Classes const& classes,
                      Vector<std::int32_t>& class_of, Checkpoint& checkpoint) {
  class_of.resize(classes.rows());
  for (std::size_t row = 0; row < classes.rows(); ++row) class_of[row] = classes.class_of(row) + 1;  // 0: withheld
  std::vector<KeyColumn> keys{{{class_of.data(), class_of.size()}, classes.count() + 1}};
  for (std::size_t column : plain) {
    auto const& codes = source.table.columns[column].codes;
    keys.push_back({{codes.data(), codes.size()}, source.table.columns[column].distinct()});
  }
  return group_rows(classes.rows(), keys, checkpoint);
}

// Groups in ascending order of class and values; withheld rows are not among them.
Vector<std::int32_t> in_order(SourceTable const& source, std::vector<std::size_t> const& plain, RowGroups const& groups,
                              Vector<std::int32_t> const& class_of, Checkpoint& checkpoint) {
  Vector<std::int32_t> order;
  for (std::size_t group = 0; group < groups.count(); ++group)
    if (class_of[groups.first_row[group]] > 0) order.push_back(static_cast<std::int32_t>(group));
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    checkpoint.tick();
    std::size_t const i = groups.first_row[at(a)], j = groups.first_row[at(b)];
    if (class_of[i] != class_of[j]) return class_of[i] < class_of[j];
    for (std::size_t column : plain) {
      auto const& codes = source.table.columns[column].codes;
      if (codes[i] != codes[j]) return codes[i] < codes[j];
    }
    return false;
  });
  return order;
}

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

void write_persons(SpiSession& session, Policy const& policy, SourceTable const& source, ReleaseCells const& cells,
                   Checkpoint& checkpoint) {
  constexpr std::size_t kPersonsPerRow = 10000;
  auto const& person = source.table.columns[source.person];
  Vector<std::uint32_t> starts(cells.size() + 1, 0);
  Vector<Code> persons(at(cells.published));  // cell by cell
  for (auto cell : cells.cell_of)
    if (cell >= 0) ++starts[at(cell) + 1];
  for (std::size_t cell = 0; cell < cells.size(); ++cell) starts[cell + 1] += starts[cell];
  Vector<std::uint32_t> next(starts);
  for (std::size_t row = 0; row < cells.cell_of.size(); ++row)
    if (cells.cell_of[row] >= 0) persons[next[at(cells.cell_of[row])]++] = person.codes[row];
  KeyArrays keys(source, checkpoint);
  BulkWriter writer(session, ledger_table(policy.ledger(), "person"), {"version", "cell", "persons"});
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (std::size_t i = starts[cell]; i < starts[cell + 1];) {
      std::size_t const end = std::min<std::size_t>(starts[cell + 1], i + kPersonsPerRow);
      writer.put(std::int64_t{policy.version});
      writer.put(static_cast<std::int64_t>(cell) + 1);
      keys.put(writer, persons, i, end);
      writer.end_row();
      i = end;
    }
  writer.finish();
}

// The distinct values of a column as the output function of its type prints them: t, and 1.50 of numeric(10,2).
std::vector<std::string> printed(SpiSession& session, Dictionary const& texts, std::string const& type) {
  std::vector<std::string> copies;
  for (Code code = 0; code < texts.size(); ++code) copies.emplace_back(texts[code]);
  bool const as_is = type.starts_with("text") || (type.ends_with("range") && type != "daterange") ||
                     type.ends_with("int") || type == "integer" || type == "date";
  if (as_is || copies.size() < 2) return copies;
  Datum array{};
  call_pg([&]() noexcept {
    auto* const datums = static_cast<Datum*>(palloc_extended(copies.size() * sizeof(Datum), MCXT_ALLOC_HUGE));
    for (std::size_t i = 1; i < copies.size(); ++i)
      datums[i - 1] = PointerGetDatum(cstring_to_text_with_len(copies[i].data(), static_cast<int>(copies[i].size())));
    array =
        PointerGetDatum(construct_array(datums, static_cast<int>(copies.size()) - 1, TEXTOID, -1, false, TYPALIGN_INT));
  });
  auto const rows = session.execute(
      "SELECT pg_catalog.concat(u.t::" + type + ") FROM pg_catalog.unnest($1) WITH ORDINALITY AS u (t, i) ORDER BY u.i",
      {SqlValue::datum(TEXTARRAYOID, array)}, true);
  for (std::uint64_t row = 0; row < rows.count(); ++row) copies[static_cast<std::size_t>(row) + 1] = rows.get(row, 1);
  return copies;
}

// Distinct persons of each class, where a person may have many rows.
Vector<std::int64_t> persons_by_class(SourceTable const& source, Classes const& classes, Checkpoint& checkpoint) {
  auto const& persons = source.table.columns[source.person].codes;
  Vector<std::uint64_t> pairs;
  for (std::size_t row = 0; row < classes.rows(); ++row)
    if (classes.class_of(row) != kWithheld)
      pairs.push_back(static_cast<std::uint64_t>(classes.class_of(row)) << 32 |
                      static_cast<std::uint32_t>(persons[row]));
  std::sort(pairs.begin(), pairs.end(), [&](auto a, auto b) {
    checkpoint.tick();
    return a < b;
  });
  Vector<std::int64_t> sizes(at(classes.count()), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (i == 0 || pairs[i] != pairs[i - 1]) ++sizes[pairs[i] >> 32];
  return sizes;
}

}  // namespace

ReleaseCells make_cells(SourceTable const& source, Policy const& policy, Classes const& classes, ShownText const& shown,
                        Checkpoint& checkpoint) {
  std::vector<std::size_t> plain;  // columns of the source that are published as they are
  for (auto const& column : policy.columns)
    if (column.role != "quasi") plain.push_back(source.column(column.column));
  Vector<std::int32_t> class_of;
  auto const groups = group_cells(source, plain, classes, class_of, checkpoint);
  auto const order = in_order(source, plain, groups, class_of, checkpoint);

  ReleaseCells cells;
  cells.width = policy.columns.size();
  std::size_t const quasi = policy.quasi.size();
  cells.texts.resize(cells.width);
  for (auto& texts : cells.texts) texts.add_hidden("");
  Vector<std::int32_t> number(groups.count(), -1);
  for (std::size_t cell = 0; cell < order.size(); ++cell) {
    checkpoint.tick();
    std::size_t const row = groups.first_row[at(order[cell])];
    number[at(order[cell])] = static_cast<std::int32_t>(cell);
    for (std::size_t column = 0; column < quasi; ++column) {
      auto const& text = shown(at(class_of[row] - 1), column);
      cells.values.push_back(text ? cells.texts[column].intern(*text) : ReleaseCells::kNullText);
    }
    for (std::size_t i = 0; i < plain.size(); ++i) {
      auto const& from = source.table.columns[plain[i]];
      Code const code = from.codes[row];
      cells.values.push_back(code == kNull ? ReleaseCells::kNullText
                                           : cells.texts[quasi + i].intern(from.values[code]));
    }
  }
  cells.counts.assign(order.size(), 0);
  cells.cell_of.resize(classes.rows());
  for (std::size_t row = 0; row < classes.rows(); ++row) {
    auto const cell = cells.cell_of[row] = number[at(groups.of_row[row])];
    if (cell >= 0) ++cells.counts[at(cell)];
    ++(cell >= 0 ? cells.published : cells.withheld);
  }
  cells.classes = classes.count();
  auto const sizes = source.one_row_each ? classes.sizes() : persons_by_class(source, classes, checkpoint);
  cells.smallest_class = sizes.empty() ? 0 : *std::min_element(sizes.begin(), sizes.end());
  return cells;
}

std::string digest_of(SpiSession& session, Policy const& policy, ReleaseCells const& cells, Checkpoint& checkpoint) {
  constexpr std::size_t kChunk = 1 << 16;
  std::vector<std::vector<std::string>> texts;
  for (std::size_t i = 0; i < cells.width; ++i)
    texts.push_back(printed(session, cells.texts[i], policy.columns[i].type));
  Sha256 sha;
  std::string line, chunk;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    line.clear();
    for (std::size_t column = 0; column < cells.width; ++column) {
      Code const code = cells.values[cell * cells.width + column];
      if (column > 0) line += '\t';
      if (code == ReleaseCells::kNullText)
        line += "\\N";
      else
        append_copy_text(line, texts[column][static_cast<std::size_t>(code)]);
    }
    line += '\n';
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

void write_cells(SpiSession& session, Policy const& policy, SourceTable const& source, ReleaseCells const& cells,
                 Checkpoint& checkpoint) {
  std::vector<std::string> columns{"version", "cell", "n"};
  for (std::size_t i = 0; i < cells.width; ++i) columns.push_back("c" + std::to_string(i + 1));
  BulkWriter writer(session, ledger_table(policy.ledger(), "cell"), columns);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    writer.put(std::int64_t{policy.version});
    writer.put(static_cast<std::int64_t>(cell) + 1);
    writer.put(cells.counts[cell]);
    for (std::size_t column = 0; column < cells.width; ++column) {
      Code const code = cells.values[cell * cells.width + column];
      if (code == ReleaseCells::kNullText)
        writer.put_null();
      else
        writer.put(cells.texts[column][code]);
    }
    writer.end_row();
  }
  writer.finish();
  if (source.person != SourceTable::kNoIndex) write_persons(session, policy, source, cells, checkpoint);
}

}  // namespace anon_seq::release
