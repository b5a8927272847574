#include "projections.h"

#include "api/declaration.h"
#include "catalog/ledger.h"
#include "core/table/row_groups.h"
#include "release/forget.h"
#include "release/publish_run.h"
#include "release/release_audit.h"
#include "release/release_objects.h"

namespace anon_seq::selftest {
namespace {

using namespace release;

constexpr std::string_view kParameters[] = {"size"};
constexpr char const* kPhases[] = {"read", "deal"};

struct ProjectionDemands : Demands {
  std::int64_t size = 0;  // of a class, at least
};

ProjectionDemands demands_of(Policy const& policy) {
  ProjectionDemands demands;
  auto const json = parse_json(policy.parameters, "parameters");
  demands.size = json.at("size").integer();
  read_shared_options(demands, parse_json(policy.options, "options"), {});
  return demands;
}

// Quasi columns show what they are, as texts; the class's number comes last.
std::vector<PublishedColumn> own_columns(Policy const&) {
  return {{"class_id", "", "", catalog::Role::kClass, "integer"}};
}

std::vector<RelationShape> relations(Policy const& policy) {
  RelationShape people{.suffix = "_people"}, values{.suffix = "_values", .counted = true};
  std::size_t const class_id = policy.columns.size();
  people.columns.push_back(class_id);
  values.columns.push_back(class_id);
  for (std::size_t i = 1; i < class_id; ++i) (policy.columns[i - 1].is_quasi() ? people : values).columns.push_back(i);
  return {people, values};
}

class Dealt : public Draft {
 public:
  explicit Dealt(PublishRun const& run) : run_(run) {
    run.phases.begin("read");
    std::vector<std::string> wanted;
    for (auto const& column : run.policy.columns)
      if (column.role != catalog::Role::kClass) wanted.push_back(column.column);
    source_ = read_policy_source(run.session, run.policy, run.source, wanted, run.checkpoint);
  }
  SourceTable const& content() const override { return source_; }

  // Rows in classes of `size`, in the order of their codes.
  void solve() override {
    run_.phases.begin("deal");
    Classes classes(source_.table.rows(), 0);
    std::size_t const size = static_cast<std::size_t>(run_.demanded<ProjectionDemands>().size);
    for (std::size_t row = 0; row < classes.rows(); ++row) {
      if (row % size == 0 && row + size <= classes.rows()) classes.add_class();
      if (classes.count() == 0) throw Error(Fault::kData, "fewer rows than a class needs");
      classes.assign(row, classes.count() - 1);
    }
    cells_ = make_cells(source_, run_.policy, classes, {}, run_.checkpoint);
  }
  ReleaseCells const& cells() override { return cells_; }
  std::string measures() override { return "{}"; }
  void write() override { write_cells(run_.session, run_.policy, source_, cells_, run_.checkpoint); }
  void note(std::string const& print) override {
    run_.session.execute("INSERT INTO " + catalog::ledger_table(run_.policy.ledger(), "note") +
                             " (version, fingerprint, detail) VALUES ($1, $2, '{\"measures\": {}}')",
                         {run_.policy.version, print});
  }

 private:
  PublishRun const& run_;
  SourceTable source_;
  ReleaseCells cells_;
};

void audit_version(AuditRun const& run, Policy const&, Release const& release, Checks& checks) {
  checks.push_back(rows_check(run.session, release));
  checks.push_back(ledger_check(run.session, release));
}

std::string nothing(Release const&) { return "SELECT NULL::text, NULL::text WHERE false"; }

}  // namespace

constinit release::Method const kProjections{
    .name = "projections",
    .parameters = kParameters,
    .phases = kPhases,
    .labels = [](Policy const&) { return "text"; },
    .demands = [](Policy const& policy) -> std::unique_ptr<Demands> {
      return std::make_unique<ProjectionDemands>(demands_of(policy));
    },
    .ledger = [](Policy const& policy,
                 std::string const& keys) { return catalog::counted_ledger(policy.columns, keys); },
    .relations = relations,
    .own_columns = own_columns,
    .read_beside = [](Policy const&) { return std::vector<std::string>(); },
    .lock_beside = nullptr,
    .check = [](SpiSession&, Policy const& policy) { (void)demands_of(policy); },
    .advise = [](SpiSession&, Policy const&) {},
    .advise_again = false,
    .describe = [](SpiSession&, Policy const&) { return Description(); },
    .require_followable = [](SpiSession&, Policy const&, Policy const&) {},
    .draft = [](PublishRun const& run) -> std::unique_ptr<Draft> { return std::make_unique<Dealt>(run); },
    .create_relation = nullptr,
    .attack = nullptr,
    .finish = nullptr,
    .audit_version = audit_version,
    .audit_all = [](AuditRun const&, Checks&) {},
    .cut = nothing,
    .trace = nothing,
    .objects = select_persons,
    .places = nullptr,
    .forget = versions_with_person,
    .minimality = nullptr,
    .rests_on = nullptr,
    .shown_once = nullptr,
    .shaped_by = nullptr,
    .advice = nullptr,
    .refines = false,
    .spans_versions = false,
};

}  // namespace anon_seq::selftest

namespace anon_seq::api {

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_selftest_create_projections_policy);
Datum anon_seq_selftest_create_projections_policy(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    JsonObject parameters;
    parameters.number("size", std::int64_t{arguments.integer(4, "size")});
    declare_policy(arguments, selftest::kProjections.name, 5, parameters);
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
