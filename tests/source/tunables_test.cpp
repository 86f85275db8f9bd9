#include "tool/source/candidate/tunables.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::HasSubstr;

TEST(Tunables, AreDeclarationsWithPlainConstantsInTheirPlace) {
  const auto read =
      TunableText::read("static AGENTIC_TUNE(kTile, 4, 8,16);\n"
                        "void f() {\n  AGENTIC_TUNE(kShift, -1, 0x10, 5000000000)\n  g(kTile, kShift);\n}\n");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->tunables().size(), 2u);
  EXPECT_EQ(read->tunables()[0].name, "kTile");
  EXPECT_EQ(read->tunables()[0].values, (std::vector<std::string>{"4", "8", "16"}));
  EXPECT_EQ(read->settled({2, 1}), "static constexpr int kTile = 16;\n"
                                   "void f() {\n  constexpr long long kShift = 0x10;\n  g(kTile, kShift);\n}\n");
  EXPECT_EQ(read->describe({0, 0}), "kTile=4, kShift=-1");
}

TEST(Tunables, CommentsAndTextsDeclareNothing) {
  for (const char *text : {"", "int x;", "// AGENTIC_TUNE(a, 1, 2)\n", "/* AGENTIC_TUNE(a, 1, 2) */",
                           "const char *s = \"AGENTIC_TUNE(a, 1, 2)\";", "int AGENTIC_TUNED = 1;"}) {
    const auto read = TunableText::read(text);
    ASSERT_TRUE(read) << text;
    EXPECT_TRUE(read->tunables().empty()) << text;
    EXPECT_EQ(read->settled({}), text);
  }
}

TEST(Tunables, WhatIsWrongIsSaid) {
  struct Wrong {
    const char *text, *reason;
  };
  for (const Wrong &wrong : std::initializer_list<Wrong>{
           {"AGENTIC_TUNE", "without a closed list"},
           {"AGENTIC_TUNE(kTile, 4, 8", "without a closed list"},
           {"AGENTIC_TUNE()", "needs a name"},
           {"AGENTIC_TUNE(4, 8)", "needs a name"},
           {"AGENTIC_TUNE(kTile)", "'kTile' has 0 values"},
           {"AGENTIC_TUNE(kTile, 4)", "'kTile' has 1 values"},
           {"AGENTIC_TUNE(kTile, 4, )", "has '', which is no integer"},
           {"AGENTIC_TUNE(kTile, 4, 4.5)", "has '4.5', which is no integer"},
           {"AGENTIC_TUNE(kTile, 4, f(1, 2))", "has 'f(1', which is no integer"},
           {"AGENTIC_TUNE(kTile, 4, 0x4)", "has 0x4 twice"},
           {"AGENTIC_TUNE(kTile, 4, 010)", "has '010', which is no integer"}, // octal, or ten? nobody knows
           {"AGENTIC_TUNE(kTile, 4, --8)", "is no integer"},
           {"AGENTIC_TUNE(kTile, 4, 99999999999999999999)", "is no integer"},
           {"AGENTIC_TUNE(kTile 4)", "needs a comma before '4'"},
           {"AGENTIC_TUNE(k, 1, 2); AGENTIC_TUNE(k, 3, 4);", "'k' is declared twice"},
           {"#define T AGENTIC_TUNE(k, 1, 2)\n", "stands in a preprocessor directive"},
           {"AGENTIC_TUNE(k, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)", "'k' has 17 values"}}) {
    const auto read = TunableText::read(wrong.text);
    ASSERT_FALSE(read) << wrong.text;
    EXPECT_THAT(read.error().message, HasSubstr(wrong.reason)) << wrong.text;
    EXPECT_THAT(read.error().next, HasSubstr("AGENTIC_TUNE(name, 4, 8, 16);"));
  }
  std::string nine;
  for (char c = 'a'; c < 'j'; ++c)
    nine += std::string("AGENTIC_TUNE(") + c + ", 1, 2);";
  EXPECT_FALSE(TunableText::read(nine));
}

TEST(Tunables, WhatIsUsedNowhereIsNotSearched) {
  const std::string declared = "AGENTIC_TUNE(kTile, 4, 8); // kTile\n";
  for (const char *use : {"int x = kTile;", "#pragma clang loop unroll_count(kTile)\n",
                          "#if 1\nint x[kTile];\n#endif\n", "_Pragma(\"unroll kTile\")"})
    EXPECT_TRUE(TunableText::read(declared + use)) << use;
  for (const char *use : {"", "int kTiles;", "/* kTile */"}) {
    const auto read = TunableText::read(declared + use);
    ASSERT_FALSE(read) << use;
    EXPECT_THAT(read.error().message, HasSubstr("'kTile', which is used nowhere"));
    EXPECT_THAT(read.error().next, HasSubstr("leave the declaration out"));
  }
}

} // namespace
} // namespace agentic
