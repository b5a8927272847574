#include "core/attack/minimality.h"

#include <algorithm>

namespace anon_seq {
namespace {

// Rows of each class, those left out last, and the values at hand in the order of those rows.
class Arranger {
 public:
  explicit Arranger(Arrangements const& asked) : values_(asked.values.begin(), asked.values.end()) {
    auto const classes = static_cast<std::size_t>(asked.classes->count());
    auto const part_of = [&](std::size_t row) {
      ClassId const id = asked.classes->class_of(row);
      return id == kWithheld ? classes : static_cast<std::size_t>(id);
    };
    ends_.resize(classes + 2);
    for (std::size_t row = 0; row < values_.size(); ++row) ++ends_[part_of(row) + 1];
    for (std::size_t c = 1; c < ends_.size(); ++c) ends_[c] += ends_[c - 1];
    Vector<std::size_t> next(ends_.begin(), ends_.end());
    rows_.resize(values_.size());
    for (std::size_t row = 0; row < values_.size(); ++row) rows_[next[part_of(row)]++] = row;
    for (std::size_t place = 0; place < rows_.size(); ++place) placed_.push_back(values_[rows_[place]]);
    for (std::size_t c = 0; c + 1 < ends_.size(); ++c) std::sort(begin(c), begin(c + 1));
  }

  // How many arrangements there are, if no more than `most`; else 0.
  std::uint64_t count(std::uint64_t most) const {
    unsigned __int128 all = 1;
    for (std::size_t c = 0; c + 1 < ends_.size(); ++c) {
      std::uint64_t same = 0;
      // Multinomial: n of each row so far over the rows of its value so far; every product is whole.
      for (std::size_t i = ends_[c]; i < ends_[c + 1]; ++i) {
        same = i > ends_[c] && placed_[i] == placed_[i - 1] ? same + 1 : 1;
        all = all * (i - ends_[c] + 1) / same;
        if (all > static_cast<unsigned __int128>(most) << 32) return 0;
      }
    }
    return all > most ? 0 : static_cast<std::uint64_t>(all);
  }

  // The next arrangement in order; false, and the first one again, after the last.
  bool advance() {
    for (std::size_t c = 0; c + 1 < ends_.size(); ++c)
      if (std::next_permutation(begin(c), begin(c + 1))) return true;
    return false;
  }

  void draw(std::function<std::uint64_t(std::uint64_t)> const& below, Checkpoint& checkpoint) {
    for (std::size_t c = 0; c + 1 < ends_.size(); ++c)
      for (std::size_t n = ends_[c + 1] - ends_[c]; n > 1; --n) {
        checkpoint.tick();
        std::swap(placed_[ends_[c] + n - 1], placed_[ends_[c] + below(n)]);
      }
  }

  std::span<std::int32_t const> values() {
    for (std::size_t place = 0; place < rows_.size(); ++place) values_[rows_[place]] = placed_[place];
    return values_;
  }

 private:
  Vector<std::int32_t>::iterator begin(std::size_t c) {
    return placed_.begin() + static_cast<std::ptrdiff_t>(ends_[c]);
  }

  Vector<std::size_t> ends_, rows_;  // part -> first place; place -> row
  Vector<std::int32_t> placed_, values_;
};

}  // namespace

Minimality try_arrangements(Arrangements const& asked, GivesSameRelease const& gives_same,
                            std::function<std::uint64_t(std::uint64_t)> const& below, Checkpoint& checkpoint) {
  Arranger arranger(asked);
  Minimality found;
  found.exact = arranger.count(asked.most_enumerated) > 0;
  for (bool more = true; more;) {
    checkpoint.poll();
    if (!found.exact) arranger.draw(below, checkpoint);
    ++found.tried;
    if (gives_same(arranger.values())) ++found.accepted;
    more = found.exact ? arranger.advance() : found.tried < asked.runs;
  }
  return found;
}

}  // namespace anon_seq
