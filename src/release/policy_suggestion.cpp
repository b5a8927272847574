// suggest_policy(): roles are guessed from keys, types and names.
#include <algorithm>
#include <array>

#include "core/text/json_value.h"
//
#include "pg/acting_as.h"
#include "pg/array_text.h"
#include "pg/json_object.h"
#include "pg/reading.h"
#include "pg/roles.h"
#include "pg/sql_text.h"
#include "pg/subtransaction.h"
#include "pg/value_type.h"
#include "release/suggestion.h"

namespace anon_seq::release {
namespace {

constexpr std::int64_t kFewRows = 50;  // below, that all values differ says little

struct Counted {
  std::int64_t rows = 0, distinct = 0;
};

struct Suggested {
  std::vector<std::string> quasi, sensitive;
  std::vector<Counted> counted;  // of quasi
  JsonObject taxonomies, create_taxonomies, left_out, notes;
};

// The columns of the primary key, or of the first unique index that no row escapes; in the order of the key.
std::vector<std::string> key_of(SpiSession& session, Oid source) {
  auto const rows = session.execute(R"(
SELECT a.attname
FROM (
  SELECT i.indexrelid, i.indkey, i.indnkeyatts
  FROM pg_index AS i
  WHERE i.indrelid = $1 AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
    AND (SELECT bool_and(c.attnotnull) FROM pg_attribute AS c
         WHERE c.attrelid = $1 AND c.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1]))
  ORDER BY i.indisprimary DESC, i.indnkeyatts, i.indexrelid
  LIMIT 1
) AS i, generate_series(0, i.indnkeyatts - 1) AS k (place)
JOIN pg_attribute AS a ON a.attrelid = $1
WHERE a.attnum = i.indkey[k.place]
ORDER BY k.place)",
                                    {SqlValue::oid(source)}, true);
  std::vector<std::string> key;
  for (std::uint64_t row = 0; row < rows.count(); ++row) key.push_back(rows.get(row, 1));
  return key;
}

// Whether a name is one of what is mostly kept from others; it is a guess that a person edits.
bool sounds_sensitive(SpiSession& session, std::string const& name) {
  return session.is_true(
      "SELECT $1 ~* '(diagnos|disease|illness|icd|injur|symptom|drug|medic|therap|treatment|hiv|income|salary|wage|"
      "earning|debt|religio|ethnic|party|crime|convict|grade|score|result)'",
      {name});
}

// Whether a name speaks of the row, and not of the person: when it was written, and by whom.
bool sounds_like_bookkeeping(SpiSession& session, std::string const& name) {
  return session.is_true(
      "SELECT $1 ~* '^(row_?)?(created|updated|modified|inserted|changed|deleted|loaded|imported|synced|last[_ ]?(update|updated|modified|change|changed))"
      "([_ ]?(at|on|by|date|time|ts|timestamp|user))?$|^(row_?version|etag|md5|checksum)$|_(created|updated|modified|inserted|deleted)_?(at|on|by)$'",
      {name});
}

// A taxonomy of the column's name whose owner's role is one of the caller's: it is what create_..._policy() takes by
// itself.
bool has_own_taxonomy(SpiSession& session, std::string const& column) {
  return session.exists("SELECT FROM anon_seq.taxonomies AS t WHERE t.name = $1 AND anon_seq.has_role(" +
                            std::string(kCurrentRole) + ", t.owner)",
                        {column});
}

Counted count(SpiSession& session, Oid source, std::string const& column) {
  auto const rows = read_rows(session,
                              sql_text("SELECT count(s.{column}), count(DISTINCT s.{column}) FROM {source} AS s",
                                       {{"column", quote_name(column)}, {"source", qualified_name(source)}}),
                              {}, "relation " + qualified_name(source));
  return {rows.integer(0, 1), rows.integer(0, 2)};
}

bool is_key_like(Counted const& counted) { return counted.rows >= kFewRows && counted.distinct == counted.rows; }
bool is_nearly_unique(Counted const& counted) {
  return counted.rows >= kFewRows && 2 * counted.distinct > counted.rows;
}

// Few values of many rows: mostly codes, between which no range means anything.
bool is_like_codes(Counted const& counted) {
  constexpr std::int64_t kMostCodes = 55, kRowsOfEach = 10;
  return counted.distinct > 1 && counted.distinct <= kMostCodes && counted.rows >= kRowsOfEach * counted.distinct;
}

std::string taxonomy_name(std::string const& relation, std::string const& column) {
  constexpr std::size_t kLongestName = 63;
  auto const longer = relation + " " + column;
  return longer.size() <= kLongestName ? longer : column;
}

std::string about_codes(Oid source, std::string const& relation, std::string const& column, Counted const& counted) {
  auto const taxonomy = taxonomy_name(relation, column), name = quote_name(column);
  return "It has " + std::to_string(counted.distinct) +
         " values, and is published in ranges of numbers. If they are codes, ranges of them mean nothing: SELECT"
         " anon_seq.create_flat_taxonomy(" +
         sql_literal(taxonomy) + ", (SELECT array_agg(DISTINCT " + name + "::text) FROM " + qualified_name(source) +
         " WHERE " + name + " IS NOT NULL)); and taxonomies => " +
         sql_literal(JsonObject().text(column, taxonomy).json()) + " show them as labels.";
}

ValueKind kind_of_column(Oid source, std::string const& column) {
  Oid type = InvalidOid, collation = InvalidOid;
  std::int32_t typmod = -1;
  char const* const name = column.c_str();
  call_pg([&]() noexcept { get_atttypetypmodcoll(source, get_attnum(source, name), &type, &typmod, &collation); });
  require_plain_equality(type, collation, column);
  return value_type_of(type, column).kind;
}

// Puts a column where it may belong; throws what keeps it from being published.
void place(SpiSession& session, Oid source, std::string const& relation, std::string const& column, Suggested& into,
           Checkpoint& checkpoint) {
  auto const kind = kind_of_column(source, column);
  Counted counted;
  {
    ActingAs const reader(reader_of(session, source));
    counted = count(session, source, column);
  }
  if (counted.rows == 0) throw Error(Fault::kData, "it has no values");
  if (sounds_sensitive(session, column)) {
    if (is_nearly_unique(counted)) throw Error(Fault::kData, "it looks sensitive, and is nearly unique");
    into.sensitive.push_back(column);
    return;
  }
  if (sounds_like_bookkeeping(session, column))
    throw Error(Fault::kData, "its name says that it is about the row, not about the person");
  if (kind == ValueKind::kInteger && is_key_like(counted)) throw Error(Fault::kData, "every row has another value");
  bool const own = has_own_taxonomy(session, column);
  if (kind == ValueKind::kInteger && is_like_codes(counted)) {
    if (own)
      into.taxonomies.text(column, column);
    else
      into.notes.text(column, about_codes(source, relation, column, counted));
  } else if (is_continuous(kind)) {
    if (own)
      into.notes.text(column, "Your taxonomy of that name would show labels in place of ranges: taxonomies => " +
                                  sql_literal(JsonObject().text(column, column).json()) + ".");
  } else if (own) {
    into.taxonomies.text(column, column);
  } else if (kind == ValueKind::kText || kind == ValueKind::kUuid) {
    auto const suggestion = suggest(session, source, column, checkpoint);
    auto const taxonomy = taxonomy_name(relation, column);
    into.taxonomies.text(column, taxonomy);
    into.create_taxonomies.add(taxonomy, suggestion.json);
    if (!suggestion.note.empty()) into.notes.text(column, suggestion.note + ". " + suggestion.hint);
  }
  into.quasi.push_back(column);
  into.counted.push_back(counted);
}

// Whether each value of a column stands with one value of another; asked of some rows before it is asked of all.
bool decides(SpiSession& session, Oid source, std::string const& from, std::string const& to) {
  ActingAs const reader(reader_of(session, source));
  for (char const* const some : {" LIMIT 10000", ""}) {
    auto const rows = read_rows(
        session,
        sql_text(
            R"(
SELECT NOT EXISTS (
  SELECT FROM (SELECT DISTINCT r.a, r.b FROM (SELECT s.{from} AS a, s.{to} AS b FROM {source} AS s{some}) AS r) AS d
  GROUP BY d.a HAVING count(*) > 1))",
            {{"from", quote_name(from)}, {"to", quote_name(to)}, {"source", qualified_name(source)}, {"some", some}}),
        {}, "relation " + qualified_name(source));
    if (rows.get(0, 1) != "t") return false;
  }
  return true;
}

// Columns of which one decides another, as functional_dependencies() has it.
void note_linked(SpiSession& session, Oid source, std::int64_t rows, Suggested& into) {
  constexpr std::size_t kMostColumns = 20;  // pairs of them are asked about one by one
  if (rows < kFewRows || into.quasi.size() > kMostColumns) return;
  std::string text;
  for (std::size_t i = 0; i < into.quasi.size(); ++i)
    for (std::size_t j = 0; j < into.quasi.size(); ++j) {
      auto const from = into.counted[i].distinct, to = into.counted[j].distinct;
      if (i == j || to < 2 || from < to || 2 * from > rows || (i > j && from == to)) continue;
      if (!decides(session, source, into.quasi[i], into.quasi[j])) continue;
      text += (text.empty() ? "" : " ") + ("Each value of " + quoted(into.quasi[i])) + " stands with one of " +
              quoted(into.quasi[j]) + ": options => '{\"linked\": " + "[" +
              json_array(std::vector{into.quasi[i], into.quasi[j]}, json_string) + "]" +
              "}' lets them be generalized together.";
    }
  if (!text.empty()) into.notes.text("linked", text);
}

// Whether an error is a reason to leave a column out.
bool is_about_column(Error const& error) {
  return error.fault() == Fault::kData || error.fault() == Fault::kParameter || error.fault() == Fault::kType;
}

std::int64_t rows_of(SpiSession& session, Oid source) {
  ActingAs const reader(reader_of(session, source));
  return read_rows(session, "SELECT count(*) FROM " + qualified_name(source), {}, "relation " + qualified_name(source))
      .integer(0, 1);
}

std::string person_json(std::vector<std::string> const& key) {
  if (key.empty()) return "null";
  if (key.size() == 1 && !key.front().starts_with('{')) return json_string(key.front());
  std::string array = "{";
  for (auto const& column : key) append_element(array, column);
  return json_string(array + "}");
}

// A name that a policy and its release can have, in the schema that it goes into: not the source's own.
std::string free_name(SpiSession& session, std::string relation, std::string const& schema) {
  constexpr std::size_t kMost = 32;  // what a release is called adds to it
  std::replace(relation.begin(), relation.end(), '/', '_');
  if (relation.size() > kMost) {
    std::size_t end = kMost;
    while (end > 0 && (relation[end] & 0xc0) == 0x80) --end;  // no character is cut in two
    relation.resize(end);
  }
  for (int number = 1;; ++number) {
    auto const name = relation + "_release" + (number == 1 ? "" : "_" + std::to_string(number));
    if (!session.exists(R"(
SELECT FROM anon_seq.policies AS p WHERE p.name = $1
UNION ALL
SELECT FROM anon_seq.releases AS r WHERE r.policy = $1
UNION ALL
SELECT
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = $2 AND c.relname IN ($1, $1 || '_flat'))",
                        {name, schema}))
      return name;
  }
}

}  // namespace

std::string suggest_policy(SpiSession& session, Oid source, std::string const& schema, Checkpoint& checkpoint) {
  auto const relation = split_name(qualified_name(source)).second;
  reader_of(session, source);  // says what is wrong with who asks
  auto const key = key_of(session, source);
  Suggested suggested;
  for (auto const& column : column_names(session, source)) {
    if (std::find(key.begin(), key.end(), column) != key.end()) continue;
    auto const refused = try_out([&] { place(session, source, relation, column, suggested, checkpoint); });
    if (refused && !is_about_column(*refused)) throw *refused;
    if (refused) suggested.left_out.text(column, refused->what());
  }
  if (suggested.quasi.empty())
    throw Error(Fault::kParameter, "no column of " + qualified_name(source) + " can be a quasi column",
                "Those that are left describe nobody, or name their rows.");
  auto const rows = rows_of(session, source);
  constexpr std::int64_t kMany = 100, kSome = 20;
  suggested.notes.text("person", key.empty() ? "Nothing tells persons apart: with null every row is another person."
                                             : "The key of the table. If a person has several rows, name what tells "
                                               "persons apart.");
  note_linked(session, source, rows, suggested);
  auto const array = [](std::vector<std::string> const& names) { return json_array(names, json_string); };
  return JsonObject()
      .text("name", free_name(session, relation, schema))
      .text("source", qualified_name(source))
      .add("person", person_json(key))
      .add("quasi", array(suggested.quasi))
      .add("sensitive", array(suggested.sensitive))
      .add("publish_as_is", "[]")
      .number("k", rows >= kMany   ? std::int64_t{10}
                   : rows >= kSome ? std::int64_t{5}
                                   : std::int64_t{2})
      .add("taxonomies", suggested.taxonomies.json())
      .add("create_taxonomies", suggested.create_taxonomies.json())
      .add("left_out", suggested.left_out.json())
      .add("notes", suggested.notes.json())
      .json();
}

}  // namespace anon_seq::release
