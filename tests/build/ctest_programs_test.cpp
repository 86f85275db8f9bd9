#include "tool/build/ctest_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;

TEST(TestPrograms, TakeWorkingDirectoryEnvironmentAndArguments) {
  const auto programs = testPrograms(R"({"tests":[
      {"name":"other","command":["/b/other"]},
      {"name":"S.a","command":["/b/t","--gtest_filter=S.a","--gtest_also_run_disabled_tests","--data","x"],
       "properties":[{"name":"ENVIRONMENT_MODIFICATION","value":["P=path_list_prepend:/y"]},
                     {"name":"ENVIRONMENT","value":["A=1=2","P=/z","EMPTY="]},
                     {"name":"WORKING_DIRECTORY","value":"/s/tests"}]},
      {"name":"S.b","command":["/b/t","--gtest_filter=S.b","--late"]},
      {"name":"unbuilt"}]})",
                                     {{"t", "/b/t"}});
  ASSERT_TRUE(programs.has_value()) << programs.error().message;
  ASSERT_EQ(programs->size(), 1u);
  EXPECT_EQ(programs->at(0).workingDirectory, "/s/tests");
  EXPECT_THAT(programs->at(0).arguments, ElementsAre("--data", "x"));
  EXPECT_THAT(programs->at(0).environment, ElementsAre("A=1=2", "EMPTY=", "P=/y:/z"));
}

TEST(TestPrograms, SkipALauncherAndDropBenchmarkOptions) {
  const auto programs = testPrograms(
      R"({"tests":[{"command":["/usr/bin/qemu","-cpu","max","/b/bench","--benchmark_filter=x","--size=3"]}]})",
      {{"bench", "/b/bench"}});
  ASSERT_TRUE(programs.has_value());
  EXPECT_THAT(programs->at(0).arguments, ElementsAre("--size=3"));
}

TEST(TestPrograms, UnknownToCTestRunInTheirOwnFolder) {
  const auto programs = testPrograms(R"({"tests":[]})", {{"bench", "/b/bin/bench"}});
  ASSERT_TRUE(programs.has_value());
  EXPECT_EQ(programs->at(0).workingDirectory, "/b/bin");
  EXPECT_TRUE(programs->at(0).arguments.empty());
}

TEST(TestPrograms, OutputThatIsNoListIsAnError) {
  EXPECT_FALSE(testPrograms("No tests were found!!!", {}).has_value());
  EXPECT_FALSE(testPrograms(R"({"tests":[{"command":["/b/t"],"properties":[{"name":3,"value":1}]}]})", {{"t", "/b/t"}})
                   .has_value());
}

TEST(Environment, ModificationsAreAppliedAsCTestDoes) {
  std::vector<std::string> environment = {"A=1", "L=/x"};
  for (const char *change : {"A=string_append:2", "L=path_list_append:/y", "N=path_list_prepend:/n",
                             "C=cmake_list_append:a", "C=cmake_list_append:b", "S=set:v", "S=unset:", "nonsense"})
    modifyEnvironment(environment, change);
  EXPECT_THAT(environment, testing::UnorderedElementsAre("A=12", "L=/x:/y", "N=/n", "C=a;b"));
}

} // namespace
} // namespace agentic
