#include "tool/run/run_reproduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

const ReproducedRun kRun = {
    .directory = "/home/a b/build/_agentic/families/gcc/_agentic/runs/dot-20261125T010203Z",
    .kernel = "dot",
    .level = "x86-64-v4",
    .family = "gcc",
    .agents = {"builtin"},
};

TEST(RunReproduction, SaysNoMoreThanItMust) {
  const std::string start = "agentic-kernel optimize --build-dir '/home/a b/build' --kernel dot --level x86-64-v4 "
                            "--family gcc --agent builtin --max-iterations 0 --max-seconds 180";
  EXPECT_EQ(reproductionCommand(kRun, {.maxTotalSeconds = 540}), start + " --seed 1");
  EXPECT_EQ(reproductionCommand(kRun, {.maxTotalSeconds = 600}), start + " --max-total-seconds 600 --seed 1");
  // A run from before there was a total: all of it had to fit into the one bound.
  EXPECT_EQ(reproductionCommand(kRun, {}), start + " --max-total-seconds 180 --seed 1");
}

TEST(RunReproduction, SaysWhatIsNotTheDefault) {
  RunConfig config;
  config.write = config.shorten = false;
  config.cold = true;
  config.threshold = 0.05;
  config.startFrom = "0123abcd";
  config.allowUnoptimized = true;
  config.agentChoice = "gain";
  config.model.budgetUsd = 2.5;
  config.model.history = "full";
  config.model.hint = "Try $HOME.";
  config.model.hypotheses = "## Hypothesis 1";
  config.model.effort = "high";
  config.model.temperature = 0;
  config.model.roleTemperatures = {{"planner", 1.25}, {"judge", 0}};
  config.model.menuDropouts = {{"coder", 0.5}};
  ReproducedRun run = kRun;
  run.agents = {"openai:gpt-x", "command:mine"};
  const std::string line = reproductionCommand(run, config);
  for (const char *part :
       {" --agent openai:gpt-x,command:mine", " --agent-choice gain", " --threshold 5", "/candidates/0123abcd.cpp'",
        " --cold", " --no-shorten", " --no-write", " --allow-unoptimized", " --budget-usd 2.5", " --memory off",
        " --history full", " --hint hint.txt", " --hypotheses hypotheses.md", " --effort high", " --temperature 0",
        " --role-temperature judge=0,planner=1.25", " --menu-dropout coder=0.5",
        "  # hint.txt: as the journal's first event has it, hypotheses.md: as the journal's first event has it"})
    EXPECT_THAT(line, HasSubstr(part));
  EXPECT_THAT(line, Not(HasSubstr("$HOME")));
  EXPECT_THAT(line, Not(HasSubstr("--protocol")));
}

TEST(RunReproduction, OfACopiedRunDoesNotGuessTheTree) {
  ReproducedRun run = kRun;
  run.directory = "/tmp/dot-20261125T010203Z";
  EXPECT_THAT(reproductionCommand(run, {}), HasSubstr("--build-dir BUILD_TREE "));
}

TEST(RunReproduction, OfAClientsRunIsItsServer) {
  ReproducedRun run = kRun;
  run.agents = {"mcp"};
  RunConfig config;
  config.maxIterations = 50;
  config.maxSeconds = 0;
  config.maxTotalSeconds = 0;
  EXPECT_EQ(reproductionCommand(run, config), "agentic-kernel mcp --build-dir '/home/a b/build' --kernel dot --level "
                                              "x86-64-v4 --max-iterations 50 --max-seconds 0");
}

} // namespace
} // namespace agentic
