// A column that a relation does not have.
#pragma once

#include "pg/spi.h"

namespace anon_seq::pg {

// Its hint names the column of the relation that may have been meant, if one is like it.
class NoColumn : public Error {
 public:
  NoColumn(SpiSession& session, Oid relation, std::string const& column);
  std::string const& column() const { return column_; }

 private:
  std::string column_;
};

}  // namespace anon_seq::pg
