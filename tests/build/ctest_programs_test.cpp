#include "tool/build/ctest_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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

const ProgramTarget kNamed = {"small", ""};
const NamedTests kSmall = {{"small", {"/b/t", "--few"}, "/b", {"/b/t"}}};

TEST(TestPrograms, ANamedTestRunsAsItStands) {
  const auto programs = testPrograms(R"({"tests":[
      {"name":"large","command":["/b/t","--many"]},
      {"name":"small","command":["/b/t","--gtest_filter=S.*","--few"],
       "properties":[{"name":"WORKING_DIRECTORY","value":"/s"},{"name":"ENVIRONMENT","value":["A=1"]}]}]})",
                                     {kNamed}, kSmall);
  ASSERT_TRUE(programs.has_value()) << programs.error().message;
  const TestProgram &program = programs->at(0);
  EXPECT_EQ(program.target, "small");
  EXPECT_EQ(program.file, "/b/t");
  EXPECT_THAT(program.command, ElementsAre());
  EXPECT_THAT(program.arguments, ElementsAre("--gtest_filter=S.*", "--few"));
  EXPECT_EQ(program.workingDirectory, "/s");
  EXPECT_THAT(program.environment, ElementsAre("A=1"));
}

TEST(TestPrograms, AScriptAroundAProgramKeepsItsCommand) {
  const auto programs = testPrograms(
      R"({"tests":[{"name":"small","command":["/usr/bin/python3","/s/run.py","/b/t"]}]})", {kNamed}, kSmall);
  ASSERT_TRUE(programs.has_value()) << programs.error().message;
  EXPECT_THAT(programs->at(0).command, ElementsAre("/usr/bin/python3", "/s/run.py", "/b/t"));
  EXPECT_THAT(programs->at(0).arguments, ElementsAre());
  EXPECT_EQ(programs->at(0).file, "/b/t");
  EXPECT_EQ(programs->at(0).workingDirectory, "/b");
}

TEST(TestPrograms, ATestThatItsExitStatusDoesNotDecideIsRefused) {
  const auto refused = [](const std::string &rest, const NamedTests &named) {
    const auto programs = testPrograms(R"({"tests":[{"name":"small")" + rest + "}]}", {kNamed}, named);
    return programs ? std::string("accepted") : programs.error().message;
  };
  const std::string command = R"(,"command":["/b/t"])";
  const auto with = [&](const std::string &name, const std::string &value) {
    return command + R"(,"properties":[{"name":")" + name + R"(","value":)" + value + "}]";
  };
  EXPECT_THAT(refused(with("WILL_FAIL", "true"), kSmall), HasSubstr("it is expected to fail (WILL_FAIL)"));
  EXPECT_THAT(refused(with("PASS_REGULAR_EXPRESSION", R"(["ok"])"), kSmall), HasSubstr("its output decides"));
  EXPECT_THAT(refused(with("FAIL_REGULAR_EXPRESSION", R"(["no"])"), kSmall), HasSubstr("its output decides"));
  EXPECT_THAT(refused(with("DISABLED", "true"), kSmall), HasSubstr("disabled"));
  EXPECT_EQ(refused(with("WILL_FAIL", "false"), kSmall), "accepted");
  EXPECT_THAT(refused("", kSmall), HasSubstr("ctest finds no program"));
  EXPECT_THAT(refused(command, {{"small", {"/b/t"}, "/b", {}}}),
              HasSubstr("names no program that this build makes: /b/t"));
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

TEST(TestPrograms, BenchmarksThatAreRegisteredTestsAreCalledSo) {
  const auto programs = testPrograms(R"({"tests":[{"name":"small","command":["/bin/true"]}]})", {kNamed},
                                     {{"small", {"/bin/true"}, "/b", {}}}, "BENCHMARKS");
  ASSERT_FALSE(programs);
  EXPECT_THAT(programs.error().message,
              testing::HasSubstr("BENCHMARKS names the test 'small', but its command names no"));
}

TEST(Application, IsAProgramOfTheBuildOrAScriptThatNamesOne) {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.endToEndMetric = {"([0-9]+) tokens/s", "tokens/s"};
  const auto direct = applicationProgram({"", {"/b/app", "--fast"}, "/s", {"/b/app"}}, manifest);
  ASSERT_TRUE(direct);
  EXPECT_EQ(direct->file, "/b/app");
  EXPECT_THAT(direct->command, testing::IsEmpty());
  EXPECT_THAT(direct->arguments, testing::ElementsAre("--fast"));
  EXPECT_EQ(direct->workingDirectory, "/s");
  EXPECT_EQ(direct->described(), "application 'app'");
  EXPECT_EQ(direct->metric.unit, "tokens/s");
  EXPECT_EQ(direct->metric.option, "METRIC of END_TO_END");

  const auto script = applicationProgram({"", {"/bin/sh", "run.sh", "/b/app"}, "/s", {"/b/app"}}, manifest);
  ASSERT_TRUE(script);
  EXPECT_EQ(script->target, "app");
  EXPECT_THAT(script->command, testing::ElementsAre("/bin/sh", "run.sh", "/b/app"));
  EXPECT_THAT(script->arguments, testing::IsEmpty());

  const auto foreign = applicationProgram({"", {"/usr/bin/python3", "x.py"}, "/s", {}}, manifest);
  ASSERT_FALSE(foreign);
  EXPECT_THAT(foreign.error().message,
              testing::HasSubstr("names no program that this build makes: /usr/bin/python3 x.py"));
}

} // namespace
} // namespace agentic
