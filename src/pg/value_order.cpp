// put_in_order() of value_type.h: text forms, positions and order of the distinct values of a column.
#include <algorithm>
#include <charconv>

#include "core/numbers/line_place.h"
//
#include "pg/context.h"
#include "pg/value_type.h"

namespace anon_seq::pg {
namespace {

std::size_t at(Code code) { return static_cast<std::size_t>(code); }

double float_of(std::string_view key) {
  double value;
  memcpy(&value, key.data(), sizeof value);
  return value;
}

// The value whose key this is. palloc: only inside call_pg.
Datum datum_of(ValueType type, std::string_view key) {
  switch (type.kind) {
    case ValueKind::kNumeric:
      return PointerGetDatum(cstring_to_text_with_len(key.data(), static_cast<int>(key.size())));
    case ValueKind::kUuid: {
      void* const bytes = palloc(key.size());
      return PointerGetDatum(memcpy(bytes, key.data(), key.size()));
    }
    case ValueKind::kFloat:
      return type.type == FLOAT4OID ? Float4GetDatum(static_cast<float>(float_of(key))) : Float8GetDatum(float_of(key));
    case ValueKind::kEnum: return ObjectIdGetDatum(static_cast<Oid>(integer_of(key)));
    case ValueKind::kDate: return Int32GetDatum(static_cast<std::int32_t>(integer_of(key)));
    default: return Int64GetDatum(integer_of(key));
  }
}

// Text forms of all values, by code, from the type's output function.
Dictionary server_labels(Column const& column, ValueType type, Checkpoint& checkpoint) {
  constexpr Code kBatch = 4096;
  Dictionary labels;
  labels.add_hidden("");
  ScratchContext scratch;
  Oid output = InvalidOid;
  call_pg([&]() noexcept {
    bool is_varlena = false;
    getTypeOutputInfo(type.type, &output, &is_varlena);
  });
  Vector<char const*> texts(at(kBatch));
  for (Code first = 1; first < column.distinct(); first += kBatch) {
    Code const end = std::min<Code>(column.distinct(), first + kBatch);
    call_pg([&]() noexcept {
      MemoryContext const home = MemoryContextSwitchTo(scratch.get());
      for (Code code = first; code < end; ++code) {
        Datum value = datum_of(type, column.values[code]);
        if (type.kind == ValueKind::kNumeric) value = DirectFunctionCall1(numeric_trim_scale, value);
        texts[at(code - first)] = OidOutputFunctionCall(output, value);
      }
      MemoryContextSwitchTo(home);
    });
    for (Code code = first; code < end; ++code) labels.add_hidden(texts[at(code - first)]);
    scratch.reset();
    checkpoint.poll();
  }
  return labels;
}

// Text forms that need no server: integers and booleans.
Dictionary plain_labels(Column const& column, ValueKind kind) {
  Dictionary labels;
  labels.add_hidden("");
  for (Code code = 1; code < column.distinct(); ++code) {
    std::int64_t const value = integer_of(column.values[code]);
    char digits[24];
    auto const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    labels.add_hidden(kind == ValueKind::kBoolean ? (value != 0 ? "true" : "false")
                                                  : std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }
  return labels;
}

// Codes in the order of the type's comparison function: for numeric and enums, whose keys do not compare.
void server_sort(Vector<Code>& order, Column const& column, ValueType type) {
  struct Item {
    Datum value;
    Code code;
  };
  ScratchContext scratch;
  Vector<Item> items(order.size());
  call_pg([&]() noexcept {
    MemoryContext const home = MemoryContextSwitchTo(scratch.get());
    auto* const compare = &lookup_type_cache(type.type, TYPECACHE_CMP_PROC_FINFO)->cmp_proc_finfo;
    for (std::size_t i = 0; i < order.size(); ++i) items[i] = {datum_of(type, column.values[order[i]]), order[i]};
    auto by_value = [](void const* a, void const* b, void* with) {
      CHECK_FOR_INTERRUPTS();
      return DatumGetInt32(FunctionCall2(static_cast<FmgrInfo*>(with), static_cast<Item const*>(a)->value,
                                         static_cast<Item const*>(b)->value));
    };
    qsort_arg(items.data(), items.size(), sizeof(Item), by_value, compare);
    MemoryContextSwitchTo(home);
  });
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = items[i].code;
}

template <class Before>
void sort_codes(Vector<Code>& order, Checkpoint& checkpoint, Before before) {
  std::sort(order.begin(), order.end(), [&](Code a, Code b) {
    checkpoint.tick();
    return before(a, b);
  });
}

void sort_by_type(Vector<Code>& order, Column const& column, ValueType type, Checkpoint& checkpoint) {
  auto const& keys = column.values;
  switch (type.kind) {
    case ValueKind::kText:
    case ValueKind::kUuid: sort_codes(order, checkpoint, [&](Code a, Code b) { return keys[a] < keys[b]; }); break;
    case ValueKind::kFloat:
      sort_codes(order, checkpoint, [&](Code a, Code b) { return float_of(keys[a]) < float_of(keys[b]); });
      break;
    case ValueKind::kNumeric:
    case ValueKind::kEnum: server_sort(order, column, type); break;
    default: sort_codes(order, checkpoint, [&](Code a, Code b) { return integer_of(keys[a]) < integer_of(keys[b]); });
  }
}

void fill_positions(Column& column, Dictionary const& labels) {
  column.positions.assign(at(column.distinct()), 0);
  for (Code code = 1; code < column.distinct(); ++code) {
    auto const key = column.values[code];
    // Of a float4 what it shows counts: 0.1, not 0.10000000149.
    bool const by_label = column.kind == ValueKind::kNumeric || column.kind == ValueKind::kFloat;
    column.positions[at(code)] = by_label ? number_place(labels[code]) : static_cast<double>(integer_of(key));
  }
}

}  // namespace

KeyTexts::KeyTexts(Column const& column, ValueType type, Checkpoint& checkpoint) : column_(column), type_(type) {
  if (type.kind != ValueKind::kText && type.kind != ValueKind::kInteger)
    labels_ = server_labels(column, type, checkpoint);
}

std::string_view KeyTexts::operator[](Code code) {
  if (type_.kind == ValueKind::kText) return column_.values[code];
  if (type_.kind != ValueKind::kInteger) return labels_[code];
  auto const end = std::to_chars(digits_, digits_ + sizeof digits_, integer_of(column_.values[code])).ptr;
  return {digits_, static_cast<std::size_t>(end - digits_)};
}

void KeyTexts::prefetch(std::span<Code const> codes, std::size_t i) const {
  constexpr std::size_t kAhead = 16;
  auto const& values = labels_.size() > 0 ? labels_ : column_.values;
  if (i + 2 * kAhead < codes.size()) values.prefetch_place(codes[i + 2 * kAhead]);
  if (i + kAhead < codes.size()) values.prefetch_bytes(codes[i + kAhead]);
}

void put_in_order(Column& column, ValueType type, Checkpoint& checkpoint) {
  Vector<Code> order;
  for (Code code = 1; code < column.distinct(); ++code) order.push_back(code);
  sort_by_type(order, column, type, checkpoint);
  if (column.kind == ValueKind::kText) {
    renumber(column, order, column.values);
    return;
  }
  bool const plain = column.kind == ValueKind::kInteger || column.kind == ValueKind::kBoolean;
  Dictionary const labels = plain ? plain_labels(column, column.kind) : server_labels(column, type, checkpoint);
  if (is_continuous(column.kind)) fill_positions(column, labels);
  renumber(column, order, labels);
}

}  // namespace anon_seq::pg
