// What was published of every object in several relations or releases: read, and put into boxes.
#pragma once

#include "core/attack/published_objects.h"
//
#include "audit/published_column.h"

namespace anon_seq::audit {

// A relation or a release that shows quasi attributes by object.
struct PublishedSource {
  struct Attribute {
    int number = 0;  // its column in the query is c<number>; 0: not published
    std::string column, taxonomy;
    bool interval = false;
  };
  std::string name;           // in results; messages say: relation <name>
  std::string object_column;  // in messages
  std::string query;          // a SELECT of object, c1, c2, ...
  std::vector<Attribute> attributes;
  Oid owner = InvalidOid;  // as whom it is read; InvalidOid: the current user
};

class PublishedHistory {
 public:
  // Throws kData (NULL or repeated objects, with their number) and what read_attribute() throws. with_points: the last
  // two sources are not published; they tell the true points of objects, and of others in which box theirs lies.
  PublishedHistory(SpiSession& session, std::vector<std::string> attributes,
                   std::vector<PublishedSource> const& sources, Checkpoint& checkpoint, bool with_points = false);
  PublishedHistory(PublishedHistory const&) = delete;

  Boxes& boxes() { return boxes_; }
  PublishedObjects const& objects() const { return objects_; }
  std::string_view object(std::size_t number) const { return names_[by_number_[number]]; }  // objects ascend by bytes
  std::string const& source(std::size_t number) const { return sources_[number]; }

  // Members of a json object, an attribute each, without braces; what was not published is left out.
  std::string members(BoxId box) const;

 private:
  struct SourceRows;
  void number_objects(std::vector<SourceRows> const& rows, Checkpoint& checkpoint);
  void read_sets(SpiSession& session, std::size_t a, std::vector<SourceRows> const& rows,
                 std::vector<PublishedSource> const& sources);
  void put_into_boxes(std::size_t s, SourceRows const& rows, PublishedSource const& source, Checkpoint& checkpoint);
  void take_points();
  std::string_view json(std::size_t attribute, SetId set) const;

  std::vector<std::string> attributes_, sources_;
  Boxes boxes_;
  PublishedObjects objects_;
  Dictionary names_;
  Vector<Code> by_number_;
  std::vector<Vector<std::int32_t>> number_of_;  // source -> code -> object; gone once it is read
  std::vector<AttributeSets> sets_;
  struct Shown {
    Vector<Code> texts;  // set -> of json; kNoCode: not asked for yet
    Dictionary json;
  };
  mutable std::vector<Shown> shown_;  // by attribute
};

}  // namespace anon_seq::audit
