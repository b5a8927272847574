// A JSON value as a tree, for the small structures people pass as jsonb: rules, options, attributes.
//
// Readers ask for what they expect and get an Error kParameter that says where it stands if it is
// something else; keys that nobody asked for are an error as well (expect_keys), so that a misspelt
// option is not silently without effect.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_taxonomy.h"
#include "core/ratio.h"

namespace anon_seq {

class JsonValue {
 public:
  enum class Kind { kNull, kBoolean, kNumber, kString, kArray, kObject };

  // `what` is the place that messages name: "rules", "options". REQUIRES: events of one whole value.
  JsonValue(std::span<JsonEvent const> events, std::string what);

  Kind kind() const { return kind_; }
  std::string const& place() const { return place_; }

  // Object: the member, or nullptr. The last one of equal keys, as in jsonb.
  JsonValue const* find(std::string_view key) const;
  JsonValue const& at(std::string_view key) const;  // Error if it is missing
  std::vector<std::pair<std::string, JsonValue>> const& members() const;
  void expect_keys(std::initializer_list<std::string_view> known) const;

  std::vector<JsonValue> const& elements() const;  // array
  std::string const& string() const;
  std::vector<std::string> strings() const;  // array of strings
  std::string const& number() const;         // as written
  std::int64_t integer() const;
  Ratio ratio() const;  // an exact decimal in (0, 1]
  bool boolean() const;

  [[noreturn]] void refuse(std::string const& expected, std::string const& hint = {}) const;

 private:
  JsonValue() = default;
  void expect(Kind kind, char const* name) const;

  Kind kind_ = Kind::kNull;
  std::string place_, text_;
  std::vector<JsonValue> elements_;
  std::vector<std::pair<std::string, JsonValue>> members_;
};

// An exact decimal in (0, 1] as a fraction: "0.3" is 3/10. `what` names it in the error.
Ratio parse_ratio(std::string_view text, std::string const& what);

// The text as a JSON string, quotes included.
std::string json_string(std::string_view text);

// A json array of what `write` makes of each item.
template <class Items, class Write>
std::string json_array(Items const& items, Write write) {
  std::string json = "[";
  for (auto const& item : items) json += (json.size() == 1 ? "" : ", ") + write(item);
  return json + "]";
}

}  // namespace anon_seq
