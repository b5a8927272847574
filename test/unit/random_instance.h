// One random instance for the properties of the sequential method: a world for the enumeration, and the same as a
// problem.
#pragma once

#include <random>

#include "brute_force.h"
#include "core/sequential/detail_limits.h"
#include "sequential_fixture.h"

namespace anon_seq::testing {

using Edges = std::vector<std::pair<std::string, std::string>>;

struct Shape {
  std::string column;
  Edges edges;
  brute::Tree tree;
};

// Every way to split a value of an attribute once; children without records included. `floors`: of those that floors of
// detail allow.
std::vector<Vector<CutValue>> splits(Case const& c, std::size_t a, CutValue const& value, bool floors = true);
// A cut with other values in place of one.
std::vector<Vector<CutValue>> replaced(std::vector<Vector<CutValue>> cut, std::size_t a, std::size_t at,
                                       Vector<CutValue> const& by);

// One random instance: a world for the enumeration, and the same as a problem.
class Instance {
 public:
  explicit Instance(std::uint64_t seed) : random_(seed) { build(); }

  void check();
  void check_local();                                // the same rows by local recoding
  std::string text() const;                          // for a failure's report
  bool simulatable() const { return simulatable_; }  // there was a release by such decisions, of several classes
  bool led() const { return led_; }                  // the same where a search for k leads

  bool local_gains() const { return local_gains_; }  // local recoding lost less than global

 private:
  int draw(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return draw(100) < percent; }
  void build();
  std::string generalized(Shape const& shape, std::string label);
  void add_tables();
  void add_join();
  void add_rules();
  void add_limits();
  void fill_world();
  brute::World const& published(std::vector<Vector<CutValue>> const& cut);
  std::string show(std::size_t a, std::string const& label, Vector<CutValue> const& cut) const;
  bool check_levels(std::vector<Vector<CutValue>> const& cut, std::vector<Level> const& levels, char const* when) {
    return check_levels(published(cut), levels, when);
  }
  bool check_levels(brute::World const& world, std::vector<Level> const& levels, char const* when);
  bool valid(std::vector<Vector<CutValue>> const& cut) { return valid(published(cut)); }
  bool valid(brute::World const& world);
  // Class by class, what boxes show of each attribute.
  brute::World const& published(Classes const& classes, Vector<CutValue> const& boxes);
  void allow_for_dangling();
  void check_boxes(SequentialOutcome const& outcome);
  void check_no_cut(SequentialOutcome const& outcome);
  bool is_tried(SequentialOutcome const& outcome, ClassId box, std::size_t a, Vector<CutValue> const& children) const;
  void check_infeasible(SequentialOutcome const& outcome);
  void check_maximal(SequentialOutcome const& outcome);
  void check_identity(SequentialOutcome const& outcome);
  void check_led();
  void check_simulatable();
  void check_blanked();
  void check_limits(std::vector<Vector<CutValue>> const& cut) const;
  std::vector<Vector<CutValue>> root() const;   // says nothing
  std::vector<Vector<CutValue>> start() const;  // the most general state that ceilings of detail allow
  brute::X x_of(Rule const& rule) const;
  brute::Y y_of(Rule const& rule) const;
  std::vector<brute::Set> sets_of(Rule const& rule) const;
  std::set<std::string> labels_of(ColumnRef ref, ListedY::Part const& part) const;
  ListedY::Part listed(ColumnRef ref);
  Vector<Code> nothing(ColumnRef ref) const;

  std::mt19937_64 random_;
  std::vector<Shape> shapes_;
  Case case_;
  std::vector<std::vector<std::string>> names_;  // per table
  std::vector<Rows> rows_;                       // per table
  std::vector<Vector<std::int64_t>> weights_;
  std::vector<std::string> generalized_;
  std::vector<DetailLimits> limits_;  // per attribute, once they are added
  brute::World base_;
  bool overlap_ = false;
  bool simulatable_ = false, local_gains_ = false, led_ = false;
};

}  // namespace anon_seq::testing
