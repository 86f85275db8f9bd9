// Makes mutants that compute values in a narrower type than the baseline's: fast code with wrong results.
#include "tool/source/mutants/mutants_ast.h"

namespace agentic::mutants {
namespace {

const std::string kHalf = R"(static inline float agenticHalf(float value) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  bits = (bits + 0x1000u) & 0xffffe000u;
  __builtin_memcpy(&value, &bits, sizeof bits);
  return value;
}
)";
// A declared tolerance may allow these relative errors anyway.
constexpr double kHalfError = 4.9e-4, kFloatError = 6e-8;
constexpr double kFloatUlp = 1.2e-7, kDoubleUlp = 2.3e-16;

struct Narrowing {
  std::string before, after, helper, advice;
};

bool isAllowed(const Contract &contract, double error, double ulp) {
  if (!contract.tolerance || contract.tolerance->kind == Tolerance::Kind::Absolute)
    return false;
  const double value = contract.tolerance->value;
  return (contract.tolerance->kind == Tolerance::Kind::Ulp ? value * ulp : value) >= error;
}

/// Returns what stands before a value that passes through the narrow type; "))" closes it.
std::string twoCasts(const SiteList &list, const std::string &wide, const std::string &narrow) {
  return list.spec.language == Language::C ? "((" + wide + ")(" + narrow + ")("
                                           : "static_cast<" + wide + ">(static_cast<" + narrow + ">(";
}

std::optional<Narrowing> narrowFloat(const SiteList &list, clang::QualType type) {
  const auto *builtin = type->getAs<clang::BuiltinType>();
  const std::string advice = "use values whose results need the full precision, and compare them with a tolerance that "
                             "is no larger than rounding needs";
  if (builtin && builtin->getKind() == clang::BuiltinType::Float) {
    if (isAllowed(list.spec.contract, kHalfError, kFloatUlp))
      return std::nullopt;
    return Narrowing{"agenticHalf(", ")", kHalf, advice};
  }
  if (!builtin || builtin->getKind() != clang::BuiltinType::Double ||
      isAllowed(list.spec.contract, kFloatError, kDoubleUlp))
    return std::nullopt;
  return Narrowing{twoCasts(list, "double", "float"), "))", "", advice};
}

std::optional<Narrowing> narrowInteger(const SiteList &list, clang::QualType type, unsigned width) {
  const bool isSigned = type->isSignedIntegerType();
  const char *narrow = width == 32   ? (isSigned ? "int" : "unsigned")
                       : width == 16 ? (isSigned ? "short" : "unsigned short")
                       : width == 8  ? (isSigned ? "signed char" : "unsigned char")
                                     : nullptr;
  if (!narrow)
    return std::nullopt;
  const std::string wide = type.getUnqualifiedType().getAsString(list.context.getPrintingPolicy());
  const unsigned long long most = (1ULL << (isSigned ? width - 1 : width)) - 1;
  return Narrowing{twoCasts(list, wide, narrow), "))", "",
                   "use values or sizes whose results exceed " + std::to_string(most)};
}

/// Returns how many bits an expression's values can have, from the types it was computed with.
unsigned widthOf(const SiteList &list, const clang::Expr *value) {
  value = value->IgnoreParenImpCasts();
  if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(value))
    value = cast->getSubExpr()->IgnoreParenImpCasts();
  const clang::QualType type = value->getType();
  return isNumber(type) ? static_cast<unsigned>(list.context.getTypeSize(type)) : 64;
}

/// Returns nullopt if narrowing would lose nothing, or nothing that a test would likely see.
std::optional<Narrowing> narrowing(const SiteList &list, const Computed &computed, clang::QualType type) {
  if (type->isRealFloatingType())
    return narrowFloat(list, type);
  const unsigned width = static_cast<unsigned>(list.context.getTypeSize(type));
  if (!computed.value) // a counter: no test counts to 2^32
    return width > 16 ? narrowInteger(list, type, 16) : std::nullopt;
  const unsigned from = widthOf(list, computed.value);
  // The value of a local variable was computed elsewhere.
  const clang::VarDecl *variable = moves::namedVariable(computed.value);
  if (computed.operation.empty() && variable && variable->hasLocalStorage())
    return std::nullopt;
  if (computed.operation.empty())
    return from > width / 2 ? narrowInteger(list, type, width / 2) : std::nullopt;
  return narrowInteger(list, type, 2 * from >= width ? width / 2 : 16);
}

} // namespace

void addNarrowedSite(SiteList &list, const Computed &computed) {
  const clang::Expr *typed = computed.target ? computed.target : computed.value;
  const clang::QualType type = typed->getType().getCanonicalType();
  if (!isNumber(type) || (computed.value && computed.value->isValueDependent()) ||
      (computed.operation.empty() && computed.value && computed.value->isEvaluatable(list.context)))
    return;
  const auto narrow = narrowing(list, computed, type);
  if (!narrow)
    return;
  const auto target = computed.target ? list.operand(computed.target) : std::string();
  const auto value = computed.value ? list.operand(computed.value) : std::string("1");
  if (!target || !value)
    return;
  std::string expression = *value;
  if (computed.target && (!computed.value || !computed.operation.empty()))
    expression = *target + " " + (computed.operation.empty() ? "+" : computed.operation) + " " + *value;
  expression = narrow->before + expression + narrow->after;
  if (computed.target)
    expression = *target + " = " + expression;
  list.replace(MutantKind::Narrowed, computed.whole, expression, narrow->advice, computed.loop, narrow->helper);
}

} // namespace agentic::mutants
