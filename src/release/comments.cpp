#include "release/comments.h"

#include "pg/line_type.h"
#include "pg/sql_text.h"
#include "release/relations.h"

namespace anon_seq::release {
namespace {

// What has to be known to read one of several relations that share the number of a class.
std::string about_projection(Policy const& policy, RelationShape const& relation) {
  std::string class_id;
  for (std::size_t const i : relation.columns)
    if (policy.columns[i - 1].role == Role::kClass) class_id = quoted(policy.columns[i - 1].column);
  if (class_id.empty()) return "";
  if (relation.is_joined())
    return " It has each row of the source with every value of its class: sum(" + relation.more +
           ") estimates how many rows have what a WHERE asks for, count(*) counts too many.";
  bool const is_table = !relation.counted && std::ranges::any_of(relation.columns, [&](std::size_t i) {
    return policy.columns[i - 1].role == Role::kSensitive;
  });
  if (is_table)
    return " Rows with the same " + class_id +
           " are a class: who is in it has one of its sensitive values, and no column tells which.";
  return (relation.counted
              ? std::string(" It has the values of each class, with how many rows of the source have them;")
              : " It has one row for each " +
                    (relation.row_for.empty() ? std::string("row of the source") : relation.row_for) + ";") +
         (" its join with the other relations on " + class_id + " is lossy: every row meets all values of its class.");
}

// What has to be known to read rows that show none of their generalized values.
std::string about_blanked(Policy const& policy) {
  if (!method_of(policy).demands(policy)->may_blank()) return "";
  std::string columns;
  for (auto const& column : policy.quasi) columns += (columns.empty() ? "" : ", ") + quoted(column);
  return " Rows with the most general value there is, a taxonomy's root or (,), in all of " + columns +
         " are of persons of whom these values are not shown, as too few others are like them.";
}

std::vector<ColumnComment> about_columns(Policy const& policy, RelationShape const& relation) {
  std::vector<ColumnComment> comments;
  bool const as_is = method_of(policy).labels(policy) == nullptr;
  for (std::size_t const i : relation.columns) {
    auto const& column = policy.columns[i - 1];
    comments.push_back({column.column, as_is && column.is_quasi() ? "as in the source" : about_column(column)});
  }
  if (relation.counted) comments.push_back({"n", "how many rows there are of this kind"});
  if (relation.is_joined())
    comments.push_back({relation.more, "the share of the class that has this value: how likely it is this row's"});
  else if (!relation.more.empty())
    comments.push_back(
        {relation.more, "a random number, the same in every version for as long as the row is the same"});
  return comments;
}

}  // namespace

void comment_on(SpiSession& session, std::string const& kind, std::string const& relation, std::string const& text,
                std::vector<ColumnComment> const& columns) {
  session.execute("COMMENT ON " + kind + " " + relation + " IS " + sql_literal(text));
  for (auto const& [column, comment] : columns)
    session.execute("COMMENT ON COLUMN " + relation + "." + quote_name(column) + " IS " + sql_literal(comment));
}

void comment_version(SpiSession& session, Policy const& policy, Release const& release,
                     std::vector<RelationShape> const& shapes, std::string const& day) {
  auto const text = "Release " + release.reference() + " of " + day + ", made by anon_seq.";
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    auto const& relation = release.relations[i];
    comment_on(session, relation.is_view() ? "VIEW" : "MATERIALIZED VIEW", relation.name,
               text + about_projection(policy, shapes[i]) + about_blanked(policy), about_columns(policy, shapes[i]));
  }
}

void comment_stable(SpiSession& session, Policy const& policy, RelationShape const& relation, std::string const& view) {
  comment_on(session, "VIEW", view,
             "The newest release of policy " + policy.name + ". SELECT * FROM anon_seq.about(" + sql_literal(view) +
                 ") says which one that is." + about_projection(policy, relation) + about_blanked(policy),
             about_columns(policy, relation));
}

// Rules name columns, and listed values are values: of those the number is told.
std::string about_demands(Release const& release) {
  std::string text;
  auto const parameters = parse_json(release.parameters, "parameters");
  for (auto const& [name, value] : parameters.members()) {
    auto const separator = text.empty() ? ": " : ", ";
    if (value.kind() == JsonValue::Kind::kNumber) text += separator + name + " = " + value.number();
    if (value.kind() == JsonValue::Kind::kArray && !value.elements().empty())
      text += separator + std::to_string(value.elements().size()) + " " + name;
  }
  return "Release " + release.reference() + " was made with method " + release.method + text + ".";
}

std::string about_column(PublishedColumn const& column) {
  if (column.role == Role::kClass)
    return "the number of the class that a row is in: the same in all relations of the release";
  if (column.is_plain()) return "as in the source";
  if (is_range_type(column.type))
    return "an interval that the value lies in: from its lower bound up to, and without, its upper bound; where a bound"
           " is missing it is open; NULL: the value is not known";
  if (column.type == "text[]")
    return "the value, or a group that it belongs to: one of those listed; NULL among them: it may not be known";
  return "the value, or a group of a taxonomy that it belongs to; NULL: the value is not known";
}

std::string about_flat(PublishedColumn const& column, std::string const& name) {
  if (!column.is_quasi() || !is_range_type(column.type))
    return column.type == "text[]" ? "the value, or a group that it belongs to: one of those listed"
                                   : about_column(column);
  if (name.ends_with("_from"))
    return "the first value of the interval that the value lies in; NULL: open, or not known";
  return name.ends_with("_to") ? "the last value of that interval; NULL: open, or not known"
                               : "the value lies below this; NULL: open, or not known";
}

}  // namespace anon_seq::release
