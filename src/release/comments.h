// COMMENTs on what is published, which everybody may read: what it is, and how to read a value. anon_seq.about() shows
// them.
#pragma once

#include "release/method.h"

namespace anon_seq::release {

struct ColumnComment {
  std::string column, text;
};

// `kind`: VIEW or MATERIALIZED VIEW.
void comment_on(SpiSession& session, std::string const& kind, std::string const& relation, std::string const& text,
                std::vector<ColumnComment> const& columns);

// On the relations of a version of that day, which say which one it is. What was demanded of it is for its readers, not
// for everybody.
void comment_version(SpiSession& session, Policy const& policy, Release const& release,
                     std::vector<RelationShape> const& shapes, std::string const& day);

// On a stable name that was just made; a comment of its owner's takes its place for good.
void comment_stable(SpiSession& session, Policy const& policy, RelationShape const& relation, std::string const& view);

// What was demanded of a release, in a sentence.
std::string about_demands(Release const& release);

// How to read a column, and one of a companion.
std::string about_column(PublishedColumn const& column);
std::string about_flat(PublishedColumn const& column, std::string const& name);

}  // namespace anon_seq::release
