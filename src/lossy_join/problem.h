// A lossy join's source as the core sees it: axes to cut on, and sensitive columns.
#pragma once

#include <deque>

#include "core/lossy/findings.h"
#include "core/lossy/interval_tree.h"
//
#include "lossy_join/listed.h"
#include "lossy_join/policy.h"
#include "release/source_table.h"
#include "release/taxonomy_pool.h"

namespace anon_seq::lossy_join {

class LossyProblem {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Throws kData for a value that its taxonomy does not know, or that lies outside its domain. REQUIRES: no weights;
  // all of them outlive it.
  LossyProblem(SpiSession& session, Policy const& policy, LossyPolicy const& demands, SourceTable const& source,
               Checkpoint& checkpoint);
  LossyProblem(LossyProblem const&) = delete;
  LossyProblem& operator=(LossyProblem const&) = delete;

  std::span<QuasiAxis const> axes() const { return axes_; }
  std::span<SensitiveColumn const> columns() const { return columns_; }
  std::size_t rows() const { return source_.table.rows(); }
  std::int64_t absent() const { return absent_; }  // values listed, or with an alpha, that do not occur

  // Of a sensitive column: the values that labels bound together have one code in columns(), that of the first of them.
  // Code -> that one; empty: each is its own. And what is bounded by a code; nullptr: the value itself.
  Vector<Code> const& together(std::size_t column) const { return together_[column]; }
  ListedValues::Bounded const* bounded(std::size_t column, Code code) const;
  std::string const& below() const { return below_; }  // of values that are bounded together, see values_below()

  // How a quasi column became an axis. Cuts of a line are barred where they would show somebody's value: the codes
  // between two allowed ones are a bin, and the tree is one of bins.
  struct Quasi {
    Column const* column = nullptr;
    std::size_t number = kNone;          // of the axis; kNone: there is nothing to cut
    IntervalTree const* line = nullptr;  // nullptr: it has a taxonomy, or is cut as a line
    Vector<Code> bins;                   // bin -> its first code, and the end of the last one; that of NULL first
    std::optional<Domain> domain = {};   // of a line, as declared
    bool has_null = false;               // of a line that is shown
  };
  std::span<Quasi const> quasi() const { return quasi_; }  // in the order of the policy

 private:
  void add_axis(PublishedColumn const& ours, LossyPolicy const& demands, Checkpoint& checkpoint);
  static void add_domain(Quasi& made, LossyPolicy const& demands);
  static Vector<Code> bins_of(Column const& column, std::span<std::int64_t const> holders, LossyPolicy const& demands);
  void add_tree(Quasi& made, QuasiAxis& axis, std::span<std::int64_t const> holders, Checkpoint& checkpoint);
  void add_sensitive(SpiSession& session, PublishedColumn const& ours, LossyPolicy const& demands);

  SourceTable const& source_;
  TaxonomyPool pool_;
  std::vector<QuasiAxis> axes_;
  std::vector<Quasi> quasi_;
  std::vector<SensitiveColumn> columns_;
  std::deque<Vector<Code>> together_, codes_;  // of these; codes as they are bounded
  std::vector<ListedValues> listed_;
  std::deque<Vector<Node>> leaves_;
  std::deque<IntervalTree> trees_;
  std::string below_;
  std::int64_t absent_ = 0;
};

}  // namespace anon_seq::lossy_join
