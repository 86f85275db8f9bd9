#include "tool/base/text.h"
#include "tool/build/build_flags.h"
#include "tool/build/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

CompileRequest request(const std::string &flags) {
  CompileRequest out;
  out.command.directory = "/b";
  out.command.file = "/src/k.cpp";
  out.command.arguments = split(flags, ' ');
  out.unitFile = "/w/unit.cpp";
  out.objectFile = "/w/unit.o";
  out.quoteDirectory = "/src";
  return out;
}

std::string rewritten(const std::string &flags, bool withoutIsa = false) {
  CompileRequest out = request(flags);
  out.withoutIsaFlags = withoutIsa;
  return join(compileArguments(out), " ");
}

constexpr const char *kTail =
    " -fPIC -falign-functions=64 -falign-loops=64 -pipe -fdiagnostics-color=never -o /w/unit.o -c /w/unit.cpp";

CompileCommand commandOf(const std::string &file, const std::string &arguments) {
  return {.directory = "/b", .file = file, .arguments = split(arguments, ' '), .output = {}};
}

TEST(LanguageOf, TheCommandDecides) {
  EXPECT_EQ(languageOf(commandOf("/s/k.c", "/usr/bin/cc -O2 -c /s/k.c")), Language::C);
  EXPECT_EQ(languageOf(commandOf("/s/k.c", "ccache gcc-12 -c /s/k.c")), Language::C);
  EXPECT_EQ(languageOf(commandOf("/s/k.c", "clang++-19 -c /s/k.c")), Language::Cxx);
  EXPECT_EQ(languageOf(commandOf("/s/k.c", "gcc -x c++ -c /s/k.c")), Language::Cxx);
  EXPECT_EQ(languageOf(commandOf("/s/k.cpp", "gcc -x c -c /s/k.cpp")), Language::C);
  EXPECT_EQ(languageOf(commandOf("/s/k.cpp", "gcc -c /s/k.cpp")), Language::Cxx);
}

TEST(CompileArguments, AUnitInCIsSaidToBe) {
  CompileRequest c = request("/usr/bin/clang++-19 -std=c99 -c /src/k.cpp");
  c.unitFile = "/w/unit.c"; // a C++ driver would take it for C++
  EXPECT_THAT(join(compileArguments(c), " "), testing::EndsWith("-o /w/unit.o -x c -c /w/unit.c"));
  EXPECT_EQ(join(commandInCxx(commandOf("/s/k.c", "cc -std=c99 -ansi -x c -O2 -Wall -c /s/k.c")).arguments, " "),
            "cc -O2 -Wall -c /s/k.c -std=gnu++17 -fno-exceptions -fno-rtti");
}

TEST(CompileArguments, ReplacesInputAndOutputAndKeepsTheProjectsFlags) {
  EXPECT_EQ(
      rewritten("/usr/bin/g++ -DX=1 -I/src/include -isystem /opt/x -O3 -march=native -std=gnu++20 -o k.o -c "
                "/src/k.cpp"),
      std::string("/usr/bin/g++ -iquote /src -DX=1 -I/src/include -isystem /opt/x -O3 -march=native -std=gnu++20") +
          kTail);
}

TEST(CompileArguments, KnowsASourceGivenRelativeToItsFolder) {
  CompileRequest relative = request("g++ -O2 -c ../src/k.cpp");
  relative.command.file = "/b/../src/k.cpp";
  EXPECT_EQ(join(compileArguments(relative), " "), std::string("g++ -iquote /src -O2") + kTail);
}

TEST(CompileArguments, DropsDependencyWarningErrorsAndLinkTimeOptions) {
  EXPECT_EQ(
      rewritten("g++ -Werror -Werror=shadow -Wall -flto=auto -fno-fat-lto-objects -MD -MT k.o -MF k.o.d -g -ggdb3 "
                "-gdwarf-4 -save-temps=obj -Winvalid-pch -c /src/k.cpp"),
      std::string("g++ -iquote /src -Wall -fno-fat-lto-objects") + kTail);
}

TEST(CompileArguments, DropsPrecompiledHeadersOfBothFamilies) {
  EXPECT_EQ(rewritten("g++ -include /b/CMakeFiles/t.dir/cmake_pch.hxx -include config.h -c /src/k.cpp"),
            std::string("g++ -iquote /src -include config.h") + kTail);
  EXPECT_EQ(rewritten("clang++ -Xclang -include-pch -Xclang /b/cmake_pch.hxx.pch -Xclang -include -Xclang "
                      "/b/cmake_pch.hxx -fpch-instantiate-templates -Xclang -fno-x -c /src/k.cpp"),
            std::string("clang++ -iquote /src -Xclang -fno-x") + kTail);
}

TEST(CompileArguments, DropsInstrumentation) {
  EXPECT_EQ(rewritten("g++ -O1 -fsanitize=address,undefined --coverage -fprofile-arcs -pg -c /src/k.cpp"),
            std::string("g++ -iquote /src -O1") + kTail);
}

TEST(CompileArguments, WithoutIsaFlagsKeepsTheAbi) {
  EXPECT_EQ(
      rewritten("g++ -m64 -march=native -mavx512f -mno-avx2 -mtune=znver4 -mcmodel=medium -mprefer-vector-width=512 "
                "-Xclang -target-feature -Xclang +avx -O2 -c /src/k.cpp",
                true),
      std::string("g++ -iquote /src -m64 -mcmodel=medium -O2") + kTail);
}

TEST(CompileArguments, ValueOfAnOptionIsNotTakenForTheSource) {
  EXPECT_THAT(rewritten("g++ -include /src/k.cpp -D /src/k.cpp -c /src/k.cpp"),
              HasSubstr("-include /src/k.cpp -D /src/k.cpp -fPIC"));
}

TEST(CodeFlags, AreThoseThatChangeTheCode) {
  EXPECT_EQ(codeFlags({"/usr/bin/g++", "-DX", "-D", "Y", "-I/a", "-isystem", "/b", "-Wall", "-O3", "-march=native",
                       "-std=gnu++20", "-fno-exceptions", "-fprofile-use=/home/me/x.profdata", "-o", "k.o", "-c",
                       "/src/k.cpp"}),
            "-O3 -march=native -std=gnu++20 -fno-exceptions");
}

TEST(BuildFlags, RefusesWhatMakesTimingsMeaningless) {
  const auto reason = [](const std::string &flags, const std::string &type) {
    return unsuitableFlags(request(flags).command, type);
  };
  EXPECT_EQ(reason("g++ -O3", "Release"), "");
  EXPECT_EQ(reason("g++ -O2 -g", ""), "");
  EXPECT_THAT(reason("g++ -g", "Debug"), HasSubstr("build type 'Debug'"));
  EXPECT_THAT(reason("g++", ""), HasSubstr("empty build type"));
  EXPECT_THAT(reason("g++ -O2 -O0", "Release"), HasSubstr("-O0"));
  EXPECT_EQ(reason("g++ -O0 -O2", "Debug"), "");
  EXPECT_THAT(reason("g++ -O2 -fsanitize=address", "Release"), HasSubstr("-fsanitize=address"));
  EXPECT_THAT(reason("g++ -O2 --coverage", "Release"), HasSubstr("--coverage"));
  EXPECT_EQ(reason("g++ -O2 -fsanitize=address -fno-sanitize=all", "Release"), "");
}

} // namespace
} // namespace agentic
