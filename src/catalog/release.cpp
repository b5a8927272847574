#include "catalog/release.h"

#include <algorithm>

#include "catalog/catalog_writer.h"
#include "catalog/ledger_types.h"
#include "catalog/meant.h"
#include "pg/json_object.h"

namespace anon_seq::catalog {
namespace {

// Of one that shows all columns they are not listed.
ReleaseRelation relation_from(JsonValue const& json) {
  ReleaseRelation relation;
  relation.name = quote_name(json.at("schema").string()) + "." + quote_name(json.at("name").string());
  if (auto const* suffix = json.find("suffix")) relation.suffix = suffix->string();
  if (auto const* counted = json.find("counted")) relation.counted = counted->boolean();
  auto const is = [&](char const* form) {
    auto const* said = json.find(form);
    return said != nullptr && said->boolean();
  };
  if (is("view")) relation.form = RelationForm::kJoined;
  if (is("shared")) relation.form = RelationForm::kShared;
  if (auto const* columns = json.find("columns"))
    for (auto const& number : columns->elements())
      relation.columns.push_back(static_cast<std::size_t>(number.integer()));
  return relation;
}

Release release_from(JsonValue const& row) {
  Release release;
  release.id = static_cast<std::int32_t>(row.at("id").integer());
  release.name = row.at("name").string();
  release.version = static_cast<std::int32_t>(row.at("version").integer());
  release.ledger = row.at("ledger").string();
  release.method = row.at("method").string();
  release.population = row.at("population").string();
  release.published = row.at("published").integer();
  release.withheld = row.at("withheld").integer();
  release.waiting = row.at("waiting").integer();
  release.deferred = row.at("deferred").integer();
  release.classes = row.at("classes").integer();
  if (auto const& smallest = row.at("smallest_class"); smallest.kind() != JsonValue::Kind::kNull)
    release.smallest_class = smallest.integer();
  if (auto const& text = row.at("parameters_text"); text.kind() == JsonValue::Kind::kString) {
    release.parameters = text.string();
    release.options = row.at("options_text").string();
  }
  for (auto const& relation : row.at("relations").elements()) release.relations.push_back(relation_from(relation));
  release.columns = columns_from(row.at("columns"));
  for (auto& relation : release.relations)
    if (relation.columns.empty())
      for (std::size_t i = 1; i <= release.columns.size(); ++i) relation.columns.push_back(i);
  release.digest = row.at("digest").string();
  release.retired = row.at("retired_at").kind() != JsonValue::Kind::kNull;
  release.withdrawn = row.at("withdrawn_at").kind() != JsonValue::Kind::kNull;
  return release;
}

// What others rely on; who owns the extension may have written the row himself.
void require_sound(Release const& release, bool is_of_its_ledger) {
  bool holds = is_of_its_ledger && release.version >= 0 && !release.columns.empty() &&
               release.relations.empty() == release.retired && is_ledger_name(release.ledger) &&
               release.is_registered() == (release.method == kRegistered);
  for (auto const& relation : release.relations)
    for (std::size_t const i : relation.columns) holds &= i >= 1 && i <= release.columns.size();
  if (!holds) throw Error(Fault::kDamaged, "the catalog has a damaged row, of release " + quoted(release.reference()));
}

std::vector<Release> releases_from(SpiSession& session, Rows const& rows) {
  std::vector<std::string> texts;
  for (std::uint64_t row = 0; row < rows.count(); ++row) texts.push_back(rows.get(row, 1));
  std::vector<Release> releases;
  LedgerTypes types(session);
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto& release = releases.emplace_back(
        from_catalog("a release", [&] { return release_from(parse_json(texts[row], "release")); }));
    require_sound(release, rows.boolean(row, 2));
    release.altered = types.check(release.ledger, release.columns);
  }
  return releases;
}

std::string relation_json(ReleaseRelation const& relation, std::size_t width) {
  auto const [schema, name] = split_name(relation.name);
  JsonObject json;
  json.text("schema", schema).text("name", name);
  if (!relation.suffix.empty()) json.text("suffix", relation.suffix);
  if (relation.counted) json.boolean("counted", true);
  if (relation.is_joined()) json.boolean("view", true);
  if (relation.is_shared()) json.boolean("shared", true);
  bool all = relation.columns.size() == width;
  for (std::size_t i = 0; all && i < width; ++i) all = relation.columns[i] == i + 1;
  if (!all) json.add("columns", json_array(relation.columns, [](std::size_t i) { return std::to_string(i); }));
  return json.json();
}

std::string release_json(Release const& r) {
  auto const relation = [&](ReleaseRelation const& of) { return relation_json(of, r.columns.size()); };
  JsonObject json;
  json.number("version", std::int64_t{r.version}).text("name", r.name).text("ledger", r.ledger);
  json.text("method", r.method).text("population", r.population).add("relations", json_array(r.relations, relation));
  json.number("published", r.published).number("withheld", r.withheld).number("waiting", r.waiting);
  json.number("deferred", r.deferred).number("classes", r.classes);
  if (r.smallest_class) json.number("smallest_class", *r.smallest_class);
  json.add("parameters", JsonObject().add("parameters", r.parameters).add("options", r.options).json());
  return json.add("columns", columns_json(r.columns)).text("digest", r.digest).json();
}

constexpr char kCalled[] =
    "(r.version OPERATOR(pg_catalog.>) 0 OR r.withdrawn_at IS NULL) AND (r.name OPERATOR(pg_catalog.=) $1 OR pg_catalog.concat(r.name, '/', r.version) OPERATOR(pg_catalog.=) $1)";
// A registration that was withdrawn is there for the record alone.
constexpr char kCounts[] =
    "(r.version OPERATOR(pg_catalog.>) 0 OR r.withdrawn_at IS NULL) AND r.population OPERATOR(pg_catalog.=) $1 ORDER BY r.id";
constexpr char kNewestFirst[] = " ORDER BY r.name OPERATOR(pg_catalog.=) $1 DESC, r.version DESC";

constexpr char kRelease[] =
    "SELECT (pg_catalog.to_jsonb(r) OPERATOR(pg_catalog.||)"
    " pg_catalog.jsonb_build_object('parameters_text', (r.parameters OPERATOR(pg_catalog.->) 'parameters')::pg_catalog.text,"
    " 'options_text', (r.parameters OPERATOR(pg_catalog.->) 'options')::pg_catalog.text))::pg_catalog.text,"
    // A version is of the policy of its name, and one that this has made; all of a ledger are of one policy, also where
    // that was dropped.
    " (r.version OPERATOR(pg_catalog.=) 0 OR NOT EXISTS (SELECT FROM anon_seq.policy AS p WHERE p.name OPERATOR(pg_catalog.=) r.name"
    "   AND (pg_catalog.concat('p', p.id) OPERATOR(pg_catalog.<>) r.ledger OR p.method OPERATOR(pg_catalog.<>) r.method"
    "        OR p.version OPERATOR(pg_catalog.<) r.version)))"
    " AND r.ledger OPERATOR(pg_catalog.<>) ALL (SELECT pg_catalog.concat('p', p.id) FROM anon_seq.policy AS p WHERE p.name OPERATOR(pg_catalog.<>) r.name)"
    " AND NOT (r.ledger OPERATOR(pg_catalog.=) ANY (SELECT s.ledger FROM anon_seq.release AS s GROUP BY s.ledger"
    "   HAVING pg_catalog.min(s.name) OPERATOR(pg_catalog.<>) pg_catalog.max(s.name) OR pg_catalog.min(s.method) OPERATOR(pg_catalog.<>) pg_catalog.max(s.method)))"
    " FROM anon_seq.release AS r WHERE ";

}  // namespace

void require_unaltered(Release const& release) {
  if (release.altered.empty()) return;
  throw Error(Fault::kDamaged, "the ledger of release " + quoted(release.reference()) + " was altered",
              "Column " + release.altered + " of its cells is missing, or has another type than it was made with.");
}

bool Release::is_projected() const {
  return std::any_of(columns.begin(), columns.end(), [](auto const& column) { return column.role == Role::kClass; });
}

PublishedColumn const* Release::find_column(std::string_view column) const {
  for (auto const& published : columns)
    if (published.column == column) return &published;
  return nullptr;
}

std::string const& Release::registered_relation() const {
  if (is_registered() && !relations.empty()) return relations.front().name;
  throw Error(Fault::kInternal, "release " + quoted(reference()) + " was not registered");
}

std::string stable_name(Release const& release, ReleaseRelation const& relation) {
  auto const [schema, name] = split_name(relation.name);
  std::string const end = "_r" + std::to_string(release.version) + relation.suffix;
  if (!name.ends_with(end))
    throw Error(Fault::kDamaged, "the catalog has a damaged row, of release " + quoted(release.reference()));
  return quote_name(schema) + "." + quote_name(name.substr(0, name.size() - end.size()) + relation.suffix);
}

std::vector<Release> releases_of(SpiSession& session, std::string const& population) {
  CatalogWriter catalog(session);
  std::string const sql = std::string(kRelease) + kCounts;
  // Not by read(): whoever waited for the population sees what was released meanwhile.
  return releases_from(session, catalog.execute(sql.c_str(), {population}));
}

std::vector<Release> find_releases(SpiSession& session, std::string const& reference) {
  CatalogWriter catalog(session);
  std::string const sql = std::string(kRelease) + kCalled + " AND anon_seq.owns_ledger($2, r.ledger)" + kNewestFirst;
  auto releases = releases_from(session, catalog.read(sql.c_str(), {reference, catalog.caller_value()}));
  if (releases.empty() && catalog.read("SELECT FROM anon_seq.release AS r WHERE r.name OPERATOR(pg_catalog.=) $1"
                                       " AND anon_seq.owns_ledger($2, r.ledger)",
                                       {reference, catalog.caller_value()})
                                  .count() > 0)
    throw Error(Fault::kNoObject, "release " + quoted(reference) + " does not exist",
                "It was registered, and withdrawn.",
                "Register it again with anon_seq.register_release(), or name it no more.");
  if (releases.empty()) {
    // Of policy/version the name may be wrong, or the version.
    auto const slash = std::min(reference.find('/'), reference.size());
    auto const known = catalog.read(
        "SELECT pg_catalog.concat(r.name, $2::pg_catalog.text) FROM anon_seq.release AS r"
        " WHERE anon_seq.owns_ledger($1, r.ledger) AND ($2 OPERATOR(pg_catalog.=) '' OR r.version::pg_catalog.text OPERATOR(pg_catalog.=) pg_catalog.substr($2, 2))"
        " ORDER BY pg_catalog.concat(r.name, $2::pg_catalog.text) COLLATE pg_catalog.\"C\"",
        {catalog.caller_value(), reference.substr(slash)});
    throw Error(
        Fault::kNoObject, "release " + quoted(reference) + " does not exist", "",
        meant_among(reference, known) +
            "Write a policy's name, or policy/version; the view anon_seq.releases lists those that you may see.");
  }
  return releases;
}

std::optional<Release> newest_called(SpiSession& session, std::string const& reference) {
  CatalogWriter catalog(session);
  std::string const sql = std::string(kRelease) + kCalled + kNewestFirst + " LIMIT 1";
  auto releases = releases_from(session, catalog.read(sql.c_str(), {reference}));
  return releases.empty() ? std::nullopt : std::optional(std::move(releases.front()));
}

std::optional<Release> release_with(SpiSession& session, std::string const& relation) {
  auto const [schema, name] = split_name(relation);
  CatalogWriter catalog(session);
  std::string const sql =
      std::string(kRelease) +
      "r.version OPERATOR(pg_catalog.>) 0 AND r.relations OPERATOR(pg_catalog.@>)"
      " pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('schema', $1::pg_catalog.text, 'name', $2::pg_catalog.text))";
  auto releases = releases_from(session, catalog.read(sql.c_str(), {schema, name}));
  return releases.empty() ? std::nullopt : std::optional(std::move(releases.front()));
}

std::optional<Release> version_of(SpiSession& session, std::string const& ledger, std::int32_t version) {
  CatalogWriter catalog(session);
  std::string const sql = std::string(kRelease) +
                          "r.version OPERATOR(pg_catalog.>) 0 AND r.ledger OPERATOR(pg_catalog.=) $1"
                          " AND r.version OPERATOR(pg_catalog.=) $2";
  auto releases = releases_from(session, catalog.read(sql.c_str(), {ledger, version}));
  return releases.empty() ? std::nullopt : std::optional(std::move(releases.front()));
}

Release find_release(SpiSession& session, std::string const& reference) {
  return find_releases(session, reference).front();
}

void insert_release(SpiSession& session, Release const& release) {
  CatalogWriter catalog(session);
  auto const rows = catalog.execute(
      "INSERT INTO anon_seq.release (name, version, ledger, method, population, relations, published_at, published, withheld,"
      " waiting, deferred, classes, smallest_class, parameters, columns, digest)"
      " SELECT r.name, r.version, r.ledger, r.method, r.population, r.relations, pg_catalog.now(), r.published, r.withheld,"
      " r.waiting, r.deferred, r.classes, r.smallest_class, r.parameters, r.columns, r.digest"
      " FROM pg_catalog.jsonb_populate_record(NULL::anon_seq.release, $1::pg_catalog.jsonb) AS r"
      " ON CONFLICT (name, version) WHERE version OPERATOR(pg_catalog.>) 0 OR withdrawn_at IS NULL DO NOTHING RETURNING id",
      {release_json(release)});
  if (rows.count() == 0) throw Error(Fault::kExists, "release " + quoted(release.reference()) + " already exists");
}

std::vector<Withdrawal> withdrawals_of(SpiSession& session, std::string const& population) {
  CatalogWriter catalog(session);
  auto const rows = catalog.execute(
      "SELECT CASE WHEN r.version OPERATOR(pg_catalog.=) 0 THEN r.name ELSE pg_catalog.concat(r.name, '/', r.version) END, r.withdrawn_by, r.withdrawn_at,"
      " r.withdrawn_reason FROM anon_seq.release AS r WHERE r.population OPERATOR(pg_catalog.=) $1 AND r.withdrawn_at IS NOT NULL ORDER BY r.id",
      {population});
  std::vector<Withdrawal> all;
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    all.push_back({rows.get(row, 1), rows.get(row, 2), rows.get(row, 3), rows.get(row, 4)});
  return all;
}

std::vector<Release> releases_after(SpiSession& session, Release const& release) {
  CatalogWriter catalog(session);
  std::string const sql =
      std::string(kRelease) + "r.version OPERATOR(pg_catalog.>) 0 AND r.id OPERATOR(pg_catalog.>) $1 ORDER BY r.id";
  return releases_from(session, catalog.execute(sql.c_str(), {release.id}));
}

Release const* newest_shown(std::vector<Release> const& releases, std::string const& policy) {
  Release const* newest = nullptr;
  for (auto const& release : releases)
    if (release.name == policy && release.version > 0 && !release.withdrawn &&
        (newest == nullptr || release.version > newest->version))
      newest = &release;
  return newest;
}

void mark_withdrawn(SpiSession& session, Release const& release, std::string const& by, std::string const& reason) {
  CatalogWriter catalog(session);
  catalog.execute(
      "UPDATE anon_seq.release SET withdrawn_at = pg_catalog.now(), withdrawn_by = $2, withdrawn_reason = $3,"
      " relations = CASE WHEN version OPERATOR(pg_catalog.=) 0 THEN relations ELSE '[]' END, retired_at = CASE WHEN version OPERATOR(pg_catalog.=) 0 THEN NULL ELSE pg_catalog.now() END"
      " WHERE id OPERATOR(pg_catalog.=) $1",
      {release.id, by, reason});
}

void mark_retired(SpiSession& session, Release const& release) {
  CatalogWriter catalog(session);
  catalog.execute(
      "UPDATE anon_seq.release SET relations = '[]', retired_at = pg_catalog.now() WHERE id OPERATOR(pg_catalog.=) $1",
      {release.id});
}

}  // namespace anon_seq::catalog
