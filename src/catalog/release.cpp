#include "catalog/release.h"

#include "catalog/catalog_writer.h"

namespace anon_seq::catalog {
namespace {

Release release_from(JsonValue const& row) {
  Release release;
  release.id = static_cast<std::int32_t>(row.at("id").integer());
  release.name = row.at("name").string();
  release.version = static_cast<std::int32_t>(row.at("version").integer());
  release.ledger = row.at("ledger").string();
  release.method = row.at("method").string();
  release.population = row.at("population").string();
  for (auto const& relation : row.at("relations").elements())
    release.relations.push_back(quote_name(relation.at("schema").string()) + "." +
                                quote_name(relation.at("name").string()));
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
  release.columns = columns_from(row.at("columns"));
  release.digest = row.at("digest").string();
  release.retired = row.at("retired_at").kind() != JsonValue::Kind::kNull;
  release.withdrawn = row.at("withdrawn_at").kind() != JsonValue::Kind::kNull;
  return release;
}

// What others rely on; who owns the extension may have written the row himself.
void require_sound(Release const& release) {
  bool const made = release.method == "sequential" || release.method == "incremental";
  bool holds = release.version >= 0 && !release.columns.empty() && release.relations.empty() == release.retired &&
               (release.version == 0 ? release.method == "registered" : made) && is_ledger_name(release.ledger);
  for (auto const& column : release.columns) holds &= is_role(column.role);
  if (!holds) throw Error(Fault::kDamaged, "the catalog has a damaged row, of release " + quoted(release.reference()));
}

std::vector<Release> releases_from(Rows const& rows) {
  std::vector<std::string> texts;
  for (std::uint64_t row = 0; row < rows.count(); ++row) texts.push_back(rows.get(row, 1));
  std::vector<Release> releases;
  for (auto const& text : texts) {
    releases.push_back(from_catalog("a release", [&] { return release_from(parse_json(text, "release")); }));
    require_sound(releases.back());
  }
  return releases;
}

std::string relation_json(std::string const& qualified) {
  auto const [schema, name] = split_name(qualified);
  return "{\"schema\": " + json_string(schema) + ", \"name\": " + json_string(name) + "}";
}

std::string release_json(Release const& r) {
  auto number = [](char const* key, std::int64_t value) {
    return std::string(", \"") + key + "\": " + std::to_string(value);
  };
  auto text = [](char const* key, std::string const& value) {
    return std::string(", \"") + key + "\": " + json_string(value);
  };
  return "{\"version\": " + std::to_string(r.version) + text("name", r.name) + text("ledger", r.ledger) +
         text("method", r.method) + text("population", r.population) +
         ", \"relations\": " + json_array(r.relations, relation_json) + number("published", r.published) +
         number("withheld", r.withheld) + number("waiting", r.waiting) + number("deferred", r.deferred) +
         number("classes", r.classes) + (r.smallest_class ? number("smallest_class", *r.smallest_class) : "") +
         ", \"parameters\": {\"parameters\": " + r.parameters + ", \"options\": " + r.options +
         "}, \"columns\": " + columns_json(r.columns) + text("digest", r.digest) + "}";
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
    " 'options_text', (r.parameters OPERATOR(pg_catalog.->) 'options')::pg_catalog.text))::pg_catalog.text FROM anon_seq.release AS r WHERE ";

}  // namespace

PublishedColumn const* Release::find_column(std::string_view column) const {
  for (auto const& published : columns)
    if (published.column == column) return &published;
  return nullptr;
}

std::string const& Release::relation() const {
  if (!relations.empty()) return relations.front();
  throw Error(Fault::kDamaged, "release " + quoted(reference()) + " has no relation", "It was retired.");
}

std::vector<Release> releases_of(SpiSession& session, std::string const& population) {
  CatalogWriter catalog(session);
  std::string const sql = std::string(kRelease) + kCounts;
  return releases_from(catalog.execute(sql.c_str(), {population}));
}

std::vector<Release> find_releases(SpiSession& session, std::string const& reference) {
  CatalogWriter catalog(session);
  std::string const sql = std::string(kRelease) + kCalled + " AND anon_seq.owns_ledger($2, r.ledger)" + kNewestFirst;
  auto releases = releases_from(catalog.read(sql.c_str(), {reference, catalog.caller_value()}));
  if (releases.empty() && catalog.read("SELECT FROM anon_seq.release AS r WHERE r.name OPERATOR(pg_catalog.=) $1"
                                       " AND anon_seq.owns_ledger($2, r.ledger)",
                                       {reference, catalog.caller_value()})
                                  .count() > 0)
    throw Error(Fault::kNoObject, "release " + quoted(reference) + " does not exist",
                "It was registered, and withdrawn.",
                "Register it again with anon_seq.register_release(), or name it no more.");
  if (releases.empty())
    throw Error(Fault::kNoObject, "release " + quoted(reference) + " does not exist", "",
                "Write a policy's name, or policy/version; the view anon_seq.releases lists those that you may see.");
  return releases;
}

std::optional<Release> newest_called(SpiSession& session, std::string const& reference) {
  CatalogWriter catalog(session);
  std::string const sql = std::string(kRelease) + kCalled + kNewestFirst + " LIMIT 1";
  auto releases = releases_from(catalog.read(sql.c_str(), {reference}));
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
  return releases_from(catalog.execute(sql.c_str(), {release.id}));
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
