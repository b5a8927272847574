#include "release/row_match.h"

#include <algorithm>
#include <memory>

#include "core/base/checkpoint.h"
//
#include "catalog/ledger.h"
#include "pg/sql_text.h"
#include "release/relations.h"

namespace anon_seq::release {
namespace {

// The rows of a query, one by one.
class RowStream {
 public:
  RowStream(SpiSession& session, std::string const& query, std::size_t width)
      : cursor_(session, query, DatumCursor::Form::kPacked) {
    for (std::size_t column = 0; column < width; ++column) {
      auto const& type = cursor_.type(column);
      types_.push_back(type.atttypid);
      lengths_.push_back(type.attbyval ? kByValue : type.attlen);
    }
  }

  bool next() {
    if (++row_ < cursor_.rows()) return true;
    row_ = 0;
    return cursor_.next();
  }
  bool is_null(std::size_t column) const { return cursor_.is_null(row_, column); }
  std::string_view bytes(std::size_t column) const {
    Datum const& value = cursor_.get(row_, column);
    auto const* const at = reinterpret_cast<char const*>(DatumGetPointer(value));
    switch (lengths_[column]) {
      case kByValue: return {reinterpret_cast<char const*>(&value), sizeof value};
      case -1: return {VARDATA_ANY(at), VARSIZE_ANY_EXHDR(at)};
      case -2: return at;
      default: return {at, static_cast<std::size_t>(lengths_[column])};
    }
  }
  std::int64_t count(std::size_t column) const { return cursor_.bigint(row_, column); }
  Oid type(std::size_t column) const { return types_[column]; }
  void show(std::size_t relation, RowVisitor& visitor) const { visitor.visit(relation, cursor_, row_); }

 private:
  static constexpr std::int16_t kByValue = 0;

  DatumCursor cursor_;
  std::vector<Oid> types_;
  std::vector<std::int16_t> lengths_;
  std::size_t row_ = 0;
};

bool same(RowStream const& a, std::size_t i, RowStream const& b, std::size_t j) {
  if (a.is_null(i) || b.is_null(j)) return a.is_null(i) && b.is_null(j);
  return a.bytes(i) == b.bytes(j);
}

// One relation, which follows the cells.
class Follower {
 public:
  Follower(SpiSession& session, Release const& release, std::size_t number, RowVisitor* visitor)
      : columns_(release.relations[number].columns),
        counted_(release.relations[number].counted),
        rows_(session, query_of(release, release.relations[number]), columns_.size() + counted_),
        number_(number),
        visitor_(visitor) {}
  virtual ~Follower() = default;

  bool has_types_of(RowStream const& cells) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (rows_.type(i) != cells.type(columns_[i] - 1)) return false;
    return !counted_ || rows_.type(columns_.size()) == INT8OID;
  }
  virtual void begin() {}
  // Whether it goes on with what a cell says, n times.
  virtual bool take(RowStream const& cells, std::int64_t n) = 0;
  // Whether it ends with the cells.
  virtual bool end() = 0;
  std::int64_t shown() const { return shown_; }

 protected:
  std::vector<std::size_t> const columns_;
  bool const counted_;
  RowStream rows_;
  std::int64_t shown_ = 0;

  bool next() {
    if (!rows_.next()) return false;
    if (visitor_ != nullptr) rows_.show(number_, *visitor_);
    return true;
  }

 private:
  static std::string query_of(Release const& release, ReleaseRelation const& relation) {
    std::vector<std::string> shown;
    for (std::size_t const i : relation.columns) shown.push_back(quote_name(release.columns[i - 1].column));
    return "SELECT " + joined(shown, ", ") + (relation.counted ? ", n" : "") + " FROM " + relation.name;
  }

  std::size_t const number_;
  RowVisitor* const visitor_;
};

class Plain : public Follower {
 public:
  using Follower::Follower;

  bool take(RowStream const& cells, std::int64_t n) override {
    shown_ += n;
    for (; n > 0; --n) {
      if (!next()) return false;
      for (std::size_t i = 0; i < columns_.size(); ++i)
        if (!same(rows_, i, cells, columns_[i] - 1)) return false;
    }
    return true;
  }
  bool end() override { return !next(); }
};

// Of a class its number and one more column, counted.
class Counted : public Follower {
 public:
  Counted(SpiSession& session, Release const& release, std::size_t number, RowVisitor* visitor)
      : Follower(session, release, number, visitor) {
    values_.add_hidden("");
  }

  void begin() override { ahead_ = next(); }

  bool take(RowStream const& cells, std::int64_t n) override {
    if (cells.is_null(columns_[0] - 1)) return false;
    auto const id = cells.bytes(columns_[0] - 1);
    if (id != class_ && !end_class()) return false;
    class_ = id;
    shown_ += n;
    said_.push_back({code(cells, columns_[1] - 1), n});
    return true;
  }
  bool end() override { return end_class() && !ahead_; }

 private:
  struct Held {
    Code value;
    std::int64_t n;
    auto operator<=>(Held const&) const = default;
  };

  Code code(RowStream const& of, std::size_t column) {
    return of.is_null(column) ? kNull : values_.intern(of.bytes(column));
  }

  // Whether the relation goes on with the values of the class that the cells said last.
  bool end_class() {
    shows_.clear();
    for (; ahead_ && !rows_.is_null(0) && rows_.bytes(0) == class_; ahead_ = next()) {
      if (rows_.is_null(2)) return false;
      shows_.push_back({code(rows_, 1), rows_.count(2)});
    }
    std::sort(said_.begin(), said_.end());
    std::sort(shows_.begin(), shows_.end());
    std::size_t kinds = 0;
    for (auto const& held : said_) {
      if (kinds > 0 && said_[kinds - 1].value == held.value)
        said_[kinds - 1].n += held.n;
      else
        said_[kinds++] = held;
    }
    said_.resize(kinds);
    bool const equal = std::ranges::equal(said_, shows_);
    said_.clear();
    return equal;
  }

  Dictionary values_;
  std::string class_;  // the bytes of its number
  Vector<Held> said_, shows_;
  bool ahead_ = false;  // whether there is a row of the relation that was not looked at
};

// nullptr: a relation that cannot be seen so.
std::unique_ptr<Follower> follower(SpiSession& session, Release const& release, std::size_t number,
                                   RowVisitor* visitor) {
  auto const& relation = release.relations[number];
  if (!relation.counted) return std::make_unique<Plain>(session, release, number, visitor);
  if (relation.columns.size() != 2 || release.columns[relation.columns[0] - 1].role != Role::kClass) return nullptr;
  return std::make_unique<Counted>(session, release, number, visitor);
}

std::string cells_of(Release const& release) {
  std::string columns;
  for (std::size_t i = 1; i <= release.columns.size(); ++i) columns += "c" + std::to_string(i) + ", ";
  return sql_text("SELECT {columns}n FROM {cell} WHERE version = {version}",
                  {{"columns", columns},
                   {"cell", ledger_table(release.ledger, "cell")},
                   {"version", std::to_string(release.version)}});
}

}  // namespace

std::optional<std::vector<std::int64_t>> rows_in_step(SpiSession& session, Release const& release,
                                                      RowVisitor* visitor) {
  RowStream cells(session, cells_of(release), release.columns.size() + 1);
  std::vector<std::unique_ptr<Follower>> followers;
  for (std::size_t i = 0; i < release.relations.size(); ++i) {
    if (release.relations[i].is_joined()) continue;
    followers.push_back(follower(session, release, i, visitor));
    if (followers.back() == nullptr || !followers.back()->has_types_of(cells)) return std::nullopt;
    followers.back()->begin();
  }
  std::size_t const last = release.columns.size();
  if (cells.type(last) != INT8OID) return std::nullopt;
  while (cells.next()) {
    if (cells.is_null(last)) return std::nullopt;
    auto const n = cells.count(last);
    for (auto const& of : followers)
      if (n < 1 || !of->take(cells, n)) return std::nullopt;
  }
  std::vector<std::int64_t> shown;
  for (auto const& of : followers) {
    if (!of->end()) return std::nullopt;
    shown.push_back(of->shown());
  }
  if (visitor != nullptr) visitor->done();
  return shown;
}

}  // namespace anon_seq::release
