// What a ledger keeps of persons who were forgotten: a digest of the key, keyed by a secret of the ledger. Somebody who
// has the ledger can ask about a key. They cannot list who was forgotten.
#pragma once

#include <optional>
#include <string>

#include "pg/spi.h"

namespace anon_seq::release {

// The secret of a ledger's table _secret as hex; nothing: it has none yet.
std::optional<std::string> secret_of(SpiSession& session, std::string const& ledger);

// A secret to be: 32 bytes of the server's strong generator.
std::string new_secret();

// The digest of a key, as hex; and the same as SQL, bytea, of a secret, bytea, and a key of the ledger's with its type.
std::string key_digest(std::string const& secret, std::string_view key);
std::string key_digest_sql(std::string const& secret, std::string const& key);

// A key as SQL, in the one form that equal keys share: as a source's keys are digested, 1.00 is 1.
std::string canonical_sql(std::string const& key, std::string const& type);

}  // namespace anon_seq::release
