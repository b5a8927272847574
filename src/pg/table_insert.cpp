#include "pg/table_insert.h"

#include <algorithm>

extern "C" {
#include "access/heapam.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/dependency.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_trigger.h"
#include "commands/matview.h"
#include "commands/trigger.h"
#include "executor/executor.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "tcop/utility.h"
#include "utils/rel.h"
}

namespace anon_seq::pg {
namespace {

// Rows at a time, a page or two of them. The server finds what it keeps of a slot by the row's shape, which all share:
// that takes long where they are many.
constexpr int kSlots = 128;

// A default would be for a statement to fill in, a domain to check.
bool has_more_to_do(TupleDesc row, std::span<AttrNumber const> columns) {
  for (int i = 0; i < row->natts; ++i) {
    auto const* const attribute = TupleDescAttr(row, i);
    bool const given = std::find(columns.begin(), columns.end(), i + 1) != columns.end();
    if (attribute->attgenerated != 0 || attribute->attidentity != 0) return true;
    if (!attribute->attisdropped && get_typtype(attribute->atttypid) == TYPTYPE_DOMAIN) return true;
    if (attribute->atthasdef && !given) return true;
  }
  return false;
}

// Whether an INSERT has triggers that only a statement fires.
bool has_other_triggers(TriggerDesc const* triggers) {
  if (triggers == nullptr) return false;
  if (triggers->trig_insert_before_row || triggers->trig_insert_after_row || triggers->trig_insert_instead_row)
    return true;
  for (int i = 0; i < triggers->numtriggers; ++i) {
    auto const& trigger = triggers->triggers[i];
    if (TRIGGER_TYPE_MATCHES(trigger.tgtype, TRIGGER_TYPE_STATEMENT, TRIGGER_TYPE_AFTER, TRIGGER_TYPE_INSERT) &&
        !is_sum_trigger(trigger.tgfoid))
      return true;
  }
  return false;
}

RangeVar* named(char const* name) {
#if PG_VERSION_NUM >= 160000
  return makeRangeVarFromNameList(stringToQualifiedNameList(name, nullptr));
#else
  return makeRangeVarFromNameList(stringToQualifiedNameList(name));
#endif
}

bool is_unfilled_view(Relation relation) {
  return relation->rd_rel->relkind == RELKIND_MATVIEW && !relation->rd_rel->relispopulated;
}

// Which rows indexes have to be told of. A BRIN index keeps what the values of a range of pages are like: the values of
// the row before, on the same page, change nothing. Where there is an index of another kind, all are told of each row.
class IndexedRows {
 public:
  IndexedRows() noexcept = default;
  explicit IndexedRows(ResultRelInfo const* info) noexcept {
    for (int i = 0; i < info->ri_NumIndices; ++i) {
      auto const* const index = info->ri_IndexRelationInfo[i];
      plain_ = plain_ && info->ri_IndexRelationDescs[i]->rd_rel->relam == BRIN_AM_OID && index->ii_Expressions == NIL &&
               index->ii_Predicate == NIL;
      for (int key = 0; plain_ && key < index->ii_NumIndexAttrs; ++key) {
        auto const number = index->ii_IndexAttrNumbers[key];
        plain_ = TupleDescAttr(info->ri_RelationDesc->rd_att, number - 1)->attbyval && count_ < INDEX_MAX_KEYS;
        if (plain_) keys_[count_++] = number;
      }
    }
  }

  bool has(TupleTableSlot const* slot) noexcept {
    if (!plain_) return true;
    auto const block = ItemPointerGetBlockNumber(&slot->tts_tid);
    bool fresh = block != block_;
    block_ = block;
    for (int i = 0; i < count_; ++i) {
      Datum const value = slot->tts_values[keys_[i] - 1];
      bool const null = slot->tts_isnull[keys_[i] - 1];
      fresh = fresh || null != nulls_[i] || (!null && value != values_[i]);
      values_[i] = value;
      nulls_[i] = null;
    }
    return fresh;
  }

 private:
  bool plain_ = true;
  int count_ = 0;
  AttrNumber keys_[INDEX_MAX_KEYS] = {};
  BlockNumber block_ = InvalidBlockNumber;
  Datum values_[INDEX_MAX_KEYS] = {};
  bool nulls_[INDEX_MAX_KEYS] = {};
};

// A table that is being written: what COPY holds of one.
struct Target {
  Target(Oid id, Placement placement, Indexing indexing) noexcept
      : relation(table_open(id, RowExclusiveLock)),
        options(placement == Placement::kAtEnd ? TABLE_INSERT_SKIP_FSM : 0),
        estate(CreateExecutorState()),
        info(makeNode(ResultRelInfo)),
        bulk(GetBulkInsertState()) {
    InitResultRelInfo(info, relation, 0, nullptr, 0);
    if (indexing == Indexing::kAtOnce) ExecOpenIndices(info, false);
    indexed = IndexedRows(info);
    AfterTriggerBeginQuery();
    if (relation->trigdesc != nullptr) ExecBSInsertTriggers(estate, info);
  }

  void put(TupleTableSlot** slots, int count, CommandId command) noexcept {
    if (relation->rd_att->constr != nullptr)
      for (int i = 0; i < count; ++i) ExecConstraints(info, slots[i], estate);
    table_multi_insert(relation, slots, count, command, options, bulk);
    if (info->ri_NumIndices == 0) return;
    for (int i = 0; i < count; ++i) {
      if (!indexed.has(slots[i])) continue;
#if PG_VERSION_NUM >= 160000
      list_free(ExecInsertIndexTuples(info, slots[i], estate, false, false, nullptr, NIL, false));
#else
      list_free(ExecInsertIndexTuples(info, slots[i], estate, false, false, nullptr, NIL));
#endif
      ResetPerTupleExprContext(estate);
    }
  }

  void close() noexcept {
    table_finish_bulk_insert(relation, options);
    FreeBulkInsertState(bulk);
    AfterTriggerEndQuery(estate);
    ExecCloseIndices(info);
    FreeExecutorState(estate);
    table_close(relation, NoLock);
  }

  Relation relation;
  int options;
  EState* estate;
  ResultRelInfo* info;
  BulkInsertState bulk;
  IndexedRows indexed;
};

}  // namespace

Oid lock_for_writing(char const* name) noexcept { return RangeVarGetRelid(named(name), RowExclusiveLock, false); }

bool lock_for_summary(Oid relation) noexcept { return ConditionalLockRelationOid(relation, ShareUpdateExclusiveLock); }
void unlock_for_summary(Oid relation) noexcept { UnlockRelationOid(relation, ShareUpdateExclusiveLock); }

bool takes_rows(Oid relation, std::span<AttrNumber const> columns) noexcept {
  Relation const table = table_open(relation, RowExclusiveLock);
  auto const* const form = table->rd_rel;
  bool const plain = form->relkind == RELKIND_RELATION && !form->relforcerowsecurity && !form->relhasrules &&
                     !form->relispartition && !has_other_triggers(table->trigdesc) &&
                     !has_more_to_do(table->rd_att, columns);
  bool const takes = form->relowner == GetUserId() && (plain || is_unfilled_view(table));
  table_close(table, NoLock);
  return takes;
}

void insert_rows(Oid relation, std::span<AttrNumber const> columns, std::size_t rows, FillRow fill, void const* context,
                 Placement placement, Indexing indexing, RowSummer* sums) noexcept {
  PreventCommandIfReadOnly("INSERT");
  PreventCommandIfParallelMode("INSERT");
  Target target(relation, placement, indexing);
  TupleTableSlot* slots[kSlots];
  int const most = static_cast<int>(std::min<std::size_t>(rows, kSlots));
  for (int i = 0; i < most; ++i) slots[i] = table_slot_create(target.relation, nullptr);
  auto* const values = static_cast<Datum*>(palloc(columns.size() * sizeof(Datum)));
  auto* const nulls = static_cast<bool*>(palloc(columns.size() * sizeof(bool)));
  CommandId const command = GetCurrentCommandId(true);
  int const width = RelationGetNumberOfAttributes(target.relation);
  for (std::size_t row = 0; row < rows;) {
    int count = 0;
    for (; count < most && row < rows; ++count, ++row) {
      TupleTableSlot* const slot = ExecClearTuple(slots[count]);
      std::fill_n(slot->tts_isnull, width, true);
      fill(context, row, values, nulls);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        slot->tts_values[columns[i] - 1] = values[i];
        slot->tts_isnull[columns[i] - 1] = nulls[i];
      }
      ExecStoreVirtualTuple(slot);
      if (sums != nullptr) sums->add(slot, 1);
    }
    target.put(slots, count, command);
    CHECK_FOR_INTERRUPTS();
  }
  for (int i = 0; i < most; ++i) ExecDropSingleTupleTableSlot(slots[i]);
  target.close();
  CommandCounterIncrement();
}

bool may_index_later(Oid relation) noexcept {
  Relation const table = table_open(relation, RowExclusiveLock);
  List* const indexes = RelationGetIndexList(table);
  // Empty, before it is locked against those who read it; and still empty, once it is.
  bool may = table->rd_rel->relkind == RELKIND_RELATION && indexes != NIL && RelationGetNumberOfBlocks(table) == 0 &&
             !OidIsValid(getExtensionOfObject(RelationRelationId, relation)) &&
             ConditionalLockRelationOid(relation, AccessExclusiveLock);
  ListCell* cell = nullptr;
  foreach (cell, indexes) may = may && ConditionalLockRelationOid(lfirst_oid(cell), AccessExclusiveLock);
  may = may && RelationGetNumberOfBlocks(table) == 0;
  table_close(table, NoLock);
  return may;
}

bool is_unfilled(char const* name) noexcept {
  Relation const relation = table_openrv(named(name), AccessShareLock);
  bool const unfilled = is_unfilled_view(relation);
  table_close(relation, NoLock);
  return unfilled;
}

void set_filled(char const* name) noexcept {
  Relation const relation = table_openrv(named(name), RowExclusiveLock);
  SetMatViewPopulatedState(relation, true);
  table_close(relation, NoLock);
}

}  // namespace anon_seq::pg
