#include "tool/build/host.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

TEST(Host, HighestLevelIncludesTheLowerOnes) {
  const Level *best = highestLevel(hostCpu());
#if defined(__x86_64__)
  ASSERT_NE(best, nullptr) << "this machine lacks x86-64-v2";
#else
  if (best == nullptr)
    GTEST_SKIP() << "the level table has no row for this processor";
#endif
  for (const Level &level : levels()) {
    if (level.processor == best->processor && !level.onRequest) {
      EXPECT_EQ(hasLevel(hostCpu(), level), level.rank <= best->rank) << level.name;
    }
  }
  EXPECT_FALSE(best->onRequest);
  EXPECT_FALSE(cpuName().empty());
}

} // namespace
} // namespace agentic
