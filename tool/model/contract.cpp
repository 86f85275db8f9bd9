#include "tool/model/contract.h"

#include "tool/base/text.h"
#include "tool/model/expression.h"
#include "tool/model/kernel_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

namespace agentic {
namespace {

constexpr const char *kFiniteLine = "no argument holds a NaN, an infinity, a denormal or a -0";

/// The flags of a compile command that affect arithmetic, as GCC and Clang read them: a later option overrides.
struct MathFlags {
  bool associative = false, signedZeros = true, trapping = true;
  void setUnsafe(bool on) {
    associative = on;
    signedZeros = trapping = !on;
  }
  /// Both compilers ignore -fassociative-math while the sign of zero or traps count.
  bool reassociate() const { return associative && !signedZeros && !trapping; }
};

bool flagsReassociate(const std::vector<std::string> &arguments) {
  MathFlags flags;
  std::string_view level;
  for (std::string_view argument : arguments)
    if (argument.starts_with("-O"))
      level = argument;
  flags.setUnsafe(level == "-Ofast"); // a level sets defaults: options win wherever they stand
  for (std::string_view argument : arguments) {
    if (!argument.starts_with("-f"))
      continue;
    const bool on = !argument.starts_with("-fno-");
    const std::string_view name = argument.substr(on ? 2 : 5);
    if (name == "fast-math" || name == "unsafe-math-optimizations")
      flags.setUnsafe(on);
    else if (name == "associative-math")
      flags.associative = on;
    else if (name == "signed-zeros")
      flags.signedZeros = on;
    else if (name == "trapping-math")
      flags.trapping = on;
  }
  return flags.reassociate();
}

/// What the compiler may assume: whether every number is finite, and whether it may contract a * b + c.
struct NumberFlags {
  bool finite = false, contract = true;
};

NumberFlags numberFlags(const std::vector<std::string> &arguments) {
  NumberFlags flags;
  for (std::string_view argument : arguments) {
    if (argument.starts_with("-O"))
      flags.finite = argument == "-Ofast";
    else if (argument == "-ffast-math" || argument == "-ffinite-math-only")
      flags.finite = true;
    else if (argument == "-fno-fast-math" || argument == "-fno-finite-math-only")
      flags.finite = false;
    else if (argument.starts_with("-ffp-contract="))
      flags.contract = argument != "-ffp-contract=off";
  }
  return flags;
}

const char *floatingPointLine(FloatingPoint policy) {
  switch (policy) {
  case FloatingPoint::Unspecified:
    break;
  case FloatingPoint::Strict:
    return "floating point strict";
  case FloatingPoint::Contract:
    return "floating point may be contracted";
  case FloatingPoint::Reassociate:
    return "floating point may be reassociated";
  }
  return "";
}

void addMultiples(const Expression &condition, std::map<std::string, std::int64_t> &multiples) {
  if (condition.kind != Expression::Kind::Binary)
    return;
  const Expression &left = condition.operands[0], &right = condition.operands[1];
  if (condition.text == "&&") {
    addMultiples(left, multiples);
    addMultiples(right, multiples);
  }
  if (condition.text != "==" || !isLiteralZero(right) || left.kind != Expression::Kind::Binary || left.text != "%" ||
      left.operands[0].kind != Expression::Kind::Name || left.operands[1].kind != Expression::Kind::Integer)
    return;
  const std::int64_t divisor = std::strtoll(left.operands[1].text.c_str(), nullptr, 0);
  std::int64_t &known = multiples.try_emplace(left.operands[0].text, 1).first->second;
  known = std::max(known, divisor);
}

} // namespace

bool mayReassociate(const KernelSpec &spec) {
  const Contract &contract = spec.contract;
  if (contract.floatingPoint != FloatingPoint::Unspecified)
    return contract.floatingPoint == FloatingPoint::Reassociate;
  if (contract.tolerance)
    return contract.tolerance->value > 0;
  return flagsReassociate(spec.parseArguments);
}

bool hasSpecialValues(const KernelSpec &spec) {
  return !spec.contract.isFinite && (spec.contract.specialValues || !numberFlags(spec.parseArguments).finite);
}

bool mayContract(const KernelSpec &spec) {
  const FloatingPoint policy = spec.contract.floatingPoint;
  return policy == FloatingPoint::Unspecified ? numberFlags(spec.parseArguments).contract
                                              : policy != FloatingPoint::Strict;
}

bool hasFloatingPoint(const KernelSpec &spec) {
  constexpr auto kTypes = std::to_array<std::string_view>({"float", "double", "_Float16"});
  return std::ranges::any_of(kTypes,
                             [&](std::string_view type) { return spec.canonicalType.find(type) != std::string::npos; });
}

const std::string &copyOf(const Fragment &fragment) {
  return fragment.copy.empty() ? fragment.text : fragment.copy;
}

std::string textWithClosure(const KernelSpec &spec) {
  std::string text = spec.text;
  for (const Fragment &fragment : spec.closure)
    text += "\n" + fragment.text;
  return text;
}

std::vector<std::string> allowedFunctions(const KernelSpec &spec) {
  std::vector<std::string> names;
  for (const ExternalFunction &function : spec.externals)
    names.push_back(function.name);
  for (const Fragment &fragment : spec.closure)
    if (fragment.kind == Fragment::Kind::Function)
      names.push_back(fragment.name);
  return names;
}

std::string strictness(const KernelSpec &spec) {
  if (spec.contract.tolerance || mayReassociate(spec))
    return "";
  if (!hasFloatingPoint(spec))
    return "";
  return "no tolerance is declared: floating-point results must be the baseline's bit for bit" +
         std::string(mayContract(spec) ? " (but for a * b + c with one rounding)" : "") +
         ", so sums and products keep their order; AGENTIC_TOLERANCE(relative 1e-5) beside AGENTIC_KERNEL would permit "
         "another one";
}

CallingThreads together(const CallingThreads &one, const CallingThreads &other) {
  return {std::max(one.most, other.most), one.areSideBySide || other.areSideBySide};
}

std::string callersText(const CallingThreads &callers) {
  if (callers.most <= 1)
    return callers.most == 1 ? "calls come from one thread" : "";
  return std::string(callers.areSideBySide ? "calls run side by side on several threads ("
                                           : "calls come from several threads, one at a time as far as seen (") +
         std::to_string(callers.most) + " in one program)";
}

Contract contractWithOverlaps(const KernelSpec &spec) {
  Contract contract = spec.contract;
  for (const AliasPair &pair : spec.overlaps)
    if (!mayAlias(contract, pair.first, pair.second))
      contract.mayAlias.push_back(pair);
  return contract;
}

std::vector<std::string> assumptionsOf(const KernelSpec &spec) {
  const Contract contract = contractWithOverlaps(spec);
  std::vector<const Parameter *> memory; // references and views count as pointers
  for (const Parameter &parameter : spec.parameters) {
    const std::string &type = parameter.canonicalType;
    if (type.ends_with("*") || type.ends_with("&") || type.find("span<") != std::string::npos)
      memory.push_back(&parameter);
  }
  std::vector<std::string> exceptions, lines;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < memory.size(); ++i)
    for (std::size_t j = i + 1; j < memory.size(); ++j, ++pairs)
      if (!memory[i]->name.empty() && mayAlias(contract, memory[i]->name, memory[j]->name) &&
          memory[i]->name != memory[j]->name)
        exceptions.push_back(memory[i]->name + " and " + memory[j]->name);
  if (exceptions.size() < pairs)
    lines.push_back("pointer arguments do not overlap" +
                    (exceptions.empty() ? "" : ", except for " + join(exceptions, ", ")));
  for (const std::string &requirement : contract.requirements)
    lines.push_back(requirement);
  if (contract.tolerance)
    lines.push_back("results within " + toleranceText(*contract.tolerance) + " of the original's");
  if (contract.floatingPoint == FloatingPoint::Reassociate)
    lines.emplace_back("floating-point operations in any order");
  if (contract.isFinite)
    lines.emplace_back(kFiniteLine);
  if (spec.callers.most > 1)
    lines.emplace_back("calls may run side by side on several threads");
  return lines;
}

bool mayAlias(const Contract &contract, std::string_view first, std::string_view second) {
  return first == second || std::ranges::any_of(contract.mayAlias, [&](const AliasPair &pair) {
           return (pair.first == first && pair.second == second) || (pair.first == second && pair.second == first);
         });
}

const Extent *extentOf(const Contract &contract, std::string_view parameter) {
  const auto found = std::ranges::find(contract.extents, parameter, &Extent::parameter);
  return found == contract.extents.end() ? nullptr : &*found;
}

std::map<std::string, std::int64_t> requiredMultiples(const Contract &contract) {
  std::map<std::string, std::int64_t> multiples;
  for (const std::string &requirement : contract.requirements)
    if (const Result<Expression> condition = parseExpression(requirement))
      addMultiples(*condition, multiples);
  return multiples;
}

const char *directionName(Direction direction) {
  switch (direction) {
  case Direction::In:
    return "in";
  case Direction::Out:
    return "out";
  case Direction::InOut:
    return "inout";
  }
  return "";
}

std::string toleranceText(const Tolerance &tolerance) {
  constexpr const char *kKinds[] = {"absolute", "relative", "ulp"};
  char number[32];
  const std::to_chars_result end = std::to_chars(number, number + sizeof number, tolerance.value);
  return std::string(kKinds[static_cast<int>(tolerance.kind)]) + " " + std::string(number, end.ptr);
}

std::vector<std::string> contractLines(const Contract &contract) {
  std::vector<std::string> lines;
  for (const Extent &extent : contract.extents)
    lines.push_back(directionName(extent.direction) + (" " + extent.parameter) + "[" + extent.text + "]");
  for (const std::string &requirement : contract.requirements)
    lines.push_back("requires " + requirement);
  for (const AliasPair &pair : contract.mayAlias)
    lines.push_back(pair.first + " and " + pair.second + " may overlap");
  if (contract.tolerance)
    lines.push_back("tolerance " + toleranceText(*contract.tolerance));
  if (contract.floatingPoint != FloatingPoint::Unspecified)
    lines.emplace_back(floatingPointLine(contract.floatingPoint));
  if (contract.specialValues)
    lines.emplace_back("NaN, infinities and -0 as in the baseline");
  if (contract.isFinite)
    lines.emplace_back(kFiniteLine);
  return lines;
}

} // namespace agentic
