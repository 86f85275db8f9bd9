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
  EXPECT_EQ(rolesOf("summarizer,reviewer=a:b"), (RoleModels{{"summarizer", ""}, {"reviewer", "a:b"}}));
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
    if (*text) {
      EXPECT_EQ(rolesText(rolesOf(text)), text);
    }
  EXPECT_EQ(rolesText({}), "");
}

TEST(RoleModelsText, NoRoleButTheCoderGoesWithSeveralCallsInFlight) {
  EXPECT_TRUE(checkParallel(1, rolesOf("planner=a:b,fixer")));
  EXPECT_TRUE(checkParallel(4, {}));
  EXPECT_TRUE(checkParallel(4, rolesOf("coder=a:b,judge=none"))) << "its model is asked in the agent's place";
  EXPECT_FALSE(checkParallel(2, rolesOf("reviewer")));
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

TEST(RoleTemperaturesText, NumbersFrom0To2OfRolesThatThereAre) {
  const auto read = parseRoleTemperatures("planner=1.0, judge = 0,coder=2");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, (RoleNumbers{{"planner", 1}, {"judge", 0}, {"coder", 2}}));
  EXPECT_EQ(roleNumbersText(*read), "coder=2,judge=0,planner=1");
  EXPECT_EQ(*parseRoleTemperatures(roleNumbersText({{"fixer", 0.35}})), (RoleNumbers{{"fixer", 0.35}}));
  EXPECT_EQ(roleNumbersText({}), "");
}

TEST(RoleTemperaturesText, MistakesAreNamed) {
  const auto messageOf = [](const char *text) {
    const auto read = parseRoleTemperatures(text);
    EXPECT_FALSE(read) << text;
    return read ? std::string() : read.error().message;
  };
  EXPECT_EQ(messageOf("jugde=1"), "there is no role 'jugde'; did you mean 'judge'?");
  EXPECT_EQ(messageOf("judge=1,judge=0"), "the role 'judge' is named twice");
  for (const char *wrong : {"judge", "judge=", "judge=-0.1", "judge=2.1", "judge=1x", "judge=nan", "judge=0x1"})
    EXPECT_THAT(messageOf(wrong), HasSubstr("which is no number from 0 to 2")) << wrong;
  EXPECT_THAT(messageOf(""), HasSubstr("there is no role ''"));
}

TEST(MenuDropoutsText, OfThoseWhoAreAskedForIdeas) {
  const auto read = parseMenuDropouts("planner=0.7,coder=1");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, (RoleNumbers{{"planner", 0.7}, {"coder", 1}}));
  for (const auto &[text, message] : {std::pair{"judge=0.5", "the role 'judge' has no menu of ideas"},
                                      {"coder=1.1", "the menu dropout '1.1', which is no number from 0 to 1"},
                                      {"codr=0.5", "did you mean 'coder'?"}}) {
    const auto wrong = parseMenuDropouts(text);
    ASSERT_FALSE(wrong) << text;
    EXPECT_THAT(wrong.error().message, HasSubstr(message));
    EXPECT_THAT(wrong.error().next, HasSubstr("--menu-dropout planner=0.7,coder=0.5"));
  }
}

} // namespace
} // namespace agentic
