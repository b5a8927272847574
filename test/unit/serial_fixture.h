// Serial policies as the core takes them, histories of versions that are published one after the other, and what their
// groups tell, counted from these alone.
#pragma once

#include "core/serial/charge.h"
#include "core/serial/version.h"
#include "lossy_fixture.h"

namespace anon_seq::testing {

struct SerialRules {
  Ratio l{2, 1};
  Plan plan;
  CohortDemands cohorts{true, 1, 1, true};
  std::int64_t largest_m = 0;

  VersionDemands demands() const { return {{plan, least_kept(l), largest_m}, cohorts}; }
};

// Every bound of these columns, whether anybody has it or not.
inline std::vector<ListedBound> listed_of(std::vector<SensitiveColumn> const& statement) {
  std::vector<ListedBound> listed;
  bool merged = false;
  for (std::size_t c = 0; c < statement.size(); ++c) {
    if (statement[c].listing == Listing::kAny) {
      if (!merged) listed.push_back({c, kNoCode});
      merged = true;
      continue;
    }
    for (Code const code : statement[c].listed) listed.push_back({c, code});
  }
  return listed;
}

inline bool holds(std::vector<SensitiveColumn> const& statement, ListedBound bound, Tuple const& tuple) {
  if (bound.code != kNoCode) return tuple[bound.column] == bound.code;
  for (std::size_t c = 0; c < statement.size(); ++c)
    if (statement[c].listing == Listing::kAny && std::ranges::count(statement[c].listed, tuple[c]) > 0) return true;
  return false;
}

// Who is in a class, and what the class has.
struct PublishedGroup {
  std::vector<int> persons;
  std::vector<Tuple> bag;  // sorted
};
using PublishedVersion = std::vector<PublishedGroup>;

// An exact chance. REQUIRES: few and small groups.
struct Chance {
  Wide num = 1, den = 1;
};

// Person -> the chance never to have been linked to what is bounded: Lemma 2 of the paper.
inline std::vector<Chance> never_linked(std::vector<SensitiveColumn> const& statement, ListedBound bound, int persons,
                                        std::span<PublishedVersion const> versions) {
  std::vector<Chance> chances(static_cast<std::size_t>(persons));
  for (auto const& version : versions)
    for (auto const& group : version) {
      auto const held =
          std::ranges::count_if(group.bag, [&](auto const& tuple) { return holds(statement, bound, tuple); });
      for (auto const person : group.persons) {
        auto& chance = chances[static_cast<std::size_t>(person)];
        chance.num *= group.bag.size() - static_cast<std::size_t>(held);
        chance.den *= group.bag.size();
      }
    }
  return chances;
}

inline bool keeps(Chance chance, Ratio least) {
  return chance.num * static_cast<Wide>(least.den) >= chance.den * static_cast<Wide>(least.num);
}

// What a person and a listed bound come to.
using Accounts = std::map<std::pair<int, std::int32_t>, Met>;

class SerialHistory {
 public:
  SerialHistory(SerialRules const& rules, std::vector<SensitiveColumn> statement)
      : rules_(rules), statement_(std::move(statement)), listed_(listed_of(statement_)) {}

  // False: it was refused, and nothing has changed. persons: row -> person.
  bool publish(LossyTable const& table, std::vector<int> const& persons, Draws& draws) {
    try {
      auto const version = make(table, persons, table.tuples, draws);
      published_.push_back(groups_of(version.classes, persons, table.tuples));
      auto& charges = charges_.emplace_back();
      for (auto const& one : version.charges) charges[{persons[static_cast<std::size_t>(one.row)], one.bound}] = one;
      withheld_ += version.withheld;
      cohorts_ = version.cohorts;
      return true;
    } catch (Error const& error) {
      if (error.fault() != Fault::kData) throw;
      return false;
    }
  }

  // The next version, if rows have these tuples; the history does not change.
  Version make(LossyTable const& table, std::vector<int> const& persons, std::vector<Tuple> const& held,
               Draws& draws) const {
    std::vector<Vector<Code>> codes(statement_.size());
    auto columns = statement_;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (auto const& tuple : held) codes[c].push_back(tuple[c]);
      columns[c].codes = codes[c];
    }
    return make_version(table.axes, columns, listed_, met(persons), rules_.demands(), draws, table.checkpoint);
  }

  // What counts for the next version of these persons.
  Vector<Met> met(std::vector<int> const& persons) const {
    auto const accounts = this->accounts();
    Vector<Met> met;
    for (std::size_t row = 0; row < persons.size(); ++row)
      for (std::int32_t b = 0; b < static_cast<std::int32_t>(listed_.size()); ++b)
        if (auto const at = accounts.find({persons[row], b}); at != accounts.end()) {
          met.push_back(at->second);
          met.back().row = static_cast<std::int32_t>(row);
        }
    return met;
  }

  // Under a window: of the last versions that the next one counts with.
  Accounts accounts() const { return accounts_from(window_begin(1)); }

  // Of the versions that the promise is about by now.
  Accounts promised() const { return accounts_from(window_begin(0)); }
  std::span<PublishedVersion const> promised_versions() const { return std::span(published_).subspan(window_begin(0)); }

  static PublishedVersion groups_of(Classes const& classes, std::vector<int> const& persons,
                                    std::vector<Tuple> const& held) {
    PublishedVersion groups;
    for (auto const& members : members_of(classes)) {
      auto& group = groups.emplace_back();
      for (auto const row : members) {
        group.persons.push_back(persons[row]);
        group.bag.push_back(held[row]);
      }
      std::sort(group.bag.begin(), group.bag.end());
    }
    return groups;
  }

  SerialRules const& rules() const { return rules_; }
  std::vector<SensitiveColumn> const& statement() const { return statement_; }
  std::vector<ListedBound> const& listed() const { return listed_; }
  std::vector<PublishedVersion> const& published() const { return published_; }
  std::int64_t withheld() const { return withheld_; }
  std::size_t cohorts() const { return cohorts_; }  // of the last version

 private:
  std::size_t window_begin(std::size_t still_to_come) const {
    if (rules_.plan.kind != PlanKind::kWindow) return 0;
    auto const window = static_cast<std::size_t>(rules_.plan.horizon) - still_to_come;
    return published_.size() > window ? published_.size() - window : 0;
  }

  Accounts accounts_from(std::size_t begin) const {
    Accounts accounts;
    NoCheckpoint checkpoint;
    for (std::size_t v = begin; v < charges_.size(); ++v)
      for (auto const& [who, one] : charges_[v]) {
        auto const [at, fresh] = accounts.try_emplace(who, one);
        if (fresh) continue;
        at->second.times += one.times;
        at->second.kept = times(at->second.kept, one.kept);
      }
    return accounts;
  }

  SerialRules rules_;
  std::vector<SensitiveColumn> statement_;
  std::vector<ListedBound> listed_;
  std::vector<PublishedVersion> published_;
  std::vector<Accounts> charges_;  // of each version
  std::int64_t withheld_ = 0;
  std::size_t cohorts_ = 0;
};

// Rules, lists and tables at random.
class RandomSerial {
 public:
  explicit RandomSerial(std::uint64_t seed) : random_(seed), tables_(seed + 1) {}
  int draw(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return draw(100) < percent; }

  SerialRules rules() {
    Ratio const some_l[] = {{2, 1}, {3, 1}, {5, 2}, {3, 2}, {4, 3}, {4, 1}};
    SerialRules rules;
    rules.l = some_l[draw(6)];
    rules.plan = {static_cast<PlanKind>(draw(4)), 1 + draw(4), chance(50) ? Ratio{1, 2} : Ratio{1, 3}};
    rules.cohorts = {chance(50), 1 + draw(3), 1 + draw(3), chance(50)};
    if (chance(30)) rules.largest_m = 6 + draw(30);
    return rules;
  }

  // Every column has values that are not listed; the last one is that of most rows.
  std::vector<SensitiveColumn> statement(int columns) {
    std::vector<SensitiveColumn> statement;
    for (int c = 0; c < columns; ++c) {
      SensitiveColumn column;
      column.name = "s" + std::to_string(c);
      column.distinct = 3 + draw(3);
      column.listing = chance(60) ? Listing::kEach : Listing::kAny;
      column.alpha = {1, 2};
      for (Code code = 0; code < 2; ++code)
        if (code == 0 || chance(50)) column.listed.push_back(code);
      statement.push_back(column);
    }
    return statement;
  }

  // A version: quasi values, and how often a row has a listed value, in percent.
  void make(LossyTable& table, SerialRules const& rules, std::vector<SensitiveColumn> const& statement, int rows,
            int listed) {
    tables_.make(table, rows, rules.cohorts.dealt, 1);
    table.statement = statement;
    for (auto& tuple : table.tuples) {
      tuple.clear();
      for (auto const& column : statement) {
        auto const lists = static_cast<int>(column.listed.size());
        tuple.push_back(chance(listed) ? column.listed[static_cast<std::size_t>(draw(lists))]
                                       : lists + draw(static_cast<int>(column.distinct) - lists));
      }
    }
  }

 private:
  std::mt19937_64 random_;
  RandomTable tables_;
};

inline std::string text_of(SerialRules const& rules) {
  char const* const plans[] = {"fixed", "harmonic", "geometric", "window"};
  return "l " + std::to_string(rules.l.num) + "/" + std::to_string(rules.l.den) + ", plan " +
         plans[static_cast<int>(rules.plan.kind)] + " " + std::to_string(rules.plan.horizon) +
         (rules.cohorts.by_cut ? ", cut" : ", least " + std::to_string(rules.cohorts.least)) + ", k " +
         std::to_string(rules.cohorts.k) + (rules.cohorts.dealt ? ", dealt" : ", recoded") + ", at most " +
         std::to_string(rules.largest_m);
}

}  // namespace anon_seq::testing
