// The statement that the core's algorithm solves, put together from a policy, its source and what was
// released before. Owns everything that the Problem borrows.
#pragma once

#include <deque>
#include <memory>

#include "core/sequential/sequential.h"
//
#include "release/source_table.h"
#include "release/taxonomy_pool.h"
#include "sequential/earlier_table.h"
#include "sequential/rule_scope.h"

namespace anon_seq::sequential {

class SequentialProblem {
 public:
  // Reads the heeded releases under the active snapshot. Throws what is wrong with them or with the source.
  // REQUIRES: policy and demands outlive it.
  SequentialProblem(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                    std::vector<Release> heeded, SourceTable source, Checkpoint& checkpoint);
  SequentialProblem(SequentialProblem const&) = delete;
  SequentialProblem& operator=(SequentialProblem const&) = delete;

  Problem const& problem() const { return problem_; }
  SourceTable const& source() const { return source_; }
  // Other values of a column, row by row. REQUIRES: the same ones in another order.
  void rearrange(std::size_t column, Vector<Code> codes) { source_.table.columns[column].codes = std::move(codes); }
  std::vector<Release> const& releases() const { return releases_; }
  // Rule i of problem(), as it was written and bound.
  BoundRule const& rule(std::size_t i) const { return bound_[rule_of_[i]]; }
  // Who was left out of the source before anything but quasi columns and persons was looked at.
  struct Suppressed {
    std::int64_t rows = 0, persons = 0, of = 0;  // `of`: persons of the whole source
  };
  Suppressed const& suppressed() const { return suppressed_; }
  // What a person should know, though it stops nothing. (Attribute a of problem() is column a of the policy.)
  std::vector<std::string> const& notices() const { return notices_; }

 private:
  void read_earlier_tables(SpiSession& session, Checkpoint& checkpoint);
  void keep_secret();
  void tell_values();
  void add_attributes();
  Vector<Node> nodes_of(Column const& column, Taxonomy const& tree, std::string const& where) const;
  void add_nodes(Taxonomy const& tree, JoinAttribute::Holder& holder) const;
  void add_domain(Attribute& attribute, Column const& column);
  void add_cuts(Attribute& attribute, PlaceOrder& order) const;
  Vector<std::int64_t> holders_of(Column const& column) const;
  bool searches_for_k() const;
  bool asks_for_k_alone() const;
  void suppress(Checkpoint& checkpoint);
  void add_join_attributes();
  struct Comparison;
  void add_join_attribute(std::string const& name);
  Comparison compare(std::string const& name);
  Line line_of_holder(JoinAttribute::Holder const& holder, PublishedColumn const& column) const;
  void put_on_line(JoinAttribute& join, std::vector<PublishedColumn const*> const& shown);
  void require_line(JoinAttribute const& join, JoinAttribute::Holder const& holder, PublishedColumn const& shown);
  Vector<Interval> intervals_of(JoinAttribute::Holder const& holder, PublishedColumn const& shown, bool generalized,
                                PlaceOrder& order);
  void share_codes(JoinAttribute& join);
  void add_inconsistencies(SpiSession& session);
  void add_rules();
  bool add_rule(BoundRule const& bound);
  ColumnRef column_ref(BoundRule const& bound, RuleColumn const& column) const;
  bool add_sensitive(BoundRule const& bound, Rule& rule);
  ListedY::Part listed_part(ColumnRef ref, std::optional<std::string> const& value);
  Vector<Code> codes_under(ColumnRef ref, std::string const& value);
  Vector<Code> says_nothing(ColumnRef ref);
  void warn();
  PublishedColumn const* published(ColumnRef ref) const;

  Policy const& policy_;
  SequentialPolicy const& demands_;
  std::vector<Release> releases_;
  std::vector<BoundRule> bound_;
  std::vector<std::size_t> rule_of_;
  SourceTable source_;
  std::deque<EarlierTable> earlier_;
  TaxonomyPool pool_;
  Problem problem_;
  Suppressed suppressed_;
  std::vector<std::pair<std::string, Line>> line_;  // of the attributes that are compared on one
  std::vector<std::string> notices_;
};

}  // namespace anon_seq::sequential
