#include "serial/lives.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/writing.h"
#include "release/key_arrays.h"

namespace anon_seq::serial {
namespace {

std::string c(std::size_t number) { return "c" + std::to_string(number + 1); }

}  // namespace

std::size_t Lives::find(std::int32_t class_id, std::int32_t place) const {
  auto const first = std::ranges::lower_bound(class_of, class_id);
  auto const entry = static_cast<std::size_t>(first - class_of.begin()) + static_cast<std::size_t>(place) - 1;
  return place > 0 && entry < size() && class_of[entry] == class_id ? entry : kNoEntry;
}

std::vector<std::size_t> sensitive_numbers(Policy const& policy) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < policy.columns.size(); ++i)
    if (policy.columns[i].role == Role::kSensitive) numbers.push_back(i);
  return numbers;
}

// A row for each place: the person of one key, as an array of that one, and the version that made the class.
LedgerRelation life_relation(Policy const& policy, std::string const& keys) {
  std::string columns =
      "class_id int NOT NULL, place int NOT NULL, since int NOT NULL, persons " + keys + "[] NOT NULL";
  for (auto const i : sensitive_numbers(policy)) columns += ", " + c(i) + " " + policy.columns[i].type;
  return {.name = "life",
          .columns = columns + ", PRIMARY KEY (class_id, place)",
          .keys = {"persons"},
          .packed = {"persons"}};
}

void LifeReader::throw_damaged() const {
  throw Error(Fault::kDamaged, "the ledger of policy " + quoted(policy_.name) + " is damaged",
              "Its classes for life do not fit together.");
}

void LifeReader::seed(RowReader& reader) {
  for (auto const i : sensitive_numbers(policy_)) {
    auto const& name = policy_.columns[i].column;
    std::size_t of_reader = 1;  // the person comes first
    while (of_reader < reader.columns().size() && reader.columns()[of_reader].name != name) ++of_reader;
    RowReader known(session_,
                    "SELECT DISTINCT " + c(i) + " FROM " + ledger_table(policy_.ledger(), "life") + " WHERE " + c(i) +
                        " IS NOT NULL",
                    "ledger of policy " + quoted(policy_.name));
    auto& frozen = frozen_.emplace_back();
    frozen.type = known.types().front();
    if (of_reader == reader.columns().size() || reader.types()[of_reader].type != frozen.type.type) throw_damaged();
    while (known.next_batch()) continue;
    frozen.keys = known.columns().front().values;
    Vector<Code> const key_of_row = known.columns().front().codes;
    reader.seed(of_reader, frozen.keys);
    auto const table = known.finish(checkpoint_);
    auto const& printed = table.columns.front();
    frozen.texts.resize(static_cast<std::size_t>(frozen.keys.size()));
    for (std::size_t row = 0; row < key_of_row.size(); ++row)
      frozen.texts[static_cast<std::size_t>(key_of_row[row])] = printed.values[printed.codes[row]];
  }
}

void LifeReader::match_codes(SourceTable const& source) {
  auto const numbers = sensitive_numbers(policy_);
  for (std::size_t s = 0; s < frozen_.size(); ++s) {
    auto const& column = source.table.columns[source.column(policy_.columns[numbers[s]].column)];
    auto& frozen = frozen_[s];
    frozen.codes.assign(frozen.texts.size(), kNull);
    for (std::size_t key = 1; key < frozen.texts.size(); ++key) {
      frozen.codes[key] = column.values.find(frozen.texts[key]);
      if (frozen.codes[key] == kNoCode) throw_damaged();
    }
  }
}

Code LifeReader::code_of(Frozen const& frozen, Datum value) const {
  char buffer[8];
  Code const key = frozen.keys.find(pg::key_of(frozen.type, value, buffer, "life"));
  if (key == kNoCode) throw_damaged();
  return frozen.codes[static_cast<std::size_t>(key)];
}

Lives LifeReader::read(SourceTable const& source) {
  match_codes(source);
  Lives lives;
  lives.values.resize(frozen_.size());
  auto const& person = source.table.columns[source.person];
  Vector<std::int32_t> row_of(static_cast<std::size_t>(person.values.size()), kAbsent);
  for (std::size_t row = 0; row < person.codes.size(); ++row)
    row_of[static_cast<std::size_t>(person.codes[row])] = static_cast<std::int32_t>(row);
  Vector<char> is_placed(row_of.size());
  Oid array = InvalidOid;
  call_pg([&]() noexcept { array = get_array_type(source.person_value.type); });
  std::string columns;
  for (auto const i : sensitive_numbers(policy_)) columns += ", " + c(i);
  DatumCursor cursor(session_, "SELECT class_id, place, persons" + columns + " FROM " +
                                   ledger_table(policy_.ledger(), "life") + " ORDER BY class_id, place");
  while (cursor.next())
    for (std::size_t i = 0; i < cursor.rows(); ++i) {
      checkpoint_.tick();
      auto const class_id = cursor.integer(i, 0), place = cursor.integer(i, 1);
      auto const keys = cursor.elements(i, 2, array);
      bool const goes_on = lives.size() > 0 && lives.class_of.back() == class_id;
      if (class_id < 1 || place != (goes_on ? lives.place_of.back() + 1 : 1) || keys.count != 1) throw_damaged();
      std::int32_t row = kAbsent;
      if (!keys.nulls[0]) {
        char buffer[8];
        Code const code = person.values.find(key_of(source.person_value, keys.values[0], buffer, "person"));
        if (code != kNoCode) row = row_of[static_cast<std::size_t>(code)];
        if (row != kAbsent && std::exchange(is_placed[static_cast<std::size_t>(code)], 1) != 0) throw_damaged();
      }
      lives.class_of.push_back(class_id);
      lives.place_of.push_back(place);
      lives.row_of.push_back(row);
      lives.is_blank.push_back(keys.nulls[0]);
      for (std::size_t s = 0; s < frozen_.size(); ++s)
        lives.values[s].push_back(cursor.is_null(i, 3 + s) ? kNull : code_of(frozen_[s], cursor.get(i, 3 + s)));
    }
  return lives;
}

void write_lives(SpiSession& session, Policy const& policy, SourceTable const& source, Lives const& lives,
                 std::size_t begin, Vector<Code> const& persons, std::span<Dictionary const> texts,
                 Checkpoint& checkpoint) {
  auto const numbers = sensitive_numbers(policy);
  std::vector<std::string> columns{"class_id", "place", "since", "persons"};
  for (auto const i : numbers) columns.push_back(c(i));
  BulkWriter writer(session, ledger_table(policy.ledger(), "life"), columns);
  KeyArrays keys(source, checkpoint);
  for (std::size_t entry = begin; entry < lives.size(); ++entry) {
    writer.put(std::int64_t{lives.class_of[entry]});
    writer.put(std::int64_t{lives.place_of[entry]});
    writer.put(std::int64_t{policy.version});
    keys.put(writer, persons, entry - begin, entry - begin + 1);
    for (std::size_t s = 0; s < numbers.size(); ++s) writer.put_code(texts[numbers[s]], lives.values[s][entry], kNull);
    writer.end_row();
  }
  writer.finish();
}

}  // namespace anon_seq::serial
