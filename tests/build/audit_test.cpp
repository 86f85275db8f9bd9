#include "tests/build/scratch.h"
#include "tool/base/text.h"
#include "tool/build/audit.h"
#include "tool/build/audit_rules.h"
#include "tool/build/instructions.h"

#include <elf.h>
#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Each test runs with both families: they lay objects out differently.
class Audit : public ScratchTest, public testing::WithParamInterface<const char *> {
protected:
  /// Returns "check: message" of each finding for a unit whose kernel is `entry`.
  std::vector<std::string> findings(const std::string &code, const std::vector<std::string> &flags = {"-O2"}) const {
    AuditRequest request;
    request.objectFile = compile(GetParam(), code, flags);
    request.symbol = "entry";
    request.candidateName = "fast.cpp";
    request.allowedUndefined = {"project_function"};
    request.allowedFunctions = allowed_;
    request.mostCodeBytes = mostCodeBytes_;
    const auto outcome = auditObject(request);
    if (!outcome)
      return {"error: " + outcome.error().message};
    std::vector<std::string> out;
    for (const Finding &finding : outcome->findings) {
      EXPECT_EQ(finding.file, "fast.cpp");
      out.push_back(finding.check + ": " + finding.message);
    }
    return out;
  }
  std::vector<std::string> allowed_; ///< a policy allows these
  std::size_t mostCodeBytes_ = 0;
};

std::string kernel(const std::string &body) {
  return "extern \"C\" __attribute__((visibility(\"hidden\"))) void entry(float *p, unsigned long n) {" + body + "}\n";
}

TEST_P(Audit, HonestKernelsPass) {
  EXPECT_THAT(findings(kernel("for (unsigned long i = 0; i < n; ++i) p[i] *= 2;"), {"-O3", "-march=x86-64-v3"}),
              IsEmpty());
  EXPECT_THAT(findings("#include <cmath>\n#include <cstring>\n#include <cassert>\n" +
                       kernel("assert(n); p[0] = std::exp(p[1]); std::memset(p + 2, 0, n);")),
              IsEmpty());
  EXPECT_THAT(findings("static const float t[] = {1, 2, 3}; static float (*const f[])(float) = {nullptr};" +
                       kernel("p[0] = t[n % 3]; if (f[n]) p[1] = f[n](p[0]);")),
              IsEmpty());
  EXPECT_THAT(findings("extern \"C\" void project_function(float *);" + kernel("project_function(p);")), IsEmpty());
}

TEST_P(Audit, TemplatesOfStandardHeadersAndTablesOfPointersPass) {
  EXPECT_THAT(findings("#include <algorithm>\n#include <numeric>\n" +
                       kernel("std::sort(p, p + n); p[0] = std::accumulate(p, p + n, 0.0f);")),
              IsEmpty());
  EXPECT_THAT(findings("static void a(float *p) { *p = 1; } static void b(float *p) { *p = 2; }\n"
                       "static void (*const table[])(float *) = {a, b};" +
                       kernel("table[n & 1](p);")),
              IsEmpty());
}

TEST_P(Audit, StackProtectorPasses) {
  EXPECT_THAT(findings("extern \"C\" void project_function(float *);" +
                           kernel("float t[64]; project_function(t); p[0] = t[3];"),
                       {"-O2", "-fstack-protector-all"}),
              IsEmpty());
}

TEST_P(Audit, StoresPastTheCacheNeedAFence) {
  const std::string stream = "#include <immintrin.h>\n";
  EXPECT_THAT(findings(stream + kernel("_mm_stream_ps(p, _mm_setzero_ps());")),
              ElementsAre(AllOf(HasSubstr("object-instructions: instruction 'movntps' in 'entry'"),
                                HasSubstr("no sfence or mfence follows"))));
  EXPECT_THAT(findings(stream + kernel("_mm_stream_ps(p, _mm_setzero_ps()); _mm_sfence();")), IsEmpty());
  EXPECT_THAT(findings(stream + kernel("_mm_store_ps(p, (__m128)_mm_stream_load_si128((__m128i *)p + n));"),
                       {"-O2", "-msse4.1"}),
              IsEmpty());
}

TEST_P(Audit, SizeIsLimited) {
  EXPECT_THAT(findings("static const float table[1 << 20] = {1, 2};" + kernel("p[0] = table[n];")),
              ElementsAre(HasSubstr("object-size: the object has more than 4 MiB")));
  EXPECT_THAT(findings("static const float table[1 << 16] = {1, 2};" + kernel("p[0] = table[n];")), IsEmpty());
}

TEST_P(Audit, AProjectMayAskForLess) {
  const std::string code = "static const float table[256] = {1, 2};" + kernel("p[0] = table[n];");
  mostCodeBytes_ = 1024;
  EXPECT_THAT(findings(code), ElementsAre(HasSubstr("object-size: the object has 10")));
  mostCodeBytes_ = 2048;
  EXPECT_THAT(findings(code), IsEmpty());
}

TEST_P(Audit, FunctionsThatThePolicyAllowsPass) {
  const std::string code = "namespace vendor { float fast(float); template <class T> T slow(T); }\n" +
                           kernel("p[0] = vendor::fast(p[1]) + vendor::slow(p[2]);");
  EXPECT_EQ(findings(code).size(), 2U);
  allowed_ = {"vendor::fast"};
  EXPECT_THAT(findings(code), ElementsAre(HasSubstr("vendor::slow")));
  allowed_ = {"vendor::*"};
  EXPECT_THAT(findings(code), IsEmpty());
}

TEST(AuditRules, FunctionNameIsTheQualifiedNameAlone) {
  EXPECT_EQ(functionName("_ZN6vendor4fastEf"), "vendor::fast");
  EXPECT_EQ(functionName("_ZN6vendor4slowIfEET_S1_"), "vendor::slow");
  EXPECT_EQ(functionName("cblas_sgemm"), "cblas_sgemm");
}

TEST_P(Audit, StateIsNamed) {
  EXPECT_THAT(
      findings(kernel("static float cache; cache += p[0]; p[0] = cache;")),
      Contains(testing::AllOf(testing::StartsWith("object-data: 'entry::cache'"), HasSubstr("outlives the call"))));
  EXPECT_THAT(findings("static float initialised = 3;" + kernel("p[0] = initialised++;")),
              Contains(HasSubstr("object-data: 'initialised'")));
  EXPECT_THAT(findings("static thread_local int calls;" + kernel("p[0] = ++calls;")),
              Contains(HasSubstr("thread-local")));
  EXPECT_THAT(findings("inline float shared = 1;" + kernel("p[0] = shared++;")), Contains(HasSubstr("'shared'")));
  EXPECT_THAT(findings("template <class T> T var = T(2);" + kernel("p[0] = var<float>++;")),
              Contains(HasSubstr("object-data")));
  EXPECT_THAT(
      findings("__attribute__((section(\".rodata.mine\"))) static float hidden = 1;" + kernel("p[0] = hidden++;")),
      Contains(HasSubstr("'hidden'")));
}

TEST_P(Audit, ConstantsInASectionOfTheirOwnAreFound) {
  EXPECT_THAT(findings("__attribute__((section(\"mine\"), used)) static const int hidden[2] = {1, 2};" +
                       kernel("p[0] = hidden[n & 1];")),
              Contains(HasSubstr("unusual section 'mine'")));
}

TEST_P(Audit, CodeBeforeMainIsFound) {
  EXPECT_THAT(findings("__attribute__((constructor)) static void early() { __builtin_trap(); }" + kernel("")),
              Contains(HasSubstr("object-init: ")));
  EXPECT_THAT(
      findings("extern \"C\" int project_function(int); static int v = project_function(1);" + kernel("p[0] = v;")),
      Contains(HasSubstr("object-init: ")));
}

TEST_P(Audit, IfuncIsFound) {
  EXPECT_THAT(findings("static void one() {} extern \"C\" { void (*pick())() { return one; }\n"
                       "void chosen() __attribute__((ifunc(\"pick\"))); }" +
                       kernel("chosen();")),
              Contains(HasSubstr("'chosen' is an ifunc")));
}

TEST_P(Audit, ForeignDefinitionsAreFound) {
  EXPECT_THAT(findings("struct T; extern \"C\" int clock_gettime(int, T *) { return 0; }" + kernel("")),
              Contains(HasSubstr("object-symbols: 'clock_gettime' is visible outside")));
  EXPECT_THAT(findings("void helper(float *p) { *p = 1; }" + kernel("helper(p);")),
              Contains(HasSubstr("'helper(float*)'")));
  EXPECT_THAT(
      findings("extern \"C\" __attribute__((weak)) void *malloc(unsigned long) { return nullptr; }" + kernel("")),
      Contains(HasSubstr("'malloc'")));
  EXPECT_THAT(findings("extern \"C\" void other() {}"), Contains(HasSubstr("'entry' is not defined")));
  EXPECT_THAT(findings("extern \"C\" { int entry = 1; }"), Contains(HasSubstr("'entry' is not defined")));
}

TEST_P(Audit, CallsOutsideTheListAreFoundWithAdvice) {
  EXPECT_THAT(findings("extern \"C\" long write(int, const void *, unsigned long);" + kernel("write(1, p, n);")),
              Contains(HasSubstr("object-symbols: 'write' is not among the functions")));
  EXPECT_THAT(findings("extern \"C\" void _exit(int);" + kernel("_exit(0);")), Contains(HasSubstr("'_exit'")));
  EXPECT_THAT(findings(kernel("float *t = new float[n]; t[0] = *p; p[1] = t[n - 1]; delete[] t;"), {"-O0"}),
              Contains(HasSubstr("operator new[](unsigned long)' allocates memory")));
  EXPECT_THAT(findings(kernel("if (n == 3) throw 1;")), Contains(HasSubstr("must not throw")));
  EXPECT_THAT(findings("#include <thread>\n" + kernel("std::thread t([=] { p[0] = 1; }); t.join();")),
              Contains(HasSubstr("object-symbols: ")));
}

TEST_P(Audit, ForbiddenInstructionsAreFound) {
  EXPECT_THAT(findings(kernel("__asm__ volatile(\"syscall\" ::: \"rax\", \"rcx\", \"r11\", \"memory\");")),
              Contains(HasSubstr("object-instructions: instruction 'syscall' in 'entry' enters the operating system")));
  EXPECT_THAT(findings(kernel("*p = __builtin_ia32_rdtsc();")), Contains(HasSubstr("'rdtsc'")));
  EXPECT_THAT(findings(kernel("__builtin_ia32_ldmxcsr(0x9fc0);")), Contains(HasSubstr("ldmxcsr' in 'entry' changes")));
  EXPECT_THAT(findings(kernel("int v; __asm__ volatile(\"movl %%fs:16, %0\" : \"=r\"(v)); *p = v;")),
              Contains(HasSubstr("segment register")));
}

INSTANTIATE_TEST_SUITE_P(Families, Audit, testing::Values("clang++-19", "g++"), [](const auto &info) {
  return std::string(info.param).substr(0, 1) == "c" ? "clang" : "gcc";
});

TEST(Instructions, SeesPastPrefixesAndIgnoresOperandsAndComments) {
  const auto uses = forbiddenUses("0000000000000000 <f>:\n"
                                  "   0:\trep stos %al,%es:(%rdi)\n"
                                  "   2:\tmov    %fs:0x28,%rax\n"
                                  "   b:\tlea    0x0(%rip),%rdi        # 12 <syscall>\n"
                                  "0000000000000020 <_Z1gv>:\n"
                                  "  20:\tlock rdtsc\n"
                                  "  23:\trdtsc\n"
                                  "  25:\t(bad)\n",
                                  EM_X86_64);
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0], (ForbiddenUse{"_Z1gv", "rdtsc", "reads a clock or counter"}));
  EXPECT_EQ(uses[1].instruction, "(bad)");
}

/// Returns "instruction: reason" of each.
std::vector<std::string> usesOf(const std::string &disassembly, std::uint16_t machine) {
  std::vector<std::string> out;
  for (const ForbiddenUse &use : forbiddenUses(disassembly, machine))
    out.push_back(use.instruction + ": " + use.reason);
  return out;
}

TEST(Instructions, OfArm) {
  EXPECT_THAT(usesOf("0000000000000000 <f>:\n"
                     "   0:\tadd\tx0, x0, #0x1\n"
                     "   4:\tmrs\tx1, nzcv\n"
                     "   8:\twhilelo\tp0.s, xzr, x2\n"
                     "   c:\tret\n",
                     EM_AARCH64),
              IsEmpty());
  EXPECT_THAT(usesOf("0000000000000000 <f>:\n"
                     "   0:\tmrs\tx0, cntvct_el0\n"
                     "   4:\tmrs\tx0, tpidr_el0\n"
                     "   8:\tmsr\tfpcr, x0\n"
                     "   c:\tsvc\t#0x0\n"
                     "  10:\tdc\tcivac, x0\n"
                     "  14:\t.inst\t0xffffffff ; undefined\n",
                     EM_AARCH64),
              ElementsAre(HasSubstr("mrs: reads a clock"), HasSubstr("mrs: accesses thread-local"),
                          HasSubstr("msr: changes a processor mode"), HasSubstr("svc: enters the operating"),
                          HasSubstr("dc: manipulates caches"), HasSubstr(".inst: depends on the machine")));
}

TEST(Instructions, OfRiscv) {
  EXPECT_THAT(usesOf("0000000000000000 <f>:\n"
                     "       0:      \tvsetvli\ta3, a2, e32, m1, ta, ma\n"
                     "       4:      \tcsrr\ta0, vlenb\n"
                     "       8:      \tlw\ta0, 0x0(sp)\n",
                     EM_RISCV),
              IsEmpty());
  EXPECT_THAT(usesOf("0000000000000000 <f>:\n"
                     "       0:      \trdcycle\ta0\n"
                     "       4:      \tfsrmi\ta1, 0x2\n"
                     "       8:      \tlw\ta0, 0x0(tp)\n"
                     "       c:      \tecall\n"
                     "      10:      \t<unknown>\n",
                     EM_RISCV),
              ElementsAre(HasSubstr("rdcycle: reads a clock"), HasSubstr("fsrmi: changes a processor mode"),
                          HasSubstr("lw: accesses thread-local"), HasSubstr("ecall: enters the operating"),
                          HasSubstr("<unknown>: depends on the machine")));
}

struct CrossToolchain {
  const char *name, *compiler, *disassembler;
  const char *readClock, *callSystem; ///< assembly
  const char *attribute;              ///< attribute of the kernel: its level's target
  std::vector<std::string> flags;
};

/// The rules read the output of the disassembler for another machine.
class CrossAudit : public ScratchTest, public testing::WithParamInterface<CrossToolchain> {
protected:
  std::vector<std::string> findings(const std::string &body, const std::string &before = {}) const {
    AuditRequest request;
    std::vector<std::string> flags = GetParam().flags;
    flags.push_back("-O2");
    request.objectFile =
        compile(GetParam().compiler,
                before + " extern \"C\" " + GetParam().attribute + " void entry(int *p) { " + body + " }\n", flags);
    request.symbol = "entry";
    std::vector<std::string> out;
    const auto outcome = auditObject(request);
    if (!outcome)
      return {"error: " + outcome.error().message};
    for (const Finding &finding : outcome->findings)
      out.push_back(finding.check + ": " + finding.message);
    return out;
  }
};

TEST_P(CrossAudit, FindsWhatItFindsOnX86) {
  for (const char *program : {GetParam().compiler, GetParam().disassembler})
    if (!findProgram(program))
      GTEST_SKIP() << program << " is not installed";
  EXPECT_THAT(findings("for (int i = 0; i < 100; ++i) p[i] *= 3;"), IsEmpty());
  EXPECT_THAT(findings("__asm__ volatile(\"" + std::string(GetParam().readClock) + "\" : \"=r\"(*(long *)p));"),
              ElementsAre(HasSubstr("reads a clock or counter")));
  EXPECT_THAT(findings("__asm__ volatile(\"" + std::string(GetParam().callSystem) + "\");"),
              ElementsAre(HasSubstr("enters the operating system")));
  EXPECT_THAT(findings("*p = ++calls;", "static int calls;"), ElementsAre(HasSubstr("object-data: ")));
  EXPECT_THAT(findings("*p = ++calls;", "static thread_local int calls;"), Contains(HasSubstr("thread-local")));
  EXPECT_THAT(findings("*p = 1;", "int visible() { return 1; }"), ElementsAre(HasSubstr("object-symbols: ")));
  EXPECT_THAT(findings("*p = start;", "int f(); static const int start = f();"), Contains(HasSubstr("object-init: ")));
}

INSTANTIATE_TEST_SUITE_P(Machines, CrossAudit,
                         testing::Values(CrossToolchain{"gcc_arm",
                                                        "aarch64-linux-gnu-g++",
                                                        "aarch64-linux-gnu-objdump",
                                                        "mrs %0, cntvct_el0",
                                                        "svc #0",
                                                        "__attribute__((target(\"arch=armv8.2-a+dotprod+fp16+sve2\")))",
                                                        {}},
                                         CrossToolchain{"clang_arm",
                                                        "clang++-19",
                                                        "aarch64-linux-gnu-objdump",
                                                        "mrs %0, cntvct_el0",
                                                        "svc #0",
                                                        "__attribute__((target(\"arch=armv8.2-a+dotprod+fp16+sve2\")))",
                                                        {"--target=aarch64-linux-gnu"}},
                                         CrossToolchain{"clang_riscv",
                                                        "clang++-19",
                                                        "llvm-objdump-19",
                                                        "rdcycle %0",
                                                        "ecall",
                                                        "__attribute__((target(\"arch=+v\")))",
                                                        {"--target=riscv64-linux-gnu"}}),
                         [](const auto &info) { return info.param.name; });

TEST(AuditRules, AllowPureMathInAllItsSpellings) {
  for (const char *name : {"exp", "expf", "expl", "__expf_finite", "_ZGVeN16v_expf", "memcpy", "__stack_chk_fail"})
    EXPECT_TRUE(isAllowedUndefined(name)) << name;
  for (const char *name : {"exit", "lgamma", "_ZGVbN4v_system", "dlopen", "f", "l", ""})
    EXPECT_FALSE(isAllowedUndefined(name)) << name;
}

} // namespace
} // namespace agentic
