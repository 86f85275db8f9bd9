#include <gtest/gtest.h>

TEST(Always, Passes) {}
TEST(Always, Fails) {
  EXPECT_EQ(1, 2);
}
