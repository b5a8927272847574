#include "pg/hidden_portals.h"

#include "pg/pg_headers.h"

namespace anon_seq::pg {
namespace {

constinit SPIPlanPtr list_portals = nullptr;  // kept as long as the session

std::vector<std::string> open_portals() {
  std::vector<std::string> names;
  auto const processed = SPI_processed;
  auto* const before = SPI_tuptable;
  SPITupleTable* table = nullptr;
  call_pg([&]() noexcept {
    if (list_portals == nullptr) {
      SPIPlanPtr const plan = SPI_prepare("SELECT c.name FROM pg_catalog.pg_cursor() AS c", 0, nullptr);
      if (plan == nullptr || SPI_keepplan(plan) != 0) elog(ERROR, "could not list the open cursors");
      list_portals = plan;
    }
    if (SPI_execute_plan(list_portals, nullptr, nullptr, true, 0) != SPI_OK_SELECT)
      elog(ERROR, "could not list the open cursors");
    table = SPI_tuptable;
  });
  for (std::uint64_t row = 0; row < table->numvals; ++row) {
    char const* name = nullptr;
    call_pg([&]() noexcept { name = SPI_getvalue(table->vals[row], table->tupdesc, 1); });
    if (name != nullptr) names.emplace_back(name);
  }
  call_pg([&]() noexcept { SPI_freetuptable(table); });
  SPI_processed = processed;
  SPI_tuptable = before;
  return names;
}

}  // namespace

HiddenPortals::HiddenPortals() {
  for (auto& name : open_portals()) {
    Portal const portal = GetPortalByName(name.c_str());
    if (!PortalIsValid(portal) || portal->status != PORTAL_READY) continue;
    names_.push_back(std::move(name));
    portal->status = PORTAL_ACTIVE;
  }
}

HiddenPortals::~HiddenPortals() {
  for (auto const& name : names_)
    if (Portal const portal = GetPortalByName(name.c_str()); PortalIsValid(portal) && portal->status == PORTAL_ACTIVE)
      portal->status = PORTAL_READY;
}

}  // namespace anon_seq::pg
