#include "release/key_digest.h"

#include <openssl/evp.h>

#include <array>

#include "catalog/ledger.h"
#include "pg/strong_random.h"

namespace anon_seq::release {
namespace {

std::string hex(std::string_view bytes) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (char const c : bytes) {
    auto const byte = static_cast<unsigned char>(c);
    text += {kHex[byte >> 4], kHex[byte & 15]};
  }
  return text;
}

}  // namespace

std::optional<std::string> secret_of(SpiSession& session, std::string const& ledger) {
  auto const rows =
      session.execute("SELECT pg_catalog.encode(secret, 'hex') FROM " + ledger_table(ledger, "secret"), {}, true);
  if (rows.count() == 0) return std::nullopt;
  return rows.get(0, 1);
}

std::string new_secret() {
  StrongRandom random;
  std::string bytes;
  for (int i = 0; i < 4; ++i) {
    std::uint64_t const word = random.next();
    bytes.append(reinterpret_cast<char const*>(&word), sizeof word);
  }
  return bytes;
}

// sha256 of the secret's hex and the key.
std::string key_digest(std::string const& secret, std::string_view key) {
  std::string const text = secret + std::string(key);
  std::array<unsigned char, EVP_MAX_MD_SIZE> sum;
  unsigned length = 0;
  if (EVP_Digest(text.data(), text.size(), sum.data(), &length, EVP_sha256(), nullptr) != 1)
    throw Error(Fault::kInternal, "could not compute sha256");
  return hex({reinterpret_cast<char const*>(sum.data()), length});
}

std::string key_digest_sql(std::string const& secret, std::string const& key) {
  return "sha256(convert_to(encode(" + secret + ", 'hex') || (" + key + ")::text, getdatabaseencoding()))";
}

std::string canonical_sql(std::string const& key, std::string const& type) {
  return type == "numeric" ? "trim_scale(" + key + ")" : key;
}

}  // namespace anon_seq::release
