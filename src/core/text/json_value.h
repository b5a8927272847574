// A JSON value as a tree, for the small structures people pass as jsonb: rules, options, attributes.
//
// Readers ask for what they expect and get an Error kParameter that says where it stands if it is
// something else; keys that nobody asked for are an error as well (expect_keys), so that a misspelt
// option is not silently without effect.
//
// A value costs 40 bytes and its text, in metered memory. Where it stands is put into words only to refuse it.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/memory.h"
#include "core/numbers/ratio.h"
#include "core/text/json_event.h"

namespace anon_seq {

class JsonValue {
 public:
  enum class Kind : char { kNull, kBoolean, kNumber, kString, kArray, kObject };
  class Members;

  // `what` is the place that messages name: "rules", "options". REQUIRES: events of one whole value.
  JsonValue(std::span<JsonEvent const> events, std::string what);
  JsonValue(JsonValue&&) noexcept;
  JsonValue& operator=(JsonValue&&) noexcept;
  ~JsonValue();

  Kind kind() const { return kind_; }
  std::string place() const;  // "options.a[2].b"; long keys are shown shortened

  // Object: the member, or nullptr. The last one of equal keys, as in jsonb. It lives as long as the whole value.
  JsonValue const* find(std::string_view key) const;
  JsonValue const& at(std::string_view key) const;  // Error if it is missing
  Members members() const;
  void expect_keys(std::span<std::string_view const> known) const;
  void expect_keys(std::initializer_list<std::string_view> known) const {
    expect_keys(std::span(known.begin(), known.size()));
  }

  std::span<JsonValue const> elements() const;  // array
  std::string string() const;
  std::vector<std::string> strings() const;  // array of strings
  std::string number() const;                // as written
  std::int64_t integer() const;
  Ratio ratio() const;  // an exact decimal in (0, 1]
  bool boolean() const;

  [[noreturn]] void refuse(std::string const& expected, std::string const& hint = {}) const;

 private:
  struct Document;  // what all values of one text share: texts, and the values below the first
  JsonValue() = default;
  void expect(Kind kind, char const* name) const;
  std::span<JsonValue const> children() const;
  std::string_view text() const;
  std::string_view key() const;

  std::unique_ptr<Document> owned_;  // the first value's
  Document const* document_ = nullptr;
  std::uint32_t begin_ = 0, size_ = 0;    // of its children among the values, or of its text among the texts
  std::uint32_t key_ = 0, key_size_ = 0;  // of a member among the texts; of an element its position, and kElement
  std::uint32_t parent_ = 0;              // among the values, or kFirst
  Kind kind_ = Kind::kNull;
};

// The members of an object in order: pairs of a key and a value.
class JsonValue::Members {
 public:
  struct Iterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = std::pair<std::string, JsonValue const&>;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = value_type;

    value_type operator*() const { return {std::string(at->key()), *at}; }
    Iterator& operator++() { return ++at, *this; }
    Iterator operator++(int) { return {at++}; }
    bool operator==(Iterator const&) const = default;

    JsonValue const* at;
  };
  explicit Members(std::span<JsonValue const> values) : values_(values) {}
  Iterator begin() const { return {values_.data()}; }
  Iterator end() const { return {values_.data() + values_.size()}; }
  std::size_t size() const { return values_.size(); }

 private:
  std::span<JsonValue const> values_;
};

// What people pass as json is small. Throws kLimit if the text is longer than 1 MB, holds more than 100,000 values or
// is nested more than 32 deep, before anything is made of it. `what` names it. Cost: one look at the text.
void require_small_json(std::string_view text, std::string const& what);

// An exact decimal in (0, 1] as a fraction: "0.3" is 3/10. `what` names it in the error.
Ratio parse_ratio(std::string_view text, std::string const& what);

// The decimal that a ratio was written as: 3/10 is "0.3".
std::string ratio_text(Ratio ratio);

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
