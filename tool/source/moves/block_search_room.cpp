#include "tool/source/moves/block_search_room.h"

#include "tool/model/expression.h"
#include "tool/source/loops/code_text.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr std::string_view kWide = "unsigned long long";

class RoomFinder {
public:
  RoomFinder(const Nest &nest, const Contract *contract, const Loop &loop)
      : nest_(nest), contract_(contract), loop_(loop) {}

  std::optional<Room> of(VariableId base, const Expression &subscript) const {
    const std::optional<std::string> offset = offsetOf(subscript);
    const std::optional<VariableId> array = arrayOf(base);
    if (!offset || !array || !startsInside())
      return std::nullopt;
    const Extent *extent = contract_ ? extentOf(*contract_, nest_.variable(*array).name) : nullptr;
    if (!extent || extent->direction == Direction::Out)
      return std::nullopt;
    const std::optional<std::string> count = countOf(extent->text);
    if (!count)
      return std::nullopt;
    const std::string start =
        *array == base ? "" : castTo(kWide, nest_.variable(base).name + " - " + nest_.variable(*array).name);
    const std::string place = start.empty() || offset->empty() ? start + *offset : start + " + " + *offset;
    return Room{place.empty() ? "0" : place, *count};
  }

private:
  /// A first iteration below 0 could read in front of what has room.
  bool startsInside() const {
    const bool isUnsigned = loop_.lowerValue.isInteger && !loop_.lowerValue.isSigned;
    return loop_.lowerConstant.value_or(isUnsigned ? 0 : -1) >= 0 && !loop_.mayTruncateBound &&
           loop_.lowerValue.bits >= 32;
  }

  bool isOnlyOfItsName(VariableId id) const {
    return std::ranges::count(nest_.variables, nest_.variable(id).name, &Variable::name) == 1;
  }
  bool stays(VariableId id) const {
    const Variable &variable = nest_.variable(id);
    return variable.changes == 0 && !variable.isMutated && !variable.escapes && !variable.isGlobal &&
           isOnlyOfItsName(id);
  }

  /// Returns whether a number has one value in all of the loop, and stands in front of it.
  bool isKeptByLoop(VariableId id) const {
    const Variable &variable = nest_.variable(id);
    bool isKept = !variable.escapes && (!variable.isGlobal || variable.isConstant);
    forEachInside(loop_.body, [&](const Statement &statement) {
      const bool isUnknown =
          !statement.branch && (statement.kind == Statement::Kind::Opaque || !statement.problem.empty());
      isKept &= !isUnknown || !mentionsName(nest_.slice(statement.range), variable.name);
      isKept &= statement.declares != id && !(statement.loop && statement.loop->variable == id);
      for (const Reference &reference : statement.references)
        isKept &= reference.variable != id || !reference.writes;
    });
    return isKept;
  }

  /// Returns the place of iteration 0 behind the pointer; empty: 0. Sums of signed numbers of 32 bits could overflow
  /// where the loop as written never comes.
  std::optional<std::string> offsetOf(const Expression &subscript) const {
    const Expression &plain = subscript.plain();
    const auto isLoops = [&](const Expression &part) { return part.plain().variable == loop_.variable; };
    if (isLoops(plain))
      return std::string();
    const bool isSum = plain.kind == Kind::Binary && plain.op == "+" && plain.isInteger;
    if (!isSum || (plain.isSigned && plain.bits < 64))
      return std::nullopt;
    for (const int own : {0, 1}) {
      const Expression &other = plain.operands[std::size_t(1 - own)].plain();
      if (!isLoops(plain.operands[std::size_t(own)]))
        continue;
      if (other.value && *other.value >= 0 && *other.value < INT32_MAX)
        return std::to_string(*other.value) + "ull";
      const bool isNumber = other.kind == Kind::Variable && other.isInteger && isOnlyOfItsName(*other.variable) &&
                            nest_.variable(*other.variable).kind == Variable::Kind::Scalar &&
                            isKeptByLoop(*other.variable);
      if (isNumber)
        return castTo(kWide, nest_.variable(*other.variable).name);
    }
    return std::nullopt;
  }

  /// Returns the parameter whose elements a pointer leads to.
  std::optional<VariableId> arrayOf(VariableId base) const {
    const Variable &variable = nest_.variable(base);
    if (variable.kind != Variable::Kind::Pointer || !stays(base))
      return std::nullopt;
    if (variable.isParameter)
      return base;
    const Expression *value = initialValue(nest_, base);
    const Expression *root = value ? &value->plain() : nullptr;
    if (root && root->kind == Kind::Binary && root->op == "+")
      root = &root->operands[0].plain();
    if (!root || root->kind != Kind::Variable || !stays(*root->variable))
      return std::nullopt;
    const Variable &array = nest_.variable(*root->variable);
    const bool isArray = array.isParameter && array.kind == Variable::Kind::Pointer &&
                         array.elementType == variable.elementType && !array.elementType.empty();
    return isArray ? root->variable : std::nullopt;
  }

  /// Returns an extent as a number that is never larger than what the contract means, however its parts wrap.
  std::optional<std::string> countOf(const std::string &text) const {
    if (const Parameter *parameter = nest_.function.parameter(text); parameter && isSize(*parameter, true))
      return parameter->type.starts_with("unsigned") ? castTo(kWide, text)
                                                     : castTo(kWide, text) + " * " + castTo(kWide, text + " > 0");
    const auto extent = parseExpression(text);
    return extent && growsWithSizes(*extent) ? std::optional(castTo(kWide, text)) : std::nullopt;
  }

  /// Returns whether it is made of numbers and unsigned parameters by sums and products, none of constants alone.
  bool growsWithSizes(const agentic::Expression &extent) const {
    using ExtentKind = agentic::Expression::Kind;
    if (extent.kind == ExtentKind::Integer)
      return extent.text.size() < 10;
    if (extent.kind == ExtentKind::Name) {
      const Parameter *parameter = nest_.function.parameter(extent.text);
      return parameter && isSize(*parameter, false);
    }
    const auto grows = [&](const agentic::Expression &part) { return growsWithSizes(part); };
    return extent.kind == ExtentKind::Binary && (extent.text == "+" || extent.text == "*") &&
           std::ranges::all_of(extent.operands, grows) &&
           std::ranges::any_of(extent.operands, [](const auto &part) { return part.kind != ExtentKind::Integer; });
  }

  bool isSize(const Parameter &parameter, bool maySign) const {
    return parameter.isInteger && stays(parameter.variable) &&
           (maySign || (parameter.type.starts_with("unsigned") && parameter.largest >= INT32_MAX));
  }

  const Nest &nest_;
  const Contract *contract_;
  const Loop &loop_;
};

} // namespace

std::optional<Room> roomOf(const Nest &nest, const Contract *contract, const Loop &loop, VariableId base,
                           const Expression &subscript) {
  return RoomFinder(nest, contract, loop).of(base, subscript);
}

} // namespace agentic::moves
