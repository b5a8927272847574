#include "release/measures.h"

#include "pg/json_object.h"
#include "release/method.h"

namespace anon_seq::release {

std::vector<Metric> const& metrics() {
  static std::vector<Metric> const all{
      {"discernibility", "pairs",
       "each record counts as often as there are records it cannot be told from: less is more detail"},
      {"c_avg", "ratio", "average class size over the size demanded (k, or 1): 1 is the best possible"},
      {"ncp", "share", "how much of its domain a published value covers, on average: 0 is exact, 1 says nothing"},
      {"distortion_categorical", "levels", "taxonomy levels that a record was generalized by, over all such columns"},
      {"distortion_continuous", "domains",
       "widths of a record's published intervals, each as a share of its column's domain"},
      {"suppression", "share", "share of the source's rows that were withheld"},
      {"blanked", "share", "share of the source's rows that are published without any quasi value"}};
  return all;
}

Metric const& column_metric() {
  static Metric const metric{"ncp:", "share",
                             "how much of this column's domain a published value covers: 0 is exact, 1 says nothing"};
  return metric;
}

std::string loss_json(Loss const& loss) {
  JsonObject json;
  json.number("discernibility", loss.discernibility).number("c_avg", loss.c_avg).number("ncp", loss.ncp);
  if (loss.distortion_categorical) json.number("distortion_categorical", *loss.distortion_categorical);
  if (loss.distortion_continuous) json.number("distortion_continuous", *loss.distortion_continuous);
  json.number("suppression", loss.suppression);
  if (loss.blanked) json.number("blanked", *loss.blanked);
  return json.json();
}

std::vector<ColumnDetail> column_details(Policy const& policy, Loss const& loss) {
  std::vector<ColumnDetail> columns;
  for (std::size_t a = 0; a < loss.axes.size(); ++a) {
    auto const& axis = loss.axes[a];
    columns.push_back({policy.quasi.at(a), axis.shown, axis.ncp, axis.several, axis.unknown});
  }
  return columns;
}

namespace {

template <class Value>
std::string by_column(std::vector<ColumnDetail> const& columns, Value value) {
  JsonObject json;
  for (auto const& column : columns) value(json, column);
  return json.json();
}

}  // namespace

std::string all_measures(Draft& draft) {
  auto json = draft.measures();
  JsonObject more;
  for (auto const& column : draft.columns()) more.number(column_metric().name + column.column, column.ncp);
  if (more.empty()) return json;
  json.pop_back();  // the brace that ends it
  return json + ", " + more.members() + "}";
}

std::optional<std::string> measured(JsonValue const& measures, std::string const& metric) {
  bool const is_object = measures.kind() == JsonValue::Kind::kObject;
  auto const* const value = is_object ? measures.find(metric) : nullptr;
  if (is_object && value == nullptr) return std::nullopt;
  if (value == nullptr || value->kind() != JsonValue::Kind::kNumber)
    throw Error(Fault::kDamaged, "the ledger was altered: the measures of a version are damaged");
  return value->number();
}

std::string shown_json(std::vector<ColumnDetail> const& columns) {
  return by_column(columns,
                   [](JsonObject& all, ColumnDetail const& column) { all.number(column.column, column.shown); });
}

std::string lost_json(std::vector<ColumnDetail> const& columns) {
  return by_column(columns, [](JsonObject& all, ColumnDetail const& column) { all.number(column.column, column.ncp); });
}

}  // namespace anon_seq::release
