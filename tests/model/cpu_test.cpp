// Tests known machines: the levels that each has, and the features of the next that it lacks.
#include "tests/model/recorded_machines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace agentic {
namespace {

using testing::IsEmpty;

class RecordedCpu : public testing::TestWithParam<RecordedMachine> {
protected:
  const RecordedMachine &machine_ = GetParam();
  const Cpu cpu_ = readCpu(sourceOf(machine_));
};

TEST_P(RecordedCpu, HasTheseLevels) {
  std::vector<std::string> found;
  for (const Level &level : levels())
    if (hasLevel(cpu_, level))
      found.emplace_back(level.name);
  EXPECT_EQ(found, machine_.levels);
  const Level *highest = highestLevel(cpu_);
  EXPECT_EQ(highest ? highest->name : "", machine_.highest);
}

TEST_P(RecordedCpu, LacksOfTheNextLevel) {
  const Level *next = nullptr;
  for (const Level *level : levelsOf(machine_.processor))
    if (!next && !lackedFeatures(cpu_, *level).empty())
      next = level;
  EXPECT_EQ(next ? next->name : "", machine_.lackedLevel);
  EXPECT_EQ(next ? lackedFeatures(cpu_, *next) : std::vector<std::string>(), machine_.lacked);
}

// The same decision in two ways: by the bits that the dispatcher tests, too, and by names.
TEST_P(RecordedCpu, BitsAndNamesAgree) {
  for (const Level *level : levelsOf(machine_.processor))
    EXPECT_EQ(hasLevel(cpu_, *level), lackedFeatures(cpu_, *level).empty()) << level->name;
}

TEST_P(RecordedCpu, HasNoLevelOfAnotherProcessor) {
  for (const Level &level : levels())
    if (std::ranges::count(levelsOf(machine_.processor), &level) == 0) {
      EXPECT_FALSE(hasLevel(cpu_, level)) << level.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, RecordedCpu, testing::ValuesIn(recordedMachines()),
                         [](const auto &info) { return info.param.name; });

TEST(Cpu, EveryFeatureOfALevelIsInTheTable) {
  std::set<std::string_view> names;
  for (const CpuFeature &feature : cpuFeatures())
    EXPECT_TRUE(names.insert(feature.name).second) << feature.name;
  for (const Level &level : levels())
    EXPECT_TRUE(cpuBits(level.features)) << level.name;
  EXPECT_FALSE(cpuBits("avx,no-such-feature"));
}

// Bit by bit: without any one of a level's bits, the level is missing.
TEST(Cpu, ALevelIsCompleteOrNotThere) {
  for (const Level &level : levels()) {
    const CpuWords bits = cpuBits(level.features).value();
    const Cpu whole{.processor = level.guard.find("x86_64") != std::string_view::npos    ? "x86_64"
                                 : level.guard.find("aarch64") != std::string_view::npos ? "aarch64"
                                                                                         : "riscv64",
                    .words = bits};
    EXPECT_TRUE(hasLevel(whole, level)) << level.name;
    for (std::size_t i = 0; i < kCpuWords; ++i)
      for (unsigned bit = 0; bit < 64; ++bit)
        if (bits[i] >> bit & 1) {
          Cpu lacking = whole;
          lacking.words[i] &= ~(std::uint64_t{1} << bit);
          EXPECT_FALSE(hasLevel(lacking, level)) << level.name << ", word " << i << ", bit " << bit;
          EXPECT_THAT(lackedFeatures(lacking, level), testing::Not(IsEmpty())) << level.name << ", bit " << bit;
        }
  }
}

TEST(Cpu, OfAnUnknownProcessorNothingIsAsked) {
  const Cpu cpu = readCpu({}); // whose functions would throw
  EXPECT_EQ(highestLevel(cpu), nullptr);
}

} // namespace
} // namespace agentic
