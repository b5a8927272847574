#include "serial/lives_breach.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "lossy_join/listed.h"
#include "pg/datum_cursor.h"
#include "pg/json_object.h"
#include "serial/terms.h"

namespace anon_seq::serial {
namespace {

// Versions of a policy with the same lists, up to one of them.
struct Epoch {
  std::int32_t to;
  SerialPolicy demands;
  std::map<std::int32_t, std::vector<char>> listed;  // column -> code -> whether it is meant
  std::map<std::int32_t, Vector<Code>> first;        // column -> code -> the first one that is bounded together with it
};

std::vector<Epoch> epochs_until(AuditRun const& run, SerialPolicy const& demands, Release const& release) {
  std::vector<Epoch> epochs;
  auto const add = [&](std::int32_t version, SerialPolicy const& terms) {
    if (epochs.empty() || epochs.back().demands.listed != terms.listed) epochs.push_back({version, terms, {}, {}});
    epochs.back().to = version;
  };
  for (auto const& other : run.population)
    if (other.ledger == release.ledger && other.version < release.version) add(other.version, terms_of(other));
  add(release.version, demands);
  return epochs;
}

void find_listed_of(SpiSession& session, Release const& release, ShownReader& reader, Epoch& epoch,
                    Checkpoint& checkpoint) {
  for (auto const& column : release.columns) {
    if (column.role != Role::kSensitive) continue;
    auto const number = static_cast<std::int32_t>(release.number_of(column));
    auto const& texts = reader.texts(number);
    std::vector<std::string_view> values;
    for (Code code = 1; code < texts.size(); ++code) values.push_back(texts[code]);
    TaxonomyPool pool(session, checkpoint);
    auto const found = lossy_join::find_listed(session, column, values, epoch.demands, pool);
    auto& listed = epoch.listed[number];
    listed.assign(1, 0);
    listed.insert(listed.end(), found.is_listed.begin(), found.is_listed.end());
    auto& first = epoch.first[number];
    first.assign(1, kNull);
    for (std::size_t i = 0; i < values.size(); ++i) first.push_back(static_cast<Code>(found.first(i)) + 1);
  }
}

// Class -> the version that made it.
std::map<std::int32_t, std::int32_t> made_in(SpiSession& session, std::string const& ledger) {
  std::map<std::int32_t, std::int32_t> since;
  DatumCursor cursor(session, "SELECT class_id, min(since) FROM " + ledger_table(ledger, "life") + " GROUP BY 1");
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) since[cursor.integer(row, 0)] = cursor.integer(row, 1);
  return since;
}

// Counts classes by the terms of when they were made, and by those of now.
class BoundCounter {
 public:
  BoundCounter(AuditRun const& run, SerialPolicy const& demands, Release const& release, ShownReader& reader,
               Checkpoint& checkpoint)
      : release_(release), reader_(reader), l_(demands.l), epochs_(epochs_until(run, demands, release)) {
    for (auto& epoch : epochs_) find_listed_of(run.session, release, reader, epoch, checkpoint);
    if (epochs_.size() > 1) since_ = made_in(run.session, release.ledger);
    bool const several = epochs_.back().listed.size() > 1;
    if (!demands.each && several) together_ = reader.rows_with(release, epochs_.back().listed);
  }

  void count(Vector<ShownValue> const& shown) {
    auto const all = reader_.classes(release_);
    classes = static_cast<std::int64_t>(all.size());
    smallest = all.empty() ? 0 : std::ranges::min(all, {}, &ShownClass::rows).rows;
    std::size_t next = 0;
    for (auto const& of : all) {
      while (next < shown.size() && shown[next].class_id < of.class_id) ++next;
      std::size_t const begin = next;
      while (next < shown.size() && shown[next].class_id == of.class_id) ++next;
      take(of, std::span(shown).subspan(begin, next - begin));
    }
  }

  std::int64_t classes = 0, smallest = 0, broken = 0, late = 0;
  double largest = 0;  // share of a value that was listed in time

 private:
  Epoch const& epoch_of(std::int32_t class_id) const {
    auto const made = since_.find(class_id);
    for (auto const& epoch : epochs_)
      if (made != since_.end() && made->second <= epoch.to) return epoch;
    return epochs_.back();
  }

  void take(ShownClass const& of, std::span<ShownValue const> values) {
    auto const& then = epoch_of(of.class_id);
    auto const held = most_held(of, values, then);
    bool const is_broken = above(held, of.rows);
    broken += is_broken;
    late += !is_broken && &then != &epochs_.back() && above(most_held(of, values, epochs_.back()), of.rows);
    if (of.rows > 0) largest = std::max(largest, static_cast<double>(held) / static_cast<double>(of.rows));
  }

  bool above(std::int64_t held, std::int64_t rows) const { return wide_mul(held, l_.num) > wide_mul(rows, l_.den); }

  // The greatest count of what is bounded; a value that stands there twice counts as both.
  std::int64_t most_held(ShownClass const& of, std::span<ShownValue const> values, Epoch const& epoch) const {
    if (!together_.empty()) {
      auto const found = together_.find(of.class_id);
      return found == together_.end() ? 0 : found->second;
    }
    std::int64_t most = 0, all = 0;
    std::map<std::pair<std::int32_t, Code>, std::int64_t> held;  // of what is bounded as one value
    for (auto const& value : values) {
      auto const at = static_cast<std::size_t>(value.value);
      if (epoch.listed.at(value.column)[at] == 0) continue;
      most = std::max(most, held[{value.column, epoch.first.at(value.column)[at]}] += value.n);
      all += value.n;
    }
    return epoch.demands.each ? most : all;
  }

  Release const& release_;
  ShownReader& reader_;
  Ratio const l_;
  std::vector<Epoch> epochs_;
  std::map<std::int32_t, std::int32_t> since_;     // where lists have changed
  std::map<std::int32_t, std::int64_t> together_;  // class -> rows with any listed value, of several columns
};

std::string share_text(double share) {
  char text[32];
  pg_snprintf(text, sizeof text, "%.6f", share);
  return text;
}

}  // namespace

void add_bound_checks(AuditRun const& run, SerialPolicy const& demands, Release const& release, ShownReader& reader,
                      Vector<ShownValue> const& shown, Checks& checks) {
  InterruptCheckpoint checkpoint;
  BoundCounter counter(run, demands, release, reader, checkpoint);
  counter.count(shown);
  auto const bound = "1/" + ratio_text(demands.l), classes = std::to_string(counter.classes);
  auto const largest = share_text(counter.largest);
  checks.push_back({"breach", release.reference(),
                    "every class has at most " + bound + " of each listed value, in every version",
                    std::to_string(counter.broken) + " of " + classes + " classes have more; largest share " + largest,
                    counter.broken == 0, counter.broken,
                    JsonObject().number("classes", counter.classes).add("largest", largest).json()});
  if (counter.late > 0 && release.id != 0)
    checks.push_back(
        {"listed_late", release.reference(), "values are listed before classes are made of them",
         std::to_string(counter.late) + " classes have more than " + bound + " of a value that was listed later", false,
         counter.late, "{}"});
  bool const large = counter.smallest >= demands.k;
  checks.push_back({"classes", release.reference(), "classes of " + std::to_string(demands.k) + " rows or more",
                    "the smallest of " + classes + " has " + std::to_string(counter.smallest), large, large ? 0 : 1,
                    "{}"});
}

}  // namespace anon_seq::serial
