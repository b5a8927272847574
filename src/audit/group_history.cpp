#include "audit/group_history.h"

#include <algorithm>
#include <limits>

#include "core/numbers/ratio.h"
#include "pg/reading.h"
#include "pg/value_type.h"

namespace anon_seq::audit {
namespace {

// Sorts numbers 0, 1, ... by less(), which is a total order.
template <class Less>
Vector<Code> sorted_codes(Code first, Code end, Checkpoint& checkpoint, Less less) {
  Vector<Code> codes;
  for (Code code = first; code < end; ++code) codes.push_back(code);
  std::sort(codes.begin(), codes.end(), [&](Code a, Code b) {
    checkpoint.tick();
    return less(a, b);
  });
  return codes;
}

[[noreturn]] void throw_contradiction(GroupSource const& source) {
  throw Error(source.altered, source.name + " says of its groups what cannot be",
              "A group has fewer rows than it has members.");
}

// Texts of a reader's column as the history numbers them, each looked up once.
class Numbers {
 public:
  template <class LookUp>
  std::int32_t of(Column const& column, Code code, LookUp look_up) {
    auto const i = static_cast<std::size_t>(code);
    if (known_.size() <= i) known_.resize(static_cast<std::size_t>(column.distinct()), kNoCode);
    if (known_[i] == kNoCode) known_[i] = look_up(column.values[code]);
    return known_[i];
  }

 private:
  Vector<std::int32_t> known_;
};

// A number; nullopt: NULL.
std::optional<std::int64_t> number_in(Column const& column, std::size_t row) {
  Code const code = column.codes[row];
  return code == kNull ? std::nullopt : std::optional(integer_of(column.values[code]));
}

}  // namespace

// A release while it is read: its groups, which are numbered after those of the releases before.
struct GroupHistory::Reading {
  GroupSource const& source;
  PublishedGroups& groups;
  std::int32_t const release;
  std::size_t const before = groups.sizes.size();
  std::vector<std::size_t> attributes = {};  // those of the source, among all
  std::vector<Numbers> values = {};          // of each
  Dictionary texts = {};
  Vector<std::int64_t> members = {};        // group -> rows of persons who are known
  Vector<std::int32_t> group_of_cell = {};  // kNoCode: there is no such cell

  // NULL is a group as others; no text holds a zero byte.
  std::int32_t number(Numbers& known, Column const& column, std::size_t row) {
    Code const code = column.codes[row];
    if (code == kNull) return number(std::string_view("\0", 1));
    return known.of(column, code, [&](auto text) { return number(text); });
  }
  std::int32_t number(std::string_view text) {
    Code const code = texts.intern(text);
    if (static_cast<std::size_t>(code) == members.size()) {
      members.push_back(0);
      groups.sizes.push_back(0);
      groups.release_of.push_back(release);
    }
    return static_cast<std::int32_t>(before) + code;
  }
  std::int64_t& members_of(std::int32_t group) { return members[static_cast<std::size_t>(group) - before]; }

  void put_cell(std::optional<std::int64_t> cell, std::int32_t group) {
    if (!cell || *cell < 0) throw_contradiction(source);
    auto const place = static_cast<std::size_t>(*cell);
    if (group_of_cell.size() <= place) {
      make_room(group_of_cell, place + 1 - group_of_cell.size());
      group_of_cell.resize(place + 1, kNoCode);
    }
    group_of_cell[place] = group;
  }
  std::int32_t group_in(std::optional<std::int64_t> cell) const {
    auto const place = static_cast<std::size_t>(cell.value_or(-1));
    if (place >= group_of_cell.size() || group_of_cell[place] == kNoCode) throw_contradiction(source);
    return group_of_cell[place];
  }
};

void GroupHistory::read(SpiSession& session, GroupSource const& source, Checkpoint& checkpoint) {
  Reading reading{source, groups_, releases_++};
  for (auto const& name : source.attributes) reading.attributes.push_back(attribute_called(name));
  reading.values.resize(source.attributes.size());
  read_rows(session, source, reading);
  if (source.people != GroupSource::People::kInRows) read_members(session, source, reading);
  for (std::size_t g = 0; g < reading.members.size(); ++g) {
    checkpoint.tick();
    if (reading.members[g] > groups_.sizes[reading.before + g]) throw_contradiction(source);
  }
}

std::size_t GroupHistory::attribute_called(std::string const& name) {
  auto const found = std::ranges::find(attributes_, name, &Attribute::name);
  if (found != attributes_.end()) return static_cast<std::size_t>(found - attributes_.begin());
  attributes_.emplace_back().name = name;
  attributes_.back().texts.add_hidden("");
  return attributes_.size() - 1;
}

void GroupHistory::read_rows(SpiSession& session, GroupSource const& source, Reading& reading) {
  bool const with_person = source.people == GroupSource::People::kInRows;
  std::size_t const first = source.people == GroupSource::People::kByGroup ? 0 : 1;  // the column with the group
  RowReader reader(session, source.rows, source.name, {}, first);
  Numbers groups;
  while (reader.next_batch()) {
    auto const columns = std::span(reader.columns());
    auto const &head = columns[0], &group = columns[first];
    for (std::size_t row = 0; row < reader.rows(); ++row) {
      auto const g = reading.number(groups, group, row);
      auto const n = with_person ? 1 : number_in(columns.back(), row).value_or(0);
      if (n < 1) throw_contradiction(source);
      read_values(columns.subspan(first + 1), row, g, n, reading);
      if (source.people == GroupSource::People::kByCell) reading.put_cell(number_in(head, row), g);
      if (with_person && head.codes[row] != kNull) add_member(head.values[head.codes[row]], g, reading);
    }
    reader.forget_rows();
  }
}

void GroupHistory::read_values(std::span<Column const> columns, std::size_t row, std::int32_t group, std::int64_t n,
                               Reading& reading) {
  auto& size = groups_.sizes[static_cast<std::size_t>(group)];
  size = checked_add(size, n);
  for (std::size_t i = 0; i < reading.attributes.size(); ++i) {
    auto& attribute = attributes_[reading.attributes[i]];
    Code code = columns[i].codes[row];
    if (code != kNull)
      code = reading.values[i].of(columns[i], code, [&](auto text) { return attribute.texts.intern(text); });
    if (attribute.read.size() == attribute.read.capacity()) make_room(attribute.read, 1024);
    attribute.read.push_back({group, code, n});
  }
}

void GroupHistory::add_member(std::string_view person, std::int32_t group, Reading& reading) {
  ++reading.members_of(group);
  if (members_.size() == members_.capacity()) make_room(members_, 1024);
  members_.push_back({persons_.intern(person), group});
}

void GroupHistory::read_members(SpiSession& session, GroupSource const& source, Reading& reading) {
  bool const by_cell = source.people == GroupSource::People::kByCell;
  RowReader reader(session, source.members, source.name, {}, 1);
  Numbers groups;
  while (reader.next_batch()) {
    auto const &person = reader.columns()[0], &in = reader.columns()[1];
    for (std::size_t row = 0; row < reader.rows(); ++row) {
      auto const g = by_cell ? reading.group_in(number_in(in, row)) : reading.number(groups, in, row);
      add_member(person.values[person.codes[row]], g, reading);
    }
    reader.forget_rows();
  }
}

void GroupHistory::finish(Checkpoint& checkpoint) {
  persons_.forget_index();
  number_persons(checkpoint);
  put_members(checkpoint);
  for (std::size_t i = 0; i < attributes_.size(); ++i) number_values(i, checkpoint);
}

void GroupHistory::number_persons(Checkpoint& checkpoint) {
  person_by_number_ =
      sorted_codes(0, persons_.size(), checkpoint, [&](Code a, Code b) { return persons_[a] < persons_[b]; });
  Vector<Code> number(person_by_number_.size());
  for (std::size_t i = 0; i < number.size(); ++i)
    number[static_cast<std::size_t>(person_by_number_[i])] = static_cast<Code>(i);
  for (auto& member : members_) member.person = number[static_cast<std::size_t>(member.person)];
}

void GroupHistory::put_members(Checkpoint& checkpoint) {
  auto& begins = groups_.begins;
  begins.assign(person_by_number_.size() + 2, 0);
  for (auto const& member : members_) ++begins[static_cast<std::size_t>(member.person) + 2];
  for (std::size_t i = 2; i < begins.size(); ++i) begins[i] += begins[i - 1];
  Vector<std::int32_t> in(members_.size());  // groups, person by person
  for (auto const& member : members_) in[begins[static_cast<std::size_t>(member.person) + 1]++] = member.group;
  begins.pop_back();
  give_back(members_);
  groups_.memberships.reserve(in.size());
  for (std::size_t person = 0; person < person_by_number_.size(); ++person) {
    auto const of = std::span(in).subspan(begins[person], begins[person + 1] - begins[person]);
    std::sort(of.begin(), of.end());
    begins[person] = groups_.memberships.size();
    for (std::size_t i = 0; i < of.size(); ++i) {
      checkpoint.tick();
      if (i > 0 && of[i] == of[i - 1])
        ++groups_.memberships.back().rows;
      else
        groups_.memberships.push_back({of[i], 1});
    }
  }
  begins.back() = groups_.memberships.size();
}

void GroupHistory::number_values(std::size_t number, Checkpoint& checkpoint) {
  auto& attribute = attributes_[number];
  attribute.texts.forget_index();
  auto codes = sorted_codes(1, attribute.texts.size(), checkpoint,
                            [&](Code a, Code b) { return attribute.texts[a] < attribute.texts[b]; });
  codes.push_back(kNull);
  Vector<std::int32_t> number_of(codes.size());
  for (Code const code : codes) {
    number_of[static_cast<std::size_t>(code)] = static_cast<std::int32_t>(values_.size());
    values_.push_back({number, code});
  }
  put_bags(attribute, number_of, checkpoint);
}

void GroupHistory::put_bags(Attribute& attribute, Vector<std::int32_t> const& number_of, Checkpoint& checkpoint) {
  auto& [begins, values] = attribute.bags;
  begins.assign(groups_.sizes.size() + 2, 0);
  for (auto const& read : attribute.read) ++begins[static_cast<std::size_t>(read.group) + 2];
  for (std::size_t i = 2; i < begins.size(); ++i) begins[i] += begins[i - 1];
  values.resize(attribute.read.size());
  for (auto const& [group, value, rows] : attribute.read)
    values[begins[static_cast<std::size_t>(group) + 1]++] = {number_of[static_cast<std::size_t>(value)], rows};
  begins.pop_back();
  give_back(attribute.read);
  std::size_t kept = 0;
  for (std::size_t g = 0; g + 1 < begins.size(); ++g) {
    auto const of = std::span(values).subspan(begins[g], begins[g + 1] - begins[g]);
    std::sort(of.begin(), of.end(), [&](auto const& a, auto const& b) {
      checkpoint.tick();
      return a.value < b.value;
    });
    begins[g] = kept;
    for (auto const [value, rows] : of) {
      if (kept > begins[g] && values[kept - 1].value == value)
        values[kept - 1].rows += rows;
      else
        values[kept++] = {value, rows};
    }
  }
  begins.back() = kept;
  values.resize(kept);
}

std::optional<std::string_view> GroupHistory::value(std::int32_t number) const {
  auto const& [attribute, code] = values_[static_cast<std::size_t>(number)];
  if (code == kNull) return std::nullopt;
  return attributes_[attribute].texts[code];
}

}  // namespace anon_seq::audit
