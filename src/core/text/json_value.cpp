#include "core/text/json_value.h"

#include <algorithm>
#include <charconv>

#include "core/numbers/decimal.h"
#include "core/text/nearest.h"

namespace anon_seq {

namespace {

constexpr auto kNoNumber = static_cast<std::uint32_t>(-1);
constexpr std::uint32_t kFirst = kNoNumber, kElement = kNoNumber;
constexpr std::size_t kShownKey = 100;  // bytes

bool closes(JsonEvent::Kind kind) { return kind == JsonEvent::kObjectEnd || kind == JsonEvent::kArrayEnd; }

}  // namespace

struct JsonValue::Document {
  std::string what;
  Vector<char> texts;
  Vector<JsonValue> values;  // children of one value stand together, and before those of the value above it

  std::uint32_t add_text(std::string_view text) {
    auto const begin = static_cast<std::uint32_t>(texts.size());
    texts.insert(texts.end(), text.begin(), text.end());
    return begin;
  }
};

JsonValue::JsonValue(JsonValue&&) noexcept = default;
JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;
JsonValue::~JsonValue() = default;

JsonValue::JsonValue(std::span<JsonEvent const> events, std::string what) : owned_(std::make_unique<Document>()) {
  Document& document = *owned_;
  document.what = std::move(what);
  std::size_t bytes = 0, values = 0;
  for (auto const& event : events) {
    bytes += event.text.size();
    values += event.kind != JsonEvent::kKey && !closes(event.kind);
  }
  if (std::max(bytes, values) >= kNoNumber)
    throw Error(
        Fault::kLimit, document.what + " is too large",
        "It has " + std::to_string(bytes) + " bytes, fewer than " + std::to_string(kNoNumber) + " are allowed.");
  document.texts.reserve(bytes);
  document.values.reserve(values - 1);

  struct Open {
    JsonValue value;
    std::size_t children;  // begin here among the pending
  };
  Vector<Open> open;          // containers of which the end has not come yet
  Vector<JsonValue> pending;  // values of which the container has not ended yet; the first at the end
  std::uint32_t key = 0, key_size = 0;
  auto make = [&](Kind kind) {
    JsonValue made;
    made.kind_ = kind;
    made.document_ = &document;
    if (open.empty()) return made;
    bool const in_array = open.back().value.kind_ == Kind::kArray;
    made.key_ = in_array ? open.back().value.size_ : key;
    made.key_size_ = in_array ? kElement : key_size;
    ++open.back().value.size_;
    return made;
  };
  auto close = [&]() {
    auto [value, children] = std::move(open.back());
    open.pop_back();
    value.begin_ = static_cast<std::uint32_t>(document.values.size());
    // Only now does a value have its place, which those below it need.
    for (std::size_t i = children; i < pending.size(); ++i) {
      auto const place = static_cast<std::uint32_t>(document.values.size());
      document.values.push_back(std::move(pending[i]));
      auto const& placed = document.values.back();
      if (placed.kind_ == Kind::kArray || placed.kind_ == Kind::kObject)
        for (std::size_t c = 0; c < placed.size_; ++c) document.values[placed.begin_ + c].parent_ = place;
    }
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(children), pending.end());
    pending.push_back(std::move(value));
  };
  auto add = [&](Kind kind, std::string_view text) {
    pending.push_back(make(kind));
    pending.back().begin_ = document.add_text(text);
    pending.back().size_ = static_cast<std::uint32_t>(text.size());
  };
  for (auto const& event : events) switch (event.kind) {
      case JsonEvent::kObject: open.push_back({make(Kind::kObject), pending.size()}); break;
      case JsonEvent::kArray: open.push_back({make(Kind::kArray), pending.size()}); break;
      case JsonEvent::kObjectEnd:
      case JsonEvent::kArrayEnd: close(); break;
      case JsonEvent::kKey:
        key = document.add_text(event.text);
        key_size = static_cast<std::uint32_t>(event.text.size());
        break;
      case JsonEvent::kString: add(Kind::kString, event.text); break;
      case JsonEvent::kNumber: add(Kind::kNumber, event.text); break;
      case JsonEvent::kOther: add(event.text == "null" ? Kind::kNull : Kind::kBoolean, event.text); break;
    }
  JsonValue& first = pending.back();
  document_ = &document;
  begin_ = first.begin_;
  size_ = first.size_;
  kind_ = first.kind_;
  if (kind_ == Kind::kArray || kind_ == Kind::kObject)
    for (std::size_t c = 0; c < size_; ++c) document.values[begin_ + c].parent_ = kFirst;
}

std::string_view JsonValue::text() const { return {document_->texts.data() + begin_, size_}; }
std::string_view JsonValue::key() const { return {document_->texts.data() + key_, key_size_}; }
std::span<JsonValue const> JsonValue::children() const { return std::span(document_->values).subspan(begin_, size_); }

std::string JsonValue::place() const {
  std::vector<JsonValue const*> path;
  if (owned_ == nullptr)
    for (auto const* at = this;; at = &document_->values[at->parent_]) {
      path.push_back(at);
      if (at->parent_ == kFirst) break;
    }
  std::string place = document_->what;
  for (auto at = path.rbegin(); at != path.rend(); ++at)
    place +=
        (*at)->key_size_ == kElement ? "[" + std::to_string((*at)->key_) + "]" : "." + clipped((*at)->key(), kShownKey);
  return place;
}

void JsonValue::refuse(std::string const& expected, std::string const& hint) const {
  throw Error(Fault::kParameter, place() + " must be " + expected, "", hint);
}

void JsonValue::expect(Kind kind, char const* name) const {
  if (kind_ != kind) refuse(name);
}

JsonValue const* JsonValue::find(std::string_view key) const {
  expect(Kind::kObject, "an object");
  auto const values = children();
  for (auto value = values.rbegin(); value != values.rend(); ++value)
    if (value->key() == key) return &*value;
  return nullptr;
}

JsonValue const& JsonValue::at(std::string_view key) const {
  if (auto const* found = find(key)) return *found;
  throw Error(Fault::kParameter, place() + " lacks the key " + quoted(key));
}

JsonValue::Members JsonValue::members() const {
  expect(Kind::kObject, "an object");
  return Members(children());
}

void JsonValue::expect_keys(std::span<std::string_view const> known) const {
  expect(Kind::kObject, "an object");
  for (auto const& member : children()) {
    auto const key = member.key();
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string list;
    for (auto name : known) list += (list.empty() ? "" : ", ") + std::string(name);
    auto const meant = perhaps(key, std::vector<std::string>(known.begin(), known.end()));
    throw Error(Fault::kParameter, place() + " has the unknown key " + quoted(clipped(key, kShownKey)), "",
                meant + (meant.empty() ? "" : " ") + "Known keys are " + list + ".");
  }
}

std::span<JsonValue const> JsonValue::elements() const {
  expect(Kind::kArray, "an array");
  return children();
}

std::string JsonValue::string() const {
  expect(Kind::kString, "a string");
  return std::string(text());
}

std::vector<std::string> JsonValue::strings() const {
  std::vector<std::string> strings;
  for (auto const& element : elements()) strings.push_back(element.string());
  return strings;
}

std::string JsonValue::number() const {
  expect(Kind::kNumber, "a number");
  return std::string(text());
}

std::int64_t JsonValue::integer() const {
  auto const scale = decimal_scale(number());
  auto const value = decimal_floor(text(), 0);
  if (!scale || *scale != 0 || !value) refuse("a whole number");
  return *value;
}

Ratio JsonValue::ratio() const { return parse_ratio(number(), place()); }

bool JsonValue::boolean() const {
  expect(Kind::kBoolean, "true or false");
  return text() == "true";
}

void require_small_json(std::string_view text, std::string const& what) {
  constexpr std::size_t kMostBytes = 1 << 20, kMostValues = 100000, kMostLevels = 32;
  auto const require = [&](std::size_t found, std::size_t most, char const* has, char const* unit) {
    if (found > most)
      throw Error(Fault::kLimit, what + " is too large",
                  "It " + (has + (" " + std::to_string(found))) + unit + ", " + std::to_string(most) + " are allowed.");
  };
  require(text.size(), kMostBytes, "has", " bytes");
  std::size_t values = 1, level = 0, levels = 0;  // a comma is followed by a value, a bracket by one or by its end
  bool in_string = false, just_opened = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') continue;
    if (c == '\\') {
      ++i;  // stands in strings only
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '[' || c == '{')) {
      ++values;
      levels = std::max(levels, ++level);
      just_opened = true;
      continue;
    } else if (!in_string && (c == ']' || c == '}')) {
      values -= just_opened;
      --level;
    } else if (!in_string && c == ',') {
      ++values;
    }
    just_opened = false;
  }
  require(values, kMostValues, "has", " values");
  require(levels, kMostLevels, "is nested", " levels deep");
}

std::string ratio_text(Ratio ratio) {
  int scale = 0;
  for (auto den = ratio.den; den > 1; den /= 10) ++scale;
  std::string digits = std::to_string(ratio.num);
  if (scale == 0) return digits;
  if (digits.size() <= static_cast<std::size_t>(scale))
    digits.insert(0, static_cast<std::size_t>(scale) + 1 - digits.size(), '0');
  return digits.insert(digits.size() - static_cast<std::size_t>(scale), ".");
}

Ratio parse_ratio(std::string_view text, std::string const& what) {
  auto const scale = decimal_scale(text);
  Ratio ratio;
  if (scale && *scale <= kMaxScale) {
    for (int i = 0; i < *scale; ++i) ratio.den *= 10;
    ratio.num = decimal_floor(text, *scale).value_or(0);
  }
  if (ratio.num <= 0 || ratio.num > ratio.den)
    throw Error(Fault::kParameter, what + " must be above 0 and at most 1", "",
                "Write a decimal such as 0.3, with at most " + std::to_string(kMaxScale) + " digits after the point.");
  return ratio;
}

std::string json_string(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string json = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      json += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      json += std::string("\\u00") + kHex[c >> 4] + kHex[c & 15];
    else
      json += c;
  }
  return json + '"';
}

}  // namespace anon_seq
