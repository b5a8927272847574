#include "serial/lives_members.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/progress.h"
#include "serial/key_value.h"
#include "serial/person_codes.h"

namespace anon_seq::serial {
namespace {

// The classes of rows and their values as codes, row after row.
struct Rows {
  std::size_t width = 0;
  Vector<std::int32_t> class_of;
  Vector<Code> values;

  bool agree(std::size_t row, Rows const& other, std::size_t of_other) const {
    return class_of[row] == other.class_of[of_other] &&
           std::equal(values.begin() + static_cast<std::ptrdiff_t>(row * width),
                      values.begin() + static_cast<std::ptrdiff_t>((row + 1) * width),
                      other.values.begin() + static_cast<std::ptrdiff_t>(of_other * width));
  }
};

class MemberCounter {
 public:
  MemberCounter(SpiSession& session, Release const& release, Checkpoint& checkpoint)
      : session_(session),
        release_(release),
        checkpoint_(checkpoint),
        persons_(keys_, key_value(session, release.ledger)) {
    for (auto const& column : release.columns) {
      if (column.role != Role::kSensitive) continue;
      columns_ += ", c" + std::to_string(release.number_of(column));
      texts_.emplace_back().add_hidden("");
    }
  }

  void count() {
    keys_.add_hidden("");
    keys_.index();
    read_lives();
    read_rows();
    DatumCursor cursor(session_, "SELECT place, persons FROM " + ledger_table(release_.ledger, "member") +
                                     " WHERE version = " + std::to_string(release_.version));
    while (cursor.next())
      for (std::size_t i = 0; i < cursor.rows(); ++i) {
        auto const first = static_cast<std::size_t>(cursor.integer(i, 0));
        auto const of = cursor.elements(i, 1, persons_.array_type());
        for (std::size_t p = 0; p < of.count; ++p) {
          checkpoint_.tick();
          if (!of.nulls[p]) take(persons_.of(of.values[p]), first + p);
        }
      }
    moved += twice_;
  }

  std::int64_t members = 0, moved = 0;

 private:
  static constexpr std::int32_t kNone = -1;

  void read_values(DatumCursor const& cursor, std::size_t row, std::size_t first, Rows& into) {
    for (std::size_t s = 0; s < texts_.size(); ++s)
      into.values.push_back(cursor.is_null(row, first + s) ? 0 : texts_[s].intern(cursor.bytes(row, first + s)));
  }

  void read_lives() {
    DatumCursor cursor(session_,
                       "SELECT class_id, persons" + columns_ + " FROM " + ledger_table(release_.ledger, "life"));
    lives_.width = texts_.size();
    while (cursor.next())
      for (std::size_t i = 0; i < cursor.rows(); ++i) {
        checkpoint_.tick();
        auto const life = static_cast<std::int32_t>(lives_.class_of.size());
        lives_.class_of.push_back(cursor.integer(i, 0));
        read_values(cursor, i, 2, lives_);
        auto const of = cursor.elements(i, 1, persons_.array_type());
        for (std::size_t p = 0; p < of.count; ++p) {
          if (of.nulls[p]) continue;
          auto const person = static_cast<std::size_t>(persons_.of(of.values[p]));
          if (person >= life_of_.size()) life_of_.resize(person + 1, kNone);
          twice_ += std::exchange(life_of_[person], life) != kNone;
        }
      }
  }

  void read_rows() {
    auto const last = static_cast<std::size_t>(std::max<std::int64_t>(release_.published, 0));
    row_at_.assign(last + 1, kNone);
    rows_.width = texts_.size();
    DatumCursor cursor(session_, "SELECT place, c" + std::to_string(release_.columns.size()) + columns_ + " FROM " +
                                     ledger_table(release_.ledger, "row") +
                                     " WHERE version = " + std::to_string(release_.version));
    while (cursor.next())
      for (std::size_t i = 0; i < cursor.rows(); ++i) {
        checkpoint_.tick();
        auto const place = static_cast<std::size_t>(cursor.integer(i, 0));
        if (place == 0 || place > last) continue;
        row_at_[place] = static_cast<std::int32_t>(rows_.class_of.size());
        rows_.class_of.push_back(cursor.integer(i, 1));
        read_values(cursor, i, 2, rows_);
      }
  }

  void take(Code code, std::size_t place) {
    ++members;
    auto const person = static_cast<std::size_t>(code);
    auto const life = person < life_of_.size() ? life_of_[person] : kNone;
    auto const row = place < row_at_.size() ? row_at_[place] : kNone;
    if (person >= is_met_.size()) is_met_.resize(std::max(person + 1, life_of_.size()));
    bool const again = std::exchange(is_met_[person], 1) != 0;
    moved += again || life == kNone || row == kNone ||
             !rows_.agree(static_cast<std::size_t>(row), lives_, static_cast<std::size_t>(life));
  }

  SpiSession& session_;
  Release const& release_;
  Checkpoint& checkpoint_;
  std::string columns_;            // that are sensitive
  std::vector<Dictionary> texts_;  // of these: bytes as the server has them
  Dictionary keys_;
  PersonCodes persons_;
  Rows lives_, rows_;
  Vector<std::int32_t> life_of_, row_at_;  // of a person and of a place, kNone
  Vector<char> is_met_;                    // person -> whether this version has him
  std::int64_t twice_ = 0;                 // persons with several places for life
};

}  // namespace

Check members_check(SpiSession& session, Release const& release, Checkpoint& checkpoint) {
  Progress::at("members");
  MemberCounter counter(session, release, checkpoint);
  counter.count();
  return {"members",
          release.reference(),
          "everybody is in the class that he first was in, with the values that he had then",
          std::to_string(counter.moved) + " of " + std::to_string(counter.members) + " persons are not",
          counter.moved == 0,
          counter.moved,
          "{}"};
}

}  // namespace anon_seq::serial
