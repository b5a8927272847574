#include "core/text/nearest.h"

#include <gtest/gtest.h>

namespace anon_seq {
namespace {

std::vector<std::string> const kColumns{"id", "age", "job", "marital_status", "max_suppressed"};

TEST(Nearest, AMisspeltNameIsFound) {
  EXPECT_EQ(nearest("agee", kColumns), "age");
  EXPECT_EQ(nearest("ID", kColumns), "id");
  EXPECT_EQ(nearest("jbo", kColumns), "job");
  EXPECT_EQ(nearest("maritalstatus", kColumns), "marital_status");
  EXPECT_EQ(nearest("max_supressed", kColumns), "max_suppressed");
  EXPECT_EQ(perhaps("agee", kColumns), "Perhaps you meant \"age\".");
}

TEST(Nearest, WhatIsLikeNothingIsNot) {
  EXPECT_EQ(nearest("education", kColumns), std::nullopt);
  EXPECT_EQ(nearest("xy", kColumns), std::nullopt);
  EXPECT_EQ(nearest("ig", kColumns), std::nullopt);
  EXPECT_EQ(nearest("nobody", std::vector<std::string>{"mood"}), std::nullopt);
  EXPECT_EQ(nearest("", kColumns), std::nullopt);
  EXPECT_EQ(nearest(std::string(100, 'a'), {}), std::nullopt);
  EXPECT_EQ(perhaps("education", kColumns), "");
  EXPECT_EQ(nearest("id", std::vector<std::string>{"it", "id"}), std::nullopt);  // it is there, and was refused
}

TEST(Nearest, TheFirstOfSeveralThatAreAsNear) {
  std::vector<std::string> const known{"aa1", "aa2", "ba1"};
  EXPECT_EQ(nearest("aa3", known), "aa1");
  EXPECT_EQ(nearest("ba2", known), "aa2");
  EXPECT_EQ(nearest("BA1", known), "ba1");
}

}  // namespace
}  // namespace anon_seq
