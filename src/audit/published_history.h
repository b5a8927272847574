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

// Where the objects of a history truly are. The last two of its sources are not published: one tells the true points of
// objects, the other of the rest in which box theirs lies. All its sources have a column region, an int.
struct TruePlaces {
  Vector<PieceRun> of_region;  // core/attack/place_runs.h
};

class PublishedHistory {
 public:
  // Throws kData (NULL or repeated objects, with their number), kDamaged (a region that is none), and what
  // read_attribute() throws. places: nullptr if they are not known.
  PublishedHistory(SpiSession& session, std::vector<std::string> attributes,
                   std::vector<PublishedSource> const& sources, Checkpoint& checkpoint,
                   TruePlaces const* places = nullptr);
  PublishedHistory(PublishedHistory const&) = delete;

  Boxes& boxes() { return boxes_; }
  // By what is shown; and by what is shown where regions truly are, if that is known, else the same.
  PublishedObjects const& objects() const { return objects_; }
  PublishedObjects const& placed() const { return placed_.releases.empty() ? objects_ : placed_; }
  std::string_view object(std::size_t number) const { return names_[by_number_[number]]; }  // objects ascend by bytes
  std::string const& source(std::size_t number) const { return sources_[number]; }

  // Members of a json object, an attribute each, without braces; what was not published is left out.
  std::string members(BoxId box) const;

 private:
  struct SourceRows;
  void number_objects(std::vector<SourceRows> const& rows, Checkpoint& checkpoint);
  void read_sets(SpiSession& session, std::size_t a, std::vector<SourceRows> const& rows,
                 std::vector<PublishedSource> const& sources);
  void put_into_boxes(std::size_t s, SourceRows const& rows, PublishedSource const& source, TruePlaces const* places,
                      Checkpoint& checkpoint);
  void take_points();
  std::string_view json(std::size_t attribute, SetId set) const;

  std::vector<std::string> attributes_, sources_;
  Boxes boxes_;  // the places, if they are known, come after the attributes
  PublishedObjects objects_, placed_;
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
