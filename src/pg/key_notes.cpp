#include "pg/key_notes.h"

extern "C" {
#include "access/heapam.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xlog.h"
#include "commands/trigger.h"
#include "executor/executor.h"
#include "utils/rel.h"
}

namespace anon_seq::pg {
namespace {

constexpr int kArguments = 5;
constexpr int kBeforeKeys = 2;  // columns of a queue: policy, missed
constexpr int kMissed = 1;
constexpr int kSlots = 128;

TriggerData const* trigger_of(FunctionCallInfo call) {
  if (!CALLED_AS_TRIGGER(call))
    ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED), errmsg("note_changes is a trigger function")));
  return reinterpret_cast<TriggerData const*>(call->context);
}

[[noreturn]] void refuse(char const* why) {
  ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
                  errmsg("trigger function note_changes is used by anon_seq.watch_source() alone"),
                  errdetail_internal("%s", why), errhint("Drop the trigger.")));
  pg_unreachable();
}

[[noreturn]] void throw_altered(Relation queue) {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                  errmsg("the table \"%s\", which notes changes of a watched source, was altered",
                         RelationGetRelationName(queue)),
                  errhint("Let the owner of the source SELECT anon_seq.unwatch_source(...), then watch_source(...).")));
  pg_unreachable();
}

// Where keys go: a plain table without indexes, and without constraints: rows are put into it past the executor, and
// the server trusts what a column is declared to hold when it reads them.
struct Queue {
  Queue(Oid id) noexcept
      : relation(table_open(id, RowExclusiveLock)),
        bulk(GetBulkInsertState()),
        garbage(AllocSetContextCreate(CurrentMemoryContext, "anon_seq notes", ALLOCSET_DEFAULT_SIZES)) {
    if (relation->rd_rel->relkind != RELKIND_RELATION || relation->rd_att->constr != nullptr ||
        RelationGetIndexList(relation) != NIL)
      throw_altered(relation);
    for (auto& slot : slots) slot = nullptr;
  }

  // A slot to be filled; kept() keeps what was put there.
  TupleTableSlot* next() noexcept {
    if (count == kSlots) flush();
    if (slots[count] == nullptr) slots[count] = table_slot_create(relation, nullptr);
    TupleTableSlot* const slot = ExecClearTuple(slots[count]);
    for (int i = 0; i < relation->rd_att->natts; ++i) slot->tts_isnull[i] = true;
    return slot;
  }
  void kept() noexcept {
    ExecStoreVirtualTuple(slots[count]);
    ExecMaterializeSlot(slots[count]);  // the row that its values are of goes on
    ++count;
  }

  void flush() noexcept {
    if (count == 0) return;
    MemoryContext const before = MemoryContextSwitchTo(garbage);
    table_multi_insert(relation, slots, count, GetCurrentCommandId(true), 0, bulk);
    MemoryContextSwitchTo(before);
    MemoryContextReset(garbage);
    count = 0;
  }

  void close() noexcept {
    flush();
    table_finish_bulk_insert(relation, 0);
    for (auto* slot : slots)
      if (slot != nullptr) ExecDropSingleTupleTableSlot(slot);
    FreeBulkInsertState(bulk);
    MemoryContextDelete(garbage);
    table_close(relation, NoLock);
  }

  Relation relation;
  BulkInsertState bulk;
  MemoryContext garbage;  // of one flush
  TupleTableSlot* slots[kSlots];
  int count = 0;
};

// The key columns of the relation that fired, by their numbers there.
struct KeyColumns {
  KeyColumns(Trigger const* trigger, Relation source, Relation queue) noexcept {
    for (char const* at = trigger->tgargs[4]; *at != '\0' && count < FUNC_MAX_ARGS;) {
      char* end = nullptr;
      numbers[count++] = static_cast<AttrNumber>(strtol(at, &end, 10));
      if (end == at) refuse("Its arguments are not those that it was made with.");
      at = *end == ',' ? end + 1 : end;
    }
    TupleDesc const from = source->rd_att, to = queue->rd_att;
    if (to->natts != kBeforeKeys + count) throw_altered(queue);
    if (TupleDescAttr(to, kMissed)->atttypid != BOOLOID) throw_altered(queue);
    for (int i = 0; i < count; ++i) {
      if (numbers[i] < 1 || numbers[i] > from->natts) refuse("Its arguments are not those that it was made with.");
      auto const* const key = TupleDescAttr(to, kBeforeKeys + i);
      auto const* const column = TupleDescAttr(from, numbers[i] - 1);
      if (key->attisdropped) throw_altered(queue);
      fit = fit && !column->attisdropped && getBaseType(column->atttypid) == key->atttypid;
    }
  }

  int count = 0;
  bool fit = true;  // else a column has another type now: writers go on, and all will be read
  AttrNumber numbers[FUNC_MAX_ARGS];
};

void put_row(Queue& queue, KeyColumns const& keys, TupleTableSlot* row) noexcept {
  TupleTableSlot* const slot = queue.next();
  for (int i = 0; i < keys.count; ++i)
    slot->tts_values[kBeforeKeys + i] = slot_getattr(row, keys.numbers[i], &slot->tts_isnull[kBeforeKeys + i]);
  queue.kept();
}

void put_rows(Queue& queue, KeyColumns const& keys, Relation source, Tuplestorestate* rows) noexcept {
  if (rows == nullptr) refuse("It lacks a transition table.");
  TupleTableSlot* const row = MakeSingleTupleTableSlot(RelationGetDescr(source), &TTSOpsMinimalTuple);
  tuplestore_select_read_pointer(rows, tuplestore_alloc_read_pointer(rows, EXEC_FLAG_REWIND));
  tuplestore_rescan(rows);
  while (tuplestore_gettupleslot(rows, true, false, row)) {
    put_row(queue, keys, row);
    CHECK_FOR_INTERRUPTS();
  }
  ExecDropSingleTupleTableSlot(row);
}

// As anon_seq.place() does.
bool is_here(char const* place) {
  char here[64];
  pg_snprintf(here, sizeof here, UINT64_FORMAT "/%u", GetSystemIdentifier(), MyDatabaseId);
  return strcmp(place, here) == 0;
}

}  // namespace

bool note_target(FunctionCallInfo call, NoteTarget& target) noexcept {
  auto const* const data = trigger_of(call);
  auto const* const trigger = data->tg_trigger;
  if (!TRIGGER_FIRED_AFTER(data->tg_event) || trigger->tgnargs != kArguments)
    refuse("It has to be fired after a change, with the arguments that watch_source() gives it.");
  if (!is_here(trigger->tgargs[1])) return false;
  target.watch = pg_strtoint32(trigger->tgargs[0]);
  target.queue = atooid(trigger->tgargs[2]);
  target.relation = RelationGetRelid(data->tg_relation);
  if (atooid(trigger->tgargs[3]) != target.relation) return false;
  char name[NAMEDATALEN];
  pg_snprintf(name, sizeof name, "w%d_queue", target.watch);
  HeapTuple const tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(target.queue));
  if (!HeapTupleIsValid(tuple)) return false;
  auto const* const form = reinterpret_cast<Form_pg_class>(GETSTRUCT(tuple));
  bool const ours =
      strcmp(NameStr(form->relname), name) == 0 && form->relnamespace == get_namespace_oid("anon_seq_ledger", true);
  target.owners_agree = form->relowner == data->tg_relation->rd_rel->relowner;
  ReleaseSysCache(tuple);
  return ours;
}

void note_keys(FunctionCallInfo call, NoteTarget const& target) noexcept {
  auto const* const data = trigger_of(call);
  if (TRIGGER_FIRED_BY_TRUNCATE(data->tg_event)) return note_missed(target);
  Queue queue(target.queue);
  KeyColumns const keys(data->tg_trigger, data->tg_relation, queue.relation);
  if (!keys.fit) {
    queue.close();
    return note_missed(target);
  }
  if (TRIGGER_FIRED_FOR_ROW(data->tg_event)) {
    put_row(queue, keys, data->tg_trigslot);
    if (TRIGGER_FIRED_BY_UPDATE(data->tg_event)) put_row(queue, keys, data->tg_newslot);
    return queue.close();
  }
  if (!TRIGGER_FIRED_BY_INSERT(data->tg_event)) put_rows(queue, keys, data->tg_relation, data->tg_oldtable);
  if (!TRIGGER_FIRED_BY_DELETE(data->tg_event)) put_rows(queue, keys, data->tg_relation, data->tg_newtable);
  queue.close();
}

void note_missed(NoteTarget const& target) noexcept {
  Queue queue(target.queue);
  if (queue.relation->rd_att->natts <= kMissed || TupleDescAttr(queue.relation->rd_att, kMissed)->atttypid != BOOLOID)
    throw_altered(queue.relation);
  TupleTableSlot* const slot = queue.next();
  slot->tts_isnull[kMissed] = false;
  slot->tts_values[kMissed] = BoolGetDatum(true);
  queue.kept();
  queue.close();
}

}  // namespace anon_seq::pg
