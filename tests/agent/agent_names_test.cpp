// Tests several agents in one option, and their names in records.
#include "tool/agent/agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;

TEST(AgentNames, CommasPartNamesButNotACommandsArguments) {
  EXPECT_THAT(agentNames("builtin"), ElementsAre("builtin"));
  EXPECT_THAT(agentNames("builtin, openai:m,command:./a.sh"), ElementsAre("builtin", "openai:m", "command:./a.sh"));
  EXPECT_THAT(agentNames("command:./a.sh --list=x,y,builtin"), ElementsAre("command:./a.sh --list=x,y", "builtin"));
  EXPECT_THAT(agentNames("command:a 1,2,command:b 3,4"), ElementsAre("command:a 1,2", "command:b 3,4"));
  EXPECT_THAT(agentNames(""), ElementsAre(""));
  EXPECT_THAT(agentNames("a,,b"), ElementsAre("a", "", "b"));
}

TEST(AgentNames, WhatIsNoneSaysWhatWouldBe) {
  const auto provider = makeAgent({.name = "openai"});
  ASSERT_FALSE(provider);
  EXPECT_EQ(provider.error().message, "'openai' names no model");
  EXPECT_THAT(provider.error().next, testing::HasSubstr("openai:<model>, as in"));
  EXPECT_THAT(makeAgent({.name = "bultin"}).error().message, testing::HasSubstr("did you mean 'builtin'?"));
}

TEST(AgentNames, LabelsAreDistinctAndRecordsHoldNoArguments) {
  EXPECT_THAT(agentLabels({"command:/x/a.sh k1", "builtin", "command:a.sh k2"}),
              ElementsAre("command:a.sh", "builtin", "command:a.sh (2)"));
  EXPECT_EQ(nameForRecords("command:/x/a.sh --key secret"), "command:a.sh");
  EXPECT_EQ(nameForRecords("command:/x/a.sh"), "command:/x/a.sh");
  EXPECT_EQ(nameForRecords("http://u:secret@host/v1#m"), "http://host/v1#m");
  EXPECT_EQ(nameForRecords("openai:m"), "openai:m");
}

} // namespace
} // namespace agentic
