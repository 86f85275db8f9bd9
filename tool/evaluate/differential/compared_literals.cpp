#include "tool/evaluate/differential/compared_literals.h"

#include "tool/base/text.h"
#include "tool/evaluate/differential/element_type.h"
#include "tool/model/expression.h"
#include "tool/model/expression_value.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

namespace agentic {
namespace {

/// Of one scalar: a table of cases must not fill the plan.
constexpr std::size_t kMostNumbers = 16;

constexpr std::string_view kComparisons[] = {"==", "!=", "<=", ">=", "<", ">"};

bool isComparison(std::string_view text) {
  return std::ranges::find(kComparisons, text) != std::end(kComparisons);
}

/// Returns the value of an expression without names.
std::optional<std::int64_t> constantOf(const Expression &expression) {
  const std::optional<double> value = valueOf(expression, [](std::string_view, bool) { return std::nullopt; });
  if (!value || std::floor(*value) != *value || std::abs(*value) > 9e15)
    return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

void add(ComparedLiterals &literals, std::string_view name, std::int64_t value) {
  std::vector<std::int64_t> &known = literals[std::string(name)];
  if (std::ranges::find(known, value) == known.end())
    known.push_back(value);
}

void collect(const Expression &expression, ComparedLiterals &literals) {
  for (const Expression &operand : expression.operands)
    collect(operand, literals);
  if (expression.kind != Expression::Kind::Binary || !(isComparison(expression.text) || expression.text == "%"))
    return;
  for (const auto &[name, other] : {std::pair(0, 1), std::pair(1, 0)})
    if (const Expression &named = expression.operands[std::size_t(name)]; named.kind == Expression::Kind::Name)
      if (const std::optional<std::int64_t> value = constantOf(expression.operands[std::size_t(other)]))
        add(literals, named.text, *value);
}

/// Words, numbers, comparisons, literals of one character such as 'a', and other characters each alone.
std::vector<std::string_view> tokensOf(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = 1;
    if (isWordCharacter(text[i]))
      while (i + length < text.size() && (isWordCharacter(text[i + length]) || text[i + length] == '.'))
        ++length;
    else if (isComparison(text.substr(i, 2)))
      length = 2;
    else if (i + 2 < text.size() && text[i] == '\'' && text[i + 1] != '\\' && text[i + 2] == '\'')
      length = 3;
    if (std::isspace(static_cast<unsigned char>(text[i])) == 0)
      tokens.push_back(text.substr(i, length));
    i += length;
  }
  return tokens;
}

std::string_view tokenAt(const std::vector<std::string_view> &tokens, std::size_t index) {
  return index < tokens.size() ? tokens[index] : std::string_view();
}

class TextScan {
public:
  TextScan(std::string_view text, ComparedLiterals &literals) : tokens_(tokensOf(text)), literals_(literals) {}

  void run() {
    std::string_view switched;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (at(i) == "switch" && at(i + 1) == "(" && at(i + 3) == ")")
        switched = at(i + 2);
      if (at(i) == "case" && !switched.empty())
        if (const std::optional<std::int64_t> value = literalAt(i + 1))
          add(literals_, switched, *value);
      if (i == 0 || !isComparison(at(i)))
        continue;
      if (const std::optional<std::int64_t> value = literalAt(i + 1))
        add(literals_, at(i - 1), *value);
      else if (const std::optional<std::int64_t> before = literalAt(i - 1))
        add(literals_, at(i + 1), *before);
    }
  }

private:
  std::string_view at(std::size_t index) const { return tokenAt(tokens_, index); }

  std::optional<std::int64_t> literalAt(std::size_t index) const {
    const std::string_view token = at(index);
    if (token == "-") {
      const std::optional<std::int64_t> value = at(index + 1) == "-" ? std::nullopt : literalAt(index + 1);
      return value ? std::optional(-*value) : std::nullopt;
    }
    if (token.size() == 3 && token.front() == '\'')
      return static_cast<std::int64_t>(token[1]);
    if (token.empty() || std::isdigit(static_cast<unsigned char>(token.front())) == 0)
      return std::nullopt;
    const Result<Expression> expression = parseExpression(token);
    return expression ? constantOf(*expression) : std::nullopt;
  }

  std::vector<std::string_view> tokens_;
  ComparedLiterals &literals_;
};

bool isHeldBy(const GlueParameter &parameter, std::int64_t value) {
  bool isHeld = false;
  withElementType(parameter.element, parameter.size, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>)
      isHeld = std::in_range<T>(value);
  });
  return isHeld;
}

} // namespace

ComparedLiterals comparedLiterals(const Contract &contract, std::string_view text) {
  ComparedLiterals literals;
  for (const std::string &requirement : contract.requirements)
    if (const Result<Expression> expression = parseExpression(requirement))
      collect(*expression, literals);
  TextScan(text, literals).run();
  return literals;
}

std::vector<std::int64_t> tellingNumbers(const ComparedLiterals &literals, const GlueParameter &parameter,
                                         std::vector<std::int64_t> first) {
  if (const auto found = literals.find(parameter.name); found != literals.end())
    for (const std::int64_t literal : found->second)
      first.insert(first.end(), {literal, literal - 1, literal + 1});
  std::vector<std::int64_t> numbers;
  for (const std::int64_t number : first)
    if (numbers.size() < kMostNumbers && isHeldBy(parameter, number) &&
        std::ranges::find(numbers, number) == numbers.end())
      numbers.push_back(number);
  return numbers;
}

bool asksForNull(std::string_view text, std::string_view name) {
  const std::vector<std::string_view> tokens = tokensOf(text);
  const auto at = [&](std::size_t index) { return tokenAt(tokens, index); };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] != name)
      continue;
    const std::string_view before = at(i - 1), after = at(i + 1);
    const bool isCondition = before == "(" && after == ")" && (at(i - 2) == "if" || at(i - 2) == "while");
    const bool isJoined = ((after == "&" || after == "|") && at(i + 2) == after) ||
                          ((before == "&" || before == "|") && at(i - 2) == before);
    if (before == "!" || after == "==" || after == "!=" || after == "?" || isCondition || isJoined)
      return true;
  }
  return false;
}

} // namespace agentic
