#include "ast-checks/key_constants.h"

#include "ast-checks/context.h"
#include "ast-checks/names.h"
#include "ast-checks/pointer_bases.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace agentic::checks {
namespace {

constexpr std::uint64_t kSmallestKey = 32; // below: counts, classes, tails

bool isUsualPattern(std::uint64_t bits, unsigned width) {
  const std::uint64_t all = width >= 64 ? ~0ull : (1ull << width) - 1;
  bits &= all;
  const auto isMask = [&](std::uint64_t one) { return (one & (one + 1)) == 0 || std::has_single_bit(one); };
  return bits < kSmallestKey || (~bits & all) < kSmallestKey || isMask(bits) || isMask(~bits & all);
}

/// What types give: small numbers, single bits, masks, the ends of the type, and these in every byte or word.
bool isUsual(std::uint64_t bits, unsigned width) {
  if (width < 64)
    bits &= (1ull << width) - 1;
  for (unsigned part = 8; part < width; part *= 2) {
    const std::uint64_t mask = (1ull << part) - 1;
    std::uint64_t same = 0;
    for (unsigned at = 0; at < width && at < 64; at += part)
      same |= (bits & mask) << at;
    if (same == bits && isUsualPattern(bits, part))
      return true;
  }
  return isUsualPattern(bits, width);
}

bool isUsual(double value) {
  int exponent = 0;
  const double fraction = std::fabs(std::frexp(value, &exponent));
  const bool isSmall = std::fabs(value) < double(kSmallestKey) && value == std::floor(value);
  return !std::isfinite(value) || isSmall || fraction == 0.5 ||
         std::fabs(value) == double(std::numeric_limits<float>::max()) ||
         std::fabs(value) == std::numeric_limits<double>::max();
}

/// What is read of: `p` of `p[i].x`, `*(p + i)`.
const clang::Expr &rootOf(const clang::Expr &expression) {
  const clang::Expr *root = pointerRoot(&expression);
  while (const auto *member = llvm::dyn_cast<clang::MemberExpr>(root))
    root = pointerRoot(member->getBase());
  return *root;
}

bool isAccess(const clang::Stmt &statement) {
  if (llvm::isa<clang::ArraySubscriptExpr>(statement))
    return true;
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&statement))
    return unary->getOpcode() == clang::UO_Deref;
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(&statement);
  return member && member->isArrow();
}

/// "_mm_cmpeq_epi8" for the intrinsic, "std::memcmp" …
std::string calleeOf(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  return callee ? qualifiedName(*callee) : std::string();
}

/// Of vectors; the predicates of the last kind are "equal" and "not equal" in all of their variants.
bool isVectorEquality(const clang::CallExpr &call, std::string_view name, const Context &context) {
  if (name.contains("cmpeq") || name.contains("cmpneq") || name.contains("cmpestr") || name.contains("cmpistr"))
    return true;
  clang::Expr::EvalResult predicate;
  return name.starts_with("__builtin_ia32_") && name.contains("cmp") && call.getNumArgs() > 2 &&
         !call.getArg(2)->isValueDependent() && call.getArg(2)->EvaluateAsInt(predicate, context.ast()) &&
         (predicate.Val.getInt().getZExtValue() & 3) == 0;
}

} // namespace

/// The numbers and characters of the baseline's text.
class KeyConstants::Baseline {
public:
  explicit Baseline(const std::string &text) {
    for (const RawToken &token : lexSnippet(text)) {
      std::string word = token.spelling;
      const std::size_t quote = word.find('\'');
      if (token.kind == RawToken::Kind::Number) {
        std::erase(word, '\'');
        whole_.insert(std::strtoull(word.c_str(), nullptr, 0));
        real_.insert(std::strtod(word.c_str(), nullptr));
      } else if (quote != std::string::npos && word.size() == quote + 3) {
        whole_.insert(static_cast<unsigned char>(word[quote + 1]));
      }
    }
  }
  /// Or a neighbour: `x < 128` becomes `x <= 127`.
  bool has(std::uint64_t value) const {
    return whole_.contains(value) || whole_.contains(value + 1) || whole_.contains(value - 1) ||
           whole_.contains(0 - value);
  }
  bool has(double value) const { return real_.contains(value) || real_.contains(-value); }

private:
  std::set<std::uint64_t> whole_;
  std::set<double> real_;
};

/// Whether a value depends on what the kernel's pointers lead to.
bool KeyConstants::readsData(const clang::Stmt &statement) const {
  if (isAccess(statement)) {
    const clang::VarDecl *variable = variableOf(rootOf(*llvm::cast<clang::Expr>(&statement)));
    const bool isOwn = variable && !variable->getType()->isPointerType() && !llvm::isa<clang::ParmVarDecl>(variable);
    if (!isOwn || data_.contains(variable))
      return true; // a table of the candidate's is data where the index is
  } else if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement)) {
    return data_.contains(reference->getDecl());
  } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    const std::string name = calleeOf(*call);
    if (name.contains("load") || name.contains("gather"))
      return true;
  } else if (llvm::isa<clang::LambdaExpr>(statement)) {
    return false;
  }
  return std::ranges::any_of(statement.children(),
                             [this](const clang::Stmt *child) { return child && readsData(*child); });
}

void KeyConstants::taint(const clang::Expr &target) {
  const clang::VarDecl *variable = variableOf(rootOf(target));
  if (variable && variable->isLocalVarDecl())
    data_.insert(variable);
}

void KeyConstants::seeCall(const clang::CallExpr &call, const Context &context) {
  const std::string name = calleeOf(call);
  const bool isOfBytes = name.ends_with("memcmp");
  if (call.getNumArgs() > 1 && (isOfBytes || isVectorEquality(call, name, context)))
    comparisons_.push_back({call.getExprLoc(), {call.getArg(0), call.getArg(1)}, isOfBytes});
  if ((name.ends_with("memcpy") || name.ends_with("memmove")) && call.getNumArgs() > 1)
    taint(*call.getArg(0));
}

void KeyConstants::declaration(const clang::Decl &declaration, Context &) {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
  if (variable && variable->isLocalVarDecl() && variable->getInit() && !variable->getType()->isPointerType() &&
      readsData(*variable->getInit()))
    data_.insert(variable);
}

void KeyConstants::statement(const clang::Stmt &statement, Context &context) {
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
    if (binary->isAssignmentOp() && readsData(*binary->getRHS()))
      taint(*binary->getLHS());
    else if (binary->isEqualityOp())
      comparisons_.push_back({binary->getOperatorLoc(), {binary->getLHS(), binary->getRHS()}});
  } else if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
    if (unary->getOpcode() == clang::UO_LNot)
      comparisons_.push_back({unary->getOperatorLoc(), {unary->getSubExpr()}});
  } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    seeCall(*call, context);
  } else if (const auto *choice = llvm::dyn_cast<clang::SwitchStmt>(&statement)) {
    for (const clang::SwitchCase *label = choice->getSwitchCaseList(); label; label = label->getNextSwitchCase())
      if (const auto *value = llvm::dyn_cast<clang::CaseStmt>(label))
        comparisons_.push_back({value->getCaseLoc(), {choice->getCond(), value->getLHS()}});
  }
}

/// The constants that decide whether `expression` equals the other side: of `x ^ k`, `x - k`, `_mm_set1_epi32(k)`.
void KeyConstants::collect(const clang::Expr &expression, const Baseline &baseline, Context &context,
                           std::vector<std::string> &keys) const {
  const clang::Expr &part = *expression.IgnoreParenCasts();
  if (part.isValueDependent() || part.isTypeDependent())
    return; // its instantiations are judged
  if (const auto *text = llvm::dyn_cast<clang::StringLiteral>(&part)) {
    keys.push_back("a text of " + std::to_string(text->getByteLength()) + " bytes");
    return;
  }
  clang::Expr::EvalResult value;
  if (part.getType()->isIntegralOrEnumerationType() && part.EvaluateAsInt(value, context.ast())) {
    const llvm::APSInt &number = value.Val.getInt();
    const std::uint64_t bits = number.extOrTrunc(64).getZExtValue();
    const std::uint64_t magnitude = number.isNegative() ? 0 - bits : bits;
    if (number.getBitWidth() <= 64 && !isUsual(bits, number.getBitWidth()) && !isUsual(magnitude, 64) &&
        !baseline.has(bits))
      keys.push_back((number.isNegative() ? "-" : "") + std::to_string(magnitude));
    return;
  }
  llvm::APFloat real(0.0);
  if (part.getType()->isRealFloatingType() && part.EvaluateAsFloat(real, context.ast())) {
    bool isLost = false;
    llvm::APFloat wide = real;
    wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &isLost);
    const double number = wide.convertToDouble();
    llvm::SmallString<32> text;
    real.toString(text);
    if (!isUsual(number) && !baseline.has(number))
      keys.push_back(text.str().str());
    return;
  }
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&part)) {
    if (binary->isAdditiveOp() || binary->getOpcode() == clang::BO_Xor) {
      collect(*binary->getLHS(), baseline, context, keys);
      collect(*binary->getRHS(), baseline, context, keys);
    }
  } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&part)) {
    const std::string name = calleeOf(*call);
    if (name.starts_with("_mm") && (name.contains("set") || name.contains("xor") || name.contains("sub")))
      for (const clang::Expr *argument : call->arguments())
        collect(*argument, baseline, context, keys);
  } else if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(&part)) {
    for (const clang::Expr *one : list->inits())
      collect(*one, baseline, context, keys);
  } else if (const clang::VarDecl *variable = variableOf(part);
             variable && variable->getType().isConstQualified() && variable->getInit()) {
    collect(*variable->getInit(), baseline, context, keys);
  }
}

void KeyConstants::finish(Context &context) {
  if (!context.isCandidate() || comparisons_.empty())
    return;
  const Baseline baseline(context.request().baseline);
  for (const Comparison &comparison : comparisons_) {
    if (!comparison.isOfBytes &&
        std::ranges::none_of(comparison.sides, [this](const clang::Expr *side) { return readsData(*side); }))
      continue;
    std::vector<std::string> keys;
    for (const clang::Expr *side : comparison.sides)
      collect(*side, baseline, context, keys);
    if (!keys.empty())
      context.report(*this, comparison.location,
                     "data are compared with " + keys.front() +
                         ", which neither a type nor the baseline has: it must not be a key to known contents");
  }
}

} // namespace agentic::checks
