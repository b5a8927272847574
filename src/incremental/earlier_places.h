// Where persons of a version were shown before as another object: for the audit, which finds out for itself who moved,
// by their keys and, of who was forgotten, by the links between objects.
#pragma once

#include <map>
#include <optional>

#include "core/table/dictionary.h"
//
#include "catalog/release.h"
#include "pg/value_type.h"

namespace anon_seq::incremental {

class EarlierPlaces {
 public:
  // `person`: the type of keys; `persons`: that of arrays of them.
  EarlierPlaces(SpiSession& session, Release const& release, ValueType person, Oid persons);

  // Whether the person of an object in a region was shown, in this version or before, as another object in a region
  // that does not hold it. Throws kDamaged for a region that is none.
  bool was_elsewhere(std::int32_t region, std::int64_t object, std::optional<std::string_view> key) const;

 private:
  struct Place {
    std::int32_t region;
    std::int64_t object;
  };
  using OfObject = std::map<std::int64_t, Vector<std::int32_t>>;  // object -> regions
  void read_parents(SpiSession& session);
  OfObject read_departures(SpiSession& session, ValueType person, Oid persons);
  void read_links(SpiSession& session, OfObject const& departures);
  std::string table(char const* name) const;
  Error damaged(char const* detail) const;
  bool is_around(std::int32_t region, std::int32_t inner) const;

  Release const& release_;
  Vector<std::int32_t> parents_;                // of regions
  OfObject linked_;                             // where the person of an object was, as the objects before it
  Dictionary departed_;                         // keys of persons who left some region
  std::vector<std::vector<Place>> departures_;  // of them
};

}  // namespace anon_seq::incremental
