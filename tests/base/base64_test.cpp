#include "tool/base/base64.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

TEST(Base64, IsThatOfTheRfc) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFF\xFE\xFD"), "//79");
}

} // namespace
} // namespace agentic
