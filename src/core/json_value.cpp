#include "core/json_value.h"

#include <algorithm>
#include <charconv>

#include "core/decimal.h"

namespace anon_seq {

JsonValue::JsonValue(std::span<JsonEvent const> events, std::string what) {
  std::vector<JsonValue*> open;  // values of which the end has not come yet
  std::string key;
  auto add = [&](Kind kind, std::string_view text) -> JsonValue* {
    JsonValue* made = this;
    if (open.empty()) {
      place_ = what;
    } else if (JsonValue& parent = *open.back(); parent.kind_ == Kind::kArray) {
      parent.elements_.push_back(JsonValue());
      made = &parent.elements_.back();
      made->place_ = parent.place_ + "[" + std::to_string(parent.elements_.size() - 1) + "]";
    } else {
      parent.members_.emplace_back(key, JsonValue());
      made = &parent.members_.back().second;
      made->place_ = parent.place_ + "." + key;
    }
    made->kind_ = kind;
    made->text_ = text;
    return made;
  };
  for (auto const& event : events) switch (event.kind) {
      case JsonEvent::kObject: open.push_back(add(Kind::kObject, {})); break;
      case JsonEvent::kArray: open.push_back(add(Kind::kArray, {})); break;
      case JsonEvent::kObjectEnd:
      case JsonEvent::kArrayEnd: open.pop_back(); break;
      case JsonEvent::kKey: key = event.text; break;
      case JsonEvent::kString: add(Kind::kString, event.text); break;
      case JsonEvent::kNumber: add(Kind::kNumber, event.text); break;
      case JsonEvent::kOther: add(event.text == "null" ? Kind::kNull : Kind::kBoolean, event.text); break;
    }
}

void JsonValue::refuse(std::string const& expected, std::string const& hint) const {
  throw Error(Fault::kParameter, place_ + " must be " + expected, "", hint);
}

void JsonValue::expect(Kind kind, char const* name) const {
  if (kind_ != kind) refuse(name);
}

JsonValue const* JsonValue::find(std::string_view key) const {
  expect(Kind::kObject, "an object");
  for (auto member = members_.rbegin(); member != members_.rend(); ++member)
    if (member->first == key) return &member->second;
  return nullptr;
}

JsonValue const& JsonValue::at(std::string_view key) const {
  if (auto const* found = find(key)) return *found;
  throw Error(Fault::kParameter, place_ + " lacks the key " + quoted(key));
}

std::vector<std::pair<std::string, JsonValue>> const& JsonValue::members() const {
  expect(Kind::kObject, "an object");
  return members_;
}

void JsonValue::expect_keys(std::initializer_list<std::string_view> known) const {
  for (auto const& [key, value] : members()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string list;
    for (auto name : known) list += (list.empty() ? "" : ", ") + std::string(name);
    throw Error(Fault::kParameter, place_ + " has the unknown key " + quoted(key), "", "Known keys are " + list + ".");
  }
}

std::vector<JsonValue> const& JsonValue::elements() const {
  expect(Kind::kArray, "an array");
  return elements_;
}

std::string const& JsonValue::string() const {
  expect(Kind::kString, "a string");
  return text_;
}

std::vector<std::string> JsonValue::strings() const {
  std::vector<std::string> strings;
  for (auto const& element : elements()) strings.push_back(element.string());
  return strings;
}

std::string const& JsonValue::number() const {
  expect(Kind::kNumber, "a number");
  return text_;
}

std::int64_t JsonValue::integer() const {
  auto const scale = decimal_scale(number());
  auto const value = decimal_floor(text_, 0);
  if (!scale || *scale != 0 || !value) refuse("a whole number");
  return *value;
}

Ratio JsonValue::ratio() const { return parse_ratio(number(), place_); }

bool JsonValue::boolean() const {
  expect(Kind::kBoolean, "true or false");
  return text_ == "true";
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
