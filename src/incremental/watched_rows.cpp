#include "incremental/watched_rows.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "incremental/key_rows.h"
#include "pg/array_text.h"
#include "pg/datum_cursor.h"
#include "pg/roles.h"

namespace anon_seq::incremental {
namespace {

// So many keys are looked up at most: a fifth of all, or these few; beyond that it is cheaper to read all rows.
std::int64_t most_keys(std::int64_t persons) {
  constexpr std::int64_t kFew = 1000, kShare = 5;
  return std::max(kFew, persons / kShare);
}

Release const* last_version(PublishRun const& run) {
  for (auto const& release : run.population)
    if (release.name == run.policy.name && release.version == run.policy.version - 1) return &release;
  return nullptr;
}

// Adds the keys of who waited in the last version; false if the ledger does not know them all.
bool add_waiting(IncrementalState& state, Release const& last, ValueType type, Dictionary& keys) {
  Oid array = InvalidOid;
  call_pg([&]() noexcept { array = get_array_type(type.type); });
  DatumCursor cursor(state.run.session, "SELECT waiting FROM " + ledger_table(state.policy->ledger(), "note") +
                                            " WHERE version = " + std::to_string(last.version));
  std::int64_t known = -1;
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      if (cursor.is_null(row, 0)) return false;
      auto const waiting = cursor.elements(row, 0, array);
      known = static_cast<std::int64_t>(waiting.count);
      for (std::size_t i = 0; i < waiting.count; ++i) {
        if (waiting.nulls[i]) return false;
        char buffer[8];
        keys.intern(key_of(type, waiting.values[i], buffer, "person"));
      }
    }
  return known == last.waiting + last.withheld;
}

// Keys that were noted, of the type of the person's.
Column noted_keys(PublishRun const& run, ValueType& type) {
  auto const none = select_with_key(run.session, run.source.relation, run.source.key, {}) + " LIMIT 0";
  ActingAs const reader(run.source.reader);
  return read_keys(run.session, run.watched.keys.empty() ? none : run.watched.keys,
                   "changes of source " + qualified_name(run.source.relation), run.checkpoint, &type);
}

// Whose rows are to be read; nullopt if that is not known, or they are too many.
std::optional<Column> asked_for(IncrementalState& state, ValueType& type) {
  auto const& run = state.run;
  auto const* const last = last_version(run);
  if (!run.watched.known || last == nullptr || last->withdrawn) return std::nullopt;
  auto const most = most_keys(last->published);
  state.shown_before = last->published;
  if (run.watched.count > most) return std::nullopt;
  auto const noted = noted_keys(run, type);
  Column asked;
  asked.values.add_hidden("");
  if (std::find(noted.codes.begin(), noted.codes.end(), kNull) != noted.codes.end()) return std::nullopt;
  for (Code code = 1; code < noted.distinct(); ++code) asked.values.intern(noted.values[code]);
  if (!add_waiting(state, *last, type, asked.values) || asked.distinct() - 1 > most) return std::nullopt;
  return asked;
}

// Reads the rows of these persons, as the reader of the source.
CodedTable read_rows_of(IncrementalState& state, Column const& asked, ValueType type,
                        std::vector<std::string> const& columns, SourceTable& source) {
  auto const& run = state.run;
  Oid const relation = run.source.relation;
  KeyRows wanted(asked, type, run.checkpoint);
  for (Code code = 1; code < asked.distinct(); ++code) wanted.add(code);
  wanted.publish();
  auto const query =
      select_with_key(run.session, relation, run.source.key, columns) + " WHERE " + wanted.condition(run.source.key);
  // Pages that a few keys lie in are in memory, mostly, or soon are.
  Settings const planning({{"random_page_cost", "1"}});
  std::optional<ActingAs> as(run.source.reader);
  RowReader reader(run.session, query, "source " + qualified_name(relation), {}, 1);
  as.reset();
  for (std::size_t i = 0; i < run.policy.columns.size(); ++i) state.store->seed(reader, i, i + 1);
  as.emplace(run.source.reader);
  auto table = reader.finish(run.checkpoint);
  as.reset();
  for (auto const& of : reader.types()) source.types.push_back(of.type);
  source.person_value = reader.types().front();
  return table;
}

}  // namespace

std::optional<SourceTable> read_watched(IncrementalState& state, std::vector<std::string> const& columns) {
  ValueType type;
  auto const asked = asked_for(state, type);
  if (!asked) return std::nullopt;
  SourceTable source;
  source.person = 0;
  source.person_type = state.run.source.key.type;
  source.table = read_rows_of(state, *asked, type, columns, source);
  if (state.run.source.key.is_composite()) source.table.columns.front().name.clear();
  auto& read = source.table.columns.front();
  auto const rows = read.codes.size();
  if (static_cast<std::size_t>(read.distinct()) - 1 != rows || source.person_value.type != type.type)
    return std::nullopt;  // somebody has several rows: reading all of them tells how many
  read.values.index();
  for (Code code = 1; code < asked->distinct(); ++code)
    if (read.values.find(asked->values[code]) == kNoCode) read.values.add_hidden(asked->values[code]);
  return source;
}

std::optional<std::string> waiting_keys(IncrementalState const& state, Checkpoint& checkpoint) {
  auto const& person = state.source.table.columns[state.source.person];
  auto const waits = [&](std::size_t row) {
    return state.objects.gone[row] == 0 && state.refined.region[row] == kNoRegion;
  };
  std::int64_t waiting = 0;
  for (std::size_t row = 0; row < state.objects.rows(); ++row) waiting += waits(row);
  if (waiting > most_keys(state.refined.published)) return std::nullopt;
  KeyTexts texts(person, state.source.person_value, checkpoint);
  std::string keys = "{";
  for (std::size_t row = 0; row < state.objects.rows(); ++row)
    if (waits(row)) append_element(keys, texts[person.codes[row]]);
  return keys + "}";
}

}  // namespace anon_seq::incremental
