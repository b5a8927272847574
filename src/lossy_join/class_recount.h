// NSS and an SS counted again, as a reader would, class by class: for the checks of projections with one sensitive
// column, where SQL would group as many rows as there are people, several times.
#pragma once

#include "core/table/dictionary.h"
//
#include "catalog/release.h"
#include "lossy_join/policy.h"
#include "release/row_match.h"

namespace anon_seq::lossy_join {

struct ClassRecount {
  std::int64_t classes = 0;       // of NSS or SS
  std::int64_t smallest = 0;      // rows in NSS
  std::int64_t differing = 0;     // other sizes in NSS and SS, or a value twice in SS
  std::int64_t broken = 0;        // fewer than k rows in NSS, or more than its alpha with a bounded value, or no number
  std::int64_t held = 0, of = 1;  // the largest share: so many of a class of so many
};

// People by class, and values by class and value; codes of values, NULL the first.
struct WrittenClasses {
  struct Held {  // a row of SS
    std::int32_t id;
    Code value;
    std::int64_t n;
    auto operator<=>(Held const&) const = default;
  };
  Vector<std::int32_t> people;
  Vector<Held> values;
  Dictionary texts;
};

// Takes them down while another check looks at NSS and SS.
class ClassReader : public RowVisitor {
 public:
  void visit(std::size_t relation, DatumCursor const& rows, std::size_t row) override;
  void done() override { complete_ = !strange_; }

  // Nothing if not all was seen, or what is no text.
  std::optional<WrittenClasses> take();

 private:
  WrittenClasses written_;
  bool complete_ = false, strange_ = false;
};

// Reads the relations of a release. REQUIRES: they are there; one sensitive column.
WrittenClasses read_classes(SpiSession& session, Release const& release, bool generalized);

// REQUIRES: written is of the release; no options.near. It is put in order: ascending, and by value what is equal.
ClassRecount recount_classes(SpiSession& session, Release const& release, LossyPolicy const& demands,
                             WrittenClasses& written);

}  // namespace anon_seq::lossy_join
