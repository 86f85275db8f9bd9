#include "tests/build/scratch.h"
#include "tool/build/compile.h"

#include <gmock/gmock.h>

#include <dlfcn.h>

namespace agentic {
namespace {

using testing::HasSubstr;

const char *const kShim = "extern void the_symbol(void);\n"
                          "__attribute__((visibility(\"default\"))) void *agentic_kernel_entry_k(void *baseline) {\n"
                          "  (void)baseline; return (void *)the_symbol;\n}\n";

class Compile : public ScratchTest, public testing::WithParamInterface<const char *> {
protected:
  CompileRequest request(const std::string &code, const std::string &flags) const {
    CompileRequest out;
    out.command.directory = (fs::create_directories(path("build")), path("build"));
    out.command.file = path("src/k.cpp");
    out.command.arguments = split(std::string(GetParam()) + " " + flags + " -o k.o -c " + path("src/k.cpp"), ' ');
    out.unitFile = write("work/unit.cpp", code);
    out.objectFile = path("work/unit.o");
    out.quoteDirectory = path("src");
    out.sandbox = &sandbox_;
    return out;
  }
  LinkRequest linkRequest() const {
    return {.objectFile = path("work/unit.o"),
            .sharedObject = path("work/unit.so"),
            .kernel = "k",
            .entryShim = kShim,
            .cacheDir = path("cache"),
            .compiler = GetParam(),
            .sandbox = &sandbox_};
  }
  Sandbox sandbox_ = Sandbox::probe();
};

TEST_P(Compile, CompilesLinksAndLoads) {
  write("src/own.h", "inline int own() { return 42; }");
  write("include/own.h", "#error the project's include path came before SOURCE's folder");
  const auto compiled = compileUnit(
      request("#include \"own.h\"\n#include <cmath>\nextern \"C\" __attribute__((visibility(\"hidden\"))) double "
              "the_symbol(double x) { return std::exp(x) + own(); }",
              "-O3 -I " + path("include") + " -march=native -std=gnu++20 -Werror -flto -MD -MF x.d"));
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  ASSERT_TRUE(compiled->ok) << compiled->diagnostics;
  EXPECT_FALSE(fs::exists(path("x.d")));
  for (int again = 0; again < 2; ++again) { // the second time with the cached entry
    const auto linked = linkCandidate(linkRequest());
    ASSERT_TRUE(linked.has_value()) << linked.error().message;
    ASSERT_TRUE(linked->ok) << linked->diagnostics;
  }
  void *library = dlopen(path("work/unit.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_EQ(dlsym(library, "the_symbol"), nullptr);
  const auto entry = reinterpret_cast<void *(*)(void *)>(dlsym(library, "agentic_kernel_entry_k"));
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(reinterpret_cast<double (*)(double)>(entry(nullptr))(0), 43);
  dlclose(library);
}

TEST_P(Compile, PaddingMovesTheCode) {
  ASSERT_TRUE(
      compileUnit(request("extern \"C\" __attribute__((visibility(\"hidden\"))) int the_symbol() { return 7; }", "-O2"))
          ->ok);
  std::vector<std::ptrdiff_t> places;
  for (std::size_t padding : {0, 17 * 64, 38 * 64}) {
    LinkRequest link = linkRequest();
    link.padding = padding;
    link.sharedObject = path("work/unit" + std::to_string(padding) + ".so");
    const auto linked = linkCandidate(link);
    ASSERT_TRUE(linked.has_value() && linked->ok);
    void *library = dlopen(link.sharedObject.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto entry = reinterpret_cast<void *(*)(void *)>(dlsym(library, "agentic_kernel_entry_k"));
    ASSERT_NE(entry, nullptr);
    void *code = entry(nullptr);
    EXPECT_EQ(reinterpret_cast<int (*)()>(code)(), 7);
    Dl_info where{};
    ASSERT_NE(dladdr(code, &where), 0);
    places.push_back(static_cast<char *>(code) - static_cast<char *>(where.dli_fbase));
    dlclose(library);
  }
  EXPECT_EQ(places[1] - places[0], 17 * 64);
  EXPECT_EQ(places[2] - places[0], 38 * 64);
}

TEST_P(Compile, HeadersAnywhereInTheSourceTreeAreSeen) {
  write("project/CMakeLists.txt", "");
  write("project/include/sub/a.h", "#include \"../b.h\"\n");
  write("project/include/b.h", "int b();\n");
  write("build/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=" + path("project") + "\n");
  CompileRequest unit = request("#include \"../include/sub/a.h\"\nint the_symbol() { return b(); }", "-O2");
  unit.command.directory = path("build");
  unit.quoteDirectory = (write("project/src/k.cpp", ""), path("project/src"));
  const auto compiled = compileUnit(unit);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  EXPECT_TRUE(compiled->ok) << compiled->diagnostics;
}

TEST_P(Compile, RejectionsAreOutcomesWithDiagnostics) {
  const auto compiled = compileUnit(request("int the_symbol() { return undeclared; }", "-O2"));
  ASSERT_TRUE(compiled.has_value());
  EXPECT_FALSE(compiled->ok);
  EXPECT_THAT(filterDiagnostics(compiled->diagnostics, path("work/unit.cpp"), "fast.cpp"),
              HasSubstr("fast.cpp:1:27: error"));
}

TEST_P(Compile, IntrinsicsBeyondTheLevelFailWithoutIsaFlags) {
  CompileRequest unit = request("#include <immintrin.h>\n__m256 the_symbol(__m256 a) { return _mm256_add_ps(a, a); }",
                                "-O2 -march=x86-64-v3");
  EXPECT_TRUE(compileUnit(unit)->ok);
  unit.withoutIsaFlags = true;
  EXPECT_FALSE(compileUnit(unit)->ok);
}

TEST_P(Compile, HostFilesAreOutOfReach) {
  if (sandbox_.strength() == Sandbox::Strength::RlimitsOnly)
    GTEST_SKIP() << sandbox_.warning();
  const auto compiled = compileUnit(request("#include \"/etc/passwd\"\n", "-O2"));
  ASSERT_TRUE(compiled.has_value());
  EXPECT_FALSE(compiled->ok);
  EXPECT_THAT(compiled->diagnostics, testing::Not(HasSubstr("root:")));
}

TEST_P(Compile, AMacroWithAPathShowsNothing) {
  if (sandbox_.strength() == Sandbox::Strength::RlimitsOnly)
    GTEST_SKIP() << sandbox_.warning();
  const std::string secret = write("secret/key.h", "int key;\n");
  const auto compiled = compileUnit(request("#include \"" + secret + "\"\n", "-O2 -DFOLDER=" + path("secret")));
  ASSERT_TRUE(compiled.has_value());
  EXPECT_FALSE(compiled->ok);
}

TEST_P(Compile, ACandidateCannotPretendThatTheDiskIsFull) {
  const auto compiled = compileUnit(request("#error No space left on device\n", "-O2"));
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  EXPECT_FALSE(compiled->ok);
}

TEST_P(Compile, ACompileBombIsStopped) {
  CompileRequest bomb =
      request("template <int N> struct A { A<2 * N> *a; A<2 * N + 1> *b; int f() { return a->f() + b->f(); } };\n"
              "template <> struct A<1 << 29> {}; int x = A<1>().f();",
              "-O2 -ftemplate-depth=100000");
  bomb.timeoutSeconds = 1;
  const auto compiled = compileUnit(bomb);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  EXPECT_FALSE(compiled->ok);
}

TEST_P(Compile, AMissingCompilerIsAnError) {
  CompileRequest unit = request("int x;", "-O2");
  unit.command.arguments[0] = "/missing/bin/c++";
  const auto compiled = compileUnit(unit);
  ASSERT_FALSE(compiled.has_value());
  EXPECT_THAT(compiled.error().message, HasSubstr("'/missing/bin/c++'"));
}

TEST_P(Compile, AnUndefinedEntryTargetFailsToLinkOrLoadLoudly) {
  ASSERT_TRUE(compileUnit(request("int other() { return 1; }", "-O2"))->ok);
  const auto linked = linkCandidate(linkRequest());
  ASSERT_TRUE(linked.has_value()) << linked.error().message;
  if (linked->ok) {
    EXPECT_EQ(dlopen(path("work/unit.so").c_str(), RTLD_NOW), nullptr);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Compile, testing::Values("clang++-19", "g++"), [](const auto &info) {
  return std::string(info.param).substr(0, 1) == "c" ? "clang" : "gcc";
});

} // namespace
} // namespace agentic
