// What a piece of work throws, so that a test can look at all its parts.
#pragma once

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace anon_seq {

// The Error that `work` throws; one of kInternal with the message "nothing" if it throws none.
template <class Work>
Error error_of(Work work) {
  try {
    work();
  } catch (Error const& error) {
    return error;
  }
  return {Fault::kInternal, "nothing"};
}

#define EXPECT_ERROR(found, wanted_fault, wanted_message) \
  do {                                                    \
    Error const error__ = (found);                        \
    EXPECT_EQ(error__.fault(), wanted_fault);             \
    EXPECT_STREQ(error__.what(), wanted_message);         \
  } while (false)

}  // namespace anon_seq
