// Dispatch units and variants compiled by the real compilers and run: one translation unit with many kernels, so that
// code shared by several blocks is tested with every signature.
#include "tests/source/emit_fixture.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace agentic {
namespace {

using test::makeSpec;
using test::makeVariant;
using ::testing::HasSubstr;

constexpr const char *kHeader = R"(#pragma once
struct Pair { int first; double second; };
struct Move { int value; Move(int v) : value(v) {} Move(Move &&o) noexcept : value(o.value) { o.value = -1; } };
namespace demo {
float sum(const float *a, int n = 2) noexcept;
namespace inner { Pair turn(Pair p, int &calls, Move &&taken, Move owned); }
int early(int x);
int callTwice(int x);
int next(const int *x, int *y, int n);
}
extern "C" { int c_direct(int, int (*)(int)); int c_block(int x); }
)";

// The text around the kernels; @name@ is the place of each.
constexpr const char *kSource = R"(#include "k.h"
#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif
#define name broken(
#define value_of broken(
#define table broken(
namespace demo {
@sum@
static int twice(int x);
@twice@
int callTwice(int x) { return twice(x); }
@early@
@next@
}
@turn@
@c_direct@
extern "C" {
@c_block@
}
)";

constexpr const char *kMain = R"(#include "k.h"
extern "C" int printf(const char *, ...);
static int early = demo::early(1);
static int plus(int x) { return x + 1; }
int main() {
  float a[] = {1, 2};
  int calls = 0;
  Move taken(5);
  Pair p = demo::inner::turn({1, 2.5}, calls, static_cast<Move &&>(taken), Move(7));
  int x[] = {1, 2, 3, 4};
  const int apart = demo::next(x, x + 2, 2), inside = demo::next(x, x + 1, 2), behind = demo::next(x + 1, x, 2);
  printf("%d %d %d %d %g %d %d %d %d %d %d %d\n", early, int(demo::sum(a)), demo::callTwice(4), p.first, p.second, calls,
         taken.value, c_direct(3, plus), c_block(2), apart, inside, behind);
}
)";

struct Kernel {
  KernelSpec spec;
  std::string fast; ///< the variant's definition, every result larger by 1000
};

std::vector<Kernel> kernels(const std::string &source) {
  const auto spec = [&](const char *name, std::vector<std::string> spaces, const char *declarator, const char *text,
                        std::vector<std::string> names) {
    return makeSpec(name, source, std::move(spaces), declarator, text, std::move(names));
  };
  std::vector<Kernel> all;
  all.push_back(
      {spec("sum", {"demo"}, "sum",
            "AGENTIC_KERNEL __attribute__((visibility(\"default\"))) float sum(const float *__restrict a, const int n) "
            "noexcept // adds\n{\n  float s = 0;\n"
            "  for (int i = 0; i < n; ++i) s += a[i];\n  return s;\n}",
            {"a", "n"}),
       "float SYMBOL(const float *a, int n) noexcept { float s = 1000; for (int i = 0; i < n; ++i) s += a[i]; "
       "return s; }"});
  all.push_back({spec("twice", {"demo"}, "twice", "AGENTIC_KERNEL static int twice(int x) { return 2 * x; }", {"x"}),
                 "int SYMBOL(int x) { return 1000 + 2 * x; }"});
  all.push_back(
      {spec("early", {"demo"}, "early", "[[gnu::noinline]] AGENTIC_KERNEL int early(int x) { return x; }", {"x"}),
       "int SYMBOL(int x) { return 1000 + x; }"});
  all.push_back({spec("turn", {"demo", "inner"}, "demo::inner::turn",
                      "AGENTIC_KERNEL Pair demo::inner::turn(Pair p, int &calls, Move &&taken, Move owned) {\n"
                      "  ++calls;\n  Move mine(static_cast<Move &&>(taken));\n"
                      "  return Pair{p.first + mine.value + owned.value, p.second};\n}",
                      {"p", "calls", "taken", "owned"}),
                 "Pair SYMBOL(Pair p, int &calls, Move &&taken, Move owned) { ++calls; Move mine(static_cast<Move "
                 "&&>(taken)); return {1000 + p.first + mine.value + owned.value, p.second}; }"});
  all.push_back({spec("c_direct", {}, "c_direct",
                      "extern \"C\" AGENTIC_KERNEL int c_direct(int, int (*)(int)) { return 7; }", {"", ""}),
                 "int SYMBOL(int a, int (*f)(int)) { return 1000 + f(a); }"});
  all.push_back(
      {spec("next", {"demo"}, "next",
            "AGENTIC_KERNEL int next(const int *x, int *y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] + 1; "
            "return 0; }",
            {"x", "y", "n"}),
       "int SYMBOL(const int *, int *, int) { return 1000; }"});
  all.back().spec.parameters[0].canonicalType = "const int *";
  all.back().spec.parameters[1].canonicalType = "int *";
  all.back().spec.contract.extents = {{"x", Direction::In, "n"}, {"y", Direction::Out, "n"}};
  all.push_back({spec("c_block", {}, "c_block", "AGENTIC_KERNEL int c_block(int x) { return x; }", {"x"}),
                 "int SYMBOL(int x) { return 1000 + x; }"});
  all.back().spec.isExternC = true;
  return all;
}

constexpr const char *kBaselineOutput = "1 3 8 13 2.5 1 -1 7 2 0 0 0\n";
constexpr const char *kFastOutput = "1001 1003 1008 1013 2.5 1 -1 1004 1002 1000 0 0\n";

/// One compiler's scratch project.
class EmitDispatch : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    family_ = std::string(GetParam()).starts_with("clang") ? "clang" : "gcc";
    if (!findProgram(GetParam()))
      GTEST_SKIP() << GetParam() << " is not installed";
    auto scratch = ScratchDirectory::create(::testing::TempDir(), "emit_dispatch");
    ASSERT_TRUE(scratch.has_value());
    scratch_.emplace(std::move(*scratch));
    write("k.h", kHeader);
    write("main.cpp", kMain);
    std::string text = kSource, fast;
    for (const Kernel &kernel : kernels(path("k.cpp"))) {
      std::vector<VariantSource> variants = {
          makeVariant(kernel.spec, "x86-64-v2", family_, "#include \"k.h\"\nextern \"C\" " + kernel.fast + "\n"),
          makeVariant(kernel.spec, "x86-64-v4", family_ == "gcc" ? "clang" : "gcc", "never")};
      auto files = emitFiles(kernel.spec, variants, "0.1.0");
      ASSERT_TRUE(files.has_value()) << files.error().message;
      text = replaceAll(text, "@" + kernel.spec.kernel + "@", (*files)[2].text);
      fast += replaceAll(variants[0].text, "#include \"k.h\"", "");
      definitions_.push_back("-DAGENTIC_KERNEL_" + kernel.spec.kernel + "__x86_64_v2__" + family_);
    }
    write("k.cpp", text);
    write("fast.cpp", "#include \"k.h\"\n" + fast);
  }

  std::string path(const std::string &name) const { return (scratch_->path() / name).string(); }
  void write(const std::string &name, const std::string &text) { ASSERT_TRUE(writeFileAtomic(path(name), text)); }

  std::string run(std::vector<std::string> argv, std::vector<std::pair<std::string, std::string>> environment = {}) {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.workingDirectory = scratch_->path().string();
    spec.addedEnvironment = std::move(environment);
    spec.mergeOutput = true;
    auto result = runProcess(spec);
    if (!result)
      return result.error().message;
    code_ = result->end == ProcessResult::End::Exited ? result->code : -1;
    return result->out;
  }

  /// Compiles with the warnings of a strict project as errors, then links `program`.
  void build(const std::string &program, std::vector<std::string> flags, const std::string &unit = "k.cpp") {
    std::vector<std::string> argv = {GetParam(),
                                     "-O1",
                                     "-Werror",
                                     "-Wall",
                                     "-Wextra",
                                     "-Wpedantic",
                                     "-Wshadow",
                                     "-Wold-style-cast",
                                     "-Wconversion",
                                     "-Wsign-conversion",
                                     "-Wmissing-declarations",
                                     "-Wredundant-decls",
                                     "-Wunused",
                                     "-Wundef",
                                     "-Wcast-align",
                                     "-Wzero-as-null-pointer-constant",
                                     "-I.",
                                     "-c",
                                     unit,
                                     "-o",
                                     program + ".o"};
    argv.insert(argv.end(), definitions_.begin(), definitions_.end());
    argv.insert(argv.end(), flags.begin(), flags.end());
    if (family_ == "gcc")
      argv.insert(argv.end(), {"-Wuseless-cast", "-Wnoexcept", "-Wsuggest-attribute=noreturn"});
    else
      argv.insert(argv.end(), {"-Wmissing-prototypes", "-Wunneeded-internal-declaration"});
    EXPECT_EQ(run(argv), "");
    ASSERT_EQ(code_, 0);
    EXPECT_EQ(run({GetParam(), "-w", program + ".o", "main.cpp", "fast.cpp", "-ldl", "-o", program}), "");
    ASSERT_EQ(code_, 0);
  }

  std::optional<ScratchDirectory> scratch_;
  std::string family_;
  std::vector<std::string> definitions_;
  int code_ = 0;
};

TEST_P(EmitDispatch, EverySignatureIsForwardedAndTheTraceNamesWhatRan) {
  for (const char *standard : {"-std=c++11", "-std=c++20"}) {
    build("program", {standard});
    const std::string trace = path("trace");
    EXPECT_EQ(run({"./program"}, {{"AGENTIC_KERNEL_TRACE", trace}}), kFastOutput);
    std::vector<std::string> lines = split(*readFile(trace), '\n'), expected = {""};
    for (const Kernel &kernel : kernels(path("k.cpp")))
      expected.push_back(kernel.spec.kernel + " x86-64-v2");
    EXPECT_THAT(lines, ::testing::UnorderedElementsAreArray(expected));
    std::filesystem::remove(trace);
  }
}

TEST_P(EmitDispatch, ForcedChoices) {
  build("program", {"-std=c++17"});
  std::vector<std::pair<std::string, std::string>> all;
  for (const Kernel &kernel : kernels(path("k.cpp")))
    all.emplace_back("AGENTIC_KERNEL_" + kernel.spec.kernel, "baseline");
  EXPECT_EQ(run({"./program"}, all), kBaselineOutput);
  // An empty value counts as none; a number is a descriptor.
  EXPECT_THAT(run({"./program"}, {{"AGENTIC_KERNEL_early", ""}, {"AGENTIC_KERNEL_TRACE", "2"}}),
              HasSubstr("early x86-64-v2\n"));

  // Unknown levels, and one that the lock has only for another family: refused with the available ones.
  for (const char *value : {"x86-64-v9", "x86-64-v4"}) {
    EXPECT_EQ(run({"./program"}, {{"AGENTIC_KERNEL_twice", value}}),
              std::string("agentic-kernel: AGENTIC_KERNEL_twice=") + value +
                  ": this program has no such variant of kernel 'twice'; available here: x86-64-v2 baseline\n");
    EXPECT_EQ(code_, 78);
  }
}

TEST_P(EmitDispatch, ALevelTheCpuLacksIsNeverChosenAndRefusedWhenForced) {
  const std::string text = *readFile(path("k.cpp"));
  write("poor.cpp", replaceAll(text, "return (ak_found", "return false && (ak_found"));
  build("program", {"-std=c++17"}, "poor.cpp");
  EXPECT_EQ(run({"./program"}), kBaselineOutput);
  EXPECT_EQ(run({"./program"}, {{"AGENTIC_KERNEL_early", "x86-64-v2"}}),
            "agentic-kernel: AGENTIC_KERNEL_early=x86-64-v2: this CPU lacks that level; available here: baseline\n");
  EXPECT_EQ(code_, 78);
}

TEST_P(EmitDispatch, StaticChoosesByTheFlagsAlone) {
  for (const Kernel &kernel : kernels(path("k.cpp")))
    definitions_.push_back("-DAGENTIC_KERNEL_STATIC_" + kernel.spec.kernel);
  build("program", {"-std=c++17"});
  EXPECT_EQ(run({"./program"}, {{"AGENTIC_KERNEL_sum", "nonsense"}}), kBaselineOutput);
  build("program", {"-std=c++17", "-march=x86-64-v2"});
  EXPECT_EQ(run({"./program"}), kFastOutput);
}

// An unmeasured variant is in the program, and is used only on request.
TEST_P(EmitDispatch, AnUntunedVariantIsChosenOnRequestAlone) {
  std::string text = kSource;
  for (const Kernel &kernel : kernels(path("k.cpp"))) {
    VariantSource variant = makeVariant(kernel.spec, "x86-64-v2", family_, "x");
    variant.provenance.isTuned = false;
    const auto dispatch = emitDispatch(kernel.spec, {variant.provenance}, "0.1.0");
    ASSERT_TRUE(dispatch) << dispatch.error().message;
    text = replaceAll(text, "@" + kernel.spec.kernel + "@", *dispatch);
  }
  write("k.cpp", text);
  build("program", {"-std=c++17"});
  EXPECT_EQ(run({"./program"}), kBaselineOutput);
  EXPECT_THAT(run({"./program"}, {{"AGENTIC_KERNEL_early", "x86-64-v2"}, {"AGENTIC_KERNEL_TRACE", "2"}}),
              testing::AllOf(HasSubstr("early x86-64-v2\n"), HasSubstr("twice baseline\n"), HasSubstr("1001 3 8")));
  const std::vector<std::string> before = definitions_;
  for (const Kernel &kernel : kernels(path("k.cpp")))
    definitions_.push_back("-DAGENTIC_KERNEL_STATIC_" + kernel.spec.kernel);
  build("program", {"-std=c++17", "-march=x86-64-v2"});
  EXPECT_EQ(run({"./program"}), kBaselineOutput);
  definitions_ = before;
  for (const Kernel &kernel : kernels(path("k.cpp")))
    definitions_.push_back("-DAGENTIC_KERNEL_UNTUNED_" + kernel.spec.kernel);
  build("program", {"-std=c++17"});
  EXPECT_EQ(run({"./program"}), kFastOutput);
}

// The cost of a call depends on what its code may reach: the choice once, the function as written, and a pointer.
TEST_P(EmitDispatch, ACallReachesNothingButTheChosenFunction) {
  build("program", {"-std=c++17", "-O2", "-ffunction-sections"});
  // Its own cold part, the resolver, the baseline of kernels with extents, and what `noexcept` needs for a throw.
  std::vector<std::string> argv = {"objdump", "-dr", "--no-show-raw-insn"};
  std::vector<std::string> reached = {"ak_resolve", "agentic_kernel_baseline_next", "__clang_call_terminate"};
  for (const char *name : {"_ZN4demo3sumEPKfi", "_ZN4demo4nextEPKiPii", "_ZN4demo5earlyEi", "c_direct"}) {
    for (const char *part : {".text.", ".text.unlikely."}) {
      argv.push_back(std::string("--section=") + part + name);
      reached.push_back(std::string(part) + name + "-");
      reached.push_back(std::string(part) + name + "+");
    }
  }
  argv.push_back("program.o");
  const std::vector<std::string> lines = split(run(argv), '\n');
  std::size_t functions = 0, throughPointer = 0;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const std::string instruction = lines[i].substr(std::min(lines[i].find('\t'), lines[i].size()));
    functions += lines[i].ends_with(">:") && lines[i].find(".cold") == std::string::npos;
    if (!instruction.starts_with("\tcall") && !instruction.starts_with("\tj"))
      continue;
    const bool leaves = lines[i + 1].find("R_X86_64_") != std::string::npos;
    if (instruction.find('*') != std::string::npos) {
      ++throughPointer;
    } else if (leaves || instruction.starts_with("\tcall")) {
      EXPECT_TRUE(std::ranges::any_of(
          reached, [&](const std::string &symbol) { return lines[i + 1].find(symbol) != std::string::npos; }))
          << lines[i] << "\n"
          << lines[i + 1];
    }
  }
  EXPECT_EQ(functions, 4u) << join(lines, "\n");
  EXPECT_GE(throughPointer, 4u) << join(lines, "\n");
}

TEST_P(EmitDispatch, HookLoadsACandidateAndOnlyWhereItIsCompiledIn) {
  write("candidate.cpp",
        "extern \"C\" __attribute__((visibility(\"hidden\"))) int candidate(int x) { return 50 + x; }\n");
  write("entry.c", emitEntryShim("twice", "candidate"));
  ASSERT_EQ(run({GetParam(), "-fPIC", "-c", "candidate.cpp"}), "");
  ASSERT_EQ(run({family_ == "gcc" ? "gcc" : "clang-19", "-Wall", "-Wextra", "-Werror", "-fPIC", "-c", "entry.c"}), "");
  ASSERT_EQ(run({GetParam(), "-shared", "candidate.o", "entry.o", "-o", "candidate.so"}), "");

  build("plain", {"-std=c++17"});
  EXPECT_THAT(run({"./plain"}, {{"AGENTIC_KERNEL_twice", path("candidate.so")}}), HasSubstr("no such variant"));
  EXPECT_EQ(code_, 78);

  definitions_ = {"-DAGENTIC_KERNEL_HOOK_twice", "-DAGENTIC_KERNEL_STATIC_twice"}; // the hook wins over STATIC
  build("hooked", {"-std=c++17"});
  const std::string trace = path("trace");
  EXPECT_EQ(run({"./hooked"}, {{"AGENTIC_KERNEL_twice", path("candidate.so")}, {"AGENTIC_KERNEL_TRACE", trace}}),
            "1 3 54 13 2.5 1 -1 7 2 0 0 0\n");
  EXPECT_THAT(*readFile(trace), HasSubstr("twice " + path("candidate.so") + "\n"));
  EXPECT_THAT(run({"./hooked"}, {{"AGENTIC_KERNEL_twice", "/nowhere.so"}}), HasSubstr("kernel 'twice': /nowhere.so"));
  EXPECT_EQ(code_, 97);
  EXPECT_EQ(run({"./hooked"}), kBaselineOutput);
}

INSTANTIATE_TEST_SUITE_P(Compilers, EmitDispatch, ::testing::Values("clang++-19", "g++"),
                         [](const auto &info) { return info.index == 0 ? "clang" : "gcc"; });

} // namespace
} // namespace agentic
