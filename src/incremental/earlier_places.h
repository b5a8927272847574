// Where persons of a version were shown before as another object: for the audit, which finds out for itself who moved,
// by their keys and, of who was forgotten, by the links between objects, or the digests of their keys.
#pragma once

#include <optional>

#include "core/table/dictionary.h"
//
#include "catalog/release.h"
#include "pg/value_type.h"

namespace anon_seq::incremental {

class EarlierPlaces {
 public:
  // `person`: the type of keys; `persons`: that of arrays of them. `of_some`: of a few regions, hardly anybody came
  // back, and the tree of all regions is read only then. since: rows of members that ended after that version tell of
  // places, too, whether or not a departure was noted.
  EarlierPlaces(SpiSession& session, Release const& release, ValueType person, Oid persons, bool of_some,
                std::optional<std::int32_t> since);

  // Whether the person of an object in a region was shown, in this version or before, as another object in a region
  // that does not hold it; or was forgotten before, so that nobody knows. Throws kDamaged for a region that is none.
  bool was_elsewhere(std::int32_t region, std::int64_t object, std::optional<std::string_view> key) const;

 private:
  struct Place {
    std::int64_t object;
    std::int32_t region;
    Code person;  // number of a key; kNoCode: forgotten
  };
  struct Link {
    std::int64_t object, before;
  };
  void read_parents() const;
  void read_places(SpiSession& session, std::string const& query, ValueType person, Oid persons);
  void read_links(SpiSession& session);
  void read_returned(SpiSession& session, ValueType person);
  // Whether somebody linked to an object left a region that is not around one.
  bool was_linked_elsewhere(std::int32_t region, std::int64_t object) const;
  std::string table(char const* name) const;
  Error damaged(char const* detail) const;
  bool is_around(std::int32_t region, std::int32_t inner) const;

  SpiSession& session_;
  Release const& release_;
  mutable Vector<std::int32_t> parents_;  // of regions; empty: not read yet
  Dictionary departed_;                   // keys of persons who left some region
  Dictionary returned_;                   // of persons who were forgotten once
  Vector<Place> by_object_;               // where objects left, ascending by object
  Vector<Place> by_person_;               // the same of who is known, ascending by person
  Vector<Link> links_;                    // ascending by object
};

}  // namespace anon_seq::incremental
