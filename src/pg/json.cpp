#include "pg/json.h"

extern "C" {
#include "common/jsonapi.h"
#include "utils/jsonfuncs.h"
}

namespace anon_seq::pg {
namespace {

// What the callbacks may touch: plain memory, as they run among PostgreSQL's frames.
struct EventList {
  JsonEvent* events;
  std::size_t count, room;

  void add(JsonEvent::Kind kind, char const* text, std::size_t length) noexcept {
    CHECK_FOR_INTERRUPTS();
    if (count == room) {
      room *= 2;
      events = static_cast<JsonEvent*>(repalloc_huge(events, room * sizeof(JsonEvent)));
    }
    events[count++] = {kind, {text, length}};
  }
};

JsonEvent::Kind scalar_kind(JsonTokenType type) {
  return type == JSON_TOKEN_STRING   ? JsonEvent::kString
         : type == JSON_TOKEN_NUMBER ? JsonEvent::kNumber
                                     : JsonEvent::kOther;
}

#if PG_VERSION_NUM >= 160000
using ActionResult = JsonParseErrorType;
#define ANON_SEQ_ACTION_DONE return JSON_SUCCESS
#else
using ActionResult = void;
#define ANON_SEQ_ACTION_DONE return
#endif

template <JsonEvent::Kind kind>
ActionResult on_structure(void* list) {
  static_cast<EventList*>(list)->add(kind, "", 0);
  ANON_SEQ_ACTION_DONE;
}

ActionResult on_key(void* list, char* name, bool) {
  static_cast<EventList*>(list)->add(JsonEvent::kKey, name, strlen(name));
  ANON_SEQ_ACTION_DONE;
}

ActionResult on_scalar(void* list, char* token, JsonTokenType type) {
  static_cast<EventList*>(list)->add(scalar_kind(type), token, strlen(token));
  ANON_SEQ_ACTION_DONE;
}

// In the current memory context, as their texts.
std::span<JsonEvent> parsed(Datum json) {
  EventList list{nullptr, 0, 64};
  call_pg([&]() noexcept {
    list.events = static_cast<JsonEvent*>(palloc(list.room * sizeof(JsonEvent)));
    JsonSemAction actions{};
    actions.semstate = &list;
    actions.object_start = on_structure<JsonEvent::kObject>;
    actions.object_end = on_structure<JsonEvent::kObjectEnd>;
    actions.array_start = on_structure<JsonEvent::kArray>;
    actions.array_end = on_structure<JsonEvent::kArrayEnd>;
    actions.object_field_start = on_key;
    actions.scalar = on_scalar;
#if PG_VERSION_NUM >= 170000
    JsonLexContext* const lexer = makeJsonLexContext(nullptr, DatumGetTextPP(json), true);
#else
    JsonLexContext* const lexer = makeJsonLexContext(DatumGetTextPP(json), true);
#endif
    pg_parse_json_or_ereport(lexer, &actions);
  });
  return {list.events, list.count};
}

}  // namespace

Vector<JsonEvent> json_events(Datum json) {
  auto const list = parsed(json);
  Vector<JsonEvent> events(list.begin(), list.end());
  call_pg([&]() noexcept { pfree(list.data()); });
  return events;
}

JsonValue parse_json(std::string_view text, std::string what) {
  Datum json{};
  call_pg(
      [&]() noexcept { json = PointerGetDatum(cstring_to_text_with_len(text.data(), static_cast<int>(text.size()))); });
  auto const events = parsed(json);
  JsonValue value(events, std::move(what));
  call_pg([&]() noexcept {
    pfree(events.data());
    pfree(DatumGetPointer(json));
  });
  return value;
}

}  // namespace anon_seq::pg
