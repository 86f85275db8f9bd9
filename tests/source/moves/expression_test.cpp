// Tests how moves see statements.
#include "tests/source/transform_fixture.h"
#include "tool/source/loops/loop_nest.h"
#include "tool/source/nest/parse.h"

namespace agentic::moves {
namespace {

/// Returns the results of updateOf() for the statements in the first loop, one line each.
std::vector<std::string> updatesIn(const std::string &body) {
  static constexpr const char *kNames[] = {"add", "multiply", "min", "max", "and", "or", "xor"};
  const std::string text =
      "void f(const float *a, int *h, const unsigned char *d, unsigned n) { float s = 0; int k = 0; unsigned u = 0;\n"
      "for (unsigned i = 0; i < n; ++i) {" +
      body + "} h[0] = k; }";
  const auto nest = parseLoopNest(kernelSpec(text), text);
  EXPECT_TRUE(nest) << nest.error().message;
  std::vector<std::string> result;
  for (const Statement &statement : (*nest)->loops.at(0)->body) {
    const auto update = updateOf(statement);
    result.push_back(!update ? "none"
                             : std::string(update->isNegated ? "-" : "") + kNames[int(update->operation)] + " " +
                                   std::string((*nest)->slice(update->target->range)) + " by " +
                                   (update->value ? std::string((*nest)->slice(update->value->range)) : "1"));
  }
  return result;
}

TEST(Update, IsFoundInEveryForm) {
  EXPECT_THAT(updatesIn("s += a[i]; s = s + a[i]; s = a[i] + s; s -= a[i]; k++; --k; u ^= d[i]; s *= 2;"),
              testing::ElementsAre("add s by a[i]", "add s by a[i]", "add s by a[i]", "-add s by a[i]", "add k by 1",
                                   "-add k by 1", "xor u by d[i]", "multiply s by 2"));
  EXPECT_THAT(updatesIn("s = a[i] > s ? a[i] : s; s = s < a[i] ? s : a[i]; if (a[i] < s) s = a[i]; "
                        "s = s >= a[i] ? s : a[i];"),
              testing::ElementsAre("max s by a[i]", "min s by a[i]", "min s by a[i]", "max s by a[i]"));
  EXPECT_THAT(updatesIn("h[d[i]]++; h[d[i]] += 2; ++h[d[i]];"),
              testing::ElementsAre("add h[d[i]] by 1", "add h[d[i]] by 2", "add h[d[i]] by 1"));
}

TEST(Update, IsNotSeenWhereTheTargetIsUsedOtherwise) {
  EXPECT_THAT(updatesIn("s += s * a[i]; s = a[i] - s; s = a[i]; k += s; s += 0.1; if (a[i] > s) s = 1; "
                        "h[d[i]] += h[0] + h[d[i]];"),
              testing::Each("none"));
}

} // namespace
} // namespace agentic::moves
