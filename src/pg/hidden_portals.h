// Cursors that are open while code of another role may run.
//
// Portals belong to the session, and FETCH asks for no rights: that code could read the rows that a cursor of the
// caller has still to give, and take them from his FOR loop. So a portal that is ready to be fetched from counts as one
// that is running, which the server refuses to run or close. Our own are hidden anyway (row_batch.h).
#pragma once

#include <string>
#include <vector>

#include "pg/guard.h"

namespace anon_seq::pg {

class HiddenPortals {
 public:
  // REQUIRES: SPI is connected.
  HiddenPortals();
  ~HiddenPortals();
  HiddenPortals(HiddenPortals const&) = delete;
  HiddenPortals& operator=(HiddenPortals const&) = delete;

 private:
  std::vector<std::string> names_;
};

}  // namespace anon_seq::pg
