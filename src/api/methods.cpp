// Which methods there are.
#include <algorithm>

#include "incremental/method.h"
#include "lossy_join/method.h"
#include "release/parameters.h"
#include "sequential/method.h"
#include "serial/method.h"
#ifdef ANON_SEQ_SELFTEST
#include "projections.h"
#endif

namespace anon_seq::release {
namespace {

Method const* const kMethods[] = {
    &sequential::kMethod,    &incremental::kMethod, &lossy_join::kMethod, &serial::kMethod,
#ifdef ANON_SEQ_SELFTEST
    &selftest::kProjections,
#endif
};

Method const& find(std::string const& name, std::string const& what) {
  for (auto const* method : kMethods)
    if (name == method->name) return *method;
  throw Error(Fault::kUnsupported, what + " is of a method that this version of anon_seq does not know");
}

// Who owns the extension may have written columns that the method does not have.
Method const& with_columns(Method const& method, std::vector<PublishedColumn> const& columns, std::string const& what) {
  bool const own = std::any_of(columns.begin(), columns.end(),
                               [](auto const& column) { return !column.is_quasi() && !column.is_plain(); });
  if (own && method.own_columns == nullptr) throw Error(Fault::kDamaged, "the catalog has a damaged row, of " + what);
  return method;
}

}  // namespace

Method const& method_of(Policy const& policy) {
  return with_columns(find(policy.method, "policy " + quoted(policy.name)), policy.columns,
                      "policy " + quoted(policy.name));
}

Method const& method_of(Release const& release) {
  return with_columns(find(release.method, "release " + quoted(release.reference())), release.columns,
                      "release " + quoted(release.reference()));
}

std::string functions_with(std::string_view parameter) {
  constexpr std::string_view kShared[] = {"person",     "quasi",      "sensitive",  "publish_as_is",
                                          "taxonomies", "publish_as", "population", "options"};
  if (std::ranges::find(kShared, parameter) != std::end(kShared)) return "every create_..._policy()";
  constexpr std::size_t kForUsers = 4;  // a method for tests comes after them
  std::string functions;
  for (std::size_t i = 0; i < kForUsers; ++i)
    if (std::ranges::find(kMethods[i]->parameters, parameter) != kMethods[i]->parameters.end())
      functions += (functions.empty() ? "create_" : ", create_") + std::string(kMethods[i]->name) + "_policy()";
  return functions;
}

Method const& method_called(std::string const& name) { return find(name, "what is called " + quoted(name)); }

}  // namespace anon_seq::release
