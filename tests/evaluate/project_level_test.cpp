#include "tool/evaluate/project_level.h"

#include "tool/build/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using ::testing::HasSubstr;

TEST(ChosenLevel, IsTheOneWantedOrTheMachines) {
  if (!hostLevel())
    GTEST_SKIP() << "this machine reaches no level of the table";
  Manifest manifest;
  EXPECT_EQ(chosenLevel(manifest, "").value(), hostLevel());
  std::string name(hostLevel()->name);
  EXPECT_EQ(chosenLevel(manifest, name).value(), hostLevel());
  manifest.architectures = {name};
  EXPECT_EQ(chosenLevel(manifest, "").value(), hostLevel());
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
  EXPECT_THAT(low.error().message, HasSubstr("x86-64-v2 is below what the project's own flags imply (x86-64-v3)"));
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
