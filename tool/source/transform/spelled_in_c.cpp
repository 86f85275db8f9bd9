#include "tool/source/transform/spelled_in_c.h"

#include "tool/base/text.h"
#include "tool/source/parse/lexed_text.h"

#include <charconv>
#include <limits>
#include <map>

namespace agentic {
namespace {

class Speller {
public:
  Speller(const std::string &text, bool hasBool) : lexed_(lexText(text)), hasBool_(hasBool) {}

  std::string run() {
    for (std::size_t i = 0; i < lexed_.tokens.size();)
      i = spell(i);
    write(lexed_.text.substr(done_));
    return replaceAll(std::move(result_), "std::", ""); // comments name a library's functions
  }

private:
  /// Writes the text up to token `i` as it is.
  void upTo(std::size_t i) {
    const std::size_t begin = i < lexed_.tokens.size() ? lexed_.tokens[i].begin : lexed_.text.size();
    write(lexed_.text.substr(done_, begin - done_));
    done_ = begin;
  }
  /// Takes the text before token `i` for written.
  void skipTo(std::size_t i) { done_ = i < lexed_.tokens.size() ? lexed_.tokens[i].begin : lexed_.text.size(); }
  void skipPast(std::size_t i) { done_ = lexed_.tokens[i].end; }
  void write(std::string_view text) { result_ += text; }

  /// Spells what begins at token `i`; returns the token to go on with.
  std::size_t spell(std::size_t i) {
    const std::string_view token = lexed_.spelling(i);
    if (const auto closed = closed_.find(i); closed != closed_.end()) { // the bracket that ends a cast
      write(lexed_.text.substr(done_, lexed_.tokens[i].end - done_));
      write(std::string(closed->second, ')'));
      skipPast(i);
      return i + 1;
    }
    if (isCast(i))
      return spellCast(i);
    if (token == "auto" || (token == "const" && lexed_.is(i + 1, "auto")))
      return spellAuto(i);
    if (token == "constexpr" || (token == "static" && lexed_.is(i + 1, "constexpr")))
      return spellConstant(i);
    if (token == "=" && lexed_.is(i + 1, "{") && lexed_.is(i + 2, "}")) {
      upTo(i);
      write("= {0}");
      skipPast(i + 2);
      return i + 3;
    }
    const std::string_view other = token == "nullptr" ? "((void *)0)"
                                   : hasBool_         ? ""
                                   : token == "bool"  ? "_Bool"
                                   : token == "true"  ? "1"
                                   : token == "false" ? "0"
                                                      : "";
    if (!other.empty() && lexed_.isIdentifier(i)) {
      upTo(i);
      write(other);
      skipPast(i);
    }
    return i + 1;
  }

  bool isCast(std::size_t i) const {
    return isOneOf(lexed_.spelling(i), {"static_cast", "reinterpret_cast", "const_cast"}) && lexed_.is(i + 1, "<") &&
           endOfType(i) + 1 < lexed_.tokens.size() && lexed_.is(endOfType(i) + 1, "(");
  }
  /// Returns the ">" of a cast at `i`; types of C have no other.
  std::size_t endOfType(std::size_t i) const {
    std::size_t end = i + 2;
    while (end < lexed_.tokens.size() && !lexed_.is(end, ">"))
      ++end;
    return end;
  }
  std::string typeOfCast(std::size_t i) const {
    const std::size_t begin = lexed_.tokens[i + 1].end;
    return std::string(trim(lexed_.text.substr(begin, lexed_.tokens[endOfType(i)].begin - begin)));
  }

  std::size_t spellCast(std::size_t i) {
    const std::size_t open = endOfType(i) + 1;
    upTo(i);
    write("((" + typeOfCast(i) + ")");
    skipTo(open);
    ++closed_[lexed_.closing(open)];
    return open;
  }

  /// `const auto *p = static_cast<const char *>(q)`: the cast says the type.
  std::size_t spellAuto(std::size_t i) {
    std::size_t name = i;
    while (lexed_.is(name, "const") || lexed_.is(name, "auto") || lexed_.is(name, "*"))
      ++name;
    if (!lexed_.isIdentifier(name) || !lexed_.is(name + 1, "=") || !isCast(name + 2)) {
      return i + (lexed_.is(i, "const") ? 2 : 1); // does not parse
    }
    upTo(i);
    const std::string type = typeOfCast(name + 2);
    write(type + (type.ends_with('*') ? "" : " "));
    skipTo(name);
    return name;
  }

  /// `constexpr T kName = 8;` is an enumerator, which may be an array's length; a larger value, or one of another type,
  /// is a const.
  std::size_t spellConstant(std::size_t i) {
    const std::size_t first = lexed_.is(i, "static") ? i + 2 : i + 1;
    std::size_t name = first;
    while (name < lexed_.tokens.size() && !lexed_.is(name + 1, "=") && !lexed_.is(name + 1, "[") &&
           !lexed_.is(name + 1, ";"))
      ++name;
    upTo(i);
    long long value = 0;
    const std::string_view digits = lexed_.spelling(name + 2);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool isPlain = lexed_.is(name + 1, "=") && read.ec == std::errc() && value >= 0 &&
                         value <= std::numeric_limits<int>::max() && lexed_.is(name + 3, ";") &&
                         digits.substr(static_cast<std::size_t>(read.ptr - digits.data())).find_first_of(".eExX") ==
                             std::string_view::npos;
    if (!isPlain) {
      write(lexed_.is(name + 1, "[") ? "static const " : "const ");
      skipTo(first);
      return first;
    }
    write("enum { " + std::string(lexed_.spelling(name)) + " = " + std::to_string(value) + " }");
    skipTo(name + 3);
    return name + 3;
  }

  LexedText lexed_;
  bool hasBool_;
  std::string result_;
  std::size_t done_ = 0;
  std::map<std::size_t, std::size_t> closed_; ///< brackets behind which casts end
};

} // namespace

std::string spelledInC(const std::string &text, bool hasBool) {
  return Speller(text, hasBool).run();
}

} // namespace agentic
