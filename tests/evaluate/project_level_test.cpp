#include "tool/evaluate/baseline/project_level.h"

#include "tests/model/recorded_machines.h"
#include "tool/base/text.h"
#include "tool/build/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using ::testing::HasSubstr;

TEST(ChosenLevel, IsTheOneWantedOrTheMachines) {
  if (!highestLevel(hostCpu()))
    GTEST_SKIP() << "this machine reaches no level of the table";
  Manifest manifest;
  EXPECT_EQ(chosenLevel(manifest, "").value(), highestLevel(hostCpu()));
  std::string name(highestLevel(hostCpu())->name);
  EXPECT_EQ(chosenLevel(manifest, name).value(), highestLevel(hostCpu()));
  manifest.architectures = {name};
  EXPECT_EQ(chosenLevel(manifest, "").value(), highestLevel(hostCpu()));
}

Cpu recorded(const std::string &machine) {
  return readCpu(sourceOf(recordedMachine(machine)));
}

class RecordedLevel : public testing::TestWithParam<RecordedMachine> {};

TEST_P(RecordedLevel, IsTheDefaultInABuildForTheMachine) {
  const RecordedMachine &machine = GetParam();
  const Cpu cpu = readCpu(sourceOf(machine));
  Manifest manifest;
  for (const std::string &processor : {std::string(), machine.processor}) {
    manifest.processor = processor;
    const Result<const Level *> level = chosenLevel(manifest, "", cpu);
    if (!machine.highest.empty()) {
      ASSERT_TRUE(level) << level.error().message;
      EXPECT_EQ((*level)->name, machine.highest);
      continue;
    }
    ASSERT_FALSE(level);
    EXPECT_THAT(level.error().message, HasSubstr("is below " + machine.lackedLevel));
    EXPECT_THAT(level.error().message, HasSubstr("it has no " + join(machine.lacked, ", ")));
    EXPECT_THAT(level.error().next, HasSubstr("at least " + machine.lackedLevel));
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, RecordedLevel, testing::ValuesIn(recordedMachines()),
                         [](const auto &info) { return info.param.name; });

TEST(ChosenLevel, SaysWhatTheMachineLacksOfANamedOne) {
  Manifest manifest;
  manifest.kernel = "k";
  const Result<const Level *> level = chosenLevel(manifest, "x86-64-v3", recorded("hypervisor_masks_lzcnt"));
  ASSERT_FALSE(level);
  EXPECT_THAT(level.error().message, HasSubstr("lacks level x86-64-v3: it has no lzcnt"));
}

TEST(ChosenLevel, OfSeveralThatAreNamedTakesThoseOfTheMachine) {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.architectures = {"x86-64-v4", "x86-64-v2", "x86-64-v3"};
  const auto names = [&](const std::string &machine) {
    std::vector<std::string> found;
    const Result<std::vector<const Level *>> levels = chosenLevels(manifest, "", recorded(machine));
    for (const Level *level : levels.value()) // g++ 12 ends temporaries of a loop's range before its first round
      found.emplace_back(level->name);
    return found;
  };
  EXPECT_THAT(names("hypervisor_masks_movbe"), testing::ElementsAre("x86-64-v2"));
  EXPECT_THAT(names("haswell"), testing::ElementsAre("x86-64-v2", "x86-64-v3"));
  EXPECT_THAT(names("cpuinfo_without_abm"), testing::ElementsAre("x86-64-v2", "x86-64-v3", "x86-64-v4"));
  const auto none = chosenLevels(manifest, "", recorded("core2"));
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("has none of its levels (x86-64-v4, x86-64-v2, x86-64-v3)"));
}

TEST(ChosenLevel, WhatAHostHasIsChosenToo) {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.architectures = {"x86-64-v4", "x86-64-v2", "armv8-a"};
  const std::vector<Cpu> hosts = {recorded("haswell"), recorded("cpuinfo_without_abm"), recorded("neoverse_v1")};
  const auto names = [&](const std::string &wanted, const std::vector<Cpu> &those) {
    const auto levels = chosenLevels(manifest, wanted, recorded("haswell"), those);
    std::string found;
    for (const Level *level : levels.value_or(std::vector<const Level *>()))
      found += std::string(level->name) + " ";
    return levels ? found : levels.error().message;
  };
  manifest.processor = "x86_64";
  EXPECT_EQ(names("", {}), "x86-64-v2 ");
  EXPECT_EQ(names("", hosts), "x86-64-v2 x86-64-v4 ") << "and no level of another processor";
  EXPECT_EQ(names("x86-64-v4", hosts), "x86-64-v4 ");
  EXPECT_THAT(names("x86-64-v4", {recorded("haswell")}), HasSubstr("lacks level x86-64-v4"));
  EXPECT_EQ(names("x86-64-v3", hosts), "x86-64-v3 ");
  manifest.architectures = {"x86-64-v4"};
  EXPECT_EQ(names("", hosts), "x86-64-v4 ");
  EXPECT_THAT(lackedLevels(manifest, "", recorded("haswell")).value(), testing::ElementsAre(findLevel("x86-64-v4")));
  EXPECT_THAT(lackedLevels(manifest, "x86-64-v3", recorded("haswell")).value(), testing::IsEmpty());
}

TEST(ChosenLevel, InABuildForAnotherProcessorTheMachinesOwnAreNoDefault) {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.processor = "aarch64";
  for (const char *machine : {"zen4", "core2"}) {
    const Result<const Level *> level = chosenLevel(manifest, "", recorded(machine));
    ASSERT_FALSE(level) << machine;
    EXPECT_THAT(level.error().message, HasSubstr("lacks level armv8-a")) << machine;
  }
}

TEST(ChosenLevel, UnknownLevelsAreNamed) {
  Manifest manifest;
  manifest.kernel = "k";
  Result<const Level *> level = chosenLevel(manifest, "x86-64-v9");
  ASSERT_FALSE(level);
  EXPECT_THAT(level.error().message, HasSubstr("x86-64-v9"));
  EXPECT_THAT(level.error().next, HasSubstr("x86-64-v3"));
  manifest.architectures = {"z80"};
  EXPECT_THAT(chosenLevel(manifest, "").error().message, HasSubstr("z80"));
}

TEST(ChosenLevel, OfAnotherProcessorIsRefusedWithTheWayToIt) {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.processor = "x86_64";
  const Result<const Level *> level = chosenLevel(manifest, "sve2");
  ASSERT_FALSE(level);
  EXPECT_THAT(level.error().message, HasSubstr("level sve2 is not one of x86_64"));
  EXPECT_THAT(level.error().next, HasSubstr("toolchain"));
  manifest.processor = "z80";
  EXPECT_THAT(chosenLevel(manifest, "").error().message, HasSubstr("no level of z80"));
}

// Without a RUNNER nothing of another processor can run; a level that only an emulator has needs one by name.
TEST(ChosenLevel, WhatThisMachineLacksNeedsARunner) {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.processor = "riscv64";
  const Result<const Level *> level = chosenLevel(manifest, "rv64gcv");
  ASSERT_FALSE(level);
  EXPECT_THAT(level.error().message, HasSubstr("lacks level rv64gcv"));
  EXPECT_THAT(level.error().next, HasSubstr("RUNNER"));
}

TEST(ChosenLevel, ARunnerThatIsNotThereIsSaidBeforeTestsAreRunUnderIt) {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.runner = {"no-such-qemu", "-cpu", "max"};
  const Result<const Level *> level = chosenLevel(manifest, "x86-64-v2");
  ASSERT_FALSE(level);
  EXPECT_THAT(level.error().message, HasSubstr("RUNNER 'no-such-qemu -cpu max' of kernel 'k' is not in PATH"));
}

TEST(ChosenLevel, OnRequestIsNoDefault) {
  Manifest manifest;
  manifest.processor = "x86_64";
  const Result<const Level *> level = chosenLevel(manifest, "");
  if (!level)
    GTEST_SKIP() << level.error().message;
  EXPECT_FALSE((*level)->onRequest);
}

TEST(RefuseLowLevel, ComparesWithTheProjectsFlags) {
  Compiler compiler;
  compiler.path = EVALUATE_COMPILER;
  CompileCommand command;
  command.directory = "/";
  command.arguments = {EVALUATE_COMPILER, "-O3", "-march=x86-64-v3", "-c", "x.cpp"};
  Result<void> low = refuseLowLevel(*findLevel("x86-64-v2"), command, compiler);
  ASSERT_FALSE(low);
  EXPECT_THAT(
      low.error().message,
      HasSubstr("x86-64-v2 is below what the project's own flags imply (x86-64-v3): it lacks avx, avx2, bmi, bmi2, "
                "f16c, fma, lzcnt, movbe, and"));
  command.arguments[2] = "-march=x86-64-v4"; // the highest is named: what would be refused next is no advice
  low = refuseLowLevel(*findLevel("x86-64-v2"), command, compiler);
  ASSERT_FALSE(low);
  EXPECT_THAT(low.error().next, HasSubstr("use ARCHITECTURES x86-64-v4"));
  command.arguments[2] = "-march=x86-64-v3";
  EXPECT_TRUE(refuseLowLevel(*findLevel("x86-64-v3"), command, compiler));
  // A level that is on request only is not asked of those whose machine happens to reach it.
  command.arguments = {EVALUATE_COMPILER, "-O3", "-march=sapphirerapids"};
  EXPECT_TRUE(refuseLowLevel(*findLevel("x86-64-v4"), command, compiler));
  EXPECT_FALSE(refuseLowLevel(*findLevel("x86-64-v3"), command, compiler));
  command.arguments = {EVALUATE_COMPILER, "-O3"};
  EXPECT_TRUE(refuseLowLevel(*findLevel("x86-64-v2"), command, compiler));
}

} // namespace
} // namespace agentic
