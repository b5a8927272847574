// What was refused, and then published in spite of that under other parameters.
//
// A version that does not fit is refused whole, and its transaction leaves nothing behind but what a sequence was set
// to: which content it was, under which parameters. If the same content is published afterwards under others, a reader
// who takes that into account learns from the change; nobody can forbid that, so publish and audits say it.
#pragma once

#include "release/publish_run.h"

namespace anon_seq::serial {

// A version of this content was refused. REQUIRES: none is begun that will be kept.
void remember_refused(PublishRun const& run, std::string const& content);

// Whether this content was the last one to be refused, under other parameters. Says so with a WARNING, if it was.
bool was_refused(PublishRun const& run, std::string const& content);

// Audit row `retried`, if the note of a version says so.
void add_retried(AuditRun const& run, Release const& release, Checks& checks);

}  // namespace anon_seq::serial
