#include "pg/json_object.h"

#include "core/text/json_value.h"
//
#include "pg/pg_headers.h"

namespace anon_seq::pg {

JsonObject& JsonObject::add(std::string_view key, std::string const& json) {
  return members(json_string(key) + ": " + json);
}

JsonObject& JsonObject::members(std::string_view members) {
  if (!members.empty() && !members_.empty()) members_ += ", ";
  members_ += members;
  return *this;
}

JsonObject& JsonObject::text(std::string_view key, std::string_view value) { return add(key, json_string(value)); }

JsonObject& JsonObject::number(std::string_view key, std::int64_t value) { return add(key, std::to_string(value)); }

JsonObject& JsonObject::number(std::string_view key, double value) {
  char text[64];
  pg_snprintf(text, sizeof text, "%.10g", value);
  return add(key, text);
}

JsonObject& JsonObject::boolean(std::string_view key, bool value) { return add(key, value ? "true" : "false"); }

}  // namespace anon_seq::pg
