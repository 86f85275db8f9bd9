#include "tool/agent/role_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

RoleModels rolesOf(const std::string &text) {
  auto roles = parseRoles(text);
  EXPECT_TRUE(roles) << text << ": " << roles.error().message;
  return roles.value_or(RoleModels());
}

TEST(RoleModelsText, NamesRolesWithAndWithoutModels) {
  EXPECT_EQ(
      rolesOf("planner=openai:gpt-5,fixer, judge = ollama:qwen3 ,coder=command:./a.sh"),
      (RoleModels{{"planner", "openai:gpt-5"}, {"fixer", ""}, {"judge", "ollama:qwen3"}, {"coder", "command:./a.sh"}}));
  EXPECT_EQ(rolesOf("summarizer"), (RoleModels{{"summarizer", ""}}));
}

TEST(RoleModelsText, ACommaInACommandBelongsToIt) {
  EXPECT_EQ(rolesOf("planner=command:./ask.sh -a 1,2,fixing,judge"),
            (RoleModels{{"planner", "command:./ask.sh -a 1,2,fixing"}, {"judge", ""}}));
}

TEST(RoleModelsText, NoneTurnsARoleOff) {
  EXPECT_EQ(rolesOf("planner=none,fixer"), (RoleModels{{"fixer", ""}}));
  EXPECT_EQ(rolesOf("coder"), RoleModels()) << "it is on in any case";
}

TEST(RoleModelsText, WhatItReadsItWrites) {
  for (const char *text : {"coder=a:b,fixer,planner=command:x 1,2", "judge", ""})
    if (*text)
      EXPECT_EQ(rolesText(rolesOf(text)), text);
  EXPECT_EQ(rolesText({}), "");
}

TEST(RoleModelsText, NoRoleButTheCoderGoesWithSeveralCallsInFlight) {
  EXPECT_TRUE(checkParallel(1, rolesOf("planner=a:b,fixer")));
  EXPECT_TRUE(checkParallel(4, {}));
  EXPECT_TRUE(checkParallel(4, rolesOf("coder=a:b,judge=none"))) << "its model is asked in the agent's place";
  const auto refused = checkParallel(4, rolesOf("planner=a:b,coder=a:c,fixer"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "--parallel 4 cannot be used with the roles fixer, planner: they are asked between "
            "two replies, so no more than one call is in flight");
  EXPECT_EQ(refused.error().next, "take --parallel 1, or turn the roles off: --role fixer=none,planner=none");
}

TEST(RoleModelsText, MistakesAreNamed) {
  const auto messageOf = [](const char *text) {
    const auto roles = parseRoles(text);
    EXPECT_FALSE(roles) << text;
    return roles ? std::string() : roles.error().message;
  };
  EXPECT_THAT(messageOf("planer=a:b"), HasSubstr("there is no role 'planer'; did you mean 'planner'?"));
  EXPECT_THAT(messageOf("judge,judge=a:b"), HasSubstr("'judge' is named twice"));
  EXPECT_THAT(messageOf("judge=builtin"), HasSubstr("the model 'builtin', which is none"));
  EXPECT_THAT(messageOf("judge="), HasSubstr("the model '', which is none"));
  EXPECT_THAT(messageOf(""), HasSubstr("there is no role ''"));
  EXPECT_THAT(messageOf("coder=none"), HasSubstr("without a coder"));
}

} // namespace
} // namespace agentic
