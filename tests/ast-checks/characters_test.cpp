#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

TEST(Characters, FindsControlAndForeignCharacters) {
  using namespace std::string_literals;
  expectFindings(
      "// \xe2\x80\xae reversed\nconst char *const kText = \"\x01\";\n\f\nconst int kA\r= 1;\nint \xc3\xa9;\n?\?=\n"s +
          "//\0\n"s,
      {{"characters", 1},
       {"characters", 2},
       {"characters", 3},
       {"characters", 4},
       {"characters", 5},
       {"characters", 6},
       {"characters", 7}});
}

TEST(Characters, TabsAndAsciiAreLegal) {
  Unit unit;
  unit.mocks = "// \xc2\xb5s of somebody else";
  expectFindings("\tconstexpr int kValue = 1; // ~!@#$%^&*()_+{}|:\"<>? '?\n", {}, unit);
}

TEST(Characters, MessageNamesTheByte) {
  EXPECT_THAT(messagesOf("\x1b"),
              testing::ElementsAre("byte 0x1b is not allowed; use printable ASCII, tabs and line feeds only"));
}

} // namespace
} // namespace agentic::checks
