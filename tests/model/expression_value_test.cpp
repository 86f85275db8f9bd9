#include "tool/model/expression_value.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace agentic {
namespace {

std::optional<double> value(const std::string &text, const std::map<std::string, double> &names = {}) {
  const auto parsed = parseExpression(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  if (!parsed)
    return std::nullopt;
  return valueOf(*parsed, [&](std::string_view name, bool isSize) -> std::optional<double> {
    const auto found = names.find(std::string(name) + (isSize ? ".size()" : ""));
    return found == names.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(ExpressionValue, ComputesExtentsAsCxxDoes) {
  EXPECT_EQ(value("M * K", {{"M", 3}, {"K", 5}}), 15);
  EXPECT_EQ(value("K * (K / 32)", {{"K", 70}}), 140); // integer division first
  EXPECT_EQ(value("-7 / 2"), -3);
  EXPECT_EQ(value("-7 % 4"), -3);
  EXPECT_EQ(value("1 << 5 | 3"), 35);
  EXPECT_EQ(value("v.size() + 1", {{"v.size()", 9}, {"v", 2}}), 10);
  EXPECT_EQ(value("0x10 + 010"), 24);
}

TEST(ExpressionValue, ConditionsAreZeroOrOne) {
  EXPECT_EQ(value("K % 32 == 0 && eps > 0", {{"K", 64}, {"eps", 1e-6}}), 1);
  EXPECT_EQ(value("K % 32 == 0 && eps > 0", {{"K", 65}, {"eps", 1e-6}}), 0);
  EXPECT_EQ(value("!(a < b) || b >= 2", {{"a", 1}, {"b", 2}}), 1);
  EXPECT_EQ(value("x < 0.5", {{"x", 0.25}}), 1);
  EXPECT_EQ(value("n == 0 || 10 / n > 2", {{"n", 0}}), 1) << "the second operand must not be looked at";
}

TEST(ExpressionValue, HasNoValueWhereCxxHasNone) {
  EXPECT_EQ(value("n / 0", {{"n", 1}}), std::nullopt);
  EXPECT_EQ(value("missing + 1"), std::nullopt);
  EXPECT_EQ(value("9223372036854775807 + 1"), std::nullopt);
  EXPECT_EQ(value("4000000000 * 4000000000 * 4"), std::nullopt);
  EXPECT_EQ(value("1 << 64"), std::nullopt);
}

} // namespace
} // namespace agentic
