#include "lossy_join/read_back.h"

#include "catalog/ledger.h"
#include "core/table/row_groups.h"
#include "lossy_join/content.h"
#include "lossy_join/method.h"
#include "pg/sql_text.h"

namespace anon_seq::lossy_join {
namespace {

constexpr char kRows[] = "anon_seq rows", kVersion[] = "anon_seq version";

// The columns of the release, and which version a row is of.
CodedTable read_cells(SpiSession& session, std::span<Release const> versions, std::int64_t most_cells, bool as_texts,
                      Checkpoint& checkpoint) {
  auto const& release = versions.back();
  std::string list;
  for (auto const& one : versions) list += (list.empty() ? "" : ", ") + std::to_string(one.version);
  std::string columns;
  for (auto const& column : release.columns)
    columns += "c" + std::to_string(release.number_of(column)) + (as_texts && column.is_quasi() ? "::text" : "") +
               " AS " + quote_name(column.column) + ", ";
  RowReader reader(session,
                   sql_text("SELECT {columns}r.version AS {version}, n AS {rows} FROM {cell} AS r"
                            " WHERE r.version IN ({versions}) AND r.cell <= {most} ORDER BY r.version, r.cell",
                            {{"columns", columns},
                             {"rows", quote_name(kRows)},
                             {"version", quote_name(kVersion)},
                             {"cell", ledger_table(release.ledger, "cell")},
                             {"versions", list},
                             {"most", std::to_string(std::min<std::int64_t>(most_cells, PG_INT32_MAX))}}),
                   "the ledger of release " + quoted(release.reference()), kRows);
  return reader.finish(checkpoint);
}

// Rows [begin, end) are all that were read of the release.
void require_counts(Release const& release, CodedTable const& table, Part part, bool all) {
  bool sound = true;
  std::int64_t rows = 0;
  for (std::size_t row = part.begin; row < part.end; ++row) {
    auto const n = table.weights[row];
    sound = sound && n > 0 && n <= release.published - rows;
    rows += sound ? n : 0;
  }
  if (sound && (!all || rows == release.published)) return;
  throw Error(Fault::kDamaged, "the ledger of release " + quoted(release.reference()) + " was altered",
              "Its cells do not count as many rows as were published.");
}

// Of one version: rows of one value in the column of classes, or of equal values in all quasi columns.
Classes classes_of(Release const& release, CodedTable const& table, Checkpoint& checkpoint) {
  std::vector<KeyColumn> keys;
  for (std::size_t i = 0; i < release.columns.size(); ++i)
    if (release.is_projected() ? release.columns[i].role == Role::kClass : release.columns[i].is_quasi())
      keys.push_back({table.columns[i].codes, table.columns[i].distinct()});
  keys.push_back({table.columns.back().codes, table.columns.back().distinct()});
  auto const groups = group_rows(table.rows(), keys, checkpoint);
  Classes classes(table.rows(), 0);
  for (std::size_t id = 0; id < groups.count(); ++id) classes.add_class();
  for (std::size_t row = 0; row < table.rows(); ++row) classes.assign(row, groups.of_row[row]);
  return classes;
}

// The class of the last row may go on in cells that were not read.
void leave_out_last(Classes& classes, Part part) {
  if (part.size() == 0) return;
  ClassId const last = classes.class_of(part.end - 1);
  for (std::size_t row = part.begin; row < part.end; ++row)
    if (classes.class_of(row) == last) classes.assign(row, kWithheld);
}

// Of each version its rows. REQUIRES: all have some, else whose they are is not said.
std::vector<Part> parts_of(CodedTable const& table, std::size_t versions) {
  auto const& version = table.columns.back();
  std::vector<Part> parts;
  for (std::size_t begin = 0, end; begin < table.rows(); begin = end) {
    for (end = begin; end < table.rows() && version.codes[end] == version.codes[begin]; ++end) continue;
    parts.push_back({begin, end});
  }
  parts.resize(versions);  // a version without rows is noticed by its count
  return parts;
}

}  // namespace

namespace {

[[noreturn]] void refuse(Release const& release, std::string const& is, std::string const& measured) {
  throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " " + is,
              "This is measured of versions that " + measured + " has published.");
}

void require_read(Release const& release, std::string const& measured) {
  if (release.is_registered()) refuse(release, "was registered, not made here", measured);
  if (release.withdrawn) refuse(release, "was withdrawn, and nobody has read it", measured);
}

}  // namespace

void require_lossy_join(Release const& release) {
  require_read(release, "a lossy join");
  if (release.method != kMethod.name) refuse(release, "is of method " + quoted(release.method), "a lossy join");
}

void require_classes(Release const& release) {
  if (release.method == kMethod.name) return require_lossy_join(release);
  require_read(release, "a lossy join, or a serial policy,");
  if (!release.is_projected())
    refuse(release, "is of method " + quoted(release.method), "a lossy join, or a serial policy,");
}

ReadBack read_back(SpiSession& session, std::span<Release const> versions, std::int64_t most_cells, bool as_texts,
                   Checkpoint& checkpoint) {
  SourceTable source;
  source.table = read_cells(session, versions, most_cells, as_texts, checkpoint);
  auto const cells = parts_of(source.table, versions.size());
  auto const is_whole = [&](std::size_t i) { return static_cast<std::int64_t>(cells[i].size()) < most_cells; };
  for (std::size_t i = 0; i < versions.size(); ++i) require_counts(versions[i], source.table, cells[i], is_whole(i));
  spell_out(source);
  auto classes = classes_of(versions.back(), source.table, checkpoint);
  auto const rows = parts_of(source.table, versions.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!is_whole(i)) leave_out_last(classes, rows[i]);
  source.table.columns.pop_back();
  return {std::move(source), std::move(classes)};
}

}  // namespace anon_seq::lossy_join
