// Json objects, written member by member.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace anon_seq::pg {

class JsonObject {
 public:
  // A member whose value is json already; members stand in the order in which they are added.
  JsonObject& add(std::string_view key, std::string const& json);
  JsonObject& text(std::string_view key, std::string_view value);
  JsonObject& number(std::string_view key, std::int64_t value);
  JsonObject& number(std::string_view key, double value);  // to ten digits
  JsonObject& boolean(std::string_view key, bool value);

  // Members that are json already: "a": 1, "b": 2.
  JsonObject& members(std::string_view members);

  bool empty() const { return members_.empty(); }
  std::string json() const { return "{" + members_ + "}"; }
  std::string const& members() const { return members_; }

 private:
  std::string members_;
};

}  // namespace anon_seq::pg
