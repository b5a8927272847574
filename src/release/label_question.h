// What readers ask of one published column: may who shows this have that value, and does he surely?
//
// A reader needs a right on the relation, and none of ours. Of a stored taxonomy he gets no more than the part that was
// published with the release: the labels that it shows, and what lies above them; of an open one its rule, which is in
// every label; whoever may read the taxonomy gets all of it.
#pragma once

#include <map>
#include <set>
#include <string>

#include "catalog/release.h"
#include "catalog/taxonomy_store.h"

namespace anon_seq::release {

// The release behind a relation, whoever asks: its own, the stable name or the companion.
std::optional<Release> release_behind(SpiSession& session, Oid relation);

class LabelQuestion {
 public:
  // REQUIRES: the current user asks. Throws kPrivilege without SELECT on the column, kParameter for what is no relation
  // of a release of ours, its stable name or its companion, or no quasi column of it.
  LabelQuestion(SpiSession& session, Oid relation, std::string const& column);

  struct Answer {
    bool surely = false, possibly = false;
  };
  // `published`: what a row shows, as text of the type published_type(). Throws kData for a value that the reader
  // cannot know to be one, and for what the column cannot show.
  Answer answer(SpiSession& session, std::string const& published, std::string const& value);

  std::string const& published_type() const { return shown_type_; }

 private:
  using Path = std::vector<std::string>;                   // a label and what lies above it
  using Labels = std::vector<std::optional<std::string>>;  // nullopt: it may not be known

  void load(SpiSession& session);
  void find_public(SpiSession& session);
  enum class Begin { kLabel, kMeaning };                      // at the label, or at the lowest one that means the same
  Path path_of(std::string const& label, Begin begin) const;  // empty: not in the taxonomy
  void ask(std::string const& value);
  bool is_joined() const { return shown_type_ != type_; }
  Labels labels_of(SpiSession& session, std::string const& published) const;
  Labels joined_labels(std::string const& published) const;
  Answer of_labels(SpiSession& session, std::string const& published) const;
  Answer of_range(SpiSession& session, std::string const& published) const;
  [[noreturn]] void refuse(std::string const& value) const;

  std::string name_, column_, type_, taxonomy_name_;
  std::string shown_type_;  // the column's own: a companion shows several labels as one text
  std::optional<AnyTaxonomy> taxonomy_;
  std::optional<std::set<std::string>> public_;  // what the reader may know of; none: all
  std::string value_;                            // asked last
  Path asked_;                                   // its path
  std::map<std::string, Answer> answers_;        // about it
};

}  // namespace anon_seq::release
