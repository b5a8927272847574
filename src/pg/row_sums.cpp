// A row becomes a hash of its columns (hash), hashes come together by bucket (add), from three places: rows of a
// statement (sums_of_change), rows on their way into a table (table_insert.h calls add), and rows that are there
// (sums_of). add_sums() writes what came together beside the table.
#include "pg/row_sums.h"

#include <algorithm>
#include <cstring>

#include "core/table/dictionary.h"

extern "C" {
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_trigger.h"
#include "commands/trigger.h"
#include "mb/pg_wchar.h"
#include "parser/parse_func.h"
#include "utils/rel.h"
#include "utils/tuplestore.h"
}

namespace anon_seq::pg {
namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  auto const product = static_cast<unsigned __int128>(a ^ 0x9e3779b97f4a7c15ULL) * (b ^ 0xd6e8feb86659fd93ULL);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t hash_text(char const* text, int length) noexcept {
  char const* const as_utf8 = pg_server_to_any(text, length, PG_UTF8);
  return hash_bytes({as_utf8, as_utf8 == text ? static_cast<std::size_t>(length) : std::strlen(as_utf8)});
}

std::uint64_t hash_texts(ArrayType* array) noexcept {
  Datum* values = nullptr;
  bool* nulls = nullptr;
  int count = 0;
  deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, &count);
  std::uint64_t hash = static_cast<std::uint64_t>(count) + 1;
  for (int i = 0; i < count; ++i) {
    auto* const element = nulls[i] ? nullptr : DatumGetTextPP(values[i]);
    hash = mix(hash, nulls[i] ? 1 : mix(hash_text(VARDATA_ANY(element), VARSIZE_ANY_EXHDR(element)), 2));
  }
  return hash;
}

}  // namespace

RowSummer* RowSummer::make(TupleDesc row) noexcept {
  auto* const made = static_cast<RowSummer*>(palloc0(sizeof(RowSummer)));
  made->home_ = CurrentMemoryContext;
  made->scratch_ = AllocSetContextCreate(CurrentMemoryContext, "anon_seq row sums", ALLOCSET_DEFAULT_SIZES);
  made->columns_ = static_cast<Summed*>(palloc0((static_cast<std::size_t>(row->natts) + 1) * sizeof(Summed)));
  made->room_ = 8;
  made->sums_ = static_cast<RowSum*>(palloc(static_cast<std::size_t>(made->room_) * sizeof(RowSum)));
  for (int i = 0; i < row->natts; ++i) {
    auto const* const attribute = TupleDescAttr(row, i);
    if (attribute->attisdropped) continue;
    auto& column = made->columns_[made->width_++];
    column.number = static_cast<AttrNumber>(i + 1);
    column.length = attribute->attlen;
    Oid const type = attribute->atttypid;
    if (strcmp(NameStr(attribute->attname), "version") == 0 && type == INT4OID) made->version_ = column.number;
    if (type == TEXTOID) {
      column.form = Form::kText;
    } else if (type == TEXTARRAYOID) {
      column.form = Form::kTexts;
    } else if (type >= FirstNormalObjectId || type == JSONBOID || attribute->attlen == -2) {
      Oid output = InvalidOid;
      bool varlena = false;
      getTypeOutputInfo(type, &output, &varlena);
      fmgr_info(output, &column.output);
      column.form = Form::kPrinted;
    } else {
      column.form = attribute->attbyval ? Form::kNumber : attribute->attlen > 0 ? Form::kFixed : Form::kBytes;
    }
  }
  return made;
}

RowSummer* RowSummer::make(Oid relation) noexcept {
  Relation const table = table_open(relation, AccessShareLock);
  auto* const made = make(RelationGetDescr(table));
  table_close(table, NoLock);
  return made;
}

std::uint64_t RowSummer::hash(Summed const& column, Datum value) noexcept {
  switch (column.form) {
    case Form::kNumber: {
      auto const bits = column.length == 8 ? 0 : 64 - 8 * column.length;
      return mix(static_cast<std::uint64_t>(value) << bits, 3);  // what stands above a short value is nobody's
    }
    case Form::kFixed: return hash_bytes({DatumGetPointer(value), static_cast<std::size_t>(column.length)});
    case Form::kBytes: {
      auto* const bytes = PG_DETOAST_DATUM_PACKED(value);
      return hash_bytes({VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)});
    }
    case Form::kText: {
      auto* const bytes = DatumGetTextPP(value);
      return hash_text(VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes));
    }
    case Form::kTexts: return hash_texts(DatumGetArrayTypeP(value));
    case Form::kPrinted: {
      char const* const text = OutputFunctionCall(const_cast<FmgrInfo*>(&column.output), value);
      return hash_text(text, static_cast<int>(std::strlen(text)));
    }
  }
  return 0;
}

RowSum& RowSummer::bucket(std::int32_t number) noexcept {
  for (int i = count_; i-- > 0;)  // of a version after the other, the newest is asked for
    if (sums_[i].bucket == number) return sums_[i];
  if (count_ == room_) {
    room_ *= 2;
    sums_ = static_cast<RowSum*>(repalloc(sums_, static_cast<std::size_t>(room_) * sizeof(RowSum)));
  }
  return sums_[count_++] = {number, 0, 0};
}

void RowSummer::add(TupleTableSlot* slot, int times) noexcept {
  slot_getallattrs(slot);
  MemoryContext const before = MemoryContextSwitchTo(scratch_);
  std::uint64_t sum = 0;
  for (int i = 0; i < width_; ++i) {
    auto const& column = columns_[i];
    bool const null = slot->tts_isnull[column.number - 1];
    sum = mix(sum, null ? 1 : mix(hash(column, slot->tts_values[column.number - 1]), 2));
  }
  MemoryContextSwitchTo(home_);
  MemoryContextReset(scratch_);
  bool const known = version_ != 0 && !slot->tts_isnull[version_ - 1];
  auto& into = bucket(known ? DatumGetInt32(slot->tts_values[version_ - 1]) : 0);
  into.rows += times;
  into.bits ^= mix(sum, 5);
  MemoryContextSwitchTo(before);
}

bool is_sum_trigger(Oid function) noexcept {
  List* const name = list_make2(makeString(pstrdup("anon_seq")), makeString(pstrdup("sum_rows")));
  return function == LookupFuncName(name, 0, nullptr, true);
}

bool keeps_sums(Oid relation) noexcept {
  Relation const table = table_open(relation, RowExclusiveLock);
  bool keeps = false;
  auto const* const triggers = table->trigdesc;
  // As commands/trigger.c asks whether one fires.
  char const other =
      SessionReplicationRole == SESSION_REPLICATION_ROLE_REPLICA ? TRIGGER_FIRES_ON_ORIGIN : TRIGGER_FIRES_ON_REPLICA;
  for (int i = 0; triggers != nullptr && i < triggers->numtriggers && !keeps; ++i) {
    auto const& trigger = triggers->triggers[i];
    keeps = TRIGGER_FOR_INSERT(trigger.tgtype) && is_sum_trigger(trigger.tgfoid) &&
            trigger.tgenabled != TRIGGER_DISABLED && trigger.tgenabled != other;
  }
  table_close(table, NoLock);
  return keeps;
}

std::vector<RowSum> listed(RowSummer const* sums) {
  std::vector<RowSum> list;
  for (std::size_t i = 0; sums != nullptr && i < sums->count(); ++i)
    if (!sums->at(i).is_empty()) list.push_back(sums->at(i));
  std::sort(list.begin(), list.end(), [](auto const& a, auto const& b) { return a.bucket < b.bucket; });
  return list;
}

void add_sums(SpiSession& session, std::string const& relation, std::vector<RowSum> const& sums) {
  if (sums.empty()) return;
  auto const dot = relation.find('.'), end = relation.find('_', dot);  // anon_seq_ledger.p7_member
  std::string buckets = "{", counts = "{", bits = "{";
  for (auto const& sum : sums) {
    buckets += (buckets.size() == 1 ? "" : ",") + std::to_string(sum.bucket);
    counts += (counts.size() == 1 ? "" : ",") + std::to_string(sum.rows);
    bits += (bits.size() == 1 ? "" : ",") + std::to_string(static_cast<std::int64_t>(sum.bits));
  }
  session.execute(
      "INSERT INTO " + relation.substr(0, end) +
          "_sum AS s (relation, bucket, n, bits)"
          " SELECT $1, u.bucket, u.n, u.bits FROM ROWS FROM (pg_catalog.unnest($2::int4[]),"
          " pg_catalog.unnest($3::int8[]), pg_catalog.unnest($4::int8[])) AS u (bucket, n, bits)"
          " ON CONFLICT (relation, bucket) DO UPDATE SET n = s.n + excluded.n, bits = s.bits # excluded.bits",
      {relation.substr(end + 1), buckets + "}", counts + "}", bits + "}"});
}

std::vector<RowSum> sums_of(Oid relation) {
  RowSummer* sums = nullptr;
  call_pg([&]() noexcept {
    Relation const table = table_open(relation, AccessShareLock);
    sums = RowSummer::make(RelationGetDescr(table));
    TupleTableSlot* const slot = table_slot_create(table, nullptr);
    TableScanDesc const scan = table_beginscan(table, GetActiveSnapshot(), 0, nullptr);
    while (table_scan_getnextslot(scan, ForwardScanDirection, slot)) {
      CHECK_FOR_INTERRUPTS();
      sums->add(slot, 1);
    }
    table_endscan(scan);
    ExecDropSingleTupleTableSlot(slot);
    table_close(table, NoLock);
  });
  return listed(sums);
}

std::vector<RowSum> sums_of_change(TriggerData const& trigger) {
  RowSummer* sums = nullptr;
  call_pg([&]() noexcept {
    TupleDesc const row = RelationGetDescr(trigger.tg_relation);
    sums = RowSummer::make(row);
    TupleTableSlot* const slot = MakeSingleTupleTableSlot(row, &TTSOpsMinimalTuple);
    struct Side {
      Tuplestorestate* rows;
      int times;
    };
    for (Side const side : {Side{trigger.tg_oldtable, -1}, Side{trigger.tg_newtable, 1}}) {
      if (side.rows == nullptr) continue;
      tuplestore_rescan(side.rows);
      while (tuplestore_gettupleslot(side.rows, true, false, slot)) {
        CHECK_FOR_INTERRUPTS();
        sums->add(slot, side.times);
      }
    }
    ExecDropSingleTupleTableSlot(slot);
  });
  return listed(sums);
}

}  // namespace anon_seq::pg
