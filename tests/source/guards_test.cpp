// Staleness level 2, which no text of SOURCE shows. A kernel is extracted under one set of flags; its dispatch unit is
// compiled by the real compilers under others.
#include "tests/source/emit_fixture.h"
#include "tests/source/extract_fixture.h"

#include "tool/base/process.h"
#include "tool/base/text.h"

#include <gmock/gmock.h>

#include <tuple>

namespace agentic {
namespace {

using ::testing::HasSubstr;

constexpr const char *kHeader = R"(#pragma once
#include <cstddef>
#ifndef SCALE
#define SCALE 3
#endif
#ifndef MODE
#define MODE 1
#endif
namespace demo {
#ifdef WIDE
typedef long Number;
#else
typedef int Number;
#endif
#ifdef COUNT_IN_INT
typedef unsigned Count;
#else
typedef std::size_t Count;
#endif
struct Item { Number value; };
enum class Mode { fast = MODE };
class Secret { static constexpr int kHidden = SCALE; public: static int get() { return kHidden; } };
constexpr int kScale = SCALE;
int sum(const Item *p, Count n);
}
)";

constexpr const char *kSource = R"(#include "k.h"
#ifndef TILE
#define TILE 8
#endif
#define DOUBLED (TILE * 2)
#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif
namespace demo {
namespace { constexpr float kHalf = SCALE / 6.0f; }
@KERNEL@
}
)";

constexpr const char *kKernel = R"(AGENTIC_KERNEL int sum(const Item *p, Count n) {
  int s = 0;
  for (Count i = 0; i < n; ++i)
    s += static_cast<int>(p[i].value) * DOUBLED * kScale;
#if FAST
  s += 1;
#endif
#if defined(LOGGED)
  s += 1;
#endif
#ifdef __AVX2__
  s += 0;
#endif
  return s + static_cast<int>(Mode::fast) + Secret::get() + static_cast<int>(kHalf);
})";

constexpr const char *kMain = R"(#include "k.h"
extern "C" int printf(const char *, ...);
int main() {
  demo::Item items[] = {{1}, {2}};
  printf("%d\n", demo::sum(items, 2));
}
)";

class Guards : public ::testing::Test {
protected:
  void SetUp() override {
    project_.write("src/k.h", kHeader);
    project_.write("src/main.cpp", kMain);
    project_.write("src/k.cpp", replaceAll(kSource, "@KERNEL@", kKernel));
  }

  KernelSpec specWith(std::vector<std::string> options) {
    options.insert(options.begin(), {"-O2", "-std=c++20"});
    Result<Extraction> extraction = extractKernel(project_.request("src/k.cpp", {}, std::move(options)));
    EXPECT_TRUE(extraction) << extraction.error().message;
    return extraction ? extraction->spec : KernelSpec();
  }

  static std::string valueOf(const KernelSpec &spec, const std::string &what) {
    for (const Guard &guard : spec.guards)
      if (guard.what == what)
        return guard.value;
    return "(none)";
  }

  /// Writes the dispatch unit, and a variant whose result is 5.
  void generate(const KernelSpec &spec, const std::string &family) {
    const VariantSource variant =
        test::makeVariant(spec, "x86-64-v2", family,
                          "#include \"k.h\"\nextern \"C\" int SYMBOL(const demo::Item *, demo::Count) { return 5; }\n");
    auto files = emitFiles(spec, {variant}, "0.1.0");
    ASSERT_TRUE(files) << files.error().message;
    project_.write("src/unit.cpp", replaceAll(kSource, "@KERNEL@", (*files)[1].text));
    project_.write("src/variant.cpp", variant.text);
  }

  ProcessResult run(std::vector<std::string> argv) {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.workingDirectory = project_.path("src");
    spec.mergeOutput = true;
    auto result = runProcess(spec);
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : ProcessResult();
  }

  /// Compiles everything with a strict project's warnings; the program is then src/program.
  ProcessResult compile(const std::string &compiler, const std::string &family, const std::vector<std::string> &flags) {
    const std::vector<std::string> common = {"-DAGENTIC_KERNEL_k__x86_64_v2__" + family, "-std=c++20"};
    std::vector<std::string> unit = {compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wfloat-equal", "-O2"};
    std::vector<std::string> program = {compiler, "-w", "-O2", "unit.o", "main.cpp", "variant.cpp"};
    for (std::vector<std::string> *argv : {&unit, &program}) {
      argv->insert(argv->end(), common.begin(), common.end());
      argv->insert(argv->end(), flags.begin(), flags.end());
    }
    unit.insert(unit.end(), {"-c", "unit.cpp", "-o", "unit.o"});
    program.insert(program.end(), {"-o", "program"});
    ProcessResult compiled = run(unit);
    if (compiled.ok()) {
      EXPECT_EQ(run(program).out, "");
    }
    return compiled;
  }

  ScratchProject project_;
};

int count(const std::string &text, const std::string &word) {
  int found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

TEST_F(Guards, AreTheMacrosSizesAndConstantsThatTheKernelUses) {
  const KernelSpec spec = specWith({"-DTILE=4 + 4", "-DUNUSED=1"});
  EXPECT_EQ(valueOf(spec, "macro TILE"), "4 + 4");
  EXPECT_EQ(valueOf(spec, "macro DOUBLED"), "(4 + 4 * 2)");
  EXPECT_EQ(valueOf(spec, "macro FAST"), "undefined");
  EXPECT_EQ(valueOf(spec, "macro LOGGED"), "undefined");
  EXPECT_EQ(valueOf(spec, "macro __FAST_MATH__"), "undefined");
  EXPECT_EQ(valueOf(spec, "macro UNUSED"), "(none)");
  EXPECT_EQ(valueOf(specWith({"-mavx2"}), "macro __AVX2__"), "(none)") << "variants are for a level";
  EXPECT_EQ(valueOf(spec, "the layout of parameter 'p'"), "4 bytes");
  EXPECT_EQ(valueOf(spec, "the type of parameter 'n'"), "unsigned long");
  EXPECT_EQ(valueOf(spec, "constant demo::kScale"), "3ll");
  EXPECT_EQ(valueOf(spec, "constant demo::kHalf"), "0.5");
  EXPECT_EQ(valueOf(spec, "constant demo::Mode::fast"), "1ll");
  EXPECT_EQ(valueOf(spec, "constant demo::Secret::kHidden"), "(none)") << "the dispatcher may not name it";
  EXPECT_EQ(spec.languageStandard, 202002);
  EXPECT_EQ(valueOf(specWith({"-ffast-math"}), "macro __FAST_MATH__"), "1");
}

TEST_F(Guards, TheLibrarysChecksMatterToThoseWhoUseIt) {
  EXPECT_EQ(valueOf(specWith({}), "macro _GLIBCXX_ASSERTIONS"), "(none)");
  project_.write("src/k.cpp", "#include <vector>\n#define AGENTIC_KERNEL\n"
                              "AGENTIC_KERNEL int total(const std::vector<int> &v) { return v[0] + v[1]; }\n");
  const KernelSpec spec = specWith({});
  EXPECT_EQ(valueOf(spec, "macro _GLIBCXX_ASSERTIONS"), "undefined");
  EXPECT_EQ(valueOf(spec, "the layout of parameter 'v'"), "24 bytes");
  EXPECT_EQ(valueOf(specWith({"-D_GLIBCXX_ASSERTIONS"}), "macro _GLIBCXX_ASSERTIONS"), "1");
}

class GuardsWith : public Guards, public testing::WithParamInterface<const char *> {};

TEST_P(GuardsWith, WhatDiffersIsOneWarningAndTheBaselineAndWhereRequiredAnError) {
  const std::string family = GetParam(), compiler = family == "clang" ? "clang++-19" : "g++";
  if (!findProgram(compiler))
    GTEST_SKIP() << compiler << " is not installed";
  const struct {
    std::string flag, reason, result;
  } rows[] = {{"-DTILE=4", "macro DOUBLED", "76\n"},
              {"-DFAST=1", "macro FAST", "149\n"},
              {"-DLOGGED", "macro LOGGED", "149\n"},
              {"-DSCALE=4", "constant demo::kHalf", "197\n"},
              {"-DWIDE", "the layout of parameter 'p'", "148\n"},
              {"-DCOUNT_IN_INT", "the type of parameter 'n'", "148\n"},
              {"-DMODE=2", "constant demo::Mode::fast", "149\n"},
              {"-ffast-math", "macro __FAST_MATH__", "148\n"},

              {"-std=c++17", "__cplusplus", "148\n"}};
  generate(specWith({}), family);
  for (const std::string flag : {"-DNDEBUG", "-O0", "-DUNRELATED=7", "-fno-exceptions", "-march=native"}) {
    const ProcessResult compiled = compile(compiler, family, {flag});
    ASSERT_TRUE(compiled.ok()) << compiler << " " << flag << "\n" << compiled.out;
    EXPECT_EQ(compiled.out, "") << compiler << " " << flag;
    EXPECT_EQ(run({"./program"}).out, "5\n") << compiler << " " << flag;
  }
  for (const auto &row : rows) {
    const std::string what = std::string(compiler) + " " + row.flag;
    const ProcessResult compiled = compile(compiler, family, {row.flag});
    ASSERT_TRUE(compiled.ok()) << what << "\n" << compiled.out;
    EXPECT_EQ(count(compiled.out, "warning:"), 1) << what << "\n" << compiled.out;
    EXPECT_THAT(compiled.out, HasSubstr("are stale (" + row.reason + " was ")) << what;
    EXPECT_EQ(run({"./program"}).out, row.result) << what;
    const ProcessResult forced = run({"env", "AGENTIC_KERNEL_k=x86-64-v2", "./program"});
    EXPECT_EQ(forced.code, 78) << what;
    EXPECT_THAT(forced.out, HasSubstr("stale in this build")) << what;
    const ProcessResult required = compile(compiler, family, {row.flag, "-DAGENTIC_KERNEL_REQUIRE_k"});
    EXPECT_FALSE(required.ok()) << what;
    EXPECT_THAT(required.out, HasSubstr(row.reason)) << what;
    compile(compiler, family, {row.flag, "-DAGENTIC_KERNEL_STATIC_k", "-march=x86-64-v3"});
    EXPECT_EQ(run({"./program"}).out, row.result) << what << " STATIC";
  }
}

/// The baseline stands in the unit, too, and a body may leave its macros behind, or tidy up the project's.
TEST_P(GuardsWith, MacrosAreThoseInFrontOfTheBody) {
  const std::string family = GetParam(), compiler = family == "clang" ? "clang++-19" : "g++";
  if (!findProgram(compiler))
    GTEST_SKIP() << compiler << " is not installed";
  for (const std::string end : {"#undef WEIGHT\n", ""}) {
    const std::string kernel = "AGENTIC_KERNEL int sum(const Item *p, Count n) {\n#ifndef WEIGHT\n#define WEIGHT 3\n"
                               "#endif\n  int s = 0;\n  for (Count i = 0; i < n; ++i)\n"
                               "    s += static_cast<int>(p[i].value) * WEIGHT;\n" +
                               end + "  return s + static_cast<int>(kHalf);\n}";
    project_.write("src/k.cpp", replaceAll(kSource, "@KERNEL@", kernel));
    generate(specWith({}), family);
    const ProcessResult fresh = compile(compiler, family, {});
    ASSERT_TRUE(fresh.ok()) << fresh.out;
    EXPECT_EQ(fresh.out, "");
    EXPECT_EQ(run({"./program"}).out, "5\n");
    const ProcessResult stale = compile(compiler, family, {"-DWEIGHT=5"});
    ASSERT_TRUE(stale.ok()) << stale.out;
    EXPECT_THAT(stale.out, HasSubstr("are stale (macro WEIGHT was "));
    EXPECT_EQ(run({"./program"}).out, "15\n");
  }
}

TEST_P(GuardsWith, MacrosWithArgumentsAreKnownByAUse) {
  const std::string family = GetParam(), compiler = family == "clang" ? "clang++-19" : "g++";
  if (!findProgram(compiler))
    GTEST_SKIP() << compiler << " is not installed";
  project_.write("src/k.h",
                 std::string(kHeader) +
                     "#define VERSION(a, b) ((a) * 100 +(b))\n#ifdef NEW\n#define LIBRARY VERSION(2, 0)\n"
                     "#else\n#define LIBRARY VERSION(1, 0)\n#endif\n#ifdef SATURATED\n"
                     "#define CAP(x, ...) ((x) > 1 ? -1 : -(x))\n#else\n#define CAP(x, ...) - -(x)\n#endif\n");
  project_.write("src/k.cpp",
                 replaceAll(kSource, "@KERNEL@",
                            "AGENTIC_KERNEL int sum(const Item *p, Count n) {\n  int s = static_cast<int>(kHalf);\n"
                            "  for (Count i = 0; i < n; ++i)\n    s += CAP(static_cast<int>(p[i].value), 0);\n"
                            "#if LIBRARY >= VERSION(1, 5)\n  s += 10;\n#endif\n  return s;\n}"));
  const KernelSpec spec = specWith({});
  EXPECT_EQ(valueOf(spec, "macro LIBRARY"), "((1) * 100 +(0))");
  EXPECT_EQ(valueOf(spec, "macro CAP"), "- -(ak_1)");
  generate(spec, family);
  const ProcessResult fresh = compile(compiler, family, {});
  ASSERT_TRUE(fresh.ok()) << fresh.out;
  EXPECT_EQ(fresh.out, "");
  EXPECT_EQ(run({"./program"}).out, "5\n");
  project_.write("src/likely.h", "#ifdef __clang__\n#define likely(x) (x)\n#else\n#define likely(x) !!(x)\n#endif\n");
  project_.write("src/k.cpp", "#include \"likely.h\"\n#define AGENTIC_KERNEL\n"
                              "AGENTIC_KERNEL int f(int x) { return likely(x) ? 1 : 2; }\n");
  EXPECT_EQ(valueOf(specWith({}), "macro likely"), "(none)") << "the other compiler has another text";
  for (const auto &[flag, reason, result] :
       {std::tuple("-DNEW", "macro LIBRARY was", "13\n"), std::tuple("-DSATURATED", "macro CAP was", "-2\n")}) {
    const ProcessResult stale = compile(compiler, family, {flag});
    ASSERT_TRUE(stale.ok()) << stale.out;
    EXPECT_THAT(stale.out, HasSubstr(reason));
    EXPECT_EQ(run({"./program"}).out, result);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, GuardsWith, testing::Values("clang", "gcc"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
} // namespace agentic
