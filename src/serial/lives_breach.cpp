#include "serial/lives_breach.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "lossy_join/listed.h"
#include "pg/array_text.h"
#include "pg/json_object.h"
#include "pg/sql_text.h"
#include "release/relations.h"
#include "serial/terms.h"

namespace anon_seq::serial {
namespace {

std::string c(std::size_t number) { return "c" + std::to_string(number); }

// Versions of a policy with the same lists.
struct Epoch {
  std::int32_t from, to;
  SerialPolicy demands;
};

std::vector<Epoch> epochs_until(AuditRun const& run, SerialPolicy const& demands, Release const& release) {
  std::vector<Epoch> epochs;
  auto const add = [&](std::int32_t version, SerialPolicy const& terms) {
    if (epochs.empty() || epochs.back().demands.listed != terms.listed)
      epochs.push_back({version, version, terms});
    else
      epochs.back().to = version;
  };
  for (auto const& other : run.population)
    if (other.ledger == release.ledger && other.version < release.version) add(other.version, terms_of(other));
  add(release.version, demands);
  return epochs;
}

struct Found {
  std::int64_t classes = 0;
  std::string largest = "0";  // share
};

class BoundCounter {
 public:
  BoundCounter(SpiSession& session, Release const& release)
      : session_(session),
        release_(release),
        from_relations_(!release.retired && has_own_relations(session, release)),
        version_(std::to_string(release.version)) {
    for (auto const& column : release.columns)
      if (column.role == Role::kSensitive) read_texts(column);
  }

  // Classes that were made from one version to another, with more of a listed value than 1/l; of what `known` lists
  // not.
  Found above(SerialPolicy const& demands, SerialPolicy const* known, std::int32_t from, std::int32_t to) {
    std::vector<SqlValue> values;
    std::vector<std::string> counts, together;
    for (auto const& column : columns_) {
      auto const listed = listed_texts(column, demands, known);
      if (listed.empty()) continue;
      values.push_back(SqlValue::datum(TEXTARRAYOID, text_array(listed)));
      auto const number = release_.number_of(*column.column);
      auto const parameter = " = ANY ($" + std::to_string(values.size()) + ")";
      together.push_back(c(number) + "::text" + parameter);
      counts.push_back("SELECT class_id, " + std::string(demands.each ? "value" : "NULL") +
                       " AS value, sum(n) AS n FROM (" + column.select + ") AS s WHERE value" + parameter +
                       " GROUP BY 1, 2");
    }
    if (counts.empty()) return {};
    if (!demands.each && counts.size() > 1) counts = {count_together(joined(together, " OR "))};
    auto const rows = session_.execute(sql_text(R"(
SELECT count(DISTINCT h.class_id) FILTER (WHERE h.n * {num} > s.n * {den}),
       coalesce(round(max(h.n / s.n), 6), 0)::text
FROM ({held}) AS h
JOIN ({sizes}) AS s USING (class_id)
LEFT JOIN (SELECT class_id, min(since) AS since FROM {life} GROUP BY class_id) AS l USING (class_id)
WHERE coalesce(l.since, {version}) BETWEEN {from} AND {to})",
                                                {{"num", std::to_string(demands.l.num)},
                                                 {"den", std::to_string(demands.l.den)},
                                                 {"held", joined(counts, " UNION ALL ")},
                                                 {"sizes", select_sizes()},
                                                 {"life", ledger_table(release_.ledger, "life")},
                                                 {"version", version_},
                                                 {"from", std::to_string(from)},
                                                 {"to", std::to_string(to)}}),
                                       values, true);
    return {rows.integer(0, 1), rows.get(0, 2)};
  }

  std::pair<std::int64_t, std::int64_t> classes_and_smallest() {
    auto const rows =
        session_.execute("SELECT count(*), coalesce(min(n), 0) FROM (" + select_sizes() + ") AS s", {}, true);
    return {rows.integer(0, 1), rows.integer(0, 2)};
  }

 private:
  // A sensitive column: SELECT of (class_id, value, n), and the texts of its values.
  struct Values {
    PublishedColumn const* column;
    std::string select;
    std::vector<std::string> texts;
  };

  void read_texts(PublishedColumn const& column) {
    auto const number = release_.number_of(column);
    Values values{&column,
                  "SELECT class_id, " + c(number) + "::text AS value, n FROM " +
                      ledger_table(release_.ledger, "value") + " WHERE version = " + version_ +
                      " AND attribute = " + std::to_string(number),
                  {}};
    for (auto const& relation : release_.relations)
      if (from_relations_ && relation.counted && relation.columns.back() == number)
        values.select = "SELECT class_id, " + quote_name(column.column) + "::text AS value, n FROM " + relation.name;
    auto const rows =
        session_.execute("SELECT DISTINCT value FROM (" + values.select + ") AS v WHERE value IS NOT NULL", {}, true);
    for (std::uint64_t row = 0; row < rows.count(); ++row) values.texts.push_back(rows.get(row, 1));
    columns_.push_back(std::move(values));
  }

  std::vector<char> meant(Values const& of, SerialPolicy const& demands) {
    InterruptCheckpoint checkpoint;
    TaxonomyPool pool(session_, checkpoint);
    auto const found = lossy_join::find_listed(session_, *of.column, {of.texts.begin(), of.texts.end()}, demands, pool);
    return {found.is_listed.begin(), found.is_listed.end()};
  }

  std::vector<std::string_view> listed_texts(Values const& of, SerialPolicy const& demands, SerialPolicy const* known) {
    auto const now = meant(of, demands);
    auto const before = known == nullptr ? std::vector<char>(now.size()) : meant(of, *known);
    std::vector<std::string_view> texts;
    for (std::size_t i = 0; i < now.size(); ++i)
      if (now[i] != 0 && before[i] == 0) texts.push_back(of.texts[i]);
    return texts;
  }

  std::string select_sizes() const {
    if (from_relations_)
      return "SELECT class_id, count(*) AS n FROM " + release_.relations.front().name + " GROUP BY class_id";
    return "SELECT " + c(release_.columns.size()) + " AS class_id, count(*) AS n FROM " +
           ledger_table(release_.ledger, "cell") + " WHERE version = " + version_ + " GROUP BY 1";
  }

  // A row with two of the values counts once, which only the ledger knows.
  std::string count_together(std::string const& condition) const {
    return "SELECT " + c(release_.columns.size()) + " AS class_id, NULL AS value, sum(n) AS n FROM " +
           ledger_table(release_.ledger, "cell") + " WHERE version = " + version_ + " AND (" + condition +
           ") GROUP BY 1";
  }

  SpiSession& session_;
  Release const& release_;
  bool const from_relations_;
  std::string const version_;
  std::vector<Values> columns_;
};

}  // namespace

void add_bound_checks(AuditRun const& run, SerialPolicy const& demands, Release const& release, Checks& checks) {
  auto const planning = Settings::for_counting();
  BoundCounter counter(run.session, release);
  auto const bound = "1/" + ratio_text(demands.l);
  std::int64_t broken = 0, late = 0;
  std::string largest = "0";
  for (auto const& epoch : epochs_until(run, demands, release)) {
    auto const found = counter.above(epoch.demands, nullptr, epoch.from, epoch.to);
    broken += found.classes;
    if (std::stod(found.largest) > std::stod(largest)) largest = found.largest;
    if (epoch.to < release.version) late += counter.above(demands, &epoch.demands, epoch.from, epoch.to).classes;
  }
  auto const [classes, smallest] = counter.classes_and_smallest();
  checks.push_back(
      {"breach", release.reference(), "every class has at most " + bound + " of each listed value, in every version",
       std::to_string(broken) + " of " + std::to_string(classes) + " classes have more; largest share " + largest,
       broken == 0, broken, JsonObject().number("classes", classes).add("largest", largest).json()});
  if (late > 0 && release.id != 0)
    checks.push_back({"listed_late", release.reference(), "values are listed before classes are made of them",
                      std::to_string(late) + " classes have more than " + bound + " of a value that was listed later",
                      false, late, "{}"});
  checks.push_back({"classes", release.reference(), "classes of " + std::to_string(demands.k) + " rows or more",
                    "the smallest of " + std::to_string(classes) + " has " + std::to_string(smallest),
                    smallest >= demands.k, smallest >= demands.k ? 0 : 1, "{}"});
}

}  // namespace anon_seq::serial
