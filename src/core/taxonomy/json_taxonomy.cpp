#include "core/taxonomy/json_taxonomy.h"

namespace anon_seq {
namespace {

constexpr std::size_t kShownKey = 100;  // bytes

// One open object or array while walking through the events.
struct Level {
  bool is_object;
  std::string_view node;      // the label that the elements of this level stand below; "" at the top
  std::string_view key;       // the key met last
  std::int64_t elements = 0;  // array elements or keys met so far
};

bool opens(JsonEvent::Kind kind) { return kind == JsonEvent::kObject || kind == JsonEvent::kArray; }
bool closes(JsonEvent::Kind kind) { return kind == JsonEvent::kObjectEnd || kind == JsonEvent::kArrayEnd; }

// Keeps `levels` in step with the event; the label below which a new level hangs is its key or, in an
// array, that of the array itself.
void follow(Vector<Level>& levels, JsonEvent const& event) {
  if (closes(event.kind)) {
    levels.pop_back();
    return;
  }
  if (!levels.empty() && (event.kind == JsonEvent::kKey || !levels.back().is_object)) ++levels.back().elements;
  if (event.kind == JsonEvent::kKey) levels.back().key = event.text;
  if (opens(event.kind)) {
    std::string_view const node = levels.empty()            ? ""
                                  : levels.back().is_object ? levels.back().key
                                                            : levels.back().node;
    levels.push_back({event.kind == JsonEvent::kObject, node, {}});
  }
}

}  // namespace

std::string json_place(std::span<JsonEvent const> events, std::size_t index) {
  Vector<Level> levels;
  std::string place = "$";
  for (std::size_t i = 0; i <= index; ++i) {
    if (i == index && opens(events[i].kind)) {
      if (!levels.empty() && !levels.back().is_object) ++levels.back().elements;
      break;
    }
    follow(levels, events[i]);
  }
  for (auto const& level : levels)
    if (level.is_object)
      place += level.elements == 0 ? "" : "." + clipped(level.key, kShownKey);
    else
      place += "[" + std::to_string(level.elements == 0 ? 0 : level.elements - 1) + "]";
  return place;
}

Taxonomy taxonomy_from_json(std::string_view name, std::span<JsonEvent const> events, Checkpoint& checkpoint) {
  auto place = [&](TaxonomyBuilder::Place i) { return json_place(events, static_cast<std::size_t>(i)); };
  auto refuse = [&](std::size_t i, std::string const& found, char const* hint) {
    throw Error(Fault::kParameter, "json of taxonomy " + quoted(name) + " has the wrong shape",
                "At " + place(static_cast<TaxonomyBuilder::Place>(i)) + " stands " + found + ".", hint);
  };
  constexpr char const* kShape =
      "Write nested objects, and arrays of strings for leaves: {\"ANY\": {\"White-collar\": [\"clerk\", \"manager\"]}}.";
  TaxonomyBuilder builder{std::string(name), place};
  Vector<Level> levels;
  for (std::size_t i = 0; i < events.size(); ++i) {
    checkpoint.tick();
    auto const& event = events[i];
    bool const at_top = levels.empty();
    bool const in_object = !at_top && levels.back().is_object;
    auto const here = static_cast<TaxonomyBuilder::Place>(i);
    if (levels.size() > 2 * kMaxTaxonomyDepth + 2)
      throw Error(Fault::kLimit, "json of taxonomy " + quoted(name) + " is nested too deeply",
                  "A taxonomy has at most " + std::to_string(kMaxTaxonomyDepth) + " edges from the root to a leaf.");
    switch (event.kind) {
      case JsonEvent::kNumber: refuse(i, "a number", "Write labels as strings."); break;
      case JsonEvent::kOther: refuse(i, "true, false or null", "Write labels as strings, and [] below a leaf."); break;
      case JsonEvent::kString:
        if (at_top || in_object) refuse(i, "a string where its values should stand", kShape);
        builder.add_new(event.text, levels.back().node, here);
        break;
      case JsonEvent::kKey: builder.add_new(event.text, levels.back().node, here); break;
      case JsonEvent::kArray:
        if (at_top) refuse(i, "an array at the top", kShape);
        if (!in_object) refuse(i, "an array inside an array", kShape);
        break;
      default: break;
    }
    follow(levels, event);
  }
  return builder.finish(checkpoint);
}

}  // namespace anon_seq
