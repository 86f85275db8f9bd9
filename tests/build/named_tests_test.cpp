#include "tool/build/assertions.h"
#include "tool/build/named_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(NamedTests, TakeTheirWorkingDirectoryFromTheirProperties) {
  const auto tests = parseNamedTests(R"({"name": "a \"b\"", "directory": "/b/sub", "command": ["x;y", "1"]}
{"name": "c", "directory": "/b", "command": ["t"]}
{"name": "a \"b\"", "directory": "../other"}
)");
  ASSERT_TRUE(tests.has_value()) << tests.error().message;
  ASSERT_EQ(tests->size(), 2u);
  EXPECT_EQ(tests->at(0).name, "a \"b\"");
  EXPECT_THAT(tests->at(0).command, ElementsAre("x;y", "1"));
  EXPECT_EQ(tests->at(0).directory, "/b/other");
  EXPECT_EQ(tests->at(1).directory, "/b");
  EXPECT_FALSE(parseNamedTests("{\"name\": \"a\"}"));
  EXPECT_FALSE(parseNamedTests("no JSON"));
}

TEST(NamedTests, FilesAreWhatNinjaMakes) {
  EXPECT_THAT(
      builtFiles("sub/t: CXX_EXECUTABLE_LINKER__t_Release\nt: phony\n/outside/u: CUSTOM_COMMAND\nedit_cache: phony\n",
                 "/b"),
      UnorderedElementsAre("/b/sub/t", "/outside/u"));
}

TEST(NamedTests, NameTheirProgramInManyWays) {
  const std::set<std::string> built = {"/b/t", "/b/t_long", "/b/bin/u"};
  const auto files = [&](const std::vector<std::string> &command) {
    return filesOf({"name", command, "/b/bin", {}}, built);
  };
  EXPECT_THAT(files({"/b/t", "/b/bin/u"}), ElementsAre("/b/t", "/b/bin/u"));
  EXPECT_THAT(files({"u", "t"}), ElementsAre("/b/bin/u")); // in the test's own folder
  EXPECT_THAT(files({"./u"}), ElementsAre("/b/bin/u"));
  EXPECT_THAT(files({"../t"}), ElementsAre("/b/t"));
  EXPECT_THAT(files({"python3", "run.py", "--program=/b/t_long"}), ElementsAre("/b/t_long"));
  EXPECT_THAT(files({"sh", "-c", "/b/t < x | /b/bin/u"}), UnorderedElementsAre("/b/t", "/b/bin/u"));
  EXPECT_THAT(files({"sh", "-c", "/b/t_longer; /b/t.sh"}), ElementsAre());
}

TEST(Assertions, AreOutWhereNdebugIsDefinedLast) {
  const auto defines = [](std::vector<std::string> arguments) {
    return definesNdebug({.directory = {}, .file = {}, .arguments = std::move(arguments), .output = {}});
  };
  EXPECT_TRUE(defines({"c++", "-O3", "-DNDEBUG"}));
  EXPECT_TRUE(defines({"c++", "-UNDEBUG", "-DNDEBUG=1"}));
  EXPECT_FALSE(defines({"c++", "-DNDEBUG", "-UNDEBUG"}));
  EXPECT_FALSE(defines({"c++", "-DNDEBUGGING"}));
}

} // namespace
} // namespace agentic
