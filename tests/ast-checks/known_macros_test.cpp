// The predefined constants that candidates may use mean the same to both compilers: asked of the real ones.
#include "ast-checks/known_macros.h"
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace agentic::checks {
namespace {

std::string outputOf(std::vector<std::string> command, const std::string &input = {}) {
  ProcessSpec spec;
  spec.argv = std::move(command);
  spec.input = input;
  spec.timeoutSeconds = 120;
  const Result<ProcessResult> done = runProcess(spec);
  EXPECT_TRUE(done && done->ok()) << (done ? done->err : done.error().message);
  return done ? done->out : std::string();
}

std::set<std::string> constantsOf(const std::string &compiler, const std::string &level) {
  std::set<std::string> names;
  for (const std::string &line :
       split(outputOf({compiler, "-march=" + level, "-O3", "-dM", "-E", "-x", "c++", "/dev/null"}), '\n'))
    if (const auto words = split(line, ' '); words.size() > 1 && isTargetConstant(words[1]))
      names.insert(words[1]);
  return names;
}

/// Prints the name and the value, or the type, of each.
std::string programFor(const std::set<std::string> &names) {
  std::string text = "#include <cstdio>\n#include <typeinfo>\nint main() {\n";
  for (const std::string &name : names)
    text += "  std::printf(\"" + name + " " +
            (name.ends_with("_TYPE__") ? "%s\\n\", typeid(" + name + ").name());\n"
                                       : "%La\\n\", static_cast<long double>(" + name + "));\n");
  return text + "}\n";
}

TEST(KnownMacros, ConstantsOfTheTargetDoNotTellWhichCompilerCompiles) {
  if (!findProgram("g++") || !findProgram("clang++-19"))
    GTEST_SKIP() << "needs both compilers";
  for (const std::string level : {"x86-64-v2", "x86-64-v4"}) {
    const std::set<std::string> ofGcc = constantsOf("g++", level), ofClang = constantsOf("clang++-19", level);
    EXPECT_EQ(ofGcc, ofClang) << "one compiler lacks it";
    EXPECT_GE(ofGcc.size(), 60u);
    std::map<std::string, std::string> values;
    auto folder = ScratchDirectory::create("/tmp", "agentic-macros-");
    ASSERT_TRUE(folder);
    for (const std::string compiler : {"g++", "clang++-19"}) {
      const std::string program = folder->path() / compiler;
      outputOf({compiler, "-march=" + level, "-w", "-x", "c++", "-", "-o", program}, programFor(ofGcc));
      values[compiler] = outputOf({program});
    }
    EXPECT_EQ(values["g++"], values["clang++-19"]);
    EXPECT_NE(values["g++"], "");
  }
}

TEST(KnownMacros, WhatCompilersDefineDifferently) {
  for (const char *name : {"__INT_FAST16_MAX__", "__BIGGEST_ALIGNMENT__", "__UINT_FAST32_MAX__", "__ATOMIC_HLE_ACQUIRE",
                           "__INT64_FMTd__", "__FLT_EVAL_METHOD__", "__SIZEOF_FLOAT80__"})
    EXPECT_FALSE(isTargetConstant(name)) << name;
  for (const char *name : {"__SIZEOF_INT128__", "__INT_MAX__", "__FLT_MAX__", "__BYTE_ORDER__",
                           "__ORDER_LITTLE_ENDIAN__", "__CHAR_BIT__", "__SIZE_MAX__", "__ATOMIC_RELAXED"})
    EXPECT_TRUE(isTargetConstant(name)) << name;
}

} // namespace
} // namespace agentic::checks
