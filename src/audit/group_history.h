// Several releases with groups, read for who knows who is in which group: of relations, and of our own ledgers.
#pragma once

#include <optional>

#include "core/attack/published_groups.h"
#include "core/table/table.h"
//
#include "pg/spi.h"

namespace anon_seq::audit {

// A release as it is read: persons, groups and values are texts, equal where they are the same.
struct GroupSource {
  std::string name;                     // in messages
  std::vector<std::string> attributes;  // the sensitive ones, at least one
  enum class People {
    kInRows,   // rows: person, NULL where nobody is known, group, values; a row for each row
    kByGroup,  // rows: group, values, n; members: person, group
    kByCell,   // rows: cell, group, values, n; members: person, cell
  };
  People people = People::kInRows;
  // SELECTs: what groups hold, a value of each attribute, n a bigint, how many rows show these; and who is in them, a
  // row for each row of a person who is known. cell is an int, and stands once in rows.
  std::string rows, members = {};
  Fault altered = Fault::kData;  // if rows and members contradict each other
};

class GroupHistory {
 public:
  // Reads a release, as the current user. Throws source.altered where a group has fewer rows than members. Errors met
  // while reading lose what could show a value.
  void read(SpiSession& session, GroupSource const& source, Checkpoint& checkpoint);
  // All are read: persons are numbered in the order of their bytes; values by attribute, then so, NULL last.
  void finish(Checkpoint& checkpoint);

  PublishedGroups const& groups() const { return groups_; }
  std::size_t attributes() const { return attributes_.size(); }
  std::string const& attribute(std::size_t number) const { return attributes_[number].name; }
  GroupBags const& bags(std::size_t attribute) const { return attributes_[attribute].bags; }

  std::string_view person(std::int32_t number) const {
    return persons_[person_by_number_[static_cast<std::size_t>(number)]];
  }
  // Values of all attributes, numbered one after the other.
  std::size_t values() const { return values_.size(); }
  std::size_t attribute_of(std::int32_t value) const { return values_[static_cast<std::size_t>(value)].attribute; }
  std::optional<std::string_view> value(std::int32_t number) const;  // nullopt: NULL

 private:
  struct GroupValue {
    std::int32_t group;
    Code value;
    std::int64_t rows;
  };
  struct Attribute {
    std::string name;
    Dictionary texts;  // code 0 is NULL
    Vector<GroupValue> read;
    GroupBags bags;
  };
  struct Value {
    std::size_t attribute;
    Code code;
  };

  struct Reading;
  void read_rows(SpiSession& session, GroupSource const& source, Reading& reading);
  void read_members(SpiSession& session, GroupSource const& source, Reading& reading);
  void read_values(std::span<Column const> columns, std::size_t row, std::int32_t group, std::int64_t n,
                   Reading& reading);
  void add_member(std::string_view person, std::int32_t group, Reading& reading);
  std::size_t attribute_called(std::string const& name);
  void number_persons(Checkpoint& checkpoint);
  void number_values(std::size_t attribute, Checkpoint& checkpoint);
  void put_members(Checkpoint& checkpoint);
  void put_bags(Attribute& attribute, Vector<std::int32_t> const& number_of, Checkpoint& checkpoint);

  PublishedGroups groups_;
  std::int32_t releases_ = 0;
  std::vector<Attribute> attributes_;
  Dictionary persons_;
  Vector<Code> person_by_number_;
  struct Member {
    Code person;
    std::int32_t group;
  };
  Vector<Member> members_;
  Vector<Value> values_;
};

}  // namespace anon_seq::audit
