// The SQL function generalize(): the taxonomy is loaded once per call site and kept while the snapshot
// sees the same catalog; a row costs one hash lookup and a pointer.
#include "core/taxonomy/taxonomy_builder.h"
//
#include "catalog/taxonomy_store.h"
#include "pg/arguments.h"
#include "pg/context.h"
#include "pg/snapshot_key.h"

namespace anon_seq::api {
namespace {

class CallSite {
 public:
  explicit CallSite(MemoryContext parent) {
    call_pg([&]() noexcept { texts_ = AllocSetContextCreate(parent, "anon_seq generalize", ALLOCSET_SMALL_SIZES); });
  }

  bool serves(std::string_view name, SnapshotKey const& key) const { return taxonomy_ && name_ == name && key_ == key; }

  void load(std::string_view name, SnapshotKey const& key) {
    taxonomy_.reset();
    rendered_.clear();
    MemoryContextReset(texts_);
    name_ = name;
    key_ = key;
    SpiSession session;
    InterruptCheckpoint checkpoint;
    taxonomy_.emplace(load_taxonomy(session, name_, checkpoint));
    if (auto const* const tree = std::get_if<Taxonomy>(&*taxonomy_))
      rendered_.resize(static_cast<std::size_t>(tree->size()));
  }

  Datum generalize(std::string_view value, int levels) {
    auto const* const tree = std::get_if<Taxonomy>(&*taxonomy_);
    if (tree == nullptr) return generalize_open(value, levels);
    Node const node = tree->find(value);
    if (node == kNoNode) throw_unknown_value();
    return text_of(*tree, tree->ancestor(node, levels));
  }

  Datum root() {
    if (auto const* const tree = std::get_if<Taxonomy>(&*taxonomy_)) return text_of(*tree, kRoot);
    return fresh_text(root_label(std::get<OpenTaxonomy>(*taxonomy_)));
  }

 private:
  // The text of a node is made once and handed out by reference for the rest of the query.
  Datum text_of(Taxonomy const& tree, Node node) {
    text*& made = rendered_[static_cast<std::size_t>(node)];
    if (made == nullptr)
      call_pg([&]() noexcept {
        MemoryContext const home = MemoryContextSwitchTo(texts_);
        auto const label = tree.label(node);
        made = cstring_to_text_with_len(label.data(), static_cast<int>(label.size()));
        MemoryContextSwitchTo(home);
      });
    return PointerGetDatum(made);
  }

  Datum generalize_open(std::string_view value, int levels) {
    auto const label = climb(std::get<OpenTaxonomy>(*taxonomy_), value, levels);
    if (!label) throw_unknown_value();
    return fresh_text(*label);
  }

  static Datum fresh_text(std::string const& label) {
    Datum made{};
    call_pg([&]() noexcept {
      made = PointerGetDatum(cstring_to_text_with_len(label.data(), static_cast<int>(label.size())));
    });
    return made;
  }

  [[noreturn]] void throw_unknown_value() const {
    throw Error(Fault::kData, "value is not in taxonomy " + quoted(name_), "",
                std::holds_alternative<Taxonomy>(*taxonomy_) ? "Add it with anon_seq.add_to_taxonomy()."
                                                             : "It does not have the form that the taxonomy expects.");
  }

  std::string name_;
  SnapshotKey key_{};
  std::optional<AnyTaxonomy> taxonomy_;
  Vector<text*> rendered_;  // by node; nullptr until asked for
  MemoryContext texts_ = nullptr;
  Live live_;
};

CallSite& call_site(FmgrInfo& function) {
  if (function.fn_extra == nullptr) function.fn_extra = make_in_context<CallSite>(function.fn_mcxt, function.fn_mcxt);
  return *static_cast<CallSite*>(function.fn_extra);
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_generalize);
Datum anon_seq_generalize(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = text_argument(arguments.datum(0, "taxonomy"));
    int const levels = arguments.integer(2, "levels");
    if (levels < 0) throw Error(Fault::kParameter, "argument \"levels\" must not be negative");
    CallSite& site = call_site(*fcinfo->flinfo);
    SnapshotKey const key = SnapshotKey::current();
    if (!site.serves(name, key)) site.load(name, key);
    if (!PG_ARGISNULL(1)) return site.generalize(text_argument(PG_GETARG_DATUM(1)), levels);
    if (levels > 0) return site.root();
    PG_RETURN_NULL();
  });
}

}  // extern "C"

}  // namespace anon_seq::api
