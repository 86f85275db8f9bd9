#include "tool/source/parse/parse_arguments.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> parsed(std::vector<std::string> options, Family family = Family::Gcc) {
  CompileCommand command;
  command.directory = "/build";
  command.file = "/src/k.cpp";
  command.arguments = {family == Family::Gcc ? "/usr/bin/g++" : "/usr/bin/clang++-19"};
  command.arguments.insert(command.arguments.end(), options.begin(), options.end());
  Compiler compiler;
  compiler.family = family;
  compiler.major = family == Family::Gcc ? 12 : 19;
  compiler.defaultStd = "-std=gnu++17";
  return parseArguments(command, compiler, "/src");
}

TEST(ParseArguments, ParsesForTheMachineThatIsCompiledFor) {
  Compiler cross;
  cross.family = Family::Gcc;
  cross.major = 12;
  cross.machine = "aarch64-linux-gnu";
  CompileCommand command;
  command.arguments = {"aarch64-linux-gnu-g++", "-march=armv8.2-a+sve", "-mcpu=native", "-O2"};
  const std::vector<std::string> result = parseArguments(command, cross, "/src");
  EXPECT_THAT(result, IsSupersetOf({"--target=aarch64-linux-gnu", "-march=armv8.2-a+sve",
                                    "/usr/lib/gcc-cross/aarch64-linux-gnu/12/include"}));
  EXPECT_THAT(result, Not(Contains("-mcpu=native")));
  command.arguments = {"clang++-19", "--target=riscv64-linux-gnu", "-march=rv64gcv"};
  cross.machine = "x86_64-pc-linux-gnu";
  cross.family = Family::Clang;
  EXPECT_THAT(parseArguments(command, cross, "/src"), IsSupersetOf({"--target=riscv64-linux-gnu", "-march=rv64gcv"}));
  command.arguments = {"clang++-19", "-march=znver4"};
  EXPECT_THAT(parseArguments(command, cross, "/src"), Not(Contains(testing::StartsWith("--target"))));
}

TEST(ParseArguments, OfCSayCAndItsOwnStandard) {
  Compiler compiler;
  compiler.defaultStd = "-std=gnu++17";
  compiler.defaultStdC = "-std=gnu17";
  CompileCommand command{.directory = "/b", .file = "/s/k.c", .arguments = {"gcc", "-O2"}, .output = {}};
  const std::vector<std::string> result = parseArguments(command, compiler, "/s");
  EXPECT_THAT(result, IsSupersetOf({"-std=gnu17", "-x", "c"}));
  EXPECT_THAT(result, Not(Contains("-std=gnu++17")));
}

std::size_t indexOf(const std::vector<std::string> &list, const std::string &word) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), word) - list.begin());
}

TEST(ParseArguments, KeepsWhatTheLanguageDependsOn) {
  const std::vector<std::string> kept = {
      "-I",        "inc",         "-Iother",      "-isystem",        "sys",     "-DA=1",
      "-D",        "B",           "-UC",          "-include",        "force.h", "-fno-exceptions",
      "-fno-rtti", "-ffast-math", "-fopenmp",     "-funsigned-char", "-mavx2",  "-mno-fma",
      "-pthread",  "-O3",         "-std=gnu++20", "-march=native",   "-m64",    "--sysroot=/r"};
  const std::vector<std::string> result = parsed(kept);
  const std::size_t first = indexOf(result, "-I");
  ASSERT_LE(first + kept.size(), result.size());
  EXPECT_EQ(std::vector<std::string>(result.begin() + static_cast<std::ptrdiff_t>(first),
                                     result.begin() + static_cast<std::ptrdiff_t>(first + kept.size())),
            kept);
}

TEST(ParseArguments, DropsTheRest) {
  const std::vector<std::string> plain = parsed({});
  const std::vector<std::string> noise = {"-Wall",
                                          "-Werror",
                                          "-Wlogical-op",
                                          "-fconserve-stack",
                                          "-fopt-info-vec",
                                          "-fno-semantic-interposition",
                                          "-flto=auto",
                                          "-fuse-linker-plugin",
                                          "-g3",
                                          "-ggdb",
                                          "-c",
                                          "/src/k.cpp",
                                          "-o",
                                          "k.o",
                                          "-MD",
                                          "-MT",
                                          "k.o",
                                          "-MF",
                                          "k.d",
                                          "-MMD",
                                          "-pipe",
                                          "-mtune=znver4",
                                          "-march=no-such-cpu",
                                          "-mvzeroupper",
                                          "-mrecip=all",
                                          "--param",
                                          "max-inline-insns-single=3",
                                          "-Xclang",
                                          "-load",
                                          "-Wp,-MD,k.d",
                                          "-Wa,-q",
                                          "-Wl,-z,now",
                                          "-L/lib",
                                          "-lm",
                                          "-save-temps",
                                          "-Winvalid-pch",
                                          "-fmodules-ts",
                                          "-fsanitize=address",
                                          "-include-pch",
                                          "x.pch"};
  EXPECT_EQ(parsed(noise), plain);
}

TEST(ParseArguments, SourceFolderComesFirstAndMarkerLast) {
  const std::vector<std::string> result = parsed({"-I/inc", "-iquote", "/q", "-DAGENTIC_KERNEL=", "-UAGENTIC_KERNEL"});
  EXPECT_LT(indexOf(result, "/src"), indexOf(result, "-I/inc"));
  EXPECT_LT(indexOf(result, "/src"), indexOf(result, "/q"));
  EXPECT_GT(indexOf(result, "-DAGENTIC_KERNEL=__attribute__((annotate(\"agentic_kernel\")))"),
            indexOf(result, "-UAGENTIC_KERNEL"));
}

TEST(ParseArguments, AddsTheCompilersDefaultStandardOnlyWithoutOne) {
  EXPECT_THAT(parsed({}), Contains("-std=gnu++17"));
  EXPECT_THAT(parsed({"-std=c++23"}), Not(Contains("-std=gnu++17")));
}

TEST(ParseArguments, LooksInsideWrappedOptions) {
  const std::vector<std::string> result = parsed(
      {"-Xclang", "-include-pch", "-Xclang", "p.pch", "-Xclang", "-include", "-Xclang", "cmake_pch.hxx", "-Wp,-DX=2"},
      Family::Clang);
  EXPECT_THAT(result, IsSupersetOf({"-include", "cmake_pch.hxx", "-DX=2"}));
  EXPECT_THAT(result, Not(Contains("p.pch")));
  // The driver would take cmake_pch.hxx.pch instead, and so it would of g++'s plain option.
  EXPECT_EQ(std::ranges::count(result, "-Xclang"), 2);
  EXPECT_EQ(std::ranges::count(parsed({"-include", "/b/cmake_pch.hxx"}), "-Xclang"), 2);
  EXPECT_EQ(std::ranges::count(parsed({"-include", "/b/config.h"}), "-Xclang"), 0);
  EXPECT_THAT(withoutPrecompiledHeader(result), Not(Contains("-Xclang")));
  EXPECT_THAT(withoutPrecompiledHeader(result), Contains("-DX=2"));
}

TEST(ParseArguments, LauncherAndResponseWordsAreNoOptions) {
  CompileCommand command;
  command.arguments = {"/usr/bin/ccache", "/usr/bin/g++", "-DX", "k.cpp"};
  EXPECT_THAT(parseArguments(command, Compiler(), "/src"), Contains("-DX"));
  EXPECT_THAT(parseArguments(command, Compiler(), "/src"), Not(Contains("/usr/bin/g++")));
}

} // namespace
} // namespace agentic
