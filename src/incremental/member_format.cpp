#include "incremental/member_format.h"

#include <bit>

namespace anon_seq::incremental {
namespace {

// Points are read as bytes by SQL, lowest first.
static_assert(std::endian::native == std::endian::little, "ledgers hold codes in the order of little-endian machines");

}  // namespace

MemberFormat::MemberFormat(std::vector<PublishedColumn> const& columns) {
  for (auto const& column : columns) place_.push_back(column.is_quasi() ? quasi_++ : plain_++);
}

std::string MemberFormat::code(std::size_t place, std::string const& m, std::string const& i) const {
  return m + ".codes[(" + i + " - 1) * " + std::to_string(codes()) + " + " + std::to_string(place + 1) + "]";
}

std::string MemberFormat::arrived(std::string const& m, std::string const& i) const { return code(0, m, i); }

std::string MemberFormat::plain_code(std::size_t column, std::string const& m, std::string const& i) const {
  return code(place_[column] + 1, m, i);
}

std::string MemberFormat::quasi_code(std::size_t column, std::string const& m, std::string const& i) const {
  std::string bytes;
  for (std::size_t byte = 0; byte < sizeof(Code); ++byte)
    bytes += (bytes.empty() ? "" : " | ") + ("(pg_catalog.get_byte(" + m) + ".points, ((" + i + " - 1) * " +
             std::to_string(point_bytes()) + " + " + std::to_string(place_[column] * sizeof(Code) + byte) +
             ")::pg_catalog.int4) << " + std::to_string(8 * byte) + ")";
  return "(" + bytes + ")";
}

std::string MemberFormat::blanked(std::string const& m, std::string const& i) const {
  auto const width = std::to_string(point_bytes());
  return "pg_catalog.overlay(" + m + ".points, pg_catalog.decode(pg_catalog.repeat('ff', " + width + "), 'hex'), (" +
         i + " - 1) * " + width + " + 1)";
}

}  // namespace anon_seq::incremental
