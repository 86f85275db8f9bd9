#include "tool/base/files.h"
#include "tool/run/llm_options.h"
#include "tool/run/run_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

TEST(LlmOptions, SeveralCallsInFlightAreRefusedWithRolesWhereverEitherComesFrom) {
  LlmOptions both;
  both.roles = "planner=ollama:qwen3";
  both.parallel = 2;
  ModelConfig config;
  const auto refused = both.settle(config);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("--parallel 2 cannot be used with the roles planner: "));
  EXPECT_THAT(refused.error().next, HasSubstr("take --parallel 1, or turn the roles off: --role planner=none"));

  LlmOptions parallel;
  parallel.parallel = 2;
  ModelConfig resumed;
  resumed.roles = {{"judge", ""}};
  EXPECT_FALSE(parallel.settle(resumed)) << "the run that goes on has roles";
  parallel.roles = "judge=none";
  EXPECT_TRUE(parallel.settle(resumed));
  EXPECT_EQ(resumed.parallel, 2);
}

TEST(LlmOptions, ResearchIsTheRoleOnTheAgentsOwnModelUnlessAnotherIsNamed) {
  LlmOptions options;
  options.research = true;
  ModelConfig config;
  ASSERT_TRUE(options.settle(config));
  EXPECT_EQ(config.roles, (std::map<std::string, std::string>{{"researcher", ""}}));
  EXPECT_EQ(options.given(), std::vector<std::string>{"--research"});
  options.roles = "researcher=ollama:qwen3,judge";
  ASSERT_TRUE(options.settle(config));
  EXPECT_EQ(config.roles, (std::map<std::string, std::string>{{"researcher", "ollama:qwen3"}, {"judge", ""}}));
  options.parallel = 2;
  const auto refused = options.settle(config);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("--parallel 2 cannot be used with the roles judge, researcher: "));
}

TEST(LlmOptions, HypothesesAreAFileThatNothingContradicts) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "llm-options-test-");
  ASSERT_TRUE(scratch);
  const std::string file = scratch->path() / "h.md", other = scratch->path() / "other.md";
  const std::string kept = "\n## Hypothesis 1\n\ntwo rows at once\n\n- why: half the loads\n";
  const std::string text = "For people.\n## Hypothesis of mine\ntwo rows at once\n- why: half the loads\n";
  ASSERT_TRUE(writeFileAtomic(file, text));
  ASSERT_TRUE(writeFileAtomic(other, "## Hypothesis 1\n"));
  LlmOptions options;
  options.hypothesesFile = file;
  ModelConfig config;
  ASSERT_TRUE(options.settle(config));
  EXPECT_EQ(config.hypotheses, kept) << "what is for people is not kept";
  EXPECT_EQ(options.given(), std::vector<std::string>{"--hypotheses"});

  const auto error = [](LlmOptions given, ModelConfig before) {
    const auto settled = given.settle(before);
    return settled ? "" : settled.error().message;
  };
  LlmOptions wrong = options;
  wrong.hypothesesFile = other;
  EXPECT_THAT(error(wrong, {}), HasSubstr("other.md:1: the hypothesis has no words"));
  ASSERT_TRUE(writeFileAtomic(other, text + "## Hypothesis\nmore\n- why: b\n"));
  RunRecord before;
  before.config.model = config;
  EXPECT_TRUE(settleRun({.llm = options}, Manifest(), &before)) << "the run that goes on began with these";
  const auto others = settleRun({.llm = wrong}, Manifest(), &before);
  ASSERT_FALSE(others);
  EXPECT_THAT(others.error().message, HasSubstr("the run began with other hypotheses than those of "));
  before.config.model.hypotheses.clear();
  const auto late = settleRun({.llm = options}, Manifest(), &before);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().message, "the run began without hypotheses");
  LlmOptions both = options;
  both.research = true;
  EXPECT_THAT(error(both, {}), HasSubstr("two sources of the same"));
  LlmOptions parallel;
  parallel.parallel = 2;
  EXPECT_THAT(error(parallel, config), HasSubstr("--parallel 2 cannot be used with --hypotheses: "));
}

TEST(LlmOptions, AMenuIsThinnedForQuestionsThatAreNotOneConversation) {
  LlmOptions options;
  options.menuDropouts = "coder=0.5";
  ModelConfig config;
  const auto refused = options.settle(config);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("does nothing with the strategy linear"));
  options.strategy = "best-of";
  ASSERT_TRUE(options.settle(config));
  EXPECT_EQ(config.menuDropouts, (std::map<std::string, double>{{"coder", 0.5}}));
}

TEST(LlmOptions, ACodersOwnModelGoesWithSeveralCallsInFlight) {
  LlmOptions options;
  options.roles = "coder=ollama:qwen3-coder";
  options.parallel = 4;
  ModelConfig config;
  ASSERT_TRUE(options.settle(config));
  EXPECT_EQ(config.parallel, 4);
  EXPECT_EQ(config.roles.size(), 1u);
}

TEST(LlmOptions, AMemoryOfTheProjectsIsOneThatThereIs) {
  ModelConfig config;
  for (const char *mode : {"off", "project", "shared"}) {
    config.memory = mode;
    EXPECT_TRUE(LlmOptions().settle(config)) << mode;
    EXPECT_EQ(config.memory, mode);
  }
  config.memory = "shred";
  const auto refused = LlmOptions().settle(config);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "there is no memory 'shred'; did you mean 'shared'?");
  EXPECT_EQ(refused.error().next, "give --memory, or AGENTIC_KERNEL_MEMORY, one of off, project, shared");
  LlmOptions given;
  given.memory = "off";
  EXPECT_TRUE(given.settle(config)) << "the option counts";
  EXPECT_EQ(config.memory, "off");
}

TEST(LlmOptions, TheMemoryOfARunIsTheOptionsElseTheResumedRunsElseTheProjects) {
  Manifest manifest;
  manifest.memory = "shared";
  OptimizeOptions options;
  EXPECT_EQ(settleRun(options, manifest, nullptr)->model.memory, "shared");
  RunRecord before;
  before.config.model.memory = "project";
  EXPECT_EQ(settleRun(options, manifest, &before)->model.memory, "project");
  options.llm.memory = "off";
  EXPECT_EQ(settleRun(options, manifest, &before)->model.memory, "off");
  EXPECT_EQ(settleRun(options, manifest, nullptr)->model.memory, "off");
}

} // namespace
} // namespace agentic
