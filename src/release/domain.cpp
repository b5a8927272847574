#include "release/domain.h"

#include "pg/line_type.h"

#include "core/numbers/cut_point.h"
#include "core/numbers/decimal.h"

namespace anon_seq::release {

std::pair<double, double> domain_places(Column const& column, Domain const& domain) {
  bool const is_date = column.kind >= ValueKind::kDate;
  auto const number = [&](std::string const& text) {
    bool const fits = is_date ? text.size() >= 10 && text[4] == '-' && text[7] == '-' : decimal_scale(text).has_value();
    if (!fits)
      throw Error(Fault::kParameter,
                  "options.domains." + column.name + " must be two " + (is_date ? "dates" : "numbers"), "",
                  is_date ? "Write [\"2000-01-01\", \"2030-01-01\"]." : "Write [0, 120].");
    constexpr std::int64_t kLargestInteger = 2147483646;  // so that the range type still has a next value
    if (column.kind == ValueKind::kInteger) {
      auto const whole = decimal_floor(text, 0);
      bool const as_written = text.find_first_not_of("0123456789", text.starts_with('-')) == std::string::npos;
      if (!as_written || !whole || *whole < -kLargestInteger || *whole > kLargestInteger)
        throw Error(Fault::kParameter,
                    "options.domains." + column.name + " must be two whole numbers within the range of integer", "",
                    "They are published as they are written: [0, 120], not [0.0, 1.2e2].");
    }
    return cut_position(column.kind, text);
  };
  double const lower = number(domain.lower);
  double const upper = number(domain.upper);
  if (!(lower < upper))
    throw Error(Fault::kParameter,
                "options.domains." + column.name + " has a lower bound that is not below the upper one");
  return {lower, upper};
}

void check_domain(SpiSession& session, PublishedColumn const& shown, Domain const& domain) {
  Column column;
  column.name = shown.column;
  column.kind = kind_of(shown.type);
  domain_places(column, domain);
  session.execute("SELECT $1::pg_catalog." + shown.type, {"[\"" + domain.lower + "\",\"" + domain.upper + "\")"}, true);
}

}  // namespace anon_seq::release
