#include "tool/source/schedule/block_cut.h"

#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"

#include <algorithm>

namespace agentic::moves {
namespace {

bool isNotNegative(const Loop &loop) {
  return loop.lowerConstant && *loop.lowerConstant >= 0;
}

/// Returns whether it begins behind an interior.
bool isLeftOver(const Nest &nest, const Loop &loop) {
  const Expression &lower = loop.lowerValue.plain();
  if (lower.kind != Expression::Kind::Binary || lower.op != "+")
    return false;
  return std::ranges::all_of(lower.operands, [&](const Expression &operand) {
    const auto variable = operand.plain().variable;
    const Expression *value = variable ? initialValue(nest, *variable) : nullptr;
    return value && value->plain().kind == Expression::Kind::Conditional;
  });
}

/// Declares `last`, the smallest of the bound and the limits, without a branch: no test need reach both sides.
std::string limitedText(const Loop &loop, const BlockCut &cut, const std::string &last, const std::string &limit,
                        const std::vector<std::string> &limits) {
  const std::string wide = "unsigned long long", bound = castTo(wide, cut.last);
  std::string text = wide + " " + limit + " = " + bound;
  if (loop.lowerValue.isSigned)
    text += " * " + castTo(wide, cut.last + " > 0");
  text += ";\n";
  for (const std::string &other : limits)
    text += limit + " -= (" + limit + " - " + other + ") * " + castTo(wide, other + " < " + limit) + ";\n";
  return text + "const " + cut.type + " " + last + " = " + castTo(cut.type, limit) + ";\n";
}

} // namespace

std::string whyNotCut(const Nest &nest, const Loop &loop, int size) {
  if (!loop.problem.empty())
    return loop.problem;
  const std::string &name = nest.variable(loop.variable).name;
  const Expression &variable = loop.lowerValue; // converted to the variable's type
  const Expression &bound = loop.upperValue.plain();
  if (!variable.isInteger || !bound.isInteger || variable.bits > 64)
    return "the bounds of '" + name + "' are not plain integers";
  if (size > loop.largest)
    return std::to_string(size) + " is more than the type of '" + name + "' holds";
  if (bound.value ? *bound.value >= (variable.isSigned ? INT64_MIN : 0) && *bound.value <= loop.largest &&
                        (isNotNegative(loop) || bound.isSigned == variable.isSigned)
                  : bound.isSigned == variable.isSigned && bound.bits <= variable.bits)
    return {};
  // `p < n` is evaluated in the common type: for another sign or width it must mean the same as `p < T(n)`.
  if (bound.value || variable.bits < 32)
    return "the bound of '" + name + "' has another type, whose values '" + name + "' does not hold";
  if (!variable.isSigned && bound.isSigned && bound.bits <= variable.bits)
    return {};
  if (variable.isSigned && !bound.isSigned && isNotNegative(loop))
    return {}; // a larger bound would make the variable itself overflow
  return "the bound of '" + name + "' has another type, and may be out of the range of '" + name + "'";
}

std::string nameFor(const std::string &value, bool isPlain, const std::string &type, const std::string &wish,
                    FreshNames &names, std::string &declarations) {
  if (isPlain && isName(value))
    return value;
  const std::string made = names.make(wish);
  declarations += "const " + type + " " + made + " = " + value + ";\n";
  return made;
}

BlockCut cutLoop(const Nest &nest, const Loop &loop, int size, const std::string &wish, const std::string &comment,
                 FreshNames &names, const std::string &guard, const std::vector<std::string> &limits) {
  const Variable &variable = nest.variable(loop.variable);
  const Expression &bound = loop.upperValue.plain();
  BlockCut cut;
  cut.type = variable.type;
  cut.size = names.make(wish + capitalised(variable.name));
  cut.start = names.make(variable.name + "0");
  const bool isEndTaken = nest.text.find(variable.name + "End") != std::string::npos; // hoist makes such a name
  cut.end = names.make(variable.name + (isEndTaken ? "BlocksEnd" : "End"));
  cut.declarations = "constexpr " + cut.type + " " + cut.size + " = " + std::to_string(size) + "; // " + comment + "\n";
  const auto named = [&](std::string_view text, bool isPlain, const std::string &name) {
    return nameFor(std::string(text), isPlain, cut.type, name, names, cut.declarations);
  };
  const std::string upper = named(nest.slice(loop.upper), bound.type == loop.lowerValue.type || bound.value.has_value(),
                                  variable.name + "Bound");
  cut.first = named(nest.slice(loop.lower), true, variable.name + "First");
  cut.last = upper;
  cut.constant = cut.declarations;
  const std::string last = limits.empty() ? upper : names.make(variable.name + "BlocksBound");
  if (!limits.empty())
    cut.declarations += limitedText(loop, cut, last, names.make(variable.name + "Limit"), limits);
  std::string value = last + " - " + last + " % " + cut.size;
  if (loop.lowerConstant != 0) {
    const std::string count = last + " - " + cut.first;
    const bool mayOverflow = loop.lowerValue.isSigned && !isNotNegative(loop);
    // The distance of two signed numbers may need the unsigned type.
    const std::string rest = mayOverflow
                                 ? "static_cast<" + cut.type + ">((static_cast<unsigned long long>(" + last +
                                       ") - static_cast<unsigned long long>(" + cut.first + ")) % " + cut.size + ")"
                                 : "(" + count + ") % " + cut.size;
    value = last + " > " + cut.first + " ? " + last + " - " + rest + " : " + cut.first;
  }
  if (!guard.empty()) // from 0 without a branch: coverage asks for tests of both sides
    value = loop.lowerConstant == 0 ? "(" + value + ") * (" + guard + ")" : guard + " ? (" + value + ") : " + cut.first;
  cut.declarations += "const " + cut.type + " " + cut.end + " = " + value + ";\n";
  cut.blockHeader = "for (" + cut.type + " " + cut.start + " = " + cut.first + "; " + cut.start + " < " + cut.end +
                    "; " + cut.start + " += " + cut.size + ")";
  if (!guard.empty() || !limits.empty() || !leavesNoRest(loop, size))
    cut.rest = "// The rest, when there is no whole block left.\n" +
               applyEdits(nest.text, loop.range, {Edit{loop.lower, cut.end}}) + "\n";
  return cut;
}

bool leavesNoRest(const Loop &loop, int blockSize) {
  const auto trips = constantTrips(loop);
  return trips && *trips > 0 && *trips % blockSize == 0;
}

bool isUnlikely(const Nest &nest, const Statement &statement) {
  const std::string_view text = nest.slice(statement.range);
  return text.starts_with("if (__builtin_expect(") && text.substr(0, text.find('{')).find(", 0))") != text.npos;
}

bool isRestOfBlocks(const Nest &nest, const Loop &loop) {
  bool isInUnlikely = false;
  forEachInside(nest.statements, [&](const Statement &statement) {
    isInUnlikely |= statement.range.contains(loop.range) && isUnlikely(nest, statement);
  });
  if (isInUnlikely)
    return true;
  const Expression &first = loop.lowerValue.plain();
  if (!loop.problem.empty() || first.kind != Expression::Kind::Variable)
    return false;
  const Expression *end = initialValue(nest, *first.variable);
  if (end && end->plain().kind == Expression::Kind::Variable) // a search begins at its hit, or at the end of the blocks
    end = initialValue(nest, *end->plain().variable);
  bool isRest = false;
  if (end)
    forEachExpression(*end, [&](const Expression &part) {
      isRest |= part.kind == Expression::Kind::Binary && part.op == "%" && part.operands[1].value;
      return !isRest;
    });
  return isRest;
}

bool isOneBlock(const Nest &nest, const Loop &loop) {
  if (loop.lowerValue.plain().kind != Expression::Kind::Variable)
    return false;
  return std::ranges::any_of(loop.boundReferences, [&](const Reference &reference) {
    const Variable &variable = nest.variable(reference.variable);
    return variable.isConstexpr && !variable.isGlobal;
  });
}

bool isShort(const Nest &nest, const Loop &loop) {
  constexpr std::int64_t kMostShort = 4096;
  const auto bound = loop.upperValue.plain().variable;
  const Expression *value = bound ? initialValue(nest, *bound) : nullptr;
  if (!value || value->plain().kind != Expression::Kind::Conditional)
    return false;
  const std::vector<Expression> &choice = value->plain().operands;
  const Expression *condition = &choice[0].plain(); // `K < 64 || K > …`: also where K + 64 overflows
  if (condition->op == "||")
    condition = &condition->operands[0].plain();
  return condition->op == "<" && choice[2].value && *choice[2].value <= kMostShort;
}

bool hasFewIterations(const Nest &nest, const Loop &loop) {
  return std::ranges::any_of(nest.loops, [&](const Loop *around) {
    return around->range.contains(loop.range) && around->problem.empty() &&
           (isShort(nest, *around) || isLeftOver(nest, *around));
  });
}

std::string hiddenAlias(const Nest &nest, const Loop &loop) {
  for (const Statement &statement : loop.body)
    for (const Reference &reference : statement.references) {
      const Variable &variable = nest.variable(reference.variable);
      if (variable.isGlobal && !variable.isConstant)
        return "the loop uses the global '" + variable.name + "', which an argument may lead to";
      if (variable.escapes)
        return "the address of '" + variable.name + "' is taken";
    }
  return {};
}

std::string keepLaneLoop(bool forGcc) {
  return forGcc ? "" : "#pragma clang loop unroll(disable)\n";
}

std::string laneName(const Nest &nest, const Loop &loop, FreshNames &names) {
  const std::string &name = nest.variable(loop.variable).name;
  return names.make(name.size() == 1 ? name + name : name + "Lane");
}

std::string bodyText(const Nest &nest, const Loop &loop, std::vector<Edit> edits) {
  std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
  const std::string text = applyEdits(nest.text, {loop.header.end, loop.range.end}, edits);
  const std::string_view body = trim(text);
  if (!body.starts_with('{') || !body.ends_with('}'))
    return std::string(body) + "\n";
  return std::string(trim(body.substr(1, body.size() - 2))) + "\n";
}

} // namespace agentic::moves
