#include "serial/groups.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "lossy_join/listed.h"
#include "pg/array_text.h"
#include "pg/datum_cursor.h"
#include "pg/sql_text.h"
#include "release/relations.h"
#include "serial/terms.h"

namespace anon_seq::serial {
namespace {

std::string c(std::size_t number) { return "c" + std::to_string(number); }

// Where rows of a class are counted: SELECTs of (class_id, n), and of (class_id, value, n) of a sensitive column.
struct Counted {
  std::string sizes;
  std::map<std::string, std::string> values;  // by column
};

Counted counted(Release const& release, bool from_relations) {
  Counted counted;
  auto const ledger = ledger_table(release.ledger, "cell") + " WHERE version = " + std::to_string(release.version);
  auto const class_of = c(release.columns.size());
  auto const& first = release.relations.empty() ? ReleaseRelation() : release.relations.front();
  counted.sizes = from_relations
                      ? "SELECT class_id, count(*) AS n FROM " + first.name + " GROUP BY class_id"
                      : "SELECT " + class_of + " AS class_id, sum(n)::bigint AS n FROM " + ledger + " GROUP BY 1";
  for (auto const& column : release.columns) {
    if (column.role != Role::kSensitive) continue;
    auto const number = release.number_of(column);
    auto& query = counted.values[column.column];
    query = "SELECT " + class_of + " AS class_id, " + c(number) + " AS value, n FROM " + ledger;
    if (!from_relations) continue;
    query = "SELECT class_id, " + quote_name(column.column) + " AS value, 1::bigint AS n FROM " + first.name;
    for (auto const& relation : release.relations)
      if (relation.counted && relation.columns.back() == number)
        query = "SELECT class_id, " + quote_name(column.column) + " AS value, n FROM " + relation.name;
  }
  return counted;
}

class GroupReader {
 public:
  GroupReader(SpiSession& session, Release const& release, SerialPolicy const& demands, Budget& budget,
              PersonCodes& persons, std::vector<BoundName> const& known, lossy_join::WrittenClasses const* written,
              Checkpoint& checkpoint)
      : session_(session),
        release_(release),
        demands_(demands),
        budget_(budget),
        persons_(persons),
        known_(known),
        written_(written),
        checkpoint_(checkpoint),
        counted_(counted(release, !release.retired && has_own_relations(session, release))) {}

  GroupCharges run() {
    for (auto const& column : release_.columns)
      if (column.role == Role::kSensitive && demands_.listed.contains(column.column)) count_values(column);
    if (conditions_.size() > 1) count_together();
    merge_held();
    if (held_.empty()) return std::move(found_);
    find_sizes();
    generalized_ ? read_cells() : read_places();
    return std::move(found_);
  }

 private:
  struct Held {
    std::int32_t class_id, bound;
    std::int64_t n;
  };

  void count_values(PublishedColumn const& column) {
    if (written_ != nullptr) return count_listed(column, written_->texts, written_->values);
    Dictionary texts;
    texts.add_hidden("");
    Vector<lossy_join::WrittenClasses::Held> values;
    DatumCursor cursor(session_,  // one by one: GROUP BY would take three times as long
                       "SELECT class_id::int, value::text, n FROM (" + counted_.values[column.column] + ") AS v");
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row)
        values.push_back({cursor.integer(row, 0), cursor.is_null(row, 1) ? kNull : texts.intern(cursor.text(row, 1)),
                          cursor.bigint(row, 2)});
    count_listed(column, texts, values);
    if (!generalized_ || !ids_.empty()) return;
    std::vector<std::pair<std::int32_t, std::int64_t>> sizes;
    NumberCodes places;  // a table has all values, so they tell how large its classes are
    for (auto const& held : values) {
      checkpoint_.tick();
      auto& place = places.at(held.id);
      if (place == kNoCode) {
        place = static_cast<Code>(sizes.size());
        sizes.emplace_back(held.id, 0);
      }
      sizes[static_cast<std::size_t>(place)].second += held.n;
    }
    std::ranges::sort(sizes);
    for (auto const& [class_id, n] : sizes) add_size(class_id, n);
  }

  void count_listed(PublishedColumn const& column, Dictionary const& texts,
                    Vector<lossy_join::WrittenClasses::Held> const& values) {
    std::vector<std::string_view> all, listed;
    for (Code code = 1; code < texts.size(); ++code) all.push_back(texts[code]);
    TaxonomyPool pool(session_, checkpoint_);
    auto const meant = lossy_join::find_listed(session_, column, all, demands_, pool);
    Vector<std::int32_t> bound_of(all.size() + 1, -1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (meant.is_listed[i] == 0) continue;
      auto const name = name_of(column, meant, i, all[i]);
      if (is_known(name)) continue;
      bound_of[i + 1] = budget_.number_of(name);
      listed.push_back(all[i]);
    }
    if (listed.empty()) return;
    if (!demands_.each) conditions_.push_back({c(release_.number_of(column)), text_array(listed)});
    for (auto const& held : values)
      if (auto const bound = bound_of[static_cast<std::size_t>(held.value)]; bound >= 0)
        held_.push_back({held.id, bound, held.n});
  }

  BoundName name_of(PublishedColumn const& column, lossy_join::ListedValues const& meant, std::size_t text,
                    std::string_view value) {
    if (!demands_.each) return together();
    auto const bound = meant.bound_of[text];
    if (bound == lossy_join::ListedValues::kSingly) return {column.column, std::string(value), ""};
    return {column.column, meant.bounded[bound].name, meant.bounded[bound].below};
  }
  BoundName const& together() {
    if (!together_) {
      TaxonomyPool pool(session_, checkpoint_);
      together_ = {"", merged_name(demands_), lossy_join::values_below(session_, release_.columns, demands_, pool)};
    }
    return *together_;
  }
  bool is_known(BoundName const& name) const { return std::ranges::find(known_, name) != known_.end(); }

  // Values of several columns that are bounded together: a row with two of them counts once, which only the ledger
  // knows.
  void count_together() {
    held_.clear();
    std::string condition;
    std::vector<SqlValue> values;
    for (auto const& [column, listed] : conditions_) {
      values.push_back(SqlValue::datum(TEXTARRAYOID, listed));
      condition += (condition.empty() ? "" : " OR ") + column + "::text = ANY ($" + std::to_string(values.size()) + ")";
    }
    auto const rows = session_.execute(
        "SELECT " + c(release_.columns.size()) + ", sum(n)::bigint FROM " + ledger_table(release_.ledger, "cell") +
            " WHERE version = " + std::to_string(release_.version) + " AND (" + condition + ") GROUP BY 1",
        values, true);
    for (std::uint64_t row = 0; row < rows.count(); ++row)
      held_.push_back({rows.int32(row, 1), budget_.number_of(together()), rows.integer(row, 2)});
  }

  // By class and bound; of values of a column that are bounded together the sum.
  void merge_held() {
    std::sort(held_.begin(), held_.end(), [](Held const& a, Held const& b) {
      return a.class_id != b.class_id ? a.class_id < b.class_id : a.bound < b.bound;
    });
    std::size_t kept = 0;
    for (auto const& held : held_)
      if (kept > 0 && held_[kept - 1].class_id == held.class_id && held_[kept - 1].bound == held.bound)
        held_[kept - 1].n += held.n;
      else
        held_[kept++] = held;
    held_.resize(kept);
  }

  // Ascending by class.
  void add_size(std::int32_t class_id, std::int64_t n) {
    if (ids_.empty() || ids_.back() != class_id) {
      ids_.push_back(class_id);
      sizes_.push_back(0);
    }
    sizes_.back() += n;
  }

  void find_sizes() {
    if (written_ != nullptr)
      for (auto const class_id : written_->people) add_size(class_id, 1);
    if (ids_.empty()) {
      DatumCursor cursor(session_, "SELECT class_id::int, n::bigint FROM (" + counted_.sizes + ") AS s ORDER BY 1");
      while (cursor.next())
        for (std::size_t row = 0; row < cursor.rows(); ++row) add_size(cursor.integer(row, 0), cursor.bigint(row, 1));
    }
    found_.classes = static_cast<std::int64_t>(sizes_.size());
    found_.smallest = sizes_.empty() ? 0 : *std::min_element(sizes_.begin(), sizes_.end());
    find_begins();
    find_worst();
  }

  void find_begins() {
    begins_.assign(1, 0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      while (next < held_.size() && held_[next].class_id < ids_[i]) ++next;
      begins_.back() = next;
      while (next < held_.size() && held_[next].class_id == ids_[i]) ++next;
      begins_.push_back(next);
    }
  }

  // What is kept by who is in a class, of one of its values.
  Ratio kept_by(std::size_t of_class, Held const& held) const {
    return {std::max<std::int64_t>(sizes_[of_class] - held.n, 0), sizes_[of_class]};
  }

  void find_worst() {
    for (std::size_t i = 0; i < ids_.size(); ++i)
      for (std::size_t h = begins_[i]; h < held_.size() && held_[h].class_id == ids_[i]; ++h) {
        auto const kept = kept_by(i, held_[h]);
        auto& worst = found_.worst.try_emplace(held_[h].bound, kept).first->second;
        if (wide_mul(kept.num, worst.den) < wide_mul(worst.num, kept.den)) worst = kept;
      }
  }

  void charge(DatumCursor::Elements const& persons, std::size_t p, std::size_t of_class) {
    ++found_.persons;
    if (persons.nulls[p] || of_class >= ids_.size()) return;
    std::size_t const begin = begins_[of_class];
    if (begin >= held_.size() || held_[begin].class_id != ids_[of_class]) return;
    Code const person = persons_.of(persons.values[p]);
    for (std::size_t h = begin; h < held_.size() && held_[h].class_id == ids_[of_class]; ++h)
      found_.accounts.push_back({person, held_[h].bound, 1, kept_by(of_class, held_[h])});
  }

  // Rows stand in the order of their classes.
  void read_places() {
    DatumCursor cursor(session_, "SELECT place, persons FROM " + ledger_table(release_.ledger, "member") +
                                     " WHERE version = " + std::to_string(release_.version) + " ORDER BY place");
    std::size_t of_class = 0;
    std::int64_t end = sizes_.empty() ? 0 : sizes_.front();
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row) {
        auto const first = cursor.integer(row, 0);
        auto const persons = cursor.elements(row, 1, persons_.array_type());
        for (std::size_t p = 0; p < persons.count; ++p) {
          checkpoint_.tick();
          while (of_class < sizes_.size() && first + static_cast<std::int64_t>(p) > end)
            if (++of_class < sizes_.size()) end += sizes_[of_class];
          charge(persons, p, of_class);
        }
      }
  }

  void read_cells() {
    DatumCursor cursor(
        session_, sql_text("SELECT c.{class}::int, p.persons FROM {cell} AS c JOIN {person} AS p USING (version, cell)"
                           " WHERE version = {version}",
                           {{"class", c(release_.columns.size())},
                            {"cell", ledger_table(release_.ledger, "cell")},
                            {"person", ledger_table(release_.ledger, "person")},
                            {"version", std::to_string(release_.version)}}));
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row) {
        auto const at = std::ranges::lower_bound(ids_, cursor.integer(row, 0));
        auto const of_class = at == ids_.end() || *at != cursor.integer(row, 0)
                                  ? ids_.size()
                                  : static_cast<std::size_t>(at - ids_.begin());
        auto const persons = cursor.elements(row, 1, persons_.array_type());
        for (std::size_t p = 0; p < persons.count; ++p) {
          checkpoint_.tick();
          charge(persons, p, of_class);
        }
      }
  }

  SpiSession& session_;
  Release const& release_;
  SerialPolicy const& demands_;
  Budget& budget_;
  PersonCodes& persons_;
  std::vector<BoundName> const& known_;
  lossy_join::WrittenClasses const* written_;
  Checkpoint& checkpoint_;
  Counted counted_;
  bool const generalized_ = terms_of(release_).generalized;  // of another policy of the population it may be another
  std::vector<std::pair<std::string, Datum>> conditions_;    // columns whose listed values are bounded together
  std::optional<BoundName> together_;                        // of values that are bounded together
  Vector<Held> held_;                                        // ascending by class and bound
  Vector<std::int32_t> ids_;                                 // ascending
  Vector<std::int64_t> sizes_;                               // of these
  Vector<std::size_t> begins_;                               // of these: where their entries of held_ begin
  GroupCharges found_;
};

}  // namespace

GroupCharges charges_of(SpiSession& session, Release const& release, SerialPolicy const& demands, Budget& budget,
                        PersonCodes& persons, std::vector<BoundName> const& known, Checkpoint& checkpoint,
                        lossy_join::WrittenClasses const* written) {
  return GroupReader(session, release, demands, budget, persons, known, written, checkpoint).run();
}

}  // namespace anon_seq::serial
