// Columns of relations that were published, as what they say about one attribute.
//
// A value is a set of values of the attribute: a range or multirange its interval, without any bound also the
// unknown value (a lower bound of -infinity, or the least integer, inclusive, is one); NULL the unknown value
// alone; a number or date a point; a text a node of the attribute's taxonomy, an interval ("[20, 30[", "[21-48]",
// "48") or a prefix ("2043*"); a text[] the union of such nodes, its element NULL the unknown value.
#pragma once

#include <functional>

#include "core/attack/boxes.h"
#include "core/table/table.h"
//
#include "pg/spi.h"

namespace anon_seq::audit {

enum class Family { kWhole, kNumeric, kDate, kTimestamp, kTimestampTz, kText, kLabels };
enum class Shape { kPoint, kRange, kMultirange };

struct ColumnForm {
  Family family = Family::kText;  // kLabels: text[]
  Shape shape = Shape::kPoint;
  std::string type;  // as SQL, domains stripped

  bool is_line() const { return family < Family::kText; }
};

// Throws kType, naming the column, for a type that says nothing.
ColumnForm form_of(Oid type, std::string const& column);

// A relation's column of the attribute at hand; values are text forms.
struct PublishedValues {
  Column const* values = nullptr;  // nullptr: not published there
  ColumnForm form;
  std::string relation, column;  // for messages
  bool interval = false;         // the caller says that its texts are intervals
  std::string taxonomy;          // that the caller or the catalog gives it; empty: none
  Oid owner = InvalidOid;        // who may read the taxonomy; InvalidOid: the current user
  bool is_open = false;          // texts that the taxonomy does not know are a value that no label holds, no error
};

// What the values of an attribute mean.
struct AttributeSets {
  std::vector<Vector<SetId>> of;              // relation -> code -> set; empty where it is not published
  std::function<std::string(SetId)> as_json;  // "[20,30)", ["flu", null], null; [] for a contradiction
  std::size_t unknown = 0;                    // distinct texts that the taxonomy does not know, of open columns
};

// REQUIRES: `sets` outlives the result.
// Throws kType (ranges beside texts), kParameter (two taxonomies), kData (values that are not in the taxonomy).
AttributeSets read_attribute(SpiSession& session, std::string const& attribute,
                             std::vector<PublishedValues> const& columns, ValueSets& sets);

// The two ways to do it: by bounds on a line, REQUIRES that every column is a line's, or a text of intervals and
// numbers; by labels, of a taxonomy or (empty) prefixes.
AttributeSets read_line(SpiSession& session, std::string const& attribute, std::vector<PublishedValues> const& columns,
                        ValueSets& sets);
AttributeSets read_labels(SpiSession& session, std::vector<PublishedValues> const& columns, std::string const& taxonomy,
                          Oid owner, ValueSets& sets);

// Whether a visible taxonomy of this name has the labels, and how many it lacks.
struct Acquaintance {
  bool exists = false;
  std::size_t known = 0, unknown = 0;
};
Acquaintance labels_in(SpiSession& session, std::vector<PublishedValues> const& columns, std::string const& taxonomy);

}  // namespace anon_seq::audit
