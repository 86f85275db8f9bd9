#include "ast-checks/addresses_as_numbers.h"

#include "ast-checks/address_kinds.h"
#include "ast-checks/context.h"
#include "ast-checks/function_use.h"
#include "ast-checks/names.h"
#include "ast-checks/pointer_types.h"
#include "tool/base/text.h"

#include <algorithm>
#include <string>

namespace agentic::checks {
namespace {

constexpr int kDeepestMask = 6; // nested calls of the unit's functions
constexpr std::string_view kInsteadOfNumbers =
    "; test its alignment with '& 63' or '% 64' at once, or compare pointers";

bool isLowBits(const clang::Expr &mask, bool isModulo, Context &context) {
  if (mask.isValueDependent())
    return true; // its instantiations are checked
  clang::Expr::EvalResult value;
  if (!mask.getType()->isIntegerType() || !mask.EvaluateAsInt(value, context.ast()))
    return false;
  const llvm::APSInt &bits = value.Val.getInt();
  if (bits.isNegative() || bits.getActiveBits() > 32 || bits.getZExtValue() > kLargestAlignment)
    return false;
  return !isModulo || bits.isPowerOf2(); // remainders of other divisors could together give the whole address
}

/// Returns whether the low bits of the result depend only on the low bits of the operands.
bool keepsLowBits(const clang::BinaryOperator &operation) {
  return operation.isAdditiveOp() || operation.isBitwiseOp() || operation.getOpcode() == clang::BO_Mul;
}

const clang::Expr &below(const clang::Expr &expression) {
  const clang::Expr *found = expression.IgnoreParens();
  for (const auto *cast = llvm::dyn_cast<clang::CastExpr>(found);
       cast && (cast->getCastKind() == clang::CK_IntegralCast || cast->getCastKind() == clang::CK_NoOp ||
                cast->getCastKind() == clang::CK_LValueToRValue);
       cast = llvm::dyn_cast<clang::CastExpr>(found))
    found = cast->getSubExpr()->IgnoreParens();
  return *found;
}

const clang::ValueDecl *localVariable(const clang::Expr &expression) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&expression);
  const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->isLocalVarDecl() && variable->getType()->isIntegralOrEnumerationType() ? variable
                                                                                                      : nullptr;
}

/// What compares its last two arguments.
bool isOrder(std::string_view name) {
  return isOneOf(name, {"std::less::operator()", "std::less_equal::operator()", "std::greater::operator()",
                        "std::greater_equal::operator()", "std::min", "std::max"});
}

bool isData(clang::QualType pointee) {
  return !pointee.isNull() && !pointee->isDependentType() && !pointee->isVoidType() && !holdsPointer(pointee);
}

} // namespace

/// Marks the casts and variables in an expression of which only low bits are used.
void AddressesAsNumbers::lowBits(const clang::Expr &expression) {
  const clang::Expr &part = below(expression);
  lowBits_.insert(&part);
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&part);
      unary && (unary->getOpcode() == clang::UO_Minus || unary->getOpcode() == clang::UO_Not)) {
    lowBits(*unary->getSubExpr());
  } else if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&part); binary && keepsLowBits(*binary)) {
    lowBits(*binary->getLHS());
    lowBits(*binary->getRHS());
  }
}

void AddressesAsNumbers::seeMask(const clang::BinaryOperator &operation, Context &context) {
  const bool isModulo = operation.getOpcode() == clang::BO_Rem;
  if (!isModulo && operation.getOpcode() != clang::BO_And)
    return;
  if (isLowBits(*operation.getRHS(), isModulo, context))
    lowBits(*operation.getLHS());
  if (!isModulo && isLowBits(*operation.getLHS(), false, context))
    lowBits(*operation.getRHS());
}

void AddressesAsNumbers::seeCast(const clang::CastExpr &cast, Context &context) {
  if (cast.isTypeDependent() || cast.getSubExpr()->isTypeDependent() || context.isSystemMacro(cast.getExprLoc()))
    return;
  const clang::CastKind kind = cast.getCastKind();
  const clang::Expr &from = *cast.getSubExpr();
  if (kind == clang::CK_PointerToIntegral && !from.getType()->isNullPtrType())
    casts_.push_back(&cast);
  bool isPun = false;
  if (llvm::isa<clang::BuiltinBitCastExpr>(cast)) {
    isPun = holdsPointer(from.getType()) && !holdsPointer(cast.getType());
  } else if (const bool isReference = kind == clang::CK_LValueBitCast; isReference || kind == clang::CK_BitCast) {
    const clang::QualType to = isReference ? cast.getType() : cast.getType()->getPointeeType();
    // The check of forged pointers handles bytes that can be changed.
    isPun = llvm::isa<clang::ExplicitCastExpr>(cast) && isData(to) && !prefetched_.contains(&cast) &&
            holdsPointer(isReference ? from.getType() : writtenPointee(from)) &&
            (to.isConstQualified() || reads_.isOnlyRead(cast));
  }
  if (isPun)
    context.report(*this, cast.getExprLoc(),
                   "the bytes of a pointer, read as numbers" + std::string(kInsteadOfNumbers));
}

void AddressesAsNumbers::seeCall(const clang::CallExpr &call, Context &context) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return;
  const std::string name = qualifiedName(*callee);
  const std::string_view plain = std::string_view(name).substr(name.rfind(':') + 1); // npos + 1 = 0
  const unsigned count = call.getNumArgs();
  if (plain == "__builtin_prefetch" && count > 0) {
    for (const auto *cast = llvm::dyn_cast<clang::CastExpr>(call.getArg(0)->IgnoreParens()); cast;
         cast = llvm::dyn_cast<clang::CastExpr>(cast->getSubExpr()->IgnoreParens()))
      prefetched_.insert(cast);
    return;
  }
  if (context.isSystemMacro(call.getExprLoc()))
    return;
  const auto complain = [&](const std::string &what) {
    context.report(*this, call.getExprLoc(), what + std::string(kInsteadOfNumbers));
  };
  const auto isOfPointers = [&](unsigned i) { return holdsPointer(writtenPointee(*call.getArg(i))); };
  if (count == 2 && (name == "std::distance" || name == "std::ranges::distance"))
    return pair({Relation::Difference, call.getExprLoc(), call.getArg(0), call.getArg(1)}, context);
  if (count > 1 && isOrder(name))
    return pair({Relation::Order, call.getExprLoc(), call.getArg(count - 2), call.getArg(count - 1)}, context);
  if (const auto *minus = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
      minus && minus->getOperator() == clang::OO_Minus && count == 2 && call.getType()->isIntegerType())
    return pair({Relation::Difference, call.getExprLoc(), call.getArg(0), call.getArg(1)}, context);
  if (name == "std::bit_cast" && count == 1 && holdsPointer(call.getArg(0)->getType().getNonReferenceType()) &&
      !holdsPointer(call.getType()))
    return complain("bit_cast of a pointer to a number");
  if (name == "std::hash::operator()" && holdsPointer(call.getArg(count - 1)->getType()))
    return complain("the hash of a pointer, which is its address");
  if ((plain.ends_with("memcpy") || plain.ends_with("memmove") || plain == "__builtin_memcpy_inline") && count > 1 &&
      isOfPointers(1) && !isOfPointers(0) && !isCallersVoid(*call.getArg(0)))
    return complain("a copy of a pointer's bytes into numbers");
  if ((plain.ends_with("memcmp") || plain.ends_with("memchr")) && count > 1 && (isOfPointers(0) || isOfPointers(1)))
    return complain("a pointer's bytes, compared with others");
  if (callee->isVariadic() && !callee->getBuiltinID())
    for (unsigned i = callee->getNumParams(); i < count; ++i)
      if (holdsPointer(call.getArg(i)->getType()))
        return complain("a pointer among variable arguments, which may be taken for a number");
}

void AddressesAsNumbers::pair(const Pair &pair, Context &context) {
  const auto isPointer = [](const clang::Expr &operand) {
    return !operand.isTypeDependent() && (operand.getType()->isPointerType() || operand.getType()->isArrayType() ||
                                          holdsPointer(operand.getType().getNonReferenceType()));
  };
  if (isPointer(*pair.left) && isPointer(*pair.right) && !context.isSystemMacro(pair.location))
    pairs_.push_back(pair);
}

/// Whether two arrays overlap is asked with < and <=; that one lies at just this distance from the other is not.
void AddressesAsNumbers::seeEquality(const clang::BinaryOperator &operation, Context &context) {
  const auto isMoved = [](const clang::Expr &operand) {
    const clang::Expr *part = operand.IgnoreParenImpCasts();
    if (const auto *sum = llvm::dyn_cast<clang::BinaryOperator>(part))
      return sum->isAdditiveOp() && sum->getType()->isPointerType();
    const auto *address = llvm::dyn_cast<clang::UnaryOperator>(part);
    return address && address->getOpcode() == clang::UO_AddrOf &&
           llvm::isa<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens());
  };
  const auto isOtherThanZero = [&](const clang::Expr &operand) {
    clang::Expr::EvalResult value;
    return !operand.isValueDependent() && operand.getType()->isIntegerType() &&
           operand.EvaluateAsInt(value, context.ast()) && value.Val.getInt() != 0;
  };
  const clang::Expr &left = *operation.getLHS(), &right = *operation.getRHS();
  if (left.isTypeDependent() || right.isTypeDependent())
    return;
  if (left.getType()->isPointerType() && right.getType()->isPointerType() && (isMoved(left) || isMoved(right)))
    pair({Relation::OneDistance, operation.getOperatorLoc(), &left, &right, &operation}, context);
  else if (isOtherThanZero(right))
    lowBitsTests_.push_back({&operation, &left});
  else if (isOtherThanZero(left))
    lowBitsTests_.push_back({&operation, &right});
}

void AddressesAsNumbers::declaration(const clang::Decl &decl, Context &) {
  bases_.see(decl);
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl);
  if (variable && variable->getInit() && variable->isLocalVarDecl() && variable->getType()->isIntegerType())
    keptIn_[&below(*variable->getInit())] = variable;
}

void AddressesAsNumbers::statement(const clang::Stmt &statement, Context &context) {
  bases_.see(statement);
  reads_.see(statement);
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(&statement)) {
    seeCast(*cast, context);
  } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    seeCall(*call, context);
  } else if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
    seeMask(*operation, context);
    if (operation->isEqualityOp())
      seeEquality(*operation, context);
    else if (operation->getOpcode() == clang::BO_Sub || operation->isRelationalOp())
      pair({operation->isRelationalOp() ? Relation::Order : Relation::Difference, operation->getOperatorLoc(),
            operation->getLHS(), operation->getRHS(), operation},
           context);
  } else if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement)) {
    if (const clang::ValueDecl *variable = localVariable(*reference))
      uses_[variable].push_back(reference);
  } else if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(&statement)) {
    const clang::Expr *const *value = lambda->capture_init_begin();
    for (const clang::LambdaCapture &capture : lambda->captures()) {
      if (*value && !lambda->isInitCapture(&capture) && localVariable(below(**value)))
        lowBits_.insert(&below(**value)); // the same variable inside the lambda
      ++value;
    }
  } else if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(&statement); made && made->getNumArgs() == 2) {
    const std::string name = qualifiedName(*made->getConstructor()->getParent());
    if (name == "std::span" || name == "std::basic_string_view")
      pair({Relation::Difference, made->getExprLoc(), made->getArg(0), made->getArg(1)}, context);
  }
}

/// A helper's pair of parameters is checked by the arguments of each call.
bool AddressesAsNumbers::isOneArray(const std::map<Base, const clang::ValueDecl *> &bases, Context &context,
                                    int depth) const {
  if (bases.size() < 2)
    return true;
  const clang::FunctionDecl *function = nullptr;
  std::vector<std::vector<const clang::Expr *>> passed;
  for (const auto &[base, variable] : bases) {
    const auto *parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable);
    const auto *owner = parameter ? llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext()) : nullptr;
    if (!owner || (function && owner != function))
      return false;
    function = owner;
    passed.push_back(bases_.passedFor(*parameter));
  }
  if (function->isDependentContext() || (!context.isCandidate() && isKernel(*function, context)))
    return true; // instantiations are checked; a baseline's author knows the arguments
  if (passed.front().empty() || depth == kDeepestMask)
    return false;
  for (std::size_t call = 0; call < passed.front().size(); ++call) {
    std::map<Base, const clang::ValueDecl *> together;
    for (const auto &parameter : passed)
      if (parameter[call])
        together.merge(bases_.of(*parameter[call]));
    if (!isOneArray(together, context, depth + 1))
      return false;
  }
  return true;
}

std::map<Base, const clang::ValueDecl *> AddressesAsNumbers::basesOf(const Pair &pair) const {
  auto bases = bases_.of(*pair.left);
  bases.merge(bases_.of(*pair.right));
  return bases;
}

bool AddressesAsNumbers::areBeginnings(const Pair &pair) const {
  return bases_.isBeginning(*pair.left) && bases_.isBeginning(*pair.right);
}

/// Where arrays are tested for overlap, `out <= in || out >= in + n` may ask for their order, too.
bool AddressesAsNumbers::isBesideAnOverlapTest(const std::map<Base, const clang::ValueDecl *> &bases) const {
  return std::ranges::any_of(pairs_, [&](const Pair &other) {
    return other.relation == Relation::Order && !areBeginnings(other) && basesOf(other) == bases;
  });
}

void AddressesAsNumbers::judge(const Pair &pair, Context &context) {
  const auto bases = basesOf(pair);
  if (isOneArray(bases, context, 0))
    return;
  const bool isOrder = pair.relation == Relation::Order;
  if (isOrder && (!areBeginnings(pair) || isBesideAnOverlapTest(bases)))
    return;
  if (isOrder && !context.isCandidate()) {
    if (pair.operation)
      context.permit(*this, *pair.operation);
    return;
  }
  std::vector<std::string> names;
  for (const auto &[base, variable] : bases)
    if (variable && !variable->getNameAsString().empty())
      names.push_back("'" + variable->getNameAsString() + "'");
  std::ranges::sort(names);
  const std::string which = names.size() > 1 ? names[0] + " and " + names[1] : "both sides";
  // The baseline may have `last - first` of a kernel that takes both ends.
  std::string text = names.size() == 2 ? context.request().baseline : "";
  std::erase_if(text, [](char character) { return character == ' ' || character == '\n'; });
  const auto written = [&](std::size_t left, std::size_t right) {
    const std::string one = names[left].substr(1, names[left].size() - 2);
    const std::string other = names[right].substr(1, names[right].size() - 2);
    const auto has = [&](const char *sign) { return text.contains(one + sign + other); };
    return has("-") || (pair.relation != Relation::Difference && has("!=")) || (isOrder && (has("<") || has(">")));
  };
  const bool isKernels = std::ranges::all_of(bases, [&](const auto &base) {
    const auto *parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(base.second);
    const auto *owner = parameter ? llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext()) : nullptr;
    return owner && isKernel(*owner, context);
  });
  if (isKernels && !text.empty() && (written(0, 1) || written(1, 0)))
    return;
  const std::string what = isOrder                                  ? "the order of two pointers, where "
                           : pair.relation == Relation::OneDistance ? "a test for one distance of two pointers, where "
                                                                    : "the difference of two pointers, where ";
  const std::string advice = isOrder ? "test whether they overlap: 'p + n <= q || q + n <= p'"
                                     : "compare the pointers, or subtract within one array";
  std::string message =
      what + which + " are different arrays: it says where they lie, which no kernel needs; " + advice;
  if (!pair.operation)
    context.report(*this, pair.location, std::move(message));
  else if (const auto *kept = context.report(*this, *pair.operation, pair.location, std::move(message)))
    kept_.push_back(kept);
}

/// An address's cast, or a local variable that keeps one.
bool AddressesAsNumbers::isAddress(const clang::Expr &number) const {
  const clang::Expr &part = below(number);
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(&part))
    return cast->getCastKind() == clang::CK_PointerToIntegral || (cast->getSubExpr() && isAddress(*cast->getSubExpr()));
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&part))
    return isAddress(*unary->getSubExpr());
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&part))
    return keepsLowBits(*binary) && (isAddress(*binary->getLHS()) || isAddress(*binary->getRHS()));
  const clang::ValueDecl *variable = localVariable(part);
  const auto *declared = llvm::dyn_cast_or_null<clang::VarDecl>(variable);
  return declared && declared->getInit() && keptIn_.contains(&below(*declared->getInit())) &&
         llvm::isa<clang::CastExpr>(below(*declared->getInit())) && isAddress(*declared->getInit());
}

/// `address & 4095`, `address % 64`, or a local variable that keeps such.
bool AddressesAsNumbers::isMasked(const clang::Expr &bits, int depth) const {
  const clang::Expr &part = below(bits);
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(&part))
    return (operation->getOpcode() == clang::BO_And || operation->getOpcode() == clang::BO_Rem) &&
           (isAddress(*operation->getLHS()) || isAddress(*operation->getRHS()));
  const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(localVariable(part));
  return variable && variable->getInit() && depth < kDeepestMask && isMasked(*variable->getInit(), depth + 1);
}

/// Judges a comparison of an address's low bits with a number; a baseline may have it.
void AddressesAsNumbers::judge(const LowBitsTest &test, Context &context) {
  if (!isMasked(*test.bits, 0))
    return;
  if (!context.isCandidate())
    return context.permit(*this, *test.operation);
  context.report(*this, *test.operation, test.operation->getOperatorLoc(),
                 "an address's low bits, compared with a number other than 0: it says where memory lies, which no "
                 "kernel needs; test whether it is aligned: '(address & 63) == 0'");
}

/// What a permitted form keeps in a variable may be used in permitted forms alone.
void AddressesAsNumbers::judgeUses(Context &context) {
  std::set<const clang::VarDecl *> judged;
  while (!kept_.empty()) {
    const clang::VarDecl *variable = kept_.back();
    kept_.pop_back();
    if (!judged.insert(variable).second)
      continue;
    for (const clang::DeclRefExpr *use : context.references(*variable)) {
      const auto *next = context.report(*this, *use, use->getExprLoc(),
                                        "'" + variable->getNameAsString() +
                                            "' keeps an address as a number, which is "
                                            "used here as the baseline does not" +
                                            std::string(kInsteadOfNumbers));
      if (next)
        kept_.push_back(next);
    }
  }
}

void AddressesAsNumbers::finish(Context &context) {
  for (const clang::CastExpr *cast : casts_) {
    const auto kept = keptIn_.find(cast);
    const bool isLow = lowBits_.contains(cast) ||
                       (kept != keptIn_.end() && std::ranges::all_of(uses_[kept->second], [&](const clang::Expr *use) {
                          return lowBits_.contains(use);
                        }));
    if (isLow)
      continue;
    if (const auto *variable =
            context.report(*this, *cast, cast->getExprLoc(), "an address as a number" + std::string(kInsteadOfNumbers)))
      kept_.push_back(variable);
  }
  for (const Pair &pair : pairs_)
    judge(pair, context);
  for (const LowBitsTest &test : lowBitsTests_)
    judge(test, context);
  judgeUses(context);
}

} // namespace agentic::checks
