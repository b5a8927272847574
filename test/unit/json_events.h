// A small JSON reader for tests: what PostgreSQL's parser gives to the core, made from a text.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "core/taxonomy/json_taxonomy.h"

namespace anon_seq {

// The events of well-formed JSON without escapes other than \" and \\. Owns their texts.
class JsonEvents {
 public:
  explicit JsonEvents(std::string const& json) {
    for (std::size_t i = 0; i < json.size();) i = read(json, i);
  }
  operator std::span<JsonEvent const>() const { return events_; }
  std::span<JsonEvent const> span() const { return events_; }

 private:
  void add(JsonEvent::Kind kind, std::string text = {}) {
    texts_.push_back(std::move(text));
    events_.push_back({kind, texts_.back()});
  }

  std::size_t read(std::string const& json, std::size_t i) {
    std::string const structure = "{}[]";
    if (auto const kind = structure.find(json[i]); kind != std::string::npos) {
      add(static_cast<JsonEvent::Kind>(kind));
      return i + 1;
    }
    if (json[i] == '"') return read_string(json, i + 1);
    if (json[i] == ':' || json[i] == ',' || json[i] == ' ' || json[i] == '\n') return i + 1;
    std::size_t const end = std::min(json.find_first_of(",]} ", i), json.size());
    bool const is_number = json[i] == '-' || (json[i] >= '0' && json[i] <= '9');
    add(is_number ? JsonEvent::kNumber : JsonEvent::kOther, json.substr(i, end - i));
    return end;
  }

  std::size_t read_string(std::string const& json, std::size_t i) {
    std::string text;
    for (; json[i] != '"'; ++i) text += json[i] == '\\' ? json[++i] : json[i];
    bool const is_key = i + 1 < json.size() && json[i + 1] == ':';
    add(is_key ? JsonEvent::kKey : JsonEvent::kString, std::move(text));
    return i + 1;
  }

  std::deque<std::string> texts_;  // a deque: growing moves no string
  std::vector<JsonEvent> events_;
};

}  // namespace anon_seq
