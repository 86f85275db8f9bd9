#include "tool/build/host.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

TEST(Host, ReadsFeaturesByTheKernelsNames) {
  const std::string text =
      "processor : 0\nmodel name\t: X\nflags\t\t: fpu pni ssse3 sse4_1 sse4_2 popcnt avx avx2 bmi1 bmi2 "
      "f16c fma abm movbe\n";
  EXPECT_TRUE(cpuInfoHasFeatures(text, findLevel("x86-64-v2")->features));
  EXPECT_TRUE(cpuInfoHasFeatures(text, findLevel("x86-64-v3")->features));
  EXPECT_FALSE(cpuInfoHasFeatures(text, findLevel("x86-64-v4")->features));
  EXPECT_FALSE(cpuInfoHasFeatures("", "avx"));
  EXPECT_FALSE(cpuInfoHasFeatures("flags : avx2\n", "avx")); // whole words only
}

TEST(Host, ReadsWhatOtherProcessorsWrite) {
  const std::string arm = "processor\t: 0\nFeatures\t: fp asimd evtstrm fphp asimdhp cpuid asimddp sve\n";
  EXPECT_TRUE(cpuInfoHasFeatures(arm, findLevel("armv8.2-a")->features));
  EXPECT_TRUE(cpuInfoHasFeatures(arm, findLevel("sve")->features));
  EXPECT_FALSE(cpuInfoHasFeatures(arm, findLevel("sve2")->features));
  EXPECT_TRUE(cpuInfoHasFeatures("isa\t: rv64imafdcv_zicsr_zifencei\n", "v"));
  EXPECT_FALSE(cpuInfoHasFeatures("isa\t: rv64imafdc_zicsr_zve32f\n", "v"));
  const std::string zen = "flags : avx512_vnni avx512_bf16 avx512vbmi avx512_vbmi2 avx512_bitalg avx512_vpopcntdq\n";
  EXPECT_TRUE(cpuInfoHasFeatures(zen, "avx512vnni,avx512bf16,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq"));
}

TEST(Host, HighestLevelIncludesTheLowerOnes) {
  const Level *best = hostLevel();
#if defined(__x86_64__)
  ASSERT_NE(best, nullptr) << "this machine lacks x86-64-v2";
#else
  if (best == nullptr)
    GTEST_SKIP() << "the level table has no row for this processor";
#endif
  for (const Level &level : levels()) {
    if (level.processor == best->processor && !level.onRequest) {
      EXPECT_EQ(cpuHasLevel(level), level.rank <= best->rank) << level.name;
    }
  }
  EXPECT_FALSE(best->onRequest);
  EXPECT_FALSE(cpuName().empty());
}

} // namespace
} // namespace agentic
