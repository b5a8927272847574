#include "serial/lives_forgotten.h"

#include <map>

#include "catalog/ledger.h"
#include "pg/array_text.h"
#include "pg/sql_text.h"
#include "release/forget.h"
#include "release/key_digest.h"
#include "serial/forgotten.h"

namespace anon_seq::serial {
namespace {

using Places = std::map<std::string, std::pair<std::int32_t, std::int32_t>>;  // digest -> class and place

Places read_places(PublishRun const& run) {
  auto const rows =
      run.session.execute("SELECT pg_catalog.encode(digest, 'hex'), class_id, place FROM " +
                              ledger_table(run.policy.ledger(), "forgotten") + " ORDER BY class_id, place",
                          {}, true);
  Places places;
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    places.emplace(rows.get(row, 1), std::pair(rows.int32(row, 2), rows.int32(row, 3)));
  return places;
}

}  // namespace

LedgerRelation forgotten_place_relation() {
  return {.name = "forgotten",
          .columns = "digest bytea NOT NULL, class_id int NOT NULL, place int NOT NULL, PRIMARY KEY (class_id, place)"};
}

std::set<std::int32_t> forget_place(ForgetRequest const& request) {
  auto const versions = versions_with_person(request);
  auto const& ledger = request.release.ledger;
  // As KeyTexts writes it: 1.00 is 1.
  bool const is_numeric = request.key.find("::numeric") != std::string::npos;
  auto const digest = key_digest_sql("s.secret", is_numeric ? "trim_scale(l.persons[1])" : "l.persons[1]");
  request.session.execute(sql_text(R"(
INSERT INTO {forgotten} (digest, class_id, place)
SELECT {digest}, l.class_id, l.place
FROM {secret} AS s
CROSS JOIN {life} AS l
WHERE l.persons @> ARRAY[{key}])",
                                   {{"forgotten", ledger_table(ledger, "forgotten")},
                                    {"digest", digest},
                                    {"secret", ledger_table(ledger, "secret")},
                                    {"life", ledger_table(ledger, "life")},
                                    {"key", request.key}}),
                          {request.person});
  return versions;
}

Vector<std::size_t> add_returned_places(PublishRun const& run, SourceTable const& source, Lives& lives,
                                        Vector<char>& is_known) {
  Vector<std::size_t> returned;
  auto const secret = secret_of(run.session, run.policy.ledger());
  auto const places = read_places(run);
  if (!secret || places.empty()) return returned;
  auto const& person = source.table.columns[source.person];
  KeyTexts texts(person, source.person_value, run.checkpoint);
  for (std::size_t row = 0; row < person.codes.size(); ++row) {
    run.checkpoint.tick();
    if (is_known[row] != 0) continue;
    auto const found = places.find(key_digest(*secret, texts[person.codes[row]]));
    if (found == places.end()) continue;
    auto const entry = lives.find(found->second.first, found->second.second);
    if (entry == Lives::kNoEntry || lives.is_blank[entry] == 0)
      throw Error(Fault::kDamaged, "the ledger of policy " + quoted(run.policy.name) + " is damaged",
                  "A place of somebody who was forgotten is not free.");
    lives.is_blank[entry] = 0;
    lives.row_of[entry] = static_cast<std::int32_t>(row);
    is_known[row] = 1;
    returned.push_back(entry);
  }
  return returned;
}

void write_returned_places(PublishRun const& run, SourceTable const& source, Lives const& lives,
                           Vector<std::size_t> const& returned, Vector<Code> const& persons) {
  if (returned.empty()) return;
  KeyTexts texts(source.table.columns[source.person], source.person_value, run.checkpoint);
  std::string classes = "{", places = "{", keys = "{";
  for (std::size_t i = 0; i < returned.size(); ++i) {
    append_element(classes, std::int64_t{lives.class_of[returned[i]]});
    append_element(places, std::int64_t{lives.place_of[returned[i]]});
    append_element(keys, texts[persons[i]]);
  }
  for (auto* const array : {&classes, &places, &keys}) *array += '}';
  auto const& ledger = run.policy.ledger();
  run.session.execute(sql_text(R"(
UPDATE {life} AS l
SET persons = ARRAY[r.person::{type}]
FROM unnest($1::int[], $2::int[], $3::text[]) AS r (class_id, place, person)
WHERE l.class_id = r.class_id
  AND l.place = r.place)",
                               {{"life", ledger_table(ledger, "life")}, {"type", source.person_type}}),
                      {classes, places, keys});
  run.session.execute(sql_text(R"(
DELETE FROM {forgotten} AS f
USING unnest($1::int[], $2::int[]) AS r (class_id, place)
WHERE f.class_id = r.class_id
  AND f.place = r.place)",
                               {{"forgotten", ledger_table(ledger, "forgotten")}}),
                      {classes, places});
}

}  // namespace anon_seq::serial
