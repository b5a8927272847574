// The statement that the core's algorithm solves, put together from a policy, its source and what was
// released before. Owns everything that the Problem borrows.
#pragma once

#include <deque>
#include <memory>

#include "core/sequential/sequential.h"
//
#include "release/source_table.h"
#include "release/taxonomy_pool.h"
#include "sequential/people.h"
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
  // The same where any cut may be as fine as can be: k and the limit say who is out, no more.
  Problem without_finest_cut() const;
  // Whether there is a finest cut, and more is asked for than k.
  bool is_limited_beside_rules() const { return !limits_.empty() && !asks_for_k_alone(); }
  // What is lost of the quasi columns counts so much, in that order.
  Vector<std::int64_t> weights() const;
  SourceTable const& source() const { return source_; }
  // Other values of a column, row by row. REQUIRES: the same ones in another order.
  void rearrange(std::size_t column, Vector<Code> codes);
  std::vector<Release> const& heeded() const { return heeded_; }
  // The same, and then those with persons without quasi values once more, without these: what rules speak of.
  std::vector<Release> const& releases() const { return releases_; }
  // Rule i of problem(), as it was written and bound.
  BoundRule const& rule(std::size_t i) const { return bound_[rule_of_[i]]; }
  // Who may not be shown, found before anything but quasi columns and persons was looked at: left out of the source, or
  // blanked, that is published without quasi values; then the source has them, and the problem's table has not.
  struct Suppressed {
    std::int64_t rows = 0, persons = 0, of = 0;  // left out; `of`: persons of the whole source
    std::int64_t blanked_rows = 0, blanked = 0;
  };
  Suppressed const& suppressed() const { return suppressed_; }
  Vector<char> const& blanked() const { return blanked_; }  // row of the source -> not 0; empty: nobody is
  CodedTable blanked_rows() const { return source_.table.rows_where(blanked_, true); }
  // Leaves them out after all, for a reason that the release shows.
  void leave_blanked_out(std::string const& why, Checkpoint& checkpoint);
  // Tables of people that rules are about.
  std::deque<PeopleTable> const& people() const { return people_; }
  // What a person should know, though it stops nothing. (Attribute a of problem() is column a of the policy.)
  std::vector<std::string> const& notices() const { return notices_; }

 private:
  void read_earlier_tables(SpiSession& session, Checkpoint& checkpoint);
  void add_readings_of_blanked();
  void add_table(EarlierTable earlier, std::string const& name);
  void read_populations(SpiSession& session, Checkpoint& checkpoint);
  void tell_people();
  Vector<Extent> ranks_on_line(PeopleTable const& people, std::size_t i) const;
  void add_populations();
  void add_population_rule(BoundRule const& bound);
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
  std::vector<Release> heeded_, releases_;
  std::vector<bool> shows_blanked_;  // of those heeded
  std::vector<BoundRule> bound_;
  std::vector<std::size_t> rule_of_;
  SourceTable source_;
  std::deque<EarlierTable> earlier_;
  std::deque<PeopleTable> people_;
  TaxonomyPool pool_;
  Problem problem_;
  Suppressed suppressed_;
  Vector<char> blanked_;
  CodedTable visible_;  // the other rows, if there are such
  struct Limits {       // of an attribute, see there
    Vector<char> barred, whole;
    bool fixed;
  };
  std::vector<Limits> limits_;  // of attributes, before there was a finest cut; empty: there is none
  std::vector<std::pair<std::string, Line>> line_;  // of the attributes that are compared on one
  std::vector<std::string> notices_;
};

}  // namespace anon_seq::sequential
