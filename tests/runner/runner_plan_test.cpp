// Tests plans that are broken, or not for this kernel, and objects that cannot be loaded.
#include "tests/runner/runner_fixture.h"
#include "tool/runner/runner_plan.h"

#include <random>

namespace agentic::runner_test {
namespace {

using testing::HasSubstr;

std::string validPlan() {
  PlanBuilder plan;
  plan.addCall(mapCall(5));
  plan.addStep({}, {{0, 4, "abcd"}, {2, 0, std::string(8, '\1')}});
  plan.addCall(mapCall(2));
  plan.addStep({.layout = wire::Layout::AtBegin});
  return plan.text();
}

/// Runs only the reader: in this process, so that a sanitizer sees it, and a million plans are quick.
std::string problemOf(const std::string &text) {
  // Its end is the end of a heap block of its own.
  const std::vector<char> exact(text.begin(), text.end());
  runner::Plan plan;
  return runner::readPlan(exact.data(), exact.size(), plan);
}

TEST(PlanReader, AcceptsTheWholeAndNoTruncation) {
  const std::string text = validPlan();
  EXPECT_EQ(problemOf(text), "");
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_NE(problemOf(text.substr(0, size)), "") << size << " of " << text.size();
  EXPECT_NE(problemOf(text + std::string(8, '\0')), "");
}

TEST(PlanReader, RefusesPatchesBeyondAnArgument) {
  PlanBuilder plan;
  plan.addCall(mapCall(2)); // 8 bytes of x and y
  plan.addStep({}, {{0, 4, "abcd"}});
  EXPECT_EQ(problemOf(plan.text()), "");
  for (const Patch &patch : {Patch{0, 5, "abcd"}, Patch{1, 8, "a"}, Patch{0, 9, ""}, Patch{0, ~0ull, "ab"},
                             Patch{3, 0, "a"}, Patch{~0ull, 0, ""}}) {
    PlanBuilder broken;
    broken.addCall(mapCall(2));
    broken.addStep({}, {patch});
    EXPECT_THAT(problemOf(broken.text()), HasSubstr("step 0 patches")) << patch.argument << ' ' << patch.offset;
  }
}

TEST(PlanReader, SurvivesRandomBytes) {
  std::mt19937_64 random(20240);
  const std::string text = validPlan();
  const std::uint64_t extremes[] = {0, 1, 0x7fffffffffffffff, ~0ull, ~0ull - 7, 1ull << 32, 1ull << 63};
  for (int i = 0; i < 20000; ++i) {
    std::string broken = text;
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      if (random() % 2) {
        broken[random() % broken.size()] = static_cast<char>(random());
      } else {
        const std::uint64_t word = extremes[random() % std::size(extremes)];
        std::memcpy(&broken[random() % (broken.size() / 8) * 8], &word, 8);
      }
    }
    problemOf(broken); // whatever it says
    std::string noise(random() % 300, '\0');
    for (char &one : noise)
      one = static_cast<char>(random());
    EXPECT_NE(problemOf(noise), "");
    EXPECT_NE(problemOf(text.substr(0, 48) + noise), "");
  }
}

TEST(BrokenPlan, IsOneMessageAndStatusTwo) {
  const std::string text = validPlan();
  std::string huge = text;
  const std::uint64_t many = 1ull << 60;
  std::memcpy(&huge[8], &many, 8); // the number of steps
  for (const std::string &plan : {std::string(), std::string("no plan"), text.substr(0, text.size() - 8), huge}) {
    const Outcome outcome = runText("twice", plan);
    EXPECT_EQ(outcome.process.code, 2) << outcome.process.describe();
    EXPECT_THAT(outcome.process.err, HasSubstr("agentic-kernel-runner: the plan "));
    EXPECT_EQ(std::ranges::count(outcome.process.err, '\n'), 1) << outcome.process.err;
    EXPECT_TRUE(outcome.steps.empty());
  }
}

TEST(BrokenPlan, RandomChangesNeverCrashTheRunner) {
  std::mt19937_64 random(7);
  const std::string text = validPlan();
  for (int i = 0; i < 150; ++i) {
    std::string broken = text;
    broken[random() % broken.size()] ^= static_cast<char>(1 << random() % 8);
    const Outcome outcome = runText("show_y", broken);
    EXPECT_TRUE(outcome.process.code == 0 || outcome.process.code == 2)
        << outcome.process.describe() << outcome.process.err;
  }
}

TEST(BrokenPlan, IsWhatDoesNotFitTheKernel) {
  const std::vector<Argument> good = mapCall(4);
  const auto expectMisfit = [](std::vector<Argument> call, const char *reason) {
    const Outcome outcome = runOnce("twice", call);
    EXPECT_EQ(outcome.process.code, 2) << reason << outcome.process.describe();
    EXPECT_THAT(outcome.process.err, HasSubstr(reason));
  };
  expectMisfit({good[0], good[1]}, "another number of arguments");
  expectMisfit({good[0], good[1], value(4)}, "argument 2 has another size");
  expectMisfit({good[0], {wire::Role::Out, "abc"}, good[2]}, "argument 1 is not a whole number of elements");
  expectMisfit({good[0], {wire::Role::Uncovered, ""}, good[2]}, "argument 1 is not covered");
  expectMisfit({good[0], {wire::Role::Null, "abcd"}, good[2]}, "argument 1 is null, but has a payload");
  expectMisfit({good[0], good[1], {wire::Role::Null, ""}}, "argument 2 is a value");
  expectMisfit({good[2], good[1], good[2]}, "argument 0 is elements");
}

Outcome runObjects(const std::string &glue, const std::string &kernel) {
  Outcome outcome;
  const fs::path plan = scratch() / "plan", result = scratch() / "result";
  PlanBuilder builder;
  builder.addCall(mapCall(4));
  builder.addStep();
  EXPECT_TRUE(writeFileAtomic(plan, builder.text()));
  ProcessSpec spec;
  spec.argv = {AGENTIC_TEST_RUNNER, glue, kernel, "twice", plan.string(), result.string()};
  outcome.process = *runProcess(spec);
  return outcome;
}

TEST(Objects, ThatCannotBeLoadedAreStatusFourWithTheReason) {
  const std::string &glue = compiled("glue", AGENTIC_TEST_CLANG), &kernels = compiled("kernels", AGENTIC_TEST_CLANG);
  EXPECT_EQ(runObjects(glue, kernels).process.code, 0);
  const fs::path source = scratch() / "undefined.c", object = scratch() / "undefined.so";
  ASSERT_TRUE(writeFileAtomic(source, "void project_function(void);\n"
                                      "void *agentic_kernel_entry_twice(void *b) { return project_function; }\n"));
  ProcessSpec compile;
  compile.argv = {AGENTIC_TEST_CLANG, "-x", "c", "-shared", "-fPIC", source.string(), "-o", object.string()};
  ASSERT_TRUE(runProcess(compile)->ok());
  const Outcome undefined = runObjects(glue, object.string());
  EXPECT_EQ(undefined.process.code, 4);
  EXPECT_THAT(undefined.process.err, HasSubstr("project_function"));
  EXPECT_EQ(runObjects("/nonexistent.so", kernels).process.code, 4);
  EXPECT_EQ(runObjects(glue, glue).process.code, 4);
}

} // namespace
} // namespace agentic::runner_test
