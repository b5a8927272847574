// Every rule of a version, measured again in SQL on the rows that were written.
#pragma once

#include <map>

#include "audit/audit_risk.h"
#include "release/check.h"
#include "sequential/rule_scope.h"

namespace anon_seq::sequential {

// "1/3 (0.3333)" of 6 of 18; counts of a join may have any number of digits.
std::string shown_share(std::string const& numerator, std::string const& denominator);

class RuleAudit {
 public:
  RuleAudit(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
            std::vector<Release> const& heeded, Release const& release);

  // Every rule once for each reading of releases with persons without quasi values (blanking.h).
  std::vector<BoundRule> rules() const;

  // Anonymity and linkability in one rule with many thresholds become a check each.
  void run(BoundRule const& bound, Checks& checks);

 private:
  void check_people(BoundRule const& bound, Checks& checks);
  struct Fitted {
    FittedClasses of;
    bool changed = false;  // the population, since the version was published
  };
  Fitted const& fitted(BoundRule const& bound);
  AuditTable own_table();
  void check(BoundRule const& bound, std::vector<ListedValue> const& values, std::optional<Ratio> max, Checks& checks);
  Check dangling(BoundRule const& bound, AuditFinding const& finding);
  std::size_t heeded() const { return shows_blanked_.size(); }
  std::string names(BoundRule const& bound) const;
  std::string reading(BoundRule const& bound) const;
  AuditTable earlier_table(std::size_t r);
  AuditTerm term(BoundRule const& bound, RuleColumn const& column) const;
  AuditJoin& join_of(BoundRule const& bound);

  SpiSession& session_;
  Policy const& policy_;
  SequentialPolicy const& demands_;
  std::vector<Release> heeded_;
  std::vector<bool> shows_blanked_;
  std::vector<std::string> blank_;  // of release i after those heeded: which of its rows are left out, as SQL
  Release const& release_;
  std::optional<bool> repeated_;  // some persons have several rows
  std::map<std::vector<std::size_t>, std::unique_ptr<AuditJoin>> joins_;
  std::map<std::pair<std::string, std::vector<std::size_t>>, Fitted> fitted_;  // by population and x
};

}  // namespace anon_seq::sequential
