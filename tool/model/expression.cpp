#include "tool/model/expression.h"

#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>

namespace agentic {
namespace {

struct Token {
  enum class Kind { End, Integer, Real, Name, Punctuation };
  Kind kind = Kind::End;
  std::string text;
};

/// Binary operators by precedence, as in C++; a higher number binds tighter.
struct Operator {
  std::string_view text;
  int precedence;
};
constexpr auto kOperators = std::to_array<Operator>({{"||", 1},
                                                     {"&&", 2},
                                                     {"|", 3},
                                                     {"^", 4},
                                                     {"&", 5},
                                                     {"==", 6},
                                                     {"!=", 6},
                                                     {"<", 7},
                                                     {"<=", 7},
                                                     {">", 7},
                                                     {">=", 7},
                                                     {"<<", 8},
                                                     {">>", 8},
                                                     {"+", 9},
                                                     {"-", 9},
                                                     {"*", 10},
                                                     {"/", 10},
                                                     {"%", 10}});

int precedenceOf(const Token &token) {
  const auto found = std::ranges::find(kOperators, token.text, &Operator::text);
  return token.kind == Token::Kind::Punctuation && found != kOperators.end() ? found->precedence : 0;
}

bool hasSuffixOf(std::string_view suffix, std::initializer_list<std::string_view> allowed) {
  return isOneOf(lowered(suffix), allowed);
}

/// Decides whether a preprocessing number is a literal of C++, and of which kind.
Token numberToken(std::string text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != '\''; });
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  const bool binary = digits.starts_with("0b") || digits.starts_with("0B");
  std::size_t i = hex || binary ? 2 : 0;
  const auto skip = [&] {
    const std::size_t begin = i;
    while (i < digits.size() && (hex      ? std::isxdigit(static_cast<unsigned char>(digits[i])) != 0
                                 : binary ? digits[i] == '0' || digits[i] == '1'
                                          : isDigit(digits[i])))
      ++i;
    return i - begin;
  };
  std::size_t count = skip();
  bool real = false;
  if (!binary && i < digits.size() && digits[i] == '.') {
    real = true;
    ++i;
    count += skip();
  }
  const char exponent = hex ? 'p' : 'e';
  if (!binary && i < digits.size() && std::tolower(static_cast<unsigned char>(digits[i])) == exponent) {
    real = true;
    i += i + 1 < digits.size() && (digits[i + 1] == '+' || digits[i + 1] == '-') ? 2 : 1;
    const std::size_t begin = i;
    while (i < digits.size() && isDigit(digits[i]))
      ++i;
    count = i == begin ? 0 : count;
  }
  const std::string_view suffix = std::string_view(digits).substr(i);
  const bool valid =
      count > 0 && (real ? hasSuffixOf(suffix, {"", "f", "l"})
                         : hasSuffixOf(suffix, {"", "u", "l", "ul", "lu", "ll", "ull", "llu", "z", "uz", "zu"}));
  return {valid ? (real ? Token::Kind::Real : Token::Kind::Integer) : Token::Kind::Punctuation, std::move(text)};
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
      ++at_;
    if (at_ >= text_.size())
      return {};
    const std::size_t begin = at_;
    if (isDigit(text_[at_]) || (text_[at_] == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1])))
      return number();
    if (isWordCharacter(text_[at_])) {
      while (at_ < text_.size() && isWordCharacter(text_[at_]))
        ++at_;
      return {Token::Kind::Name, std::string(text_.substr(begin, at_ - begin))};
    }
    at_ +=
        isOneOf(text_.substr(at_, 2), {"||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "::", "->", "++", "--"}) ? 2 : 1;
    return {Token::Kind::Punctuation, std::string(text_.substr(begin, at_ - begin))};
  }

private:
  /// Reads a preprocessing number: letters, digits, dots and the sign of an exponent.
  Token number() {
    const std::size_t begin = at_;
    const bool hex = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      const char before = at_ > begin ? static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_ - 1]))) : 0;
      const bool sign = (c == '+' || c == '-') && before == (hex ? 'p' : 'e');
      if (!isWordCharacter(c) && c != '.' && c != '\'' && !sign)
        break;
    }
    return numberToken(std::string(text_.substr(begin, at_ - begin)));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Parser {
public:
  explicit Parser(std::string_view text) : lexer_(text), token_(lexer_.next()) {}

  Result<Expression> parse() {
    Result<Expression> result = binary(1);
    if (result && token_.kind != Token::Kind::End)
      return unexpectedToken();
    return result;
  }

private:
  static constexpr int kMaxDepth = 100;

  std::unexpected<Error> unexpectedToken() const {
    if (token_.kind == Token::Kind::End)
      return userError("ends where a number, a parameter or '(' is expected", {});
    if (token_.text == "=")
      return userError("'=' assigns; a comparison is '=='", {});
    return userError("'" + token_.text + "' is not understood there", {});
  }

  void advance() { token_ = lexer_.next(); }

  Result<Expression> binary(int minimum) {
    Result<Expression> left = unary();
    while (left && precedenceOf(token_) >= minimum) {
      Expression result{Expression::Kind::Binary, token_.text, {}};
      const int precedence = precedenceOf(token_);
      advance();
      Expression right = TRY(binary(precedence + 1));
      result.operands.push_back(std::move(*left));
      result.operands.push_back(std::move(right));
      left = std::move(result);
    }
    return left;
  }

  Result<Expression> unary() {
    if (++depth_ > kMaxDepth)
      return userError("is nested too deeply", {});
    Result<Expression> result = unaryAtDepth();
    --depth_;
    return result;
  }

  Result<Expression> unaryAtDepth() {
    if (token_.kind != Token::Kind::Punctuation)
      return primary();
    if (token_.text == "-" || token_.text == "!") {
      Expression result{Expression::Kind::Unary, token_.text, {}};
      advance();
      Expression operand = TRY(unary());
      result.operands.push_back(std::move(operand));
      return result;
    }
    if (token_.text != "(")
      return unexpectedToken();
    advance();
    Expression inner = TRY(binary(1));
    if (token_.text != ")")
      return token_.kind == Token::Kind::End ? userError("lacks a ')'", {}) : unexpectedToken();
    advance();
    return inner;
  }

  Result<Expression> primary() {
    if (token_.kind == Token::Kind::End)
      return unexpectedToken();
    const Token token = token_;
    advance();
    if (token.kind != Token::Kind::Name)
      return Expression{
          token.kind == Token::Kind::Real ? Expression::Kind::Real : Expression::Kind::Integer, token.text, {}};
    if (token_.text != ".")
      return Expression{Expression::Kind::Name, token.text, {}};
    for (const char *part : {".", "size", "(", ")"}) {
      if (token_.text != part)
        return userError("of '" + token.text + "' only '" + token.text + ".size()' is understood", {});
      advance();
    }
    return Expression{Expression::Kind::Size, token.text, {}};
  }

  Lexer lexer_;
  Token token_;
  int depth_ = 0;
};

} // namespace

Result<Expression> parseExpression(std::string_view text) {
  return Parser(text).parse();
}

bool isCondition(const Expression &expression) {
  return (expression.kind == Expression::Kind::Unary && expression.text == "!") ||
         (expression.kind == Expression::Kind::Binary &&
          isOneOf(expression.text, {"<", "<=", ">", ">=", "==", "!=", "&&", "||"}));
}

bool isLiteralZero(const Expression &expression) {
  if (expression.kind != Expression::Kind::Integer)
    return false;
  const std::string &text = expression.text;
  const std::size_t prefix =
      text.size() > 2 && text[0] == '0' && std::isalpha(static_cast<unsigned char>(text[1])) != 0 ? 2 : 0;
  return text.find_first_of("123456789abcdefABCDEF", prefix) == std::string::npos;
}

} // namespace agentic
