// A kernel in C: what is extracted from it, the candidate unit, and the generated C, compiled by both compilers with
// the warnings of a strict project as errors, and run.
#include "tests/source/extract_fixture.h"

#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/source/candidate/candidate_unit.h"
#include "tool/source/candidate/tunables.h"
#include "tool/source/emit/emit.h"
#include "tool/source/emit/emit_cpu.h"
#include "tool/source/emit/emit_glue.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char *kHeader = R"(#ifndef K_H
#define K_H
#include <stddef.h>
#include <stdint.h>
#define STEP 1
typedef struct point { double x, y; } point;
uint32_t sum(const uint32_t *x, size_t n);
void move_points(point *p, const double *restrict by, size_t n);
double clamp(double value);
int class_of(int template);
#endif
)";

// Words of C++ as names, a helper that a header declares, a table with external linkage, an enumerator as a length.
constexpr const char *kSource = R"(#include "k.h"
#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#define AGENTIC_INOUT(...)
#define AGENTIC_IN(...)
#endif
enum { kBuckets = 4 };
const double kWeights[kBuckets] = {1, 2, 3, 4};
double clamp(double value) { return value > 100 ? 100 : value; }
static int new(int delete) { return delete + 1; }
int class_of(int template) { return new(template); }

AGENTIC_KERNEL
uint32_t sum(const uint32_t *x, size_t n)
{
  uint32_t class = 0;
  for (size_t i = 0; i < n; i += STEP)
    class += x[i];
  return class;
}

AGENTIC_KERNEL AGENTIC_INOUT(p, n) AGENTIC_IN(by, 2)
void move_points(point *p, const double *restrict by, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    p[i].x = clamp(p[i].x + by[0] * kWeights[i % kBuckets]);
    p[i].y += by[1];
  }
}
)";

constexpr const char *kMain = R"(#include "k.h"
#include <stdio.h>
int main(void) {
  const uint32_t x[] = {1, 2, 3};
  const double by[] = {1, 2};
  point p[] = {{0, 0}, {99, 1}};
  move_points(p, by, 2);
  printf("%u %g %g %g %d\n", sum(x, 3), p[0].x, p[1].x, p[1].y, class_of(1));
  return 0;
}
)";

class CKernel : public ::testing::TestWithParam<std::tuple<const char *, const char *>> {
protected:
  void SetUp() override {
    if (!findProgram(compiler()))
      GTEST_SKIP() << compiler() << " is not installed";
    project_.write("src/k.h", kHeader);
    project_.write("src/k.c", kSource);
    project_.write("src/main.c", kMain);
  }

  std::string compiler() const { return std::get<0>(GetParam()); }
  std::string standard() const { return std::get<1>(GetParam()); }
  Family family() const { return compiler().starts_with("clang") ? Family::Clang : Family::Gcc; }

  KernelSpec spec(const std::string &function) const {
    ExtractRequest request = project_.request("src/k.c", function, {"-O2", standard()});
    request.kernel = function == "sum" ? "sum" : "move";
    request.command.arguments.front() = "/usr/bin/" + compiler();
    const Result<Extraction> extraction = extractKernel(request);
    if (!extraction)
      throw std::runtime_error(extraction.error().message);
    return extraction->spec;
  }

  CandidateUnit unit(const KernelSpec &spec, const std::string &candidate) const {
    return buildCandidateUnit({spec, *findLevel("x86-64-v2"), family(), "fast.c"}, candidate);
  }

  VariantSource variant(const KernelSpec &spec, const CandidateUnit &unit) const {
    Provenance provenance;
    provenance.level = "x86-64-v2";
    provenance.family = familyName(family());
    return {provenance, emitVariant(spec, provenance, unit), ownSpans(emitVariant(spec, provenance, unit), unit)};
  }

  std::string run(std::vector<std::string> argv, std::vector<std::pair<std::string, std::string>> environment = {}) {
    ProcessSpec process;
    process.argv = std::move(argv);
    process.workingDirectory = project_.path("");
    process.addedEnvironment = std::move(environment);
    process.mergeOutput = true;
    const Result<ProcessResult> result = runProcess(process);
    code_ = result && result->end == ProcessResult::End::Exited ? result->code : -1;
    return result ? result->out : result.error().message;
  }

  /// Compiles one file with the warnings of a strict project as errors.
  std::string compile(const std::string &file, std::vector<std::string> more = {}) {
    std::vector<std::string> argv = {compiler(),
                                     standard(),
                                     "-O1",
                                     "-Werror",
                                     "-Wall",
                                     "-Wextra",
                                     "-pedantic",
                                     "-Wshadow",
                                     "-Wconversion",
                                     "-Wsign-conversion",
                                     "-Wmissing-prototypes",
                                     "-Wstrict-prototypes",
                                     "-Wundef",
                                     "-Wcast-align",
                                     "-Wunused",
                                     "-Wredundant-decls",
                                     "-iquote",
                                     project_.path("src"),
                                     "-c",
                                     project_.path(file),
                                     "-o",
                                     project_.path(file + ".o")};
    argv.insert(argv.end(), more.begin(), more.end());
    return run(std::move(argv));
  }

  /// Writes what a build compiles: SOURCE with the definitions replaced by the blocks, and the variants.
  std::vector<std::string> generate() {
    std::string text = kSource;
    std::vector<std::string> defines;
    for (const char *function : {"sum", "move_points"}) {
      const KernelSpec spec = this->spec(function);
      const std::string fast = spec.kernel == "sum"
                                   ? "uint32_t sum(const uint32_t *x, size_t n) {\n  uint32_t s = 1000;\n"
                                     "  for (size_t i = 0; i < n; ++i) s += x[i];\n  return s;\n}\n"
                                   : "static double one(void) { return clamp(1); }\n"
                                     "void move_points(point *p, const double *restrict by, size_t n) {\n"
                                     "  for (size_t i = 0; i < n; ++i) { p[i].x = kWeights[kBuckets - 1] + one(); "
                                     "p[i].y += by[1]; }\n}\n";
      const CandidateUnit made = unit(spec, fast);
      EXPECT_TRUE(made.findings.empty()) << made.findings.front().message;
      const VariantSource source = variant(spec, made);
      const auto files = emitFiles(spec, {source}, "0.1.0");
      if (!files)
        throw std::runtime_error(files.error().message);
      EXPECT_EQ((*files)[0].name, spec.kernel + ".x86-64-v2." + familyName(family()) + ".c");
      project_.write("src/" + spec.kernel + "_fast.c", (*files)[0].text);
      text = replaceAll(text, spec.text, (*files)[1].text);
      defines.push_back("-DAGENTIC_KERNEL_" + spec.kernel + "__x86_64_v2__" + familyName(family()));
    }
    project_.write("src/unit.c", text);
    return defines;
  }

  void link(const std::string &program) {
    std::vector<std::string> argv = {compiler(), "-o", project_.path(program)};
    for (const char *file : {"unit.c", "main.c", "sum_fast.c", "move_fast.c"})
      argv.push_back(project_.path("src/" + std::string(file) + ".o"));
    argv.emplace_back("-ldl");
    ASSERT_EQ(run(argv), "");
  }

  ScratchProject project_;
  int code_ = 0;
};

constexpr const char *kBaselineOutput = "6 1 100 3 2\n";
constexpr const char *kFastOutput = "1006 5 5 3 2\n";

TEST_P(CKernel, TheGeneratedCCompilesWithoutWarningsAndDispatches) {
  const std::vector<std::string> defines = generate();
  ASSERT_EQ(compile("src/unit.c", defines), "");
  ASSERT_EQ(compile("src/main.c"), "");
  for (const char *fast : {"src/sum_fast.c", "src/move_fast.c"})
    ASSERT_EQ(compile(fast, {"-w"}), "");
  link("program");
  EXPECT_EQ(run({project_.path("program")}), kFastOutput);
  EXPECT_EQ(run({project_.path("program")}, {{"AGENTIC_KERNEL_sum", "baseline"}, {"AGENTIC_KERNEL_move", "baseline"}}),
            kBaselineOutput);
  EXPECT_THAT(run({project_.path("program")}, {{"AGENTIC_KERNEL_TRACE", "2"}}),
              testing::AllOf(HasSubstr("sum x86-64-v2\n"), HasSubstr("move x86-64-v2\n")));
  EXPECT_EQ(run({project_.path("program")}, {{"AGENTIC_KERNEL_sum", "x86-64-v9"}}),
            "agentic-kernel: AGENTIC_KERNEL_sum=x86-64-v9: this program has no such variant of kernel 'sum'; available "
            "here: x86-64-v2 baseline\n");
  EXPECT_EQ(code_, 78);

  // The compiler's flags choose.
  std::vector<std::string> fixed = defines;
  fixed.insert(fixed.end(), {"-DAGENTIC_KERNEL_STATIC_sum", "-DAGENTIC_KERNEL_STATIC_move"});
  ASSERT_EQ(compile("src/unit.c", fixed), "");
  link("program");
  EXPECT_EQ(run({project_.path("program")}), kBaselineOutput);
  fixed.emplace_back("-march=x86-64-v2");
  ASSERT_EQ(compile("src/unit.c", fixed), "");
  link("program");
  EXPECT_EQ(run({project_.path("program")}), kFastOutput);

  // Without a variant, and with the hook.
  ASSERT_EQ(compile("src/unit.c"), "");
  ASSERT_EQ(compile("src/unit.c", {"-DAGENTIC_KERNEL_HOOK_sum", "-DAGENTIC_KERNEL_HOOK_move"}), "");
}

TEST_P(CKernel, AChangedMacroOrLayoutIsOneWarningAndTheBaseline) {
  const std::vector<std::string> defines = generate();
  ASSERT_EQ(compile("src/main.c"), "");
  for (const char *fast : {"src/sum_fast.c", "src/move_fast.c"})
    ASSERT_EQ(compile(fast, {"-w"}), "");
  project_.write("src/k.h", replaceAll(std::string(kHeader), "#define STEP 1", "#define STEP 2"));
  const std::string warned = compile("src/unit.c", defines);
  EXPECT_EQ(code_, 0) << warned;
  EXPECT_THAT(warned, HasSubstr("agentic kernel 'sum': its variants are stale (macro STEP was 1 when they were made)"));
  EXPECT_EQ(warned.find("agentic kernel 'sum'"), warned.rfind("agentic kernel 'sum'")) << warned;
  link("program");
  EXPECT_THAT(run({project_.path("program")}), HasSubstr("4 5 5")); // the step of 2, and the other kernel's variant
  std::vector<std::string> required = defines;
  required.emplace_back("-DAGENTIC_KERNEL_REQUIRE_sum");
  EXPECT_THAT(compile("src/unit.c", required), HasSubstr("macro STEP was 1"));
  EXPECT_NE(code_, 0);

  project_.write("src/k.h", replaceAll(std::string(kHeader), "double x, y;", "double x, y, z;"));
  EXPECT_THAT(compile("src/unit.c", defines), HasSubstr("the layout of parameter 'p' was 16 bytes"));
}

TEST_P(CKernel, AnOlderStandardIsOneWarningAndTheBaseline) {
  if (standard() == "-std=c99")
    GTEST_SKIP() << "the variants are made under C99";
  const std::vector<std::string> defines = generate();
  for (const char *level : {"-O0", "-O1", "-O3"}) { // a compiler that doubles a path warns twice
    std::vector<std::string> older = defines;
    older.insert(older.end(), {"-std=c99", level});
    const std::string warned = compile("src/unit.c", older);
    EXPECT_EQ(code_, 0) << warned;
    const std::size_t first =
        warned.find("agentic kernel 'sum': its variants are stale (__STDC_VERSION__ was at least ");
    EXPECT_NE(first, std::string::npos) << warned;
    EXPECT_EQ(first, warned.rfind("agentic kernel 'sum'")) << level << ": " << warned;
  }
}

TEST_P(CKernel, TheCandidateUnitIsCWithOneSymbol) {
  const KernelSpec spec = this->spec("move_points");
  EXPECT_EQ(spec.language, Language::C);
  // The candidate's own clamp hides the copy of SOURCE's; helper and table get internal linkage.
  const CandidateUnit made = unit(spec, "#include <string.h>\nconst double kMine[2] = {1, 2};\n"
                                        "double clamp(double value) { return value * kMine[0]; }\n"
                                        "void move_points(point *p, const double *restrict by, size_t n) {\n"
                                        "  for (size_t i = 0; i < n; ++i) p[i].x = clamp(by[0]) + kWeights[0];\n}\n");
  ASSERT_TRUE(made.findings.empty()) << made.findings.front().message;
  EXPECT_THAT(made.text, Not(HasSubstr("namespace")));
  EXPECT_THAT(made.text, Not(HasSubstr("extern \"C\"")));
  project_.write("src/made.c", made.text);
  ASSERT_EQ(run({compiler(), standard(), "-O1", "-w", "-iquote", project_.path("src"), "-c",
                 project_.path("src/made.c"), "-o", project_.path("made.o")}),
            "");
  const std::vector<std::string> symbols =
      split(run({"nm", "--defined-only", "--extern-only", "--format=just-symbols", project_.path("made.o")}), '\n');
  EXPECT_THAT(symbols, ElementsAre(made.symbol, ""));
}

TEST_P(CKernel, GlueAndEntryNameTheTypeInCxx) {
  for (const char *function : {"sum", "move_points"}) {
    const KernelSpec spec = this->spec(function);
    const CandidateUnit made = unit(spec, spec.signature + "{ __builtin_trap(); }\n");
    std::string text = emitGlue(spec, made);
    // Nothing of SOURCE is needed for built-in types; a struct needs its header.
    EXPECT_EQ(text.find("#include \"k.h\"") == std::string::npos, spec.kernel == "sum");
    // `int class_of(int template)` is no C++: the compiler says so, and the tests alone judge.
    for (const std::string &part : {std::move(text), emitEntry(spec, made)}) {
      project_.write("src/glue.cpp", part);
      const std::string said = run({compiler(), "-std=gnu++17", "-fPIC", "-w", "-iquote", project_.path("src"), "-c",
                                    project_.path("src/glue.cpp"), "-o", project_.path("glue.o")});
      EXPECT_EQ(code_ == 0, spec.kernel == "sum") << said;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, CKernel,
                         ::testing::Combine(::testing::Values("clang-19", "gcc"),
                                            ::testing::Values("-std=c99", "-std=gnu17")),
                         [](const auto &info) {
                           const std::string compiler = std::get<0>(info.param);
                           return (compiler == "gcc" ? "gcc_" : "clang_") +
                                  std::string(std::get<1>(info.param)).substr(5);
                         });

TEST(CKernelText, EveryProbeIsC) {
  std::vector<const Level *> all;
  for (const Level &level : levels())
    all.push_back(&level);
  const Result<std::string> probe = emitCpuProbeC(all, "k");
  ASSERT_TRUE(probe) << probe.error().message;
  for (const char *word : {"bool", "reinterpret_cast", "extern \"C\"", "(&ak_out", "return {"})
    EXPECT_THAT(*probe, Not(HasSubstr(word)));
  if (!findProgram("clang-19"))
    GTEST_SKIP() << "clang-19 is not installed";
  ScratchProject project;
  project.write("probe.c", *probe);
  for (const char *target : {"x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu"}) {
    ProcessSpec compile{.argv = {"clang-19", "--target=" + std::string(target), "-std=c99", "-Wall", "-Wextra",
                                 "-pedantic", "-Wno-unused-function", "-Werror", "-fsyntax-only",
                                 project.path("probe.c")},
                        .mergeOutput = true};
    const Result<ProcessResult> compiled = runProcess(compile);
    ASSERT_TRUE(compiled && compiled->ok()) << target << ": " << (compiled ? compiled->out : compiled.error().message);
  }
}

TEST(CKernelText, HeadersOfCxxAndOldDefinitionsAreRefusedWithTheReason) {
  ScratchProject project;
  const auto extract = [&](const std::string &text) {
    project.write("src/k.c", text);
    ExtractRequest request = project.request("src/k.c", "", {"-std=gnu17"});
    request.command.arguments.front() = "/usr/bin/gcc";
    return extractKernel(request);
  };
  const Result<Extraction> old = extract("#define MARK AGENTIC_KERNEL\nAGENTIC_KERNEL int f(x) int x; { return x; }\n");
  ASSERT_FALSE(old);
  EXPECT_THAT(old.error().message, HasSubstr("is defined without a prototype"));
  const Result<Extraction> extraction = extract("AGENTIC_KERNEL int f(int x) { return x; }\n");
  ASSERT_TRUE(extraction) << extraction.error().message;
  const CandidateUnit unit = buildCandidateUnit({extraction->spec, *findLevel("x86-64-v3"), Family::Gcc, "fast.c"},
                                                "#include <cstdint>\nint f(int x) { return x; }\n");
  ASSERT_EQ(unit.findings.size(), 1u);
  EXPECT_THAT(unit.findings[0].message, HasSubstr("header <cstdint> is not allowed: the kernel is C; allowed are"));
}

TEST(CKernelText, AnOpenConstantMayBeAnArraysLength) {
  const Result<TunableText> text = TunableText::read("AGENTIC_TUNE(kTile, 4, 8);\nint f(void) { int a[kTile]; }\n");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(text->settled({1}, Language::C), HasSubstr("enum { kTile = 8 };\nint f"));
}

} // namespace
} // namespace agentic
