#include "core/serial/plan.h"

#include <cmath>

namespace anon_seq {
namespace {

// Whether (1 - 1/m)^parts >= least for sure, in integers.
bool is_exactly_enough(std::int64_t m, std::int64_t parts, Ratio least) {
  Wide num = 1, den = 1;
  for (std::int64_t i = 0; i < parts; ++i) {
    constexpr Wide kRoom = static_cast<Wide>(1) << 62;
    if (den * static_cast<Wide>(m) > kRoom) return false;
    num *= static_cast<Wide>(m - 1);
    den *= static_cast<Wide>(m);
  }
  return num * static_cast<Wide>(least.den) >= den * static_cast<Wide>(least.num);
}

// 1/m with 1 - 1/m >= least^part. parts: 1/part where that is a whole number, else 0.
Ratio share_of(double part, std::int64_t parts, Ratio least) {
  if (least.num == 0) return {1, 1};
  double const log_least = std::log1p(-static_cast<double>(least.den - least.num) / static_cast<double>(least.den));
  double const share = -std::expm1(part * log_least) * (1 - 1e-12);
  if (!(share > 1e-12)) return {0, 1};
  auto m = static_cast<std::int64_t>(std::ceil(1 / share));
  if (m > 1 && parts > 0 && is_exactly_enough(m - 1, parts, least)) --m;
  return {1, m};
}

}  // namespace

Ratio planned_share(Plan const& plan, Ratio least, std::int64_t met) {
  switch (plan.kind) {
    case PlanKind::kFixed:
      if (met >= plan.horizon) return {0, 1};
      return share_of(1.0 / static_cast<double>(plan.horizon), plan.horizon, least);
    case PlanKind::kWindow: return share_of(1.0 / static_cast<double>(plan.horizon), plan.horizon, least);
    case PlanKind::kGeometric: {
      double const rho = static_cast<double>(plan.rho.num) / static_cast<double>(plan.rho.den);
      bool const halves = plan.rho == Ratio{1, 2} && met < 62;
      return share_of((1 - rho) * std::pow(rho, static_cast<double>(met)), halves ? std::int64_t{2} << met : 0, least);
    }
    default: {
      if (met > 1000000) return {0, 1};
      std::int64_t const parts = (met + 1) * (met + 2);
      return share_of(1.0 / static_cast<double>(parts), parts, least);
    }
  }
}

}  // namespace anon_seq
