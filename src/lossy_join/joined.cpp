#include "lossy_join/joined.h"

#include "lossy_join/policy.h"
#include "pg/sql_text.h"
#include "release/comments.h"

namespace anon_seq::lossy_join {
namespace {

struct JoinedView {
  std::string name, nss, ss;  // the first not quoted
  PublishedColumn const* sensitive;
};

std::vector<JoinedView> views_of(Policy const& policy) {
  auto const qualified = [&](std::string const& suffix) {
    return quote_name(policy.target_schema) + "." + quote_name(policy.target_name + suffix);
  };
  std::vector<JoinedView> views;
  auto const shapes = relations(policy);
  for (std::size_t i = 1; i < shapes.size(); ++i) {
    auto const& column = policy.columns[shapes[i].columns.back() - 1];
    auto const end = shapes.size() > 2 ? "_joined_" + column.column : std::string("_joined");
    views.push_back({policy.target_name + end, qualified(shapes.front().suffix), qualified(shapes[i].suffix), &column});
  }
  return views;
}

bool is_there(SpiSession& session, Policy const& policy, std::string const& name) {
  return session.exists("SELECT FROM pg_class AS c WHERE c.oid = to_regclass($1)",
                        {quote_name(policy.target_schema) + "." + quote_name(name)});
}

}  // namespace

void check_joined(SpiSession& session, Policy const& policy) {
  for (auto const& view : views_of(policy)) {
    if (view.name.size() >= NAMEDATALEN)
      throw Error(Fault::kName, "name " + quoted(policy.target_name) + " is too long for a release",
                  "Of its relations one is called " + quoted(view.name) + ".", "Give another one by publish_as.");
    if (policy.version == 0 && is_there(session, policy, view.name))
      throw Error(Fault::kExists,
                  "the name " + quoted(view.name) + " is taken in schema " + quoted(policy.target_schema), "",
                  "Name the release by publish_as.");
  }
}

void make_joined(PublishRun const& run) {
  auto const& policy = run.policy;
  auto const shapes = relations(policy);
  for (auto const& view : views_of(policy)) {
    if (is_there(run.session, policy, view.name)) continue;
    auto const name = quote_name(policy.target_schema) + "." + quote_name(view.name);
    std::vector<std::string> shown;
    std::vector<ColumnComment> comments;
    for (std::size_t const i : shapes.front().columns) {
      auto const& column = policy.columns[i - 1];
      shown.push_back("p." + quote_name(column.column));
      comments.push_back({column.column, column.role == Role::kClass ? about_column(column) : "as in the source"});
    }
    auto const sensitive = quote_name(view.sensitive->column);
    run.session.execute(sql_text(R"(
CREATE VIEW {name} AS
SELECT {shown}, s.{sensitive}, s.n::double precision / c.n::double precision AS weight
FROM {nss} AS p
JOIN {ss} AS s ON s.class_id = p.class_id
JOIN (SELECT class_id, sum(n) AS n FROM {ss} GROUP BY class_id) AS c ON c.class_id = p.class_id)",
                                 {{"name", name},
                                  {"shown", joined(shown, ", ")},
                                  {"sensitive", sensitive},
                                  {"nss", view.nss},
                                  {"ss", view.ss}}));
    comments.push_back({view.sensitive->column, "a value that somebody of the class has"});
    comments.push_back({kWeightColumn, "the share of the class that has this value: how likely it is this row's"});
    comment_on(run.session, "VIEW", name,
               "Each row of " + view.nss + " with every value of its class in " + view.ss +
                   ". sum(weight) estimates how many rows have what a WHERE asks for; count(*) counts too many.",
               comments);
  }
}

}  // namespace anon_seq::lossy_join
