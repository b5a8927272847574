// Which methods there are.
#include "incremental/method.h"
#include "sequential/method.h"
#ifdef ANON_SEQ_SELFTEST
#include "projections.h"
#endif

namespace anon_seq::release {
namespace {

Method const* const kMethods[] = {
    &sequential::kMethod,
    &incremental::kMethod,
#ifdef ANON_SEQ_SELFTEST
    &selftest::kProjections,
#endif
};

Method const& find(std::string const& name, std::string const& what) {
  for (auto const* method : kMethods)
    if (name == method->name) return *method;
  throw Error(Fault::kUnsupported, what + " is of a method that this version of anon_seq does not know");
}

}  // namespace

Method const& method_of(Policy const& policy) { return find(policy.method, "policy " + quoted(policy.name)); }

Method const& method_of(Release const& release) {
  return find(release.method, "release " + quoted(release.reference()));
}

Method const& method_called(std::string const& name) { return find(name, "what is called " + quoted(name)); }

}  // namespace anon_seq::release
