#include "tool/search/coordinate_descent.h"

#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace agentic {
namespace {

using Setting = std::vector<std::size_t>;

std::vector<Setting> path(CoordinateDescent &descent, const std::function<double(const Setting &)> &value) {
  std::vector<Setting> tried;
  while (const auto setting = descent.next()) {
    tried.push_back(*setting);
    descent.told(value(*setting));
  }
  return tried;
}

TEST(CoordinateDescent, FindsTheBestOfIndependentTunables) {
  CoordinateDescent descent({4, 3});
  const auto tried = path(descent, [](const Setting &s) { return 10 - (s[0] - 2.0) * (s[0] - 2.0) + double(s[1]); });
  EXPECT_EQ(descent.best(), (Setting{2, 2}));
  EXPECT_DOUBLE_EQ(descent.bestValue(), 12);
  EXPECT_EQ(tried.front(), (Setting{0, 0}));
  EXPECT_EQ(descent.tried(), tried.size());
  EXPECT_LT(tried.size(), 12u); // not all of them
}

TEST(CoordinateDescent, GoesBackToATunableWhoseBestDependsOnAnother) {
  // Larger tiles pay only once the unrolling is large.
  CoordinateDescent descent({2, 2});
  path(descent, [](const Setting &s) {
    return s == Setting{1, 1} ? 5.0 : s == Setting{0, 1} ? 3.0 : 2.0 - double(s[0]);
  });
  EXPECT_EQ(descent.best(), (Setting{1, 1}));
}

TEST(CoordinateDescent, TriesNothingTwiceAndNoMoreThanTheLimit) {
  CoordinateDescent descent({16, 16, 16}, 24);
  double rising = 0;
  const auto tried = path(descent, [&](const Setting &) { return ++rising; });
  EXPECT_EQ(tried.size(), 24u);
  EXPECT_EQ(std::set<Setting>(tried.begin(), tried.end()).size(), 24u);
}

TEST(CoordinateDescent, EndsWithAFirstSettingThatIsRejected) {
  CoordinateDescent descent({4});
  EXPECT_EQ(path(descent, [](const Setting &) { return 0.0; }).size(), 1u);
  EXPECT_EQ(descent.bestValue(), 0);
}

TEST(CoordinateDescent, ARejectedValueIsPassedOver) {
  CoordinateDescent descent({3});
  path(descent, [](const Setting &s) { return s[0] == 1 ? 0.0 : 1.0 + double(s[0]); });
  EXPECT_EQ(descent.best(), (Setting{2}));
}

} // namespace
} // namespace agentic
