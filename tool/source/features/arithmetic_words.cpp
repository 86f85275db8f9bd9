// Words for what a kernel computes with its numbers.
#include "tool/source/features/rules.h"

#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace agentic::features {
namespace {

using Kind = Expression::Kind;

struct Transcendental {
  std::string_view kind;
  std::array<std::string_view, 7> functions; ///< the rest is empty
};
constexpr Transcendental kTranscendental[] = {
    {"exponential", {"exp", "exp2", "expm1"}},
    {"logarithm", {"log", "log2", "log10", "log1p"}},
    {"trigonometric", {"sin", "cos", "tan", "asin", "acos", "atan", "atan2"}},
    {"hyperbolic", {"sinh", "cosh", "tanh"}},
    {"power", {"pow", "cbrt"}},
    {"", {"erf", "erfc", "tgamma"}}, // of no kind that has a word
};

constexpr std::int64_t kLimits[] = {127, -128, 255, 32767, -32768, 65535, INT32_MAX, INT32_MIN};

bool isSaturationLimit(const Expression &expression) {
  const Expression &plain = bare(expression);
  return plain.value && std::ranges::find(kLimits, *plain.value) != std::end(kLimits);
}

/// 127.0f, -128.0f and the like.
bool isFloatingLimit(const Scene &scene, const Expression &expression) {
  const Expression &plain = bare(expression);
  if (plain.range.isEmpty() || (plain.kind != Kind::Literal && plain.kind != Kind::Unary) || !plain.isFloating)
    return false;
  const double value = std::strtod(std::string(scene.tree.names.slice(plain.range)).c_str(), nullptr);
  return value != 0 &&
         std::ranges::any_of(kLimits, [&](std::int64_t limit) { return static_cast<double>(limit) == value; });
}

/// Multiply-adds of one variable in a row: (a * x + b) * x + c, in one expression or by assignments.
bool isPolynomial(const Expression &expression) {
  return hasPart(expression, [](const Expression &part) {
    if (!isBinary(part, {"*"}) || !part.isFloating)
      return false;
    for (int i = 0; i < 2; ++i) {
      const Expression &sum = bare(part.operands[static_cast<std::size_t>(i)]);
      const Expression &factor = bare(part.operands[static_cast<std::size_t>(1 - i)]);
      if (isBinary(sum, {"+", "-"}) && hasPart(sum, [&](const Expression &inner) {
            return isBinary(inner, {"*"}) && (isSame(inner.operands[0], factor) || isSame(inner.operands[1], factor));
          }))
        return true;
    }
    return false;
  });
}

/// a * (one - t) + b * t, or a + t * (b - a).
bool isInterpolation(const Expression &sum) {
  if (!isBinary(sum, {"+"}))
    return false;
  for (std::size_t i = 0; i < 2; ++i) {
    const Expression &first = bare(sum.operands[i]), &second = bare(sum.operands[1 - i]);
    if (isBinary(second, {"*"}))
      for (const Expression &factor : second.operands) {
        const Expression &difference = bare(factor);
        if (isBinary(difference, {"-"}) && isSame(difference.operands[1], first))
          return true;
        if (!isBinary(difference, {"-"}) || !isBinary(first, {"*"}))
          continue;
        if (isSame(difference.operands[1], first.operands[0]) || isSame(difference.operands[1], first.operands[1]))
          return true;
      }
  }
  return false;
}

bool isProduct(const Expression &expression) {
  return isBinary(bare(expression), {"*"});
}

/// The variables that a product multiplies, sorted.
std::vector<std::string> factorsOf(const Scene &scene, const Expression &product) {
  std::vector<std::string> factors;
  for (const Expression &operand : bare(product).operands) {
    const Expression &plain = bare(operand);
    if (isProduct(plain)) {
      const std::vector<std::string> inner = factorsOf(scene, plain);
      factors.insert(factors.end(), inner.begin(), inner.end());
    } else if (plain.variable) {
      factors.push_back(scene.variable(*plain.variable).name);
    } else if (!plain.value && plain.kind != Kind::Literal) {
      factors.emplace_back(plain.range.isEmpty() ? "?" : scene.tree.names.slice(plain.range));
    }
  }
  std::ranges::sort(factors);
  return factors;
}

/// The products of a complex multiplication: a*c - b*d beside a*d + b*c, or x*x - y*y beside 2*x*y.
void addComplex(const Scene &scene, Words &words) {
  std::vector<std::set<std::string>> differences, sums;
  forEachPart(scene, [&](const Occurrence &, const Expression &part) {
    const bool isPair = isBinary(part, {"+", "-"}) && isProduct(part.operands[0]) && isProduct(part.operands[1]);
    if (isPair || isProduct(part)) {
      std::set<std::string> names;
      if (isPair)
        for (const Expression &operand : part.operands)
          for (const std::string &name : factorsOf(scene, operand))
            names.insert(name);
      else
        for (const std::string &name : factorsOf(scene, part))
          names.insert(name);
      if (isPair && part.op == "-" && names.size() >= 2)
        differences.push_back(names);
      else if (names.size() >= 2)
        sums.push_back(names);
    }
  });
  for (const std::set<std::string> &difference : differences)
    for (const std::set<std::string> &sum : sums)
      if (difference == sum)
        words.insert("complex-numbers");
  for (const moves::Variable &variable : scene.tree.names.variables)
    if (variable.type.find("complex<") != std::string::npos ||
        variable.elementType.find("complex<") != std::string::npos ||
        variable.elementType.find("_Complex") != std::string::npos)
      words.insert("complex-numbers");
}

void addCalls(const Scene &scene, Words &words) {
  for (const std::string &called : scene.tree.calls) {
    Expression call;
    call.kind = Kind::Call;
    call.op = called;
    call.isLibrary = true;
    const std::string name = calledName(call);
    for (const auto &[kind, functions] : kTranscendental)
      if (!name.empty() && std::ranges::count(functions, name) > 0) {
        words.insert("transcendental");
        if (!kind.empty())
          words.insert(std::string(kind));
      }
    if (isOneOf(name, {"lower_bound", "upper_bound", "equal_range", "binary_search"}))
      words.insert("binary-search");
    if (name == "sqrt" || name == "hypot")
      words.insert("square-root");
    if (name.starts_with("popcount"))
      words.insert("bit-count");
    if (isOneOf(name, {"max", "min", "fmax", "fmin", "max_element", "min_element", "clamp"}))
      words.insert("minmax");
    if (name == "max_element" || name == "min_element")
      words.insert("argmax");
    if (name.ends_with("_overflow"))
      words.insert("overflow-check");
    if (name == "memcmp" || name == "strcmp" || name == "strncmp")
      words.insert("comparison");
    if (isOneOf(name, {"sort", "stable_sort", "partial_sort"}))
      words.insert("sorting");
    if (isOneOf(name, {"nth_element", "partial_sort"}))
      words.insert("selection");
    if (isOneOf(name, {"fmod", "remainder"}))
      words.insert("modulo");
  }
  if (scene.tree.helpers > 0 || scene.tree.callsUnknown)
    words.insert("small-calls");
}

/// All that goes into sums in loops, their sources included: once, for a kernel may have many products and many sums.
std::set<const Expression *> summedIn(const Scene &scene) {
  std::set<const Expression *> summed;
  for (const SceneUpdate &update : scene.updates)
    if (update.op == "+" && update.value && update.place->loop >= 0)
      scene.forEachSource(*update.value, [&](const Expression &source) {
        // What is in the set already is there with all its parts.
        moves::forEachExpression(source, [&](const Expression &part) { return summed.insert(&part).second; });
      });
  return summed;
}

void addConversions(const Scene &scene, Words &words) {
  const std::set<const Expression *> summed = summedIn(scene);
  forEachPart(scene, [&](const Occurrence &, const Expression &part) {
    if (part.kind == Kind::Cast && part.operands.size() == 1 && part.isArithmetic()) {
      const Expression &from = part.operands[0];
      const bool crosses =
          from.isArithmetic() && from.isFloating != part.isFloating && !from.value && part.type != "bool";
      const bool widens = from.isFloating && part.isFloating && from.bits != part.bits && from.kind != Kind::Literal;
      if ((crosses || widens) && scene.isData(from))
        words.insert("conversion");
      if (widens && scene.isData(from))
        words.insert("mixed-precision");
    }
    // Small integers times each other or a scale, summed up in something wider.
    if (!isBinary(part, {"*"}) || !part.isArithmetic())
      return;
    const auto isSmall = [&](const Expression &operand) {
      return operand.isArithmetic() && std::ranges::any_of(scene.accessesOf(operand), [](const SceneAccess *access) {
               return access->element->isInteger && access->element->bits <= 16 && !access->isIndex;
             });
    };
    if (part.isFloating && (isSmall(part.operands[0]) || isSmall(part.operands[1]))) {
      words.insert("quantized");
      words.insert("mixed-precision");
    } else if (part.isInteger && summed.contains(&part) && isSmall(part.operands[0]) && isSmall(part.operands[1])) {
      words.insert("quantized");
    }
  });
}

/// Whether a divisor, no constant, keeps its value in the loop or in one around it.
bool isInvariant(const Scene &scene, const Expression &divisor, int innermost) {
  if (bare(divisor).value || bare(divisor).kind == Kind::Literal)
    return false;
  for (int loop = innermost; loop >= 0; loop = scene.loops[static_cast<std::size_t>(loop)].parent) {
    const SceneLoop &own = scene.loops[static_cast<std::size_t>(loop)];
    const auto isChanged = [&](VariableId variable) {
      const bool countsInside = scene.isLoopVariable(variable) && own.node->variable != variable;
      return own.node->variable == variable || (own.assigned.contains(variable) && !countsInside);
    };
    const bool changes = hasSource(scene, divisor, [&](const Expression &part) {
      return part.kind == Kind::Call || (part.variable && isChanged(*part.variable));
    });
    if (!changes)
      return true;
  }
  return false;
}

/// Floating-point numbers of 16 bits, as a type or by their bits.
void addHalves(const Scene &scene, Words &words) {
  const auto isShort = [](const SceneAccess *access) {
    return access->element->isInteger && access->element->bits == 16;
  };
  const bool writesShorts =
      std::ranges::any_of(scene.accesses, [&](const SceneAccess &access) { return access.writes && isShort(&access); });
  const bool readsBits = std::ranges::any_of(scene.tree.calls, [](const std::string &name) {
    return name == "memcpy" || name == "__builtin_memcpy" || name == "bit_cast" || name == "__builtin_bit_cast";
  });
  const bool hasShorts =
      std::ranges::any_of(scene.accesses, [&](const SceneAccess &access) { return isShort(&access); });
  bool isHalf = std::ranges::any_of(scene.accesses, [](const SceneAccess &access) {
    return access.element->isFloating && access.element->bits == 16;
  });
  forEachPart(scene, [&](const Occurrence &, const Expression &part) {
    if (!isBinary(part, {"<<", ">>", "&"}))
      return;
    const auto number = bare(part.operands[1]).value;
    isHalf |= hasShorts && readsBits && // in a helper, too, of which it is not known what it is called with
              ((part.op == "<<" && number == 16) || (part.op == "&" && (number == 0x7c00 || number == 0x3ff)));
    isHalf |= part.op == ">>" && number == 16 && readsBits && writesShorts && words.contains("float");
  });
  if (isHalf)
    words.insert("half-precision");
}

} // namespace

void addArithmeticWords(const Scene &scene, Words &words) {
  addCalls(scene, words);
  addConversions(scene, words);
  addComplex(scene, words);
  addHalves(scene, words);
  for (const SceneUpdate &update : scene.updates)
    if (update.op == "min" || update.op == "max") {
      words.insert("minmax");
      if (update.value && update.target->isInteger && isSaturationLimit(*update.value)) // if (s > 255) s = 255;
        words.insert("saturating-arithmetic");
      if (update.value && isFloatingLimit(scene, *update.value) && words.contains("conversion"))
        words.insert("saturating-arithmetic");
    }
  for (const Occurrence &place : scene.occurrences)
    moves::forEachExpression(*place.root, [&](const Expression &part) {
      if (part.kind == Kind::Element && !scene.isData(part.operands.back()))
        return false; // how elements are counted, not what is computed
      const bool isHeader = place.role == Occurrence::Role::Header && place.node->variable;
      if (!isHeader && isOperation(part, {"/"}) && (part.isFloating || scene.isData(part)) && place.loop >= 0)
        words.insert("division");
      if (!isHeader && place.loop >= 0 && isOperation(part, {"/", "%"}) && (part.isFloating || scene.isData(part)) &&
          isInvariant(scene, part.operands[1], place.loop))
        words.insert("invariant-division");
      if (!isHeader && isOperation(part, {"%"}) && scene.isData(part))
        words.insert("modulo");
      if (isOperation(part, {"<<", ">>"}) && !bare(part.operands[1]).value && place.loop >= 0)
        words.insert("variable-shift");
      if (part.isInteger && scene.isData(part) && part.type != "bool" &&
          (isOperation(part, {"&", "|", "^", "<<"}) || (part.kind == Kind::Unary && part.op == "~")))
        words.insert("bit-manipulation");
      if (isBinary(part, {"&"}) && bare(part.operands[0]).kind == Kind::Binary && bare(part.operands[0]).op == ">>" &&
          scene.isData(part))
        words.insert("bit-unpacking");
      if (part.kind == Kind::Conditional && part.operands.size() == 3 && isOrder(bare(part.operands[0]))) {
        if (isSaturationLimit(part.operands[1]) || isSaturationLimit(part.operands[2]))
          words.insert("saturating-arithmetic");
        if (words.contains("conversion") &&
            (isFloatingLimit(scene, part.operands[1]) || isFloatingLimit(scene, part.operands[2])))
          words.insert("saturating-arithmetic");
        const Expression &test = bare(part.operands[0]);
        if ((isSame(test.operands[0], part.operands[1]) && isSame(test.operands[1], part.operands[2])) ||
            (isSame(test.operands[1], part.operands[1]) && isSame(test.operands[0], part.operands[2])))
          words.insert("minmax");
      }
      if (const std::string name = calledName(part); isOneOf(name, {"min", "max", "clamp"}) && part.isInteger &&
                                                     std::ranges::any_of(part.operands, isSaturationLimit))
        words.insert("saturating-arithmetic");
      if (isBinary(part, {">>"}) && bare(part.operands[1]).value.value_or(0) >= 4 && scene.isData(part) &&
          hasSource(scene, part.operands[0], [&](const Expression &product) {
            return isBinary(product, {"*"}) && product.isInteger && scene.isData(product) &&
                   !isLargeNumber(product.operands[0], 1 << 24) && !isLargeNumber(product.operands[1], 1 << 24);
          }))
        words.insert("fixed-point");
      if (isPolynomial(part))
        words.insert("polynomial");
      if (isInterpolation(part) && scene.isData(part))
        words.insert("interpolation");
      return true;
    });
  // if (x > 255) y[i] = 255;
  for (const SceneAssignment &assignment : scene.assignments) {
    const Node *branch = assignment.place->branch();
    if (branch && branch->value && assignment.op == "=" && assignment.target->isInteger &&
        isSaturationLimit(*assignment.value) && hasPart(*branch->value, [&](const Expression &part) {
          return isOrder(part) && scene.isData(part.operands[0]) &&
                 (isSaturationLimit(part.operands[1]) || isFloatingLimit(scene, part.operands[1]));
        }))
      words.insert("saturating-arithmetic");
  }
  // Nibbles: the low and the high half of the same bytes.
  bool hasLow = false, hasHigh = false;
  forEachPart(scene, [&](const Occurrence &, const Expression &part) {
    const bool isByte = part.kind == Kind::Binary && !scene.accessesOf(part).empty() &&
                        scene.accessesOf(part).front()->element->bits == 8;
    hasLow |= isByte && isBinary(part, {"&"}) && bare(part.operands[1]).value == 15;
    hasHigh |= isByte && isBinary(part, {">>"}) && bare(part.operands[1]).value == 4;
  });
  if (hasLow && hasHigh)
    words.insert("bit-unpacking");
  // p = p * x + c, several times.
  int horner = 0;
  for (const SceneAssignment &assignment : scene.assignments) {
    const Expression &sum = bare(*assignment.value);
    if (assignment.op == "=" && isBinary(sum, {"+"}) && sum.isFloating && bare(*assignment.target).variable &&
        std::ranges::any_of(sum.operands, [&](const Expression &operand) {
          return isProduct(operand) && std::ranges::any_of(bare(operand).operands, [&](const Expression &factor) {
                   return isSame(factor, *assignment.target);
                 });
        }))
      ++horner;
  }
  if (horner >= 2)
    words.insert("polynomial");
}

} // namespace agentic::features
