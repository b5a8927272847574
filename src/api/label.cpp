// The SQL functions for readers of a release: fits() and may_be(), where a question is prepared once per call site, and
// each published value is looked at once; and what was demanded of it.
#include <memory>

#include "pg/arguments.h"
#include "pg/context.h"
#include "pg/result_rows.h"
#include "pg/snapshot_key.h"
#include "release/comments.h"
#include "release/label_question.h"

namespace anon_seq::api {
namespace {

using release::LabelQuestion;

class CallSite {
 public:
  LabelQuestion& question(SpiSession& session, Oid relation, std::string const& column) {
    auto const key = SnapshotKey::current();
    if (question_ == nullptr || relation != relation_ || column != column_ || key != key_) {
      question_.reset();
      question_ = std::make_unique<LabelQuestion>(session, relation, column);
      relation_ = relation;
      column_ = column;
      key_ = key;
    }
    return *question_;
  }

 private:
  std::unique_ptr<LabelQuestion> question_;
  Oid relation_ = InvalidOid;
  std::string column_;
  SnapshotKey key_{};
  Live live_;
};

// The text of an argument of any type, which has to be that of the column.
std::string published_text(FunctionCallInfo call, LabelQuestion const& question) {
  Oid type = InvalidOid;
  char* text = nullptr;
  char* name = nullptr;
  call_pg([&]() noexcept {
    type = get_fn_expr_argtype(call->flinfo, 2);
    name = format_type_be(getBaseType(type));
    Oid output = InvalidOid;
    bool varlena = false;
    getTypeOutputInfo(type, &output, &varlena);
    text = OidOutputFunctionCall(output, call->args[2].value);
  });
  if (name != question.published_type())
    throw Error(Fault::kType, "argument \"published\" is of type " + std::string(name) + ", the column of type " +
                                  question.published_type());
  std::string result(text);
  call_pg([&]() noexcept {
    pfree(text);
    pfree(name);
  });
  return result;
}

// NULL, where something is not known, answers nothing.
std::optional<LabelQuestion::Answer> answer(FunctionCallInfo call) {
  Arguments const arguments(call);
  Oid const relation = arguments.relation(0, "relation");
  auto const column = arguments.text(1, "column");
  if (!arguments.has(2) || !arguments.has(3)) return std::nullopt;
  auto const value = arguments.text(3, "value");
  SpiSession session;
  if (call->flinfo->fn_extra == nullptr) call->flinfo->fn_extra = make_in_context<CallSite>(call->flinfo->fn_mcxt);
  auto& question = static_cast<CallSite*>(call->flinfo->fn_extra)->question(session, relation, column);
  return question.answer(session, published_text(call, question), value);
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_fits);
Datum anon_seq_fits(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const found = answer(fcinfo);
    if (!found) PG_RETURN_NULL();
    return BoolGetDatum(found->surely);
  });
}

PG_FUNCTION_INFO_V1(anon_seq_may_be);
Datum anon_seq_may_be(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const found = answer(fcinfo);
    if (!found) PG_RETURN_NULL();
    return BoolGetDatum(found->possibly);
  });
}

// NULL for a role that may not read the relation, and for what is no release.
PG_FUNCTION_INFO_V1(anon_seq_demanded_of);
Datum anon_seq_demanded_of(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Oid const relation = Arguments(fcinfo).relation(0, "relation");
    std::string text;
    {
      SpiSession session;
      if (session.is_true("SELECT pg_catalog.has_any_column_privilege($1, 'SELECT')", {SqlValue::oid(relation)}))
        if (auto const release = release::release_behind(session, relation)) text = release::about_demands(*release);
    }
    if (text.empty()) PG_RETURN_NULL();
    return text_datum(text);
  });
}

}  // extern "C"

}  // namespace anon_seq::api
