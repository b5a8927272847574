#include "core/attack/line_printer.h"

#include "core/text/json_value.h"

namespace anon_seq {
namespace {

// Timestamps have spaces, which a range's text form quotes.
std::string bound(std::string const& value) { return value.find(' ') == std::string::npos ? value : '"' + value + '"'; }

}  // namespace

void LinePrinter::set_cut(std::size_t number, std::string_view value, bool above) {
  if (cuts_.size() < number) cuts_.resize(number);
  cuts_[number - 1] = {texts_.add_hidden(value), above};
}

void LinePrinter::publish(SetId set, std::string_view text) {
  auto const at = static_cast<std::size_t>(set);
  if (shown_.size() <= at) shown_.resize(at + 1, kNoCode);
  auto const rank = [](std::string_view t) { return std::pair(t.size(), t); };
  if (shown_[at] == kNoCode || rank(text) < rank(texts_[shown_[at]])) shown_[at] = texts_.add_hidden(text);
}

std::string LinePrinter::json(SetId set) const {
  auto const runs = sets_[set];
  if (runs.empty()) return "[]";
  if (runs.back().last == kUnknownPiece) return "null";
  if (auto const at = static_cast<std::size_t>(set); at < shown_.size() && shown_[at] != kNoCode)
    return json_string(texts_[shown_[at]]);
  if (runs.size() == 1) return json_string(interval(runs.front()));
  std::string text = "{";
  for (PieceRun const run : runs) text += (text.size() == 1 ? "" : ",") + interval(run);
  return json_string(text + "}");
}

std::string LinePrinter::interval(PieceRun run) const {
  auto const first = static_cast<std::size_t>(run.first), last = static_cast<std::size_t>(run.last);
  Cut const* const lower = first >= 2 ? &cuts_[first - 2] : nullptr;
  Cut const* const upper = last <= cuts_.size() ? &cuts_[last - 1] : nullptr;
  std::string const from(lower == nullptr ? "" : texts_[lower->value]),
      to(upper == nullptr ? "" : texts_[upper->value]);
  if (lower != nullptr && upper != nullptr) {
    if (from == to) return from;
    if (hyphens_ && !lower->above && upper->above) return "[" + from + "-" + to + "]";
  }
  std::string begin = "(";
  if (lower != nullptr)
    begin = (lower->above ? "(" : "[") + bound(from);
  else if (first == 1 && upper == nullptr)
    begin = "[" + least_;
  return begin + "," + (upper == nullptr ? ")" : bound(to) + (upper->above ? "]" : ")"));
}

}  // namespace anon_seq
