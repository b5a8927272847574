#include "serial/lives_shown.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/sql_text.h"
#include "release/relations.h"

namespace anon_seq::serial {
namespace {

constexpr std::int32_t kNoNumber = PG_INT32_MIN;

std::string c(std::size_t number) { return "c" + std::to_string(number); }

bool has_relations(SpiSession& session, Release const& release) {
  return !release.retired && has_own_relations(session, release);
}

std::string from_ledger(Release const& release, char const* table) {
  return ledger_table(release.ledger, table) + " WHERE version = " + std::to_string(release.version);
}

// SELECT of (class_id, value as text, n) of a sensitive column.
std::string select_values(Release const& release, PublishedColumn const& column, bool from_relations) {
  auto const number = release.number_of(column);
  for (auto const& relation : release.relations)
    if (from_relations && relation.counted && relation.columns.back() == number)
      return "SELECT class_id, " + quote_name(column.column) + "::text, n FROM " + relation.name;
  return "SELECT " + c(release.columns.size()) + ", " + c(number) + "::text, count(*) FROM " +
         from_ledger(release, "row") + " GROUP BY 1, 2";
}

std::int32_t class_at(DatumCursor const& cursor, std::size_t row) {
  return cursor.is_null(row, 0) ? kNoNumber : cursor.integer(row, 0);
}

}  // namespace

Dictionary& ShownReader::texts_of(std::int32_t column) {
  auto& texts = texts_[column];
  if (texts.size() == 0) texts.add_hidden("");
  return texts;
}

Vector<ShownValue> ShownReader::values(Release const& release) {
  bool const from_relations = has_relations(session_, release);
  Vector<ShownValue> shown;
  for (auto const& column : release.columns) {
    if (column.role != Role::kSensitive) continue;
    auto const number = static_cast<std::int32_t>(release.number_of(column));
    auto& texts = texts_of(number);
    DatumCursor cursor(session_, select_values(release, column, from_relations), DatumCursor::Form::kPacked);
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row)
        shown.push_back({class_at(cursor, row), number, cursor.is_null(row, 1) ? 0 : texts.intern(cursor.text(row, 1)),
                         cursor.is_null(row, 2) ? 0 : cursor.bigint(row, 2)});
  }
  std::sort(shown.begin(), shown.end(), [&](ShownValue const& a, ShownValue const& b) {
    checkpoint_.tick();
    return a < b;
  });
  return shown;
}

Vector<ShownClass> ShownReader::classes(Release const& release) {
  auto const query = has_relations(session_, release)
                         ? "SELECT class_id FROM " + release.relations.front().name
                         : "SELECT " + c(release.columns.size()) + " AS class_id FROM " + from_ledger(release, "row");
  auto const planning = Settings::for_counting();
  DatumCursor cursor(session_, "SELECT class_id, count(*) FROM (" + query + ") AS s GROUP BY 1");
  Vector<ShownClass> classes;
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row)
      classes.push_back({class_at(cursor, row), cursor.bigint(row, 1)});
  std::ranges::sort(classes, {}, &ShownClass::class_id);
  return classes;
}

std::map<std::int32_t, std::int64_t> ShownReader::rows_with(Release const& release,
                                                            std::map<std::int32_t, std::vector<char>> const& listed) {
  std::string columns;
  for (auto const& [number, is_listed] : listed) columns += ", " + c(static_cast<std::size_t>(number)) + "::text";
  DatumCursor cursor(session_, "SELECT " + c(release.columns.size()) + columns + " FROM " + from_ledger(release, "row"),
                     DatumCursor::Form::kPacked);
  std::map<std::int32_t, std::int64_t> held;
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      bool any = false;
      std::size_t at = 1;
      for (auto const& [number, is_listed] : listed) {
        auto const code = cursor.is_null(row, at) ? kNoCode : texts_of(number).find(cursor.text(row, at));
        any |= code != kNoCode && is_listed[static_cast<std::size_t>(code)] != 0;
        ++at;
      }
      if (any) ++held[class_at(cursor, row)];
    }
  return held;
}

}  // namespace anon_seq::serial
