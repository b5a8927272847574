// Taxonomies written as JSON: {"ANY": {"White-collar": ["clerk", "manager"], "Blue-collar": {...}}}.
//
// The input is the flat list of what a JSON parser met, in order: order and duplicate keys matter. An
// object's keys are nodes above its values; an array lists leaves (strings) or subtrees (objects); {}
// and [] stand below a leaf. What does not fit is an Error kParameter that says where.
#pragma once

#include "core/taxonomy/taxonomy_builder.h"
#include "core/text/json_event.h"

namespace anon_seq {

Taxonomy taxonomy_from_json(std::string_view name, std::span<JsonEvent const> events, Checkpoint& checkpoint);

// "$.ANY.White-collar[1]": where event `index` stands. Cost: linear.
std::string json_place(std::span<JsonEvent const> events, std::size_t index);

}  // namespace anon_seq
