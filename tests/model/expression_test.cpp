#include "tool/model/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

/// Returns prefix form, so that precedence shows: "(% K 32)".
std::string prefixed(const Expression &expression) {
  if (expression.operands.empty())
    return expression.kind == Expression::Kind::Size ? expression.text + ".size()" : expression.text;
  std::string text = "(" + expression.text;
  for (const Expression &operand : expression.operands)
    text += " " + prefixed(operand);
  return text + ")";
}

std::string parsed(std::string_view text) {
  const Result<Expression> expression = parseExpression(text);
  return expression ? prefixed(*expression) : "error: " + expression.error().message;
}

TEST(Expression, BindsAsInCpp) {
  EXPECT_EQ(parsed("M * K"), "(* M K)");
  EXPECT_EQ(parsed("a-b-c"), "(- (- a b) c)");
  EXPECT_EQ(parsed("K * (K / 32)"), "(* K (/ K 32))");
  EXPECT_EQ(parsed("a + b * c % d"), "(+ a (% (* b c) d))");
  EXPECT_EQ(parsed("K % 32 == 0 && M > 0 || !flag"), "(|| (&& (== (% K 32) 0) (> M 0)) (! flag))");
  EXPECT_EQ(parsed("n & n - 1 == 0"), "(& n (== (- n 1) 0))");
  EXPECT_EQ(parsed("1 << n + 1 <= m | k ^ j"), "(| (<= (<< 1 (+ n 1)) m) (^ k j))");
  EXPECT_EQ(parsed("- -a * b != c"), "(!= (* (- (- a)) b) c)");
  EXPECT_EQ(parsed("v.size() / 2 >= w . size ( )"), "(>= (/ v.size() 2) w.size())");
}

TEST(Expression, LiteralsAreThoseOfCpp) {
  for (const char *text : {"0", "32", "32u", "0x1F", "0b101", "1'000", "7ull", "8uz", "007"}) {
    const Result<Expression> expression = parseExpression(text);
    ASSERT_TRUE(expression) << text << ": " << expression.error().message;
    EXPECT_EQ(expression->kind, Expression::Kind::Integer) << text;
    EXPECT_EQ(isLiteralZero(*expression), std::string(text) == "0") << text;
  }
  for (const char *text : {"0.5", ".5f", "1e-5", "1.", "2E+3F", "0x1p-10"}) {
    const Result<Expression> expression = parseExpression(text);
    ASSERT_TRUE(expression) << text << ": " << expression.error().message;
    EXPECT_EQ(expression->kind, Expression::Kind::Real) << text;
  }
  for (const char *text : {"1x", "0b2", "1e", "0x", "1.5u", "1..2", "08.5.1"})
    EXPECT_FALSE(parseExpression(text)) << text;
  for (const char *text : {"0x0", "00", "0u", "0'0", "0b0"})
    EXPECT_TRUE(isLiteralZero(parseExpression(text).value())) << text;
}

TEST(Expression, ErrorsSayWhatWasNotUnderstood) {
  EXPECT_THAT(parsed(""), HasSubstr("ends where"));
  EXPECT_THAT(parsed("K %"), HasSubstr("ends where"));
  EXPECT_THAT(parsed("K = 3"), HasSubstr("'=='"));
  EXPECT_THAT(parsed("(K + 1"), HasSubstr("lacks a ')'"));
  EXPECT_THAT(parsed("K)"), HasSubstr("')'"));
  EXPECT_THAT(parsed("f(K) > 0"), HasSubstr("'('"));
  EXPECT_THAT(parsed("a[1]"), HasSubstr("'['"));
  EXPECT_THAT(parsed("a ? b : c"), HasSubstr("'?'"));
  EXPECT_THAT(parsed("ns::k"), HasSubstr("'::'"));
  EXPECT_THAT(parsed("v.length()"), HasSubstr("v.size()"));
  EXPECT_THAT(parsed("v.size"), HasSubstr("v.size()"));
  EXPECT_THAT(parsed("\"text\""), HasSubstr("'\"'"));
  EXPECT_THAT(parsed("++K"), HasSubstr("'++'"));
}

TEST(Expression, DepthIsBounded) {
  EXPECT_THAT(parsed(std::string(100'000, '(')), HasSubstr("too deeply"));
  EXPECT_THAT(parsed(std::string(100'000, '!') + "a"), HasSubstr("too deeply"));
  std::string sum = "a";
  for (int i = 0; i < 1000; ++i)
    sum += " + a";
  EXPECT_TRUE(parseExpression(sum));
}

TEST(Expression, ConditionsAreKnown) {
  for (const char *text : {"a == b", "a < b", "!a", "a && b", "a || b"})
    EXPECT_TRUE(isCondition(parseExpression(text).value())) << text;
  for (const char *text : {"a", "a + b", "-a", "a & b", "1"})
    EXPECT_FALSE(isCondition(parseExpression(text).value())) << text;
}

} // namespace
} // namespace agentic
