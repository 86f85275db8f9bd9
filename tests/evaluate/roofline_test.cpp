#include "tool/evaluate/benchmark/roofline.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/host.h"

#include <cmath>
#include <gtest/gtest.h>

namespace agentic {
namespace {

Roofline example() {
  return {.cpu = "a CPU",
          .levels = {{"L1", 32e3, 400e9}, {"L2", 1e6, 200e9}, {"memory", 0, 20e9}},
          .flopsPerSecond = 100e9};
}

class RooflineTest : public testing::Test {
protected:
  void SetUp() override {
    auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "roofline-");
    ASSERT_TRUE(scratch);
    scratch_.emplace(std::move(*scratch));
  }
  std::string path(const std::string &name) const { return (scratch_->path() / name).string(); }
  void write(const std::string &name, const std::string &text) const { ASSERT_TRUE(writeFileAtomic(path(name), text)); }
  std::optional<ScratchDirectory> scratch_;
};

TEST_F(RooflineTest, IsMeasuredOnce) {
  const std::string file = path("cache/roofline.json"), lock = path("lock");
  auto measured = measuredRoofline(file, nullptr, lock);
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_EQ(measured->cpu, cpuName());
  ASSERT_GE(measured->levels.size(), 2u);
  EXPECT_EQ(measured->levels.front().name, "L1");
  EXPECT_EQ(measured->levels.back().name, "memory");
  for (const MemoryLevel &level : measured->levels)
    EXPECT_TRUE(std::isfinite(level.bytesPerSecond) && level.bytesPerSecond > 1e8) << level.name;
  EXPECT_TRUE(std::isfinite(measured->flopsPerSecond) && measured->flopsPerSecond > 1e8);

  // The second call uses the file.
  Roofline other = *measured;
  other.flopsPerSecond = 12345;
  write("cache/roofline.json", rooflineText(other));
  auto again = measuredRoofline(file, nullptr, lock);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->flopsPerSecond, 12345);
  EXPECT_EQ(again->levels.size(), measured->levels.size());

  // It must not use the file of a machine with other caches under the same CPU's name.
  other.levels[0].bytes += 1024;
  write("cache/roofline.json", rooflineText(other));
  again = measuredRoofline(file, nullptr, lock);
  ASSERT_TRUE(again);
  EXPECT_NE(again->flopsPerSecond, 12345);
}

TEST_F(RooflineTest, TheBestThatTheMachineEverShowedIsKept) {
  const std::string file = path("roofline.json"), lock = path("lock");
  Roofline known = *betterRoofline(file, nullptr, lock);
  known.levels.back().bytesPerSecond = 1e18; // a quiet moment
  known.flopsPerSecond = 1;                  // a busy one
  write("roofline.json", rooflineText(known));
  const auto better = betterRoofline(file, nullptr, lock);
  ASSERT_TRUE(better) << better.error().message;
  EXPECT_EQ(better->levels.back().bytesPerSecond, 1e18);
  EXPECT_GT(better->flopsPerSecond, 1);
  EXPECT_EQ(measuredRoofline(file, nullptr, lock)->levels.back().bytesPerSecond, 1e18);

  Roofline other = known;
  other.levels[0].bytes += 1024;
  EXPECT_EQ(bestOf(known, other).flopsPerSecond, other.flopsPerSecond);
  other = known;
  other.cpu = "another";
  other.levels.back().bytesPerSecond = 1;
  EXPECT_EQ(bestOf(known, other).levels.back().bytesPerSecond, 1);
}

TEST_F(RooflineTest, OnlyAWholeRooflineOfThisCpuCounts) {
  const std::string text = rooflineText(example());
  ASSERT_TRUE(parseRoofline(text, "a CPU"));
  EXPECT_EQ(rooflineText(*parseRoofline(text, "a CPU")), text);
  EXPECT_FALSE(parseRoofline(text, "another CPU"));
  EXPECT_FALSE(parseRoofline(text.substr(0, text.size() / 2), "a CPU"));
  EXPECT_FALSE(parseRoofline("[]", "a CPU"));
  EXPECT_FALSE(parseRoofline("", "a CPU"));
  for (double wrong : {0.0, -1.0, std::nan("")}) {
    Roofline roofline = example();
    roofline.levels[1].bytesPerSecond = wrong;
    EXPECT_FALSE(parseRoofline(rooflineText(roofline), "a CPU")) << wrong;
  }
}

TEST_F(RooflineTest, CachesComeFromSysfs) {
  const auto cache = [&](const std::string &index, const std::string &level, const std::string &type,
                         const std::string &size) {
    write(index + "/level", level + "\n");
    write(index + "/type", type + "\n");
    write(index + "/size", size + "\n");
  };
  cache("index0", "1", "Data", "48K");
  cache("index1", "1", "Instruction", "32K");
  cache("index2", "2", "Unified", "1024K");
  cache("index3", "3", "Unified", "32M");
  const std::vector<MemoryLevel> levels = cacheLevels(scratch_->path().string());
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].name, "L1");
  EXPECT_EQ(levels[0].bytes, 48 * 1024);
  EXPECT_EQ(levels[1].bytes, 1 << 20);
  EXPECT_EQ(levels[2].name, "L3");
  EXPECT_EQ(levels[2].bytes, 32 << 20);
  EXPECT_EQ(cacheLevels(path("nowhere")).size(), 3u);
}

TEST_F(RooflineTest, AShareIsOfTheLevelThatHoldsTheBytes) {
  EXPECT_EQ(example().levelFor(32e3).name, "L1");
  EXPECT_EQ(example().levelFor(32001).name, "L2");
  EXPECT_EQ(example().levelFor(1e9).name, "memory");
  const BandwidthShare share = bandwidthShare(example(), 500e3, 5000); // 100 GB/s
  EXPECT_EQ(share.level, "L2");
  EXPECT_DOUBLE_EQ(share.percent, 50);
}

} // namespace
} // namespace agentic
