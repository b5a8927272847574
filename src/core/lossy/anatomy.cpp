#include "core/lossy/anatomy.h"

#include <queue>

#include "core/lossy/infeasible.h"

namespace anon_seq {
namespace {

// Rows of a bucket that are in no class yet: the last ones of its slice.
struct Bucket {
  std::size_t left = 0, end = 0;
  std::size_t number = 0;
};

struct Smaller {
  bool operator()(Bucket const& a, Bucket const& b) const {
    return a.left != b.left ? a.left < b.left : a.number > b.number;
  }
};

class Bucketizer {
 public:
  Bucketizer(Sensitive const& sensitive, std::size_t l, Draws& draws, Checkpoint& checkpoint)
      : sensitive_(sensitive), l_(l), draws_(draws), checkpoint_(checkpoint) {}

  Grouping run() {
    fill_buckets();
    Vector<Bucket> chosen;
    while (buckets_.size() + free_ >= l_) {
      checkpoint_.tick();
      chosen.clear();
      for (std::size_t i = 0; i < l_; ++i) {
        if (buckets_.empty()) {
          made_.classes[made_.rows.size() - free_--] = made_.count;
          continue;
        }
        chosen.push_back(buckets_.top());
        buckets_.pop();
      }
      for (auto& bucket : chosen) {
        put(bucket, made_.count);
        if (bucket.left > 0) buckets_.push(bucket);
      }
      ++made_.count;
    }
    place_rest();
    made_.tested.push_back({0, made_.rows.size()});
    return std::move(made_);
  }

 private:
  // Rows by block, those that nothing bounds last; at random within.
  void fill_buckets() {
    auto const blocks = sensitive_.blocks().size();
    Vector<std::size_t> next(blocks + 1);
    for (std::size_t b = 0; b < blocks; ++b)
      next[b + 1] = next[b] + static_cast<std::size_t>(sensitive_.blocks()[b].count);
    Vector<std::size_t> const begins = next;
    made_.rows.resize(sensitive_.rows());
    made_.classes.assign(sensitive_.rows(), kWithheld);
    for (std::size_t row = 0; row < sensitive_.rows(); ++row) {
      checkpoint_.tick();
      std::size_t const block = static_cast<std::size_t>(sensitive_.block_of(sensitive_.joint_of(row)));
      made_.rows[next[std::min(block, blocks)]++] = static_cast<std::uint32_t>(row);
    }
    for (std::size_t b = 0; b <= blocks; ++b)
      draws_.shuffle(std::span(made_.rows).subspan(begins[b], next[b] - begins[b]), checkpoint_);
    for (std::size_t b = 0; b < blocks; ++b) buckets_.push({next[b] - begins[b], next[b], b});
    free_ = made_.rows.size() - begins[blocks];
  }

  void put(Bucket& bucket, ClassId id) { made_.classes[bucket.end - bucket.left--] = id; }

  // The buckets that are left have one row each.
  void place_rest() {
    for (; !buckets_.empty(); buckets_.pop()) {
      Bucket bucket = buckets_.top();
      if (bucket.left != 1) throw Error(Fault::kInternal, "a bucket has rows left that no class takes");
      auto const rows = static_cast<std::size_t>(sensitive_.blocks()[bucket.number].count);
      Vector<char> has(static_cast<std::size_t>(made_.count));
      for (std::size_t place = bucket.end - rows; place < bucket.end - 1; ++place)
        has[static_cast<std::size_t>(made_.classes[place])] = 1;
      Vector<ClassId> open;
      for (ClassId id = 0; id < made_.count; ++id)
        if (has[static_cast<std::size_t>(id)] == 0) open.push_back(id);
      if (open.empty()) throw Error(Fault::kInternal, "every class has the value of a row that is left");
      put(bucket, open[draws_.below(open.size())]);
    }
    while (free_ > 0)
      made_.classes[made_.rows.size() - free_--] =
          static_cast<ClassId>(draws_.below(static_cast<std::uint64_t>(made_.count)));
  }

  Sensitive const& sensitive_;
  std::size_t l_;
  Draws& draws_;
  Checkpoint& checkpoint_;
  std::priority_queue<Bucket, Vector<Bucket>, Smaller> buckets_;
  std::size_t free_ = 0;  // rows that nothing bounds and that are in no class yet: the last ones
  Grouping made_;
};

}  // namespace

Grouping bucketize(Sensitive const& sensitive, std::int64_t l, Draws& draws, Checkpoint& checkpoint) {
  if (l < 1) throw Error(Fault::kParameter, "l is less than 1");
  if (!sensitive.reach().empty()) throw Error(Fault::kUnsupported, "near values are not offered with anatomy");
  for (auto const& bound : sensitive.bounds())
    if (bound.alpha != Ratio{1, l}) throw Error(Fault::kInternal, "the alpha of anatomy is not 1/l");
  auto const rows = static_cast<std::int64_t>(sensitive.rows());
  std::int64_t most = 0;
  for (auto const& block : sensitive.blocks()) most = std::max(most, block.count);
  if (rows < l || most > rows / l) throw not_diverse(rows, most, l);
  return Bucketizer(sensitive, static_cast<std::size_t>(l), draws, checkpoint).run();
}

Classes anatomy(Sensitive const& sensitive, std::int64_t l, Draws& draws, Checkpoint& checkpoint) {
  Grouping grouping = bucketize(sensitive, l, draws, checkpoint);
  check_one_rule(grouping);
  check_classes(sensitive, grouping, l, checkpoint);
  renumber(grouping, draws, checkpoint);
  return bare_classes(grouping);
}

}  // namespace anon_seq
