// A lossy join's source as the core sees it: axes to cut on, and sensitive columns.
#pragma once

#include <deque>

#include "core/lossy/findings.h"
#include "core/lossy/interval_tree.h"
//
#include "lossy_join/policy.h"
#include "release/source_table.h"
#include "release/taxonomy_pool.h"

namespace anon_seq::lossy_join {

class LossyProblem {
 public:
  // Throws kData for a value that its taxonomy does not know. REQUIRES: no weights; all of them outlive it.
  LossyProblem(SpiSession& session, Policy const& policy, LossyPolicy const& demands, SourceTable const& source,
               Checkpoint& checkpoint);
  LossyProblem(LossyProblem const&) = delete;
  LossyProblem& operator=(LossyProblem const&) = delete;

  std::span<QuasiAxis const> axes() const { return axes_; }
  std::span<SensitiveColumn const> columns() const { return columns_; }
  std::size_t rows() const { return source_.table.rows(); }
  std::int64_t absent() const { return absent_; }  // listed values that do not occur

 private:
  void add_axis(PublishedColumn const& ours, LossyPolicy const& demands, Checkpoint& checkpoint);
  void add_sensitive(SpiSession& session, PublishedColumn const& ours, LossyPolicy const& demands);
  Vector<Node> leaves_of(Column const& column, std::string const& taxonomy);

  SourceTable const& source_;
  TaxonomyPool pool_;
  std::vector<QuasiAxis> axes_;
  std::vector<SensitiveColumn> columns_;
  std::deque<Vector<Node>> leaves_;
  std::deque<IntervalTree> trees_;
  std::int64_t absent_ = 0;
};

}  // namespace anon_seq::lossy_join
