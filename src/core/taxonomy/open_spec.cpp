#include "core/taxonomy/open_spec.h"

#include <charconv>

namespace anon_seq {
namespace {

int length_of(std::string const& text) {
  int length = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(Fault::kParameter, "lengths of a prefix taxonomy must be whole numbers");
  return length;
}

// A key of a spec: where its values go among the parameters, and of which form they are.
struct Field {
  char const *kind, *key;
  bool is_list;
  JsonEvent::Kind value;
};
constexpr Field kFields[] = {{"prefix", "lengths", true, JsonEvent::kNumber},
                             {"range", "lower", false, JsonEvent::kNumber},
                             {"range", "upper", false, JsonEvent::kNumber},
                             {"range", "widths", true, JsonEvent::kNumber},
                             {"date", "units", true, JsonEvent::kString}};

class SpecParser {
 public:
  SpecParser(std::string_view name, std::span<JsonEvent const> events) : name_(name), events_(events) {}

  OpenSpec parse() {
    OpenSpec spec{std::string(events_[2].text), {}};
    bool known = false;
    for (auto const& field : kFields) {
      if (spec.kind != field.kind) continue;
      known = true;
      take(field, spec.parameters);
    }
    if (!known) refuse(2, "Kinds are prefix, range and date.");
    for (std::size_t i = 3; i < events_.size(); ++i)
      if (events_[i].kind == JsonEvent::kKey && !is_field(spec.kind, events_[i].text))
        refuse(i, "This key has no meaning here.");
    return spec;
  }

 private:
  // Appends the values of one field, which must be there once.
  void take(Field const& field, std::vector<std::string>& into) {
    std::size_t at = 0;
    for (std::size_t i = 3; i < events_.size(); ++i) {
      if (events_[i].kind != JsonEvent::kKey || events_[i].text != field.key) continue;
      if (at != 0) refuse(i, "This key stands here twice.");
      at = i;
    }
    if (at == 0) refuse(0, "The key " + quoted(field.key) + " is missing.");
    std::size_t i = at + 1;
    if (field.is_list && events_[i++].kind != JsonEvent::kArray) refuse(at, "An array should stand here.");
    std::size_t const first = i;
    while (events_[i].kind == field.value && (field.is_list || i == first)) into.emplace_back(events_[i++].text);
    if (field.is_list ? events_[i].kind != JsonEvent::kArrayEnd : i == first)
      refuse(i, field.value == JsonEvent::kNumber ? "A number should stand here." : "A string should stand here.");
  }

  static bool is_field(std::string_view kind, std::string_view key) {
    for (auto const& field : kFields)
      if (kind == field.kind && key == field.key) return true;
    return false;
  }

  [[noreturn]] void refuse(std::size_t at, std::string const& why) const {
    throw Error(Fault::kParameter, "json of taxonomy " + quoted(name_) + " has the wrong shape",
                "At " + json_place(events_, at) + ": " + why);
  }

  std::string_view name_;
  std::span<JsonEvent const> events_;
};

}  // namespace

OpenTaxonomy open_rule(OpenSpec const& spec) {
  auto const& parameters = spec.parameters;
  if (spec.kind == "date") return make_date_rule(parameters);
  if (spec.kind == "range" && parameters.size() >= 2)
    return make_range_rule(parameters[0], parameters[1], {parameters.begin() + 2, parameters.end()});
  if (spec.kind != "prefix") throw Error(Fault::kDamaged, "an open taxonomy of an unknown kind");
  std::vector<int> lengths;
  for (auto const& parameter : parameters) lengths.push_back(length_of(parameter));
  return make_prefix_rule(std::move(lengths));
}

std::optional<OpenSpec> spec_from_json(std::string_view name, std::span<JsonEvent const> events) {
  bool const is_spec = events.size() > 3 && events[0].kind == JsonEvent::kObject && events[1].kind == JsonEvent::kKey &&
                       events[1].text == "kind" && events[2].kind == JsonEvent::kString;
  if (!is_spec) return std::nullopt;
  return SpecParser(name, events).parse();
}

}  // namespace anon_seq
