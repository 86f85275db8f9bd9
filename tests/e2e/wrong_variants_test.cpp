// Honest mistakes of the kinds that people ship, each in a project whose own tests do not see it: plain `evaluate`
// rejects them, and accepts right ones. No contract declares anything unless the row does.
#include "tests/e2e/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;

struct Mistake {
  std::string name, declaration, kernel, test, benchmark, wrong, right;
  std::string words;       ///< words in the verdict
  bool isPortable = false; ///< the project is compiled for any CPU
};
void PrintTo(const Mistake &mistake, std::ostream *out) {
  *out << mistake.name;
}

constexpr const char *kHead = "#include <cmath>\n#include <cstddef>\n#include <cstdint>\n#include <vector>\n";

std::vector<Mistake> mistakes() {
  return {
      {.name = "ByteCountersWrap",
       .declaration = "std::size_t equalTo(const std::uint8_t *data, std::size_t n, std::uint8_t what)",
       .kernel = "std::size_t found = 0; for (std::size_t i = 0; i < n; ++i) found += data[i] == what; return found;",
       .test = "std::vector<std::uint8_t> v(9000); for (std::size_t i = 0; i < 9000; ++i) v[i] = i % 50;\n"
               "for (std::size_t n : {0, 1, 1000, 9000}) EXPECT_EQ(equalTo(v.data(), n, 7), n < 8 ? 0 : n / 50);",
       .benchmark = "std::vector<std::uint8_t> v(9000, 3); for (auto _ : s) "
                    "benchmark::DoNotOptimize(equalTo(v.data(), v.size(), 7));",
       .wrong = "std::size_t found = 0, i = 0; while (i + 16 <= n) { std::uint8_t lane[16] = {};\n"
                "for (int step = 0; step < 256 && i + 16 <= n; ++step, i += 16)\n"
                "for (int k = 0; k < 16; ++k) lane[k] = std::uint8_t(lane[k] + (data[i + k] == what));\n"
                "for (int k = 0; k < 16; ++k) found += lane[k]; }\n"
                "for (; i < n; ++i) found += data[i] == what; return found;",
       .right = "std::size_t found = 0, i = 0; while (i + 16 <= n) { std::uint8_t lane[16] = {};\n"
                "for (int step = 0; step < 255 && i + 16 <= n; ++step, i += 16)\n"
                "for (int k = 0; k < 16; ++k) lane[k] = std::uint8_t(lane[k] + (data[i + k] == what));\n"
                "for (int k = 0; k < 16; ++k) found += lane[k]; }\n"
                "for (; i < n; ++i) found += data[i] == what; return found;",
       .words = "results are not the baseline's"},
      {.name = "ANanWipesOutTheLeast",
       .declaration = "float least(const float *in, std::size_t n)",
       .kernel = "float least = 1e30f; for (std::size_t i = 0; i < n; ++i) least = in[i] < least ? in[i] : least; "
                 "return least;",
       .test = "std::vector<float> v(1000); for (int i = 0; i < 1000; ++i) v[i] = float(i * 7919 % 1000) + 1;\n"
               "EXPECT_EQ(least(v.data(), 1000), 1.0f); EXPECT_EQ(least(v.data(), 1), 1.0f);",
       .benchmark =
           "std::vector<float> v(4000, 3.0f); for (auto _ : s) benchmark::DoNotOptimize(least(v.data(), 4000));",
       .wrong = "float lane[16]; for (float &l : lane) l = 1e30f; std::size_t i = 0;\n"
                "for (; i + 16 <= n; i += 16) for (int k = 0; k < 16; ++k) lane[k] = lane[k] < in[i + k] ? lane[k] : "
                "in[i + k];\nfloat least = 1e30f; for (float l : lane) least = l < least ? l : least;\n"
                "for (; i < n; ++i) least = in[i] < least ? in[i] : least; return least;",
       .right = "float lane[16]; for (float &l : lane) l = 1e30f; std::size_t i = 0;\n"
                "for (; i + 16 <= n; i += 16) for (int k = 0; k < 16; ++k) lane[k] = in[i + k] < lane[k] ? in[i + k] : "
                "lane[k];\nfloat least = 1e30f; for (float l : lane) least = l < least ? l : least;\n"
                "for (; i < n; ++i) least = in[i] < least ? in[i] : least; return least;",
       .words = "one (negative )?NaN"},
      {.name = "DenormalsBecomeZero",
       .declaration = "void halve(float *data, std::size_t n)",
       .kernel = "for (std::size_t i = 0; i < n; ++i) data[i] *= 0.5f;",
       .test = "std::vector<float> v(100, 3.0f); halve(v.data(), 100); EXPECT_EQ(v[99], 1.5f);",
       .benchmark = "std::vector<float> v(4000, 3.0f); for (auto _ : s) { halve(v.data(), 4000); "
                    "benchmark::ClobberMemory(); }",
       .wrong = "for (std::size_t i = 0; i < n; ++i) { const float h = data[i] * 0.5f;\n"
                "data[i] = std::fabs(h) < 1.17549435e-38f ? 0.0f : h; }",
       .right = "for (std::size_t i = 0; i < n; ++i) data[i] = data[i] / 2.0f;",
       .words = "bit for bit"},
      {.name = "NearlyTheSame",
       .declaration = "void scale(const float *in, float *out, std::size_t n, float by)",
       .kernel = "for (std::size_t i = 0; i < n; ++i) out[i] = in[i] / by;",
       .test = "std::vector<float> a(100, 3.0f), b(100); scale(a.data(), b.data(), 100, 1.7f);\n"
               "EXPECT_NEAR(b[99], 3.0f / 1.7f, 1e-3);",
       .benchmark = "std::vector<float> a(4000, 3.0f), b(4000); for (auto _ : s) { scale(a.data(), b.data(), 4000, "
                    "1.7f); benchmark::ClobberMemory(); }",
       .wrong = "const float inverse = 1.00005f / by; for (std::size_t i = 0; i < n; ++i) out[i] = in[i] * inverse;",
       .right = "for (std::size_t i = n; i-- > 0;) out[i] = in[i] / by;",
       .words = "no AGENTIC_TOLERANCE is declared"},
      {.name = "ReadsBehindTheEnd", // the compiler leaves the last read out: nothing but a sanitizer sees it
       .declaration = "std::uint32_t sumOfSums(const std::uint8_t *data, std::size_t n)",
       .kernel = "std::uint32_t total = 0; for (std::size_t i = 0; i < n; ++i) for (std::size_t j = 0; j <= i; ++j) "
                 "total += data[j]; return total;",
       .test = "std::vector<std::uint8_t> v(500, 2); EXPECT_EQ(sumOfSums(v.data(), 500), 500u * 501u);\n"
               "EXPECT_EQ(sumOfSums(v.data(), 499), 499u * 500u);",
       .benchmark = "std::vector<std::uint8_t> v(3001, 3); for (auto _ : s) "
                    "benchmark::DoNotOptimize(sumOfSums(v.data(), v.size()));",
       .wrong = "std::uint32_t total = 0; if (n == 0) return 0; std::uint32_t next = data[0];\n"
                "for (std::size_t i = 0; i < n; ++i) { const std::uint32_t now = next; next = data[i + 1];\n"
                "total += now * std::uint32_t(n - i); } return total;",
       .right =
           "std::uint32_t total = 0; for (std::size_t i = 0; i < n; ++i) total += data[i] * std::uint32_t(n - i);\n"
           "return total;",
       .words = "behind the last element of 'data'|memory error"},
      {.name = "WritesWholeBlocks",
       .declaration = "void limit(const std::int16_t *in, std::int16_t *out, int n, int top)",
       .kernel = "for (int i = 0; i < n; ++i) out[i] = in[i] > top ? std::int16_t(top) : in[i];",
       .test = "std::vector<std::int16_t> a(512), b(512); for (int i = 0; i < 512; ++i) a[i] = std::int16_t(i);\n"
               "for (int n : {4, 24, 300, 512}) { limit(a.data(), b.data(), n, 99);\n"
               "for (int i = 0; i < n; ++i) ASSERT_EQ(b[i], i > 99 ? 99 : i); }",
       .benchmark =
           "std::vector<std::int16_t> a(512, 5), b(512); for (auto _ : s) { limit(a.data(), b.data(), 512, 3); "
           "benchmark::ClobberMemory(); }",
       .wrong = "for (int i = 0; i < n; i += 16) for (int k = 0; k < 16; ++k) out[i + k] = in[i + k] > top ? "
                "std::int16_t(top) : in[i + k];",
       .right = "for (int i = 0; i < n; ++i) out[i] = std::int16_t(in[i] < top ? in[i] : top);",
       .words = "'out'"},
      // The program is compiled for any CPU, the baseline with the fused operations of the level: the call counts as
      // reproduced all the same.
      {.name = "WrongInTheBenchmarksCallAlone",
       .declaration = "void blend(const float *in, float *out, std::size_t n)",
       .kernel = "for (std::size_t i = 0; i < n; ++i) out[i] = in[i] * 0.3f + in[n - 1 - i];",
       .test = "std::vector<float> a(50, 3.0f), b(50); blend(a.data(), b.data(), 50); EXPECT_FLOAT_EQ(b[49], 3.9f);",
       .benchmark =
           "std::vector<float> a(4000), b(4000); for (int i = 0; i < 4000; ++i) a[i] = 0.37f * float(i % 97);\n"
           "for (auto _ : s) { blend(a.data(), b.data(), 4000); benchmark::ClobberMemory(); }",
       .wrong = "for (std::size_t i = 0; i < n; ++i) out[i] = in[i] * 0.3f + in[n - 1 - i]; if (n > 3999) out[n / 2] "
                "+= 1.0f;",
       .right = "for (std::size_t i = n; i-- > 0;) out[i] = in[i] * 0.3f + in[n - 1 - i];",
       .words = "in a call recorded in a benchmark",
       .isPortable = true},
      {.name = "ComparesSigned",
       .declaration = "std::size_t printable(const unsigned char *text, std::size_t n)",
       .kernel = "std::size_t i = 0; while (i < n && text[i] >= 0x20) ++i; return i;",
       .test = "std::vector<unsigned char> v(100, 'a'); EXPECT_EQ(printable(v.data(), 100), 100u);\n"
               "v[50] = '\\n'; EXPECT_EQ(printable(v.data(), 100), 50u);",
       .benchmark = "std::vector<unsigned char> v(4000, 'a'); for (auto _ : s) "
                    "benchmark::DoNotOptimize(printable(v.data(), 4000));",
       .wrong = "std::size_t i = 0; while (i < n && static_cast<signed char>(text[i]) >= 0x20) ++i; return i;",
       .right = "std::size_t i = 0; while (i < n && text[i] > 0x1f) ++i; return i;",
       .words = "results are not the baseline's"},
  };
}

class WrongVariants : public testing::TestWithParam<Mistake> {
protected:
  Outcome evaluate(const std::string &body) const {
    const std::string file = (project_.root() / "candidate.cpp").string();
    EXPECT_TRUE(writeFileAtomic(file, GetParam().declaration + " {\n" + body + "\n}\n"));
    return project_.tool({"evaluate", "--kernel", "column_sums", file});
  }
  Project project_{"examples/quickstart"};
};

TEST_P(WrongVariants, PlainEvaluateRejectsTheMistakeAlone) {
  const Mistake &mistake = GetParam();
  if (mistake.isPortable)
    project_.replace("CMakeLists.txt", "add_compile_options(-march=native)\n", "");
  project_.write("column_sums.cpp", std::string(kHead) + "#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\n" +
                                        "AGENTIC_KERNEL\n" + mistake.declaration + " {\n" + mistake.kernel + "\n}\n");
  const std::string declared = mistake.declaration + ";\n";
  project_.write("column_sums_test.cpp", std::string(kHead) + "#include <gtest/gtest.h>\n" + declared +
                                             "TEST(Kernel, Test) {\n" + mistake.test + "\n}\n");
  project_.write("column_sums_bench.cpp", std::string(kHead) + "#include <benchmark/benchmark.h>\n" + declared +
                                              "static void BM_Kernel(benchmark::State &s) {\n" + mistake.benchmark +
                                              "\n}\nBENCHMARK(BM_Kernel);\n");
  const Outcome configured = project_.configure();
  ASSERT_EQ(configured.status, 0) << configured.all();

  const Outcome wrong = evaluate(mistake.wrong);
  EXPECT_EQ(wrong.status, 3) << wrong.all();
  EXPECT_THAT(wrong.all(), testing::ContainsRegex(mistake.words));
  const Outcome right = evaluate(mistake.right);
  EXPECT_TRUE(right.status == 0 || right.status == 4) << "not rejected, whether faster or not\n" << right.all();
}

INSTANTIATE_TEST_SUITE_P(Mistakes, WrongVariants, testing::ValuesIn(mistakes()),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace agentic::e2e
