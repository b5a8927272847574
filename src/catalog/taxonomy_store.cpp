#include "catalog/taxonomy_store.h"

#include "catalog/meant.h"
#include "catalog/rights.h"
#include "catalog/role_marker.h"
#include "catalog/taxonomy_readers.h"
#include "core/taxonomy/taxonomy_builder.h"
#include "pg/lock_wait.h"
#include "pg/reading.h"
#include "pg/writing.h"

namespace anon_seq::catalog {
namespace {

constexpr std::string_view kOfType = "type ";

struct Entry {
  std::int32_t id;
  std::string kind;
  bool is_owner;
};

// $1 name, $2 the caller. `owns` also holds for the extension's owner, who owns the tables' contents
// anyway and must be able to go on after a restore into a cluster where the owner's role is missing.
constexpr char kFind[] = R"(
  SELECT t.id, t.kind, a.owns
    FROM anon_seq.taxonomy AS t
   CROSS JOIN LATERAL (
     SELECT anon_seq.has_marker($2, t.owner)
         OR pg_catalog.pg_has_role($2, (SELECT e.extowner FROM pg_catalog.pg_extension AS e
                                         WHERE e.extname OPERATOR(pg_catalog.=) 'anon_seq'), 'USAGE') AS owns) AS a
   WHERE t.name OPERATOR(pg_catalog.=) $1
     AND (a.owns OR anon_seq.reads_taxonomy($2, t.id)))";

[[noreturn]] void throw_unknown(std::string const& name, std::string const& meant = {}) {
  throw Error(Fault::kNoObject, "taxonomy " + quoted(name) + " does not exist", "",
              meant + "The view anon_seq.taxonomies lists those that you may use.");
}

[[noreturn]] void throw_unknown(CatalogWriter& catalog, std::string const& name) {
  auto const known = catalog.read(
      "SELECT t.name FROM anon_seq.taxonomy AS t WHERE anon_seq.has_marker($1, t.owner)"
      " OR anon_seq.reads_taxonomy($1, t.id) ORDER BY t.name COLLATE pg_catalog.\"C\"",
      {catalog.caller_value()});
  throw_unknown(name, meant_among(name, known));
}

Entry entry_of(CatalogWriter& catalog, Rows const& rows, std::string const& name) {
  if (rows.count() == 0) throw_unknown(catalog, name);
  return {rows.int32(0, 1), rows.get(0, 2), rows.boolean(0, 3)};
}

Entry find_visible(CatalogWriter& catalog, std::string const& name) {
  return entry_of(catalog, catalog.read(kFind, {name, catalog.caller_value()}), name);
}

// Locks the entry against other changes until the end of the transaction.
Entry find_owned(SpiSession& session, CatalogWriter& catalog, std::string const& name) {
  Entry const entry = entry_of(catalog, catalog.execute(kFind, {name, catalog.caller_value()}), name);
  if (!entry.is_owner) throw Error(Fault::kPrivilege, "must be owner of taxonomy " + quoted(name));
  lock(session, Lockable::row("taxonomy", entry.id, "taxonomy " + quoted(name)));
  std::string const sql = std::string(kFind) + " FOR UPDATE OF t";
  return entry_of(catalog, catalog.execute(sql.c_str(), {name, catalog.caller_value()}), name);
}

// Taken by who begins to use a taxonomy, against who drops it.
Lockable uses_of(std::string const& name) {
  return Lockable::name("taxonomy", "uses of " + name, "taxonomy " + quoted(name));
}

std::int32_t insert_entry(SpiSession& session, std::string const& name, OpenSpec const& spec) {
  auto const owner = role_marker(session, GetUserId());
  lock(session, Lockable::name("taxonomy", name, "the name of taxonomy " + quoted(name)));
  CatalogWriter catalog(session);
  Datum array = 0;
  std::vector<char const*> texts;
  for (auto const& parameter : spec.parameters) texts.push_back(parameter.c_str());
  call_pg([&]() noexcept {
    auto* const datums = static_cast<Datum*>(palloc(texts.size() * sizeof(Datum) + 1));
    for (std::size_t i = 0; i < texts.size(); ++i) datums[i] = CStringGetTextDatum(texts[i]);
    array = PointerGetDatum(construct_array(datums, static_cast<int>(texts.size()), TEXTOID, -1, false, TYPALIGN_INT));
  });
  auto const rows = catalog.execute(
      "INSERT INTO anon_seq.taxonomy (name, owner, kind, parameters) VALUES ($1, $2, $3, $4)"
      " ON CONFLICT (name) DO NOTHING RETURNING id",
      {name, owner, spec.kind, SqlValue::datum(TEXTARRAYOID, array)});
  if (rows.count() == 0) throw Error(Fault::kExists, "taxonomy " + quoted(name) + " already exists");
  return rows.int32(0, 1);
}

Taxonomy load_tree(SpiSession& session, Entry const& entry, std::string const& name, Checkpoint& checkpoint) {
  Dictionary labels;
  Vector<Node> parents;
  auto corrupt = [&]() {
    throw Error(Fault::kDamaged, "the stored nodes of taxonomy " + quoted(name) + " are not a tree");
  };
  RowReader reader(session,
                   "SELECT n.parent, n.label FROM anon_seq.taxonomy_node AS n WHERE n.taxonomy = " +
                       std::to_string(entry.id) + " ORDER BY n.node",
                   "taxonomy " + quoted(name));
  while (reader.next_batch()) {
    auto const& parent = reader.columns()[0];
    auto const& label = reader.columns()[1];
    for (std::size_t row = 0; row < reader.rows(); ++row) {
      std::int64_t above = kNoNode;
      if (parent.codes[row] != kNull) above = integer_of(parent.values[parent.codes[row]]);
      if (above < kNoNode || above >= labels.size() + (above == kNoNode)) corrupt();
      if (labels.intern(label.values[label.codes[row]]) != static_cast<Code>(parents.size())) corrupt();
      parents.push_back(static_cast<Node>(above));
      checkpoint.tick();
    }
    reader.forget_rows();
  }
  if (parents.empty()) throw_unknown(name);  // dropped a moment ago
  return Taxonomy(labels, parents);
}

// The labels of a boolean or an enum below a root, as the type has them now.
Taxonomy labels_of_type(SpiSession& session, std::string const& name, Checkpoint& checkpoint) {
  auto const rows = session.execute(
      "SELECT l FROM (SELECT e.enumlabel::pg_catalog.text AS l, e.enumsortorder AS o FROM pg_catalog.pg_enum AS e"
      " WHERE e.enumtypid = pg_catalog.to_regtype($1) UNION ALL SELECT v.l, v.o FROM (VALUES ('false', 1), ('true', 2)) AS v (l, o)"
      " WHERE pg_catalog.to_regtype($1) = 'boolean'::pg_catalog.regtype) AS x ORDER BY o",
      {name.substr(kOfType.size())}, true);
  if (rows.count() == 0) throw_unknown(name);
  TaxonomyBuilder builder(name, [](TaxonomyBuilder::Place) { return std::string("a label of the type"); });
  builder.add_new("ANY", "", 0);
  for (std::uint64_t row = 0; row < rows.count(); ++row) builder.add_new(rows.get(row, 1), "ANY", 0);
  return builder.finish(checkpoint);
}

std::vector<std::string> load_parameters(CatalogWriter& catalog, Entry const& entry) {
  auto const rows = catalog.read(
      "SELECT p FROM anon_seq.taxonomy AS t, pg_catalog.unnest(t.parameters) WITH ORDINALITY AS u (p, i)"
      " WHERE t.id OPERATOR(pg_catalog.=) $1 ORDER BY u.i",
      {entry.id});
  std::vector<std::string> parameters;
  for (std::uint64_t row = 0; row < rows.count(); ++row) parameters.push_back(rows.get(row, 1));
  return parameters;
}

}  // namespace

void check_new_taxonomy(SpiSession& session, std::string const& name) {
  check_name("taxonomy", name);
  if (name.starts_with(kOfType))
    throw Error(Fault::kParameter, "the name of a taxonomy does not begin with " + quoted(kOfType),
                "Such names mean the labels of a boolean or an enum.");
  require_publisher(session);
}

void create_tree(SpiSession& session, std::string const& name, Taxonomy const& tree) {
  std::int32_t const id = insert_entry(session, name, {"tree", {}});
  CatalogWriter catalog(session);
  BulkWriter writer(session, "anon_seq.taxonomy_node", {"taxonomy", "node", "parent", "label"});
  for (Node n = 0; n < tree.size(); ++n) {
    writer.put(id);
    writer.put(n);
    if (n == kRoot)
      writer.put_null();
    else
      writer.put(tree.parent(n));
    writer.put(tree.label(n));
    writer.end_row();
  }
  writer.finish();
}

void create_open(SpiSession& session, std::string const& name, OpenSpec const& spec) {
  open_rule(spec);
  insert_entry(session, name, spec);
}

std::string taxonomy_of_type(Oid type) { return std::string(kOfType) + type_name(type); }

AnyTaxonomy load_taxonomy(SpiSession& session, std::string const& name, Checkpoint& checkpoint) {
  if (name.starts_with(kOfType)) return labels_of_type(session, name, checkpoint);
  CatalogWriter catalog(session);
  Entry const entry = find_visible(catalog, name);
  if (entry.kind == "tree") return load_tree(session, entry, name, checkpoint);
  return open_rule({entry.kind, load_parameters(catalog, entry)});
}

void add_to_taxonomy(SpiSession& session, std::string const& name, std::string const& parent, std::string const& value,
                     Checkpoint& checkpoint) {
  check_label(name, value);
  CatalogWriter catalog(session);
  Entry const entry = find_owned(session, catalog, name);
  if (entry.kind != "tree")
    throw Error(Fault::kParameter, "taxonomy " + quoted(name) + " is open: it has every value already");
  FreshSnapshot const snapshot;
  Taxonomy const tree = load_tree(session, entry, name, checkpoint);
  if (value.empty()) throw Error(Fault::kParameter, "a taxonomy takes no empty label");
  if (tree.find(value) != kNoNode)
    throw Error(Fault::kExists, quoted(value) + " is in taxonomy " + quoted(name) + " already");
  Node const above = tree.find(parent);
  if (above == kNoNode) throw Error(Fault::kNoObject, quoted(parent) + " is not in taxonomy " + quoted(name));
  if (tree.is_leaf(above))
    throw Error(Fault::kParameter, quoted(parent) + " is a leaf of taxonomy " + quoted(name),
                "With a value below it, it would mean more than it did in what has been released.",
                "Add the value to " + quoted(tree.label(tree.parent(above))) + " instead.");
  // A new row version, for the sake of REPEATABLE READ: whoever waits for us gets 40001 and not our number.
  catalog.execute("UPDATE anon_seq.taxonomy SET name = name WHERE id OPERATOR(pg_catalog.=) $1", {entry.id});
  catalog.execute(
      "INSERT INTO anon_seq.taxonomy_node (taxonomy, node, parent, label)"
      " SELECT $1, $2, n.node, $4 FROM anon_seq.taxonomy_node AS n"
      " WHERE n.taxonomy OPERATOR(pg_catalog.=) $1 AND n.label OPERATOR(pg_catalog.=) $3",
      {entry.id, tree.size(), parent, value});
}

namespace {

// Returns its number.
std::int32_t drop_entry(SpiSession& session, std::string const& name) {
  CatalogWriter catalog(session);
  Entry const entry = find_owned(session, catalog, name);
  lock(session, uses_of(name));
  LatestSnapshot const snapshot;
  auto const users = catalog.read(
      "SELECT pg_catalog.count(*), pg_catalog.string_agg(DISTINCT u.name, ', ' ORDER BY u.name) FILTER (WHERE anon_seq.owns_ledger($2, u.ledger)),"
      " coalesce(pg_catalog.bool_or(NOT anon_seq.owns_ledger($2, u.ledger)), false) FROM ("
      "  SELECT p.name, p.columns, pg_catalog.concat('p', p.id) AS ledger FROM anon_seq.policy AS p"
      "  UNION ALL SELECT r.name, r.columns, r.ledger FROM anon_seq.release AS r WHERE r.version OPERATOR(pg_catalog.>) 0 OR r.withdrawn_at IS NULL) AS u,"
      " pg_catalog.jsonb_array_elements(u.columns) AS c WHERE c OPERATOR(pg_catalog.->>) 'taxonomy' OPERATOR(pg_catalog.=) $1",
      {name, catalog.caller_value()});
  if (users.integer(0, 1) > 0)
    throw Error(Fault::kInUse, "taxonomy " + quoted(name) + " is in use",
                "Policies and releases use it: " + users.get(0, 2) +
                    (!users.boolean(0, 3)      ? ""
                     : users.get(0, 2).empty() ? "those of other roles"
                                               : ", and those of other roles") +
                    ".",
                "What was released keeps its meaning only with its taxonomy.");
  catalog.execute("DELETE FROM anon_seq.taxonomy_node WHERE taxonomy OPERATOR(pg_catalog.=) $1", {entry.id});
  catalog.execute("DELETE FROM anon_seq.taxonomy WHERE id OPERATOR(pg_catalog.=) $1", {entry.id});
  return entry.id;
}

}  // namespace

void hold_taxonomy(SpiSession& session, std::string const& name) {
  if (name.empty() || name.starts_with(kOfType)) return;
  lock(session, uses_of(name), RowExclusiveLock);
  LatestSnapshot const snapshot;
  CatalogWriter catalog(session);
  if (catalog.read("SELECT FROM anon_seq.taxonomy WHERE name OPERATOR(pg_catalog.=) $1", {name}).count() == 0)
    throw_unknown(name);
}

void drop_taxonomy(SpiSession& session, std::string const& name) {
  drop_taxonomy_readers(session, drop_entry(session, name));
}

void set_reader(SpiSession& session, std::string const& name, std::string const& role, bool may_read) {
  auto const owner = [&] {
    CatalogWriter catalog(session);
    auto const entry = find_owned(session, catalog, name);
    auto const rows = catalog.execute(
        "SELECT t.id, anon_seq.ledger_owner(pg_catalog.concat('o', t.owner)) FROM anon_seq.taxonomy AS t"
        " WHERE t.id OPERATOR(pg_catalog.=) $1",
        {entry.id});
    return std::pair(rows.int32(0, 1), rows.oid(0, 2));
  }();
  set_taxonomy_reader(session, owner.first, owner.second, role, may_read);
}

}  // namespace anon_seq::catalog
