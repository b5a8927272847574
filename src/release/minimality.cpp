#include "release/minimality.h"

#include "core/lossy/draws.h"
//
#include "catalog/ledger.h"
#include "pg/progress.h"
#include "release/method.h"

namespace anon_seq::release {
namespace {

constexpr std::int64_t kMostEnumerated = 10000;  // or as many as `runs`, if that is more

[[noreturn]] void refuse(Release const& release, std::string const& is, std::string const& why) {
  throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " " + is, why);
}

}  // namespace

MinimalityFinding audit_minimality(SpiSession& session, Release const& release, std::int64_t runs) {
  constexpr char kMeasured[] = "This is measured of versions that a sequential policy or a lossy join has published.";
  if (runs < 1) throw Error(Fault::kParameter, "runs must be at least 1", "runs is " + std::to_string(runs) + ".");
  if (release.is_registered()) refuse(release, "was registered, not made here", kMeasured);
  if (release.withdrawn) refuse(release, "was withdrawn, and nobody has read it", kMeasured);
  auto const& method = method_of(release);
  if (method.minimality == nullptr) refuse(release, "is of method " + quoted(release.method), kMeasured);
  if (release.retired) refuse(release, "is retired", "This is measured of versions that are out.");
  Progress progress("audit_minimality", release.reference(), 1);
  progress.step("try");
  return method.minimality(session, release, runs);
}

MinimalityFinding try_release(Classes const& classes, BoundedValues const& values, Ratio bound, std::int64_t runs,
                              GivesSameRelease const& rerun, Checkpoint& checkpoint) {
  if (classes.rows() != values.of_row.size())
    throw Error(Fault::kInternal, "rows that are rearranged are not those that were published");
  std::uint64_t state = 0;
  Draws draws([&] { return next_number(state); });
  ExposureCounts counts(values, classes, checkpoint);
  Arrangements const asked{&classes, values.of_row, static_cast<std::uint64_t>(std::max(kMostEnumerated, runs)), runs};
  std::int64_t tried = 0;
  auto const found = try_arrangements(
      asked,
      [&](std::span<JointValue const> arranged) {
        Progress::at("arrangement", ++tried, runs);
        if (!rerun(arranged)) return false;
        counts.add(arranged);
        return true;
      },
      [&](std::uint64_t n) { return draws.below(n); }, checkpoint);
  bool const all = found.accepted == found.tried;
  MinimalityFinding finding{found.exact, found.tried, found.accepted, bound, counts.exposure(all, found.exact), ""};
  finding.meaning = !finding.exposure ? "too few arrangements gave this release to tell"
                    : all             ? "every arrangement gives this release: its classes tell all there is"
                    : found.exact     ? "other arrangements would have given another release"
                                      : "other arrangements would have given another release; chances are estimates";
  return finding;
}

std::uint64_t next_number(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

void throw_not_made_again(Release const& release) {
  throw Error(Fault::kDamaged, "the algorithm does not make release " + quoted(release.reference()) + " again",
              "Its ledger was altered, or it was made by another version of anon_seq.");
}

void require_same_content(SpiSession& session, Release const& release, std::string const& content) {
  auto const note =
      session.execute("SELECT fingerprint FROM " + ledger_table(release.ledger, "note") + " WHERE version = $1",
                      {release.version}, true);
  if (note.count() == 1 && note.get(0, 1).starts_with(content + "-")) return;
  throw Error(Fault::kData,
              "the source of release " + quoted(release.reference()) + " has changed since it was published",
              "The table shows no quasi-identifiers as they were; they are read from the source.",
              "Run it where the source is as it was, as on a restored backup.");
}

}  // namespace anon_seq::release
