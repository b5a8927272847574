#include "catalog/column.h"

#include "pg/json_object.h"

namespace anon_seq::catalog {
namespace {

constexpr std::pair<Role, char const*> kRoles[] = {
    {Role::kQuasi, "quasi"}, {Role::kSensitive, "sensitive"}, {Role::kAsIs, "as_is"}, {Role::kClass, "class"}};

}  // namespace

char const* name_of(Role role) {
  for (auto const& [known, name] : kRoles)
    if (known == role) return name;
  throw Error(Fault::kInternal, "a column has no role");
}

std::optional<Role> role_named(std::string_view name) {
  for (auto const& [role, known] : kRoles)
    if (known == name) return role;
  return std::nullopt;
}

std::string columns_json(std::vector<PublishedColumn> const& columns) {
  return json_array(columns, [](PublishedColumn const& c) {
    return JsonObject()
        .text("column", c.column)
        .text("attribute", c.attribute)
        .add("taxonomy", c.taxonomy.empty() ? "null" : json_string(c.taxonomy))
        .text("role", name_of(c.role))
        .text("type", c.type)
        .json();
  });
}

std::vector<PublishedColumn> columns_from(JsonValue const& json) {
  std::vector<PublishedColumn> columns;
  for (auto const& element : json.elements()) {
    auto const& taxonomy = element.at("taxonomy");
    auto const role = role_named(element.at("role").string());
    if (!role) element.at("role").refuse("the role of a column");
    columns.push_back({element.at("column").string(), element.at("attribute").string(),
                       taxonomy.kind() == JsonValue::Kind::kNull ? "" : taxonomy.string(), *role,
                       element.at("type").string()});
  }
  return columns;
}

std::string order_of(PublishedColumn const& column, std::string const& value) {
  bool const is_text = column.type.starts_with("text") || column.type.starts_with("char") ||
                       column.type.starts_with("name") || column.type.starts_with("\"char\"");
  return value + (is_text ? "::pg_catalog.text COLLATE \"C\"" : "") + " NULLS FIRST";
}

std::string cell_order(std::vector<PublishedColumn> const& columns) { return "c.cell" + plain_order(columns); }

std::string plain_order(std::vector<PublishedColumn> const& columns) {
  std::string order;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!columns[i].is_quasi()) order += ", " + order_of(columns[i], "c.c" + std::to_string(i + 1));
  return order;
}

}  // namespace anon_seq::catalog
