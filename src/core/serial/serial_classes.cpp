#include "core/serial/serial_classes.h"

#include "core/lossy/regional.h"

namespace anon_seq {
namespace {

// A cohort as a table of its own.
struct CohortTable {
  std::vector<Vector<Code>> codes;
  std::vector<QuasiAxis> axes;
  Sensitive sensitive;
};

CohortTable table_of(std::span<QuasiAxis const> axes, Sensitive const& sensitive, Cohorts const& cohorts,
                     std::size_t cohort) {
  auto const part = cohorts.parts[cohort];
  std::span<std::uint32_t const> const rows(cohorts.rows.data() + part.begin, part.size());
  Vector<Ratio> alphas;
  for (auto const m : cohorts.sizes(cohort)) alphas.push_back({1, m});
  CohortTable made{{}, {axes.begin(), axes.end()}, sensitive.narrowed(rows, alphas)};
  for (auto& axis : made.axes) {
    auto& codes = made.codes.emplace_back();
    codes.reserve(rows.size());
    for (auto const row : rows) codes.push_back(axis.codes[row]);
    axis.codes = codes;
  }
  return made;
}

// Puts the classes of cohorts side by side.
class Joined {
 public:
  Joined(std::span<QuasiAxis const> axes, Sensitive const& sensitive, Cohorts const& cohorts)
      : axes_(axes), sensitive_(sensitive), cohorts_(cohorts) {
    made_.grouping.rows.reserve(cohorts.rows.size());
    made_.grouping.classes.reserve(cohorts.rows.size());
    made_.grouping.tested = cohorts.tested;
  }

  // group: makes the classes of a table.
  template <class Group>
  Recoding all(Group group) {
    for (std::size_t cohort = 0; cohort < cohorts_.parts.size(); ++cohort)
      add(cohorts_.parts[cohort], group(table_of(axes_, sensitive_, cohorts_, cohort)));
    check_one_rule(made_.grouping);
    return std::move(made_);
  }

 private:
  void add(Part part, Recoding&& of) {
    auto& all = made_.grouping;
    for (auto const row : of.grouping.rows) all.rows.push_back(cohorts_.rows[part.begin + row]);
    for (auto const id : of.grouping.classes) all.classes.push_back(all.count + id);
    for (auto const& node : of.grouping.tested) all.tested.push_back({part.begin + node.begin, part.begin + node.end});
    all.count += of.grouping.count;
    made_.nodes.insert(made_.nodes.end(), of.nodes.begin(), of.nodes.end());
  }

  std::span<QuasiAxis const> axes_;
  Sensitive const& sensitive_;
  Cohorts const& cohorts_;
  Recoding made_;
};

}  // namespace

Classes dealt_classes(std::span<QuasiAxis const> axes, Sensitive const& sensitive, Cohorts const& cohorts,
                      std::int64_t k, Draws& draws, Checkpoint& checkpoint) {
  auto made = Joined(axes, sensitive, cohorts).all([&](CohortTable const& table) {
    auto grouping = deal(find_regions(table.axes, table.sensitive, k, checkpoint), table.sensitive, draws, checkpoint);
    check_classes(table.sensitive, grouping, k, checkpoint);
    return Recoding{std::move(grouping), {}};
  });
  renumber(made.grouping, draws, checkpoint);
  return bare_classes(made.grouping);
}

Classes recoded_classes(std::span<QuasiAxis const> axes, Sensitive const& sensitive, Cohorts const& cohorts,
                        std::int64_t k, Draws& draws, Checkpoint& checkpoint) {
  auto made = Joined(axes, sensitive, cohorts).all([&](CohortTable const& table) {
    auto recoding = recode(table.axes, table.sensitive, k, Decisions::kSimulatable, draws, checkpoint);
    check_classes(table.sensitive, recoding.grouping, k, checkpoint);
    return recoding;
  });
  return shown_classes(std::move(made), axes, draws, checkpoint);
}

}  // namespace anon_seq
