#include "tool/model/contract_clauses.h"

#include "tool/base/text.h"
#include "tool/model/contract_scope.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace agentic {
namespace {

using Kind = ContractParameter::Kind;

constexpr auto kMacros = std::to_array<ContractMacro>({
    {"AGENTIC_IN", "agentic_in", true, "AGENTIC_IN(p, extent)"},
    {"AGENTIC_OUT", "agentic_out", true, "AGENTIC_OUT(p, extent)"},
    {"AGENTIC_INOUT", "agentic_inout", true, "AGENTIC_INOUT(p, extent)"},
    {"AGENTIC_REQUIRES", "agentic_requires", true, "AGENTIC_REQUIRES(n % 8 == 0)"},
    {"AGENTIC_MAY_ALIAS", "agentic_may_alias", true, "AGENTIC_MAY_ALIAS(p, q)"},
    {"AGENTIC_TOLERANCE", "agentic_tolerance", true, "AGENTIC_TOLERANCE(relative 1e-5)"},
    {"AGENTIC_FP", "agentic_fp", true, "AGENTIC_FP(reassociate)"},
    {"AGENTIC_SPECIAL_VALUES", "agentic_special_values", false, "AGENTIC_SPECIAL_VALUES"},
});

/// Splits at commas outside brackets: as the preprocessor does, but one argument of ours may hold several of its own.
std::vector<std::string> argumentsOf(std::string_view text) {
  std::vector<std::string> result;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == ')'))
      depth += text[i] == '(' ? 1 : -1;
    if (i < text.size() && (text[i] != ',' || depth > 0))
      continue;
    result.emplace_back(trim(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return result;
}

std::optional<double> numberOf(const std::string &text) {
  std::string digits = text;
  if (!digits.empty() && (digits.back() == 'f' || digits.back() == 'F') && !digits.starts_with("0x"))
    digits.pop_back();
  char *end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  // strtod takes "inf", "nan" and leading blanks, too.
  const bool startsLikeANumber = !digits.empty() && (std::isdigit(static_cast<unsigned char>(digits[0])) != 0 ||
                                                     digits[0] == '.' || digits[0] == '-' || digits[0] == '+');
  if (!startsLikeANumber || *end != '\0' || !std::isfinite(value))
    return std::nullopt;
  return value;
}

class Builder {
public:
  Builder(std::string_view kernel, std::span<const ContractParameter> parameters)
      : kernel_(kernel), scope_(parameters) {}

  Result<void> add(const ContractClause &clause) {
    clause_ = &clause;
    macro_ = &*std::ranges::find(kMacros, clause.macro, &ContractMacro::name);
    if (clause.macro == "AGENTIC_IN")
      return addExtent(Direction::In);
    if (clause.macro == "AGENTIC_OUT")
      return addExtent(Direction::Out);
    if (clause.macro == "AGENTIC_INOUT")
      return addExtent(Direction::InOut);
    if (clause.macro == "AGENTIC_REQUIRES")
      return addRequirement();
    if (clause.macro == "AGENTIC_MAY_ALIAS")
      return addAlias();
    if (clause.macro == "AGENTIC_TOLERANCE")
      return addTolerance();
    if (clause.macro == "AGENTIC_FP")
      return addPolicy();
    contract_.specialValues = true;
    return checkFinite();
  }

  Contract take() { return std::move(contract_); }

private:
  std::string written() const { return std::string(clause_->macro) + "(" + clause_->arguments + ")"; }

  std::unexpected<Error> wrong(const std::string &reason, std::string next) const {
    return userError(clause_->position + "kernel '" + std::string(kernel_) + "': " + written() + " " + reason,
                     std::move(next));
  }
  std::unexpected<Error> wrong(const Error &reason) const { return wrong(reason.message, reason.next); }
  std::string likeThis() const { return "write " + std::string(macro_->example); }

  Result<void> addExtent(Direction direction) {
    const std::vector<std::string> arguments = argumentsOf(clause_->arguments);
    if (arguments.size() != 2)
      return wrong("needs a parameter and its number of elements", likeThis());
    const Result<const ContractParameter *> found = scope_.parameter(arguments[0]);
    if (!found)
      return wrong(found.error());
    const ContractParameter &target = **found;
    if (target.kind == Kind::Sized)
      return wrong("gives an extent to '" + target.name + "', which carries its own",
                   "remove it; in other extents and in AGENTIC_REQUIRES it is " + target.name + ".size()");
    if (target.kind != Kind::Pointer)
      return wrong("gives an extent to '" + target.name + "', which is no pointer to elements that can be counted",
                   "declare extents of pointer parameters only, in elements");
    if (target.isConst && direction != Direction::In)
      return wrong("says that elements of '" + target.name + "' are written, but it points to const",
                   "write AGENTIC_IN, or change the parameter's type");
    if (const Extent *other = extentOf(contract_, target.name))
      return wrong("is the second extent of '" + target.name + "', after " + directionName(other->direction) + " " +
                       other->text,
                   "keep one; for elements that are read and written, AGENTIC_INOUT");
    if (const Result<void> checked = scope_.checkExtent(arguments[1]); !checked)
      return wrong(checked.error());
    contract_.extents.push_back({target.name, direction, arguments[1]});
    return {};
  }

  Result<void> addRequirement() {
    const std::string text(trim(clause_->arguments));
    if (const Result<void> checked = scope_.checkCondition(text); !checked)
      return wrong(checked.error());
    if (std::ranges::find(contract_.requirements, text) == contract_.requirements.end())
      contract_.requirements.push_back(text);
    return {};
  }

  Result<void> addAlias() {
    const std::vector<std::string> arguments = argumentsOf(clause_->arguments);
    if (arguments.size() != 2)
      return wrong("needs two parameters", likeThis());
    for (const std::string &name : arguments) {
      const Result<const ContractParameter *> found = scope_.parameter(name);
      if (!found)
        return wrong(found.error());
      const Kind kind = (*found)->kind;
      if (kind != Kind::Pointer && kind != Kind::Opaque && kind != Kind::Sized && kind != Kind::Memory)
        return wrong("names '" + name + "', which refers to no memory", "name two pointers, references or spans");
    }
    if (arguments[0] == arguments[1])
      return wrong("names '" + arguments[0] + "' twice", "name the other parameter that it may overlap");
    if (!mayAlias(contract_, arguments[0], arguments[1]))
      contract_.mayAlias.push_back({arguments[0], arguments[1]});
    return {};
  }

  Result<void> addTolerance() {
    const std::string text(trim(clause_->arguments));
    const std::size_t blank = text.find(' ');
    const std::string word = text.substr(0, blank);
    constexpr auto kWords = std::to_array<std::string_view>({"absolute", "relative", "ulp"});
    const auto kind = std::ranges::find(kWords, word);
    if (kind == kWords.end() || blank == std::string::npos)
      return wrong("is neither absolute, relative nor ulp with a value", likeThis());
    std::string number = text.substr(blank + 1);
    std::erase(number, ' '); // "- 1"
    const std::optional<double> value = numberOf(number);
    if (!value)
      return wrong("has the value '" + number + "', which is no number", likeThis());
    if (*value < 0)
      return wrong("is negative, so no result could meet it", "give a value of 0 or more");
    if (contract_.tolerance)
      return wrong("is the second tolerance, after " + toleranceText(*contract_.tolerance), "keep one");
    contract_.tolerance = Tolerance{static_cast<Tolerance::Kind>(kind - kWords.begin()), *value};
    return {};
  }

  Result<void> addPolicy() {
    constexpr auto kWords = std::to_array<std::string_view>({"strict", "contract", "reassociate"});
    const std::string word(trim(clause_->arguments));
    if (word == "finite") { // says something else than the others, and stands beside them
      contract_.isFinite = true;
      return checkFinite();
    }
    const auto found = std::ranges::find(kWords, word);
    if (found == kWords.end()) {
      std::vector<std::string> words(kWords.begin(), kWords.end());
      words.emplace_back("finite");
      const std::string meant = didYouMean(word, words);
      return wrong("is none of strict, contract, reassociate and finite",
                   meant.empty() ? likeThis() : "did you mean AGENTIC_FP(" + meant + ")?");
    }
    const auto policy = static_cast<FloatingPoint>(found - kWords.begin() + 1);
    if (contract_.floatingPoint != FloatingPoint::Unspecified && contract_.floatingPoint != policy)
      return wrong("contradicts AGENTIC_FP(" +
                       std::string(kWords[static_cast<std::size_t>(contract_.floatingPoint) - 1]) + ")",
                   "keep one of the two");
    contract_.floatingPoint = policy;
    return {};
  }

  Result<void> checkFinite() const {
    if (contract_.isFinite && contract_.specialValues)
      return wrong("contradicts another line: AGENTIC_FP(finite) says that there are no special values",
                   "remove AGENTIC_FP(finite) or AGENTIC_SPECIAL_VALUES");
    return {};
  }

  std::string_view kernel_;
  ContractScope scope_;
  const ContractClause *clause_ = nullptr;
  const ContractMacro *macro_ = nullptr;
  Contract contract_;
};

} // namespace

std::span<const ContractMacro> contractMacros() {
  return kMacros;
}

bool isReservedMacro(std::string_view name) {
  const bool isUnderscored = name.starts_with("__") || (name.size() > 1 && name[0] == '_' && std::isupper(name[1]));
  return isUnderscored || name.starts_with("AGENTIC_") || name == "defined" || name == "assert" || name == "NDEBUG";
}

bool isMarkerMacro(std::string_view name) {
  return name == "AGENTIC_KERNEL" || std::ranges::find(kMacros, name, &ContractMacro::name) != kMacros.end();
}

Result<Contract> parseContract(std::string_view kernel, std::span<const ContractClause> clauses,
                               std::span<const ContractParameter> parameters) {
  Builder builder(kernel, parameters);
  for (const ContractClause &clause : clauses)
    TRY(builder.add(clause));
  return builder.take();
}

} // namespace agentic
