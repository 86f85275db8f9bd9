// Tests instructions beyond a level, in objects of both compilers and in text.
#include "tests/build/scratch.h"
#include "tool/build/audit.h"
#include "tool/build/level_instructions.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

struct Needs {
  const char *mnemonic, *operands, *feature;
};

TEST(LevelInstructions, NeedTheirFeature) {
  for (const Needs &row : std::initializer_list<Needs>{{"mov", "%rax,%rbx", ""},
                                                       {"mulsd", "%xmm1,%xmm0", ""},
                                                       {"tzcnt", "%eax,%eax", ""}, // bsf on old processors
                                                       {"verr", "%ax", ""},
                                                       {"kernel", "(%rax)", ""},
                                                       {"pshufb", "%xmm1,%xmm0", "ssse3"},
                                                       {"pmovzxbd", "(%rdi),%xmm0", "sse4.1"},
                                                       {"roundss", "$0x9,%xmm0,%xmm0", "sse4.1"},
                                                       {"crc32q", "%rsi,%rax", "sse4.2"},
                                                       {"popcnt", "(%rdi),%rax", "popcnt"},
                                                       {"mulx", "%rdx,%rax,%rcx", "bmi2"},
                                                       {"aesenc", "%xmm1,%xmm0", "aes"},
                                                       {"vaddps", "%ymm1,%ymm0,%ymm0", "avx"},
                                                       {"vpmovsxbw", "(%rdi),%ymm0", "avx"},
                                                       {"vpmovzxbd", "(%rdi),%ymm0", "avx"},
                                                       {"vpermd", "%ymm1,%ymm0,%ymm0", "avx"},
                                                       {"vzeroupper", "", "avx"},
                                                       {"vfmadd231ps", "%ymm2,%ymm1,%ymm0", "fma"},
                                                       {"vfmaddps", "%ymm3,%ymm2,%ymm1,%ymm0", "fma4"},
                                                       {"vcvtph2ps", "%xmm0,%ymm0", "f16c"},
                                                       {"vaddps", "%zmm1,%zmm0,%zmm0", "avx512f"},
                                                       {"vfmadd231ps", "(%rdi){1to8},%ymm1,%ymm0", "avx512f"},
                                                       {"vaddps", "%xmm17,%xmm0,%xmm0", "avx512f"},
                                                       {"vpternlogd", "$0xff,%ymm0,%ymm0,%ymm0", "avx512f"},
                                                       {"vpmovqb", "%ymm0,(%rdi)", "avx512f"},
                                                       {"vpcompressd", "%ymm0,%ymm1", "avx512f"},
                                                       {"kmovw", "%k1,%eax", "avx512f"},
                                                       {"vpopcntq", "%zmm0,%zmm0", "avx512vpopcntdq"},
                                                       {"vpermb", "%zmm0,%zmm1,%zmm2", "avx512vbmi"},
                                                       {"vpdpbusd", "%ymm0,%ymm1,%ymm2", "avx512vnni"},
                                                       {"vdpbf16ps", "%zmm0,%zmm1,%zmm2", "avx512bf16"},
                                                       {"vaddph", "%zmm0,%zmm1,%zmm2", "avx512fp16"},
                                                       {"tdpbssd", "%tmm0,%tmm1,%tmm2", "amx"}})
    EXPECT_EQ(x86FeatureOf(row.mnemonic, row.operands), row.feature) << row.mnemonic << " " << row.operands;
}

TEST(LevelInstructions, FeaturesAreWholeWords) {
  EXPECT_TRUE(isFeatureOf("", ""));
  EXPECT_TRUE(isFeatureOf("avx", "sse3,avx,avx2"));
  EXPECT_FALSE(isFeatureOf("avx5", "avx,avx512f"));
  EXPECT_FALSE(isFeatureOf("avx", "avx2,avx512f"));
}

class ObjectLevel : public ScratchTest, public testing::WithParamInterface<const char *> {
protected:
  /// Returns the messages of check object-level for a unit that was compiled for one level and claims another.
  std::vector<std::string> findings(const std::string &code, const std::vector<std::string> &flags,
                                    const char *claimed) const {
    AuditRequest request;
    request.objectFile = compile(GetParam(), code, flags);
    request.symbol = "entry";
    request.candidateName = "fast.cpp";
    request.level = findLevel(claimed);
    const auto outcome = auditObject(request);
    if (!outcome)
      return {"error: " + outcome.error().message};
    std::vector<std::string> out;
    for (const Finding &finding : outcome->findings)
      if (finding.check == "object-level")
        out.push_back(finding.message);
    return out;
  }
};

/// Makes a compiler use loops over all widths, conversions, shuffles, bits and mathematics.
constexpr const char *kBroad = R"(
#include <cmath>
#include <cstdint>
static std::uint64_t bits(std::uint64_t x) { return __builtin_popcountll(x) + __builtin_ctzll(x | 1) + __builtin_clzll(x | 1); }
template <class T, class U> static void convert(const T *from, U *to, int n) { for (int i = 0; i < n; ++i) to[i] = U(from[i]) * 3; }
extern "C" __attribute__((visibility("hidden"))) void entry(float *f, double *d, std::int8_t *b, std::uint16_t *h, std::int32_t *w, std::uint64_t *q, int n) {
  convert(f, d, n); convert(d, w, n); convert(b, h, n); convert(h, f, n); convert(w, q, n); convert(q, b, n); convert(q, d, n);
  for (int i = 0; i < n; ++i) f[i] = std::floor(std::sqrt(f[i])) * f[i] + std::fabs(f[i]);
  for (int i = 0; i < n; ++i) q[i] = bits(q[i]) + (q[i] << (i & 63)) + q[i] * 7;
  for (int i = 0; i < n; ++i) if (w[i] > 3) w[i] = h[i] < 9 ? -w[i] : w[i] / 5;
  std::int32_t most = 0; std::uint64_t sum = 0;
  for (int i = 0; i < n; ++i) { most = w[i] > most ? w[i] : most; sum += b[i] * h[n - 1 - i]; }
  w[0] = most; q[0] = sum;
}
)";

TEST_P(ObjectLevel, EachHoldsWhatACompilerMakesForIt) {
  for (const char *level : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    EXPECT_THAT(
        findings(kBroad, {"-O3", "-ffast-math", "-mprefer-vector-width=512", std::string("-march=") + level}, level),
        IsEmpty())
        << level;
  EXPECT_THAT(findings(kBroad, {"-O3", "-march=sapphirerapids", "-mno-avx512fp16", "-mno-gfni"}, "x86-64-v4-vnni"),
              IsEmpty());
}

TEST_P(ObjectLevel, OneBelowIsRefusedByName) {
  EXPECT_THAT(findings(kBroad, {"-O3", "-march=x86-64-v4"}, "x86-64-v3"),
              Contains(HasSubstr("' in 'entry' needs avx512f, which is not in x86-64-v3")));
  EXPECT_THAT(findings(kBroad, {"-O3", "-march=x86-64-v3"}, "x86-64-v2"),
              Contains(HasSubstr("' in 'entry' needs avx, which is not in x86-64-v2")));
  EXPECT_THAT(
      findings("#include <immintrin.h>\nextern \"C\" __attribute__((visibility(\"hidden\"))) __m512i entry(__m512i "
               "a, __m512i b, __m512i c) { return _mm512_dpbusd_epi32(a, b, c); }",
               {"-O3", "-march=icelake-server"}, "x86-64-v4"),
      Contains("instruction 'vpdpbusd' in 'entry' needs avx512vnni, which is not in x86-64-v4"));
}

// The linker takes one of all equal inline functions of a program: one of a higher level kills old processors.
TEST_P(ObjectLevel, InlineFunctionsAreOfEveryProcessor) {
  const std::string code =
      "template <class T> __attribute__((noinline)) T twice(T x) { return x * 2 + 1; }\n"
      "extern \"C\" __attribute__((visibility(\"hidden\"))) void entry(float *p) { *p = twice(*p); }";
  EXPECT_THAT(findings(code, {"-O2"}, "x86-64-v3"), IsEmpty());
  EXPECT_THAT(findings(code, {"-O2", "-march=x86-64-v3"}, "x86-64-v3"),
              Contains(HasSubstr("for code that runs on every processor; call a function of the candidate's own")));
}

INSTANTIATE_TEST_SUITE_P(Compilers, ObjectLevel, testing::Values("clang++-19", "g++"),
                         [](const auto &info) { return info.param[0] == 'c' ? "Clang" : "Gcc"; });

} // namespace
} // namespace agentic
