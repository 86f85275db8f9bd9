// The features of every kernel of the suite; what they say beside words.
#include "tests/source/extract_fixture.h"
#include "tests/source/feature_words.h"
#include "tests/source/transform_fixture.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

using testing::HasSubstr;

Result<KernelFeatures> ofSuite(const std::string &kernel) {
  const Result<KernelSpec> spec = specOfSuite(kernel);
  return spec ? featuresOf(*spec) : std::unexpected(spec.error());
}

struct SuiteRow {
  const char *kernel, *words, *notWords;
};
const SuiteRow kSuite[] = {
    {"attention_softmax_tile", "reduction minmax transcendental multi-pass in-place float", "gather byte recurrence"},
    {"binary_gemm", "matrix-product reduction bit-unpacking variable-shift float",
     "convolution gather branchy modulo division"},
    {"conv3x3", "convolution stencil constant-trip float nested-loops", "matrix-product gather branchy"},
    {"hamming_distance", "bit-count reduction integer", "float prefix-scan"},
    {"histogram256", "histogram scatter byte", "gather multi-pass float"},
    {"jacobi3d", "stencil float nested-loops streaming", "convolution reduction gather interleaved"},
    {"mandelbrot", "complex-numbers recurrence early-exit float", "gather branchy streaming"},
    {"prefix_sum", "prefix-scan integer streaming", "branchy gather"},
    {"q4_dot", "quantized mixed-precision bit-unpacking reduction constant-trip small-calls", "gather matrix-product"},
    {"rgb_to_yuv", "interleaved byte strided integer", "branchy gather reduction stencil"},
    {"rms_norm_mul", "reduction square-root multi-pass division float", "gather transcendental"},
    {"sgemm", "matrix-product reduction float strided", "convolution gather integer"},
    {"spmv_csr", "sparse gather reduction float", "table-lookup byte matrix-product"},
    {"utf8_validate", "state-machine table-lookup byte byte-classification recurrence", "float pointer-chasing gather"},
};

TEST(WordsOfTheSuite, AreThoseThatAPersonGives) {
  for (const SuiteRow &row : kSuite) {
    SCOPED_TRACE(row.kernel);
    const Result<KernelFeatures> features = ofSuite(row.kernel);
    ASSERT_TRUE(features) << features.error().message;
    expectWords(*features, row.words, row.notWords);
  }
}

TEST(WordsOfTheSuite, HasARowForEachKernel) {
  std::set<std::string> rows, kernels;
  for (const SuiteRow &row : kSuite)
    rows.insert(row.kernel);
  const fs::path folder = fs::path(AGENTIC_TEST_DATA).parent_path().parent_path() / "kernels";
  for (const auto &entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename().string(); fs::exists(folder / name / "generated")) // set quick
      kernels.insert(name);
  EXPECT_EQ(rows, kernels);
}

TEST(Features, DescribeLoopsAndArrays) {
  const auto features = featuresOf(kernelSpec(kBinaryGemm));
  ASSERT_TRUE(features) << features.error().message;
  ASSERT_EQ(features->loops.size(), 3u);
  const LoopFeatures &inner = features->loops[2];
  EXPECT_EQ(inner.name, "p");
  EXPECT_EQ(inner.depth, 2);
  EXPECT_TRUE(inner.isInnermost);
  EXPECT_EQ(inner.reductions, std::vector<std::string>{"sum of 'sum' (float)"});
  EXPECT_THAT(inner.carried, HasSubstr("'sum'"));
  ASSERT_EQ(inner.arrays.size(), 2u);
  EXPECT_EQ(inner.arrays[0].array, "B");
  EXPECT_EQ(inner.arrays[0].stride, std::nullopt);
  EXPECT_FALSE(inner.arrays[0].isIndexedByData);
  EXPECT_EQ(inner.arrays[1].array, "A");
  EXPECT_EQ(inner.arrays[1].stride, 1);
  EXPECT_EQ(inner.bytes, 8);
  EXPECT_FALSE(features->loops[0].isInnermost);
  EXPECT_EQ(features->loops[0].carried, ""); // rows are independent
  EXPECT_EQ(features->elementTypes, (std::vector<std::string>{"float", "unsigned int"}));
}

TEST(Features, CountExitsAndBranches) {
  const auto features = featuresOf(kernelSpec(
      "int f(const int *x, int n) { if (n < 0) return 0; for (int i = 0; i < n; ++i) { if (x[i] == 3) return i;\n"
      "  if (x[i] > 9) break; if (i == 7) continue; } return -1; }"));
  ASSERT_TRUE(features) << features.error().message;
  EXPECT_EQ(features->earlyExits, 2);
  EXPECT_EQ(features->dataBranches, 2);
  EXPECT_TRUE(features->loops.at(0).mayEndEarly);
}

TEST(Features, FollowTheirTripThroughJson) {
  const auto features = featuresOf(kernelSpec(kBinaryGemm));
  ASSERT_TRUE(features);
  const nlohmann::json json = *features;
  const auto back = json.get<KernelFeatures>();
  EXPECT_EQ(nlohmann::json(back), json);
  EXPECT_EQ(back.words, features->words);
  EXPECT_EQ(back.loops.at(2).arrays.at(1).stride, 1);
}

TEST(Features, OfWhatNoMoveUnderstands) {
  const auto features = featuresOf(kernelSpec("int f(const int *x, int n) { int s = 0, i = 0;\nagain:\n  if (i < n) { "
                                              "s += x[i]; ++i; goto again; } do { s ^= n; } "
                                              "while (--n > 0); return s; }"));
  ASSERT_TRUE(features) << features.error().message;
  EXPECT_EQ(features->loops.at(0).name, "do");
  EXPECT_FALSE(featuresOf(kernelSpec("int f( { nonsense")));
}

TEST(Features, SayWhatLimitsAKernelByItsForm) {
  const auto sum = featuresOf(kernelSpec(
      "float f(const float *x, size_t n) { float s = 0; for (size_t i = 0; i < n; ++i) s += x[i]; return s; }"));
  ASSERT_TRUE(sum);
  EXPECT_THAT(sum->likelyBounds, testing::Contains("latency"));
  const auto copy =
      featuresOf(kernelSpec("void f(const int *x, int *y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }"));
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->likelyBounds, std::vector<std::string>{"memory"});
  for (const std::string &bound : sum->likelyBounds)
    EXPECT_TRUE(isBoundWord(bound)) << bound;
}

} // namespace
} // namespace agentic
