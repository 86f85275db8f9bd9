// Algorithms of the standard library over numbers, as the loops that the standard says they are.
#include "tool/source/nest/helper.h"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace agentic::moves {
namespace {

using clang::CallExpr, clang::Expr, clang::QualType;

/// Returns what an iterator is made of, through copies and conversions.
const Expr *inside(const Expr *expression) {
  while (true) {
    expression = expression->IgnoreParenImpCasts();
    const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression);
    const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
    if (temporary)
      expression = temporary->getSubExpr();
    else if (copy && copy->getNumArgs() == 1)
      expression = copy->getArg(0);
    else
      return expression;
  }
}

/// Writes the loop of one call.
class Algorithm {
public:
  Algorithm(const CallExpr &source, const clang::ASTContext &context, const TextMap &map, const Nest &nest)
      : source_(source), context_(context), map_(map), nest_(nest) {}

  /// Fills `call` but for its place; false if this is no such call.
  bool write(HelperCall &call) {
    call_ = &call;
    const clang::FunctionDecl *callee = source_.getDirectCallee();
    const std::string name = callee->getNameAsString();
    const unsigned count = source_.getNumArgs();
    bool isWritten = false;
    for (unsigned i = 0; i < count; ++i)
      areWritten_ &= changesNothing(source_.getArg(i)); // one that may be evaluated in another order
    if (count == 3 && (name == "memcpy" || name == "memset") && !callee->isInStdNamespace())
      isWritten = writeBytes(name == "memcpy");
    else if (callee->isInStdNamespace())
      isWritten = writeStandard(name, count);
    call.function = name;
    call.hasLoop = true;
    call.changesNothing = isReadingAlgorithm(*callee);
    return isWritten && areWritten_;
  }

private:
  bool writeStandard(const std::string &name, unsigned count) {
    if (name == "accumulate" && count == 3)
      return begin(0, 1) && writeSum(2, "@");
    if (name == "inner_product" && count == 4)
      return begin(0, 1) && second(2) && writeSum(3, "@ * $second$[$i$]");
    if (name == "fill" && count == 3)
      return begin(0, 1) && writeFill(2);
    if (name == "fill_n" && count == 3)
      return beginCounted(0, 1) && writeFill(2);
    if (name == "copy" && count == 3)
      return begin(0, 1) && second(2) && writeCopy();
    if (name == "copy_n" && count == 3)
      return beginCounted(0, 1) && second(2) && writeCopy();
    if (name == "count" && count == 3)
      return begin(0, 1) && writeCount(2);
    if ((name == "max_element" || name == "min_element") && count == 2)
      return begin(0, 1) && isPointer_ && writeExtreme(name == "max_element");
    if (name == "find" && count == 3)
      return begin(0, 1) && isPointer_ && writeFind(2);
    return false;
  }

  std::string textOf(const Expr &expression) {
    const auto range = map_.range(expression.getSourceRange());
    areWritten_ &= range.has_value();
    return range ? std::string(nest_.slice(*range)) : "";
  }
  std::string typeText(QualType type) const { return plainType(type).getAsString(context_.getPrintingPolicy()); }

  std::size_t nameOf(const std::string &name) {
    for (std::size_t i = 0; i < call_->names.size(); ++i)
      if (call_->names[i] == name)
        return i;
    call_->names.push_back(name);
    return call_->names.size() - 1;
  }

  /// Appends code in which `$name$` stands for a name of ours, and `@` for the element of the first series.
  void code(const std::string &text) { append(call_->body, text); }
  void append(OpenText &to, const std::string &text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t next = std::min(text.find_first_of("$@", at), text.size());
      if (next > at)
        to.append(text.substr(at, next - at));
      at = next;
      if (at == text.size())
        return;
      const std::size_t end = text[at] == '$' ? text.find('$', at + 1) : at;
      if (text[at] == '@')
        append(to, element_);
      else
        to.pieces.push_back({{}, nameOf(text.substr(at + 1, end - at - 1))});
      at = end + 1;
    }
  }

  /// Returns the container of `c.begin()` or `c.end()`, if it is one that has a name; null if it is anything else.
  static const clang::VarDecl *containerOf(const Expr *iterator, const char *method, const char *constant) {
    const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(inside(iterator));
    const clang::CXXMethodDecl *callee = call ? call->getMethodDecl() : nullptr;
    if (!callee || !callee->getIdentifier() || (callee->getName() != method && callee->getName() != constant))
      return nullptr;
    const auto *record = plainType(call->getObjectType())->getAsCXXRecordDecl();
    const auto *instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
    if (!instance || instance->getTemplateArgs().size() == 0 || !isContainer(call->getObjectType()))
      return nullptr;
    const clang::TemplateArgument &element = instance->getTemplateArgs()[0];
    const bool isNumber = element.getKind() == clang::TemplateArgument::Type &&
                          plainType(element.getAsType())->isArithmeticType() &&
                          !plainType(element.getAsType())->isBooleanType(); // of vector<bool> no element can be named
    return isNumber ? namedVariable(call->getImplicitObjectArgument()) : nullptr;
  }

  QualType elementOf(const Expr *iterator) const {
    const QualType type = iterator->IgnoreParenImpCasts()->getType();
    if (type->isPointerType())
      return type->getPointeeType();
    if (const auto *array = context_.getAsArrayType(type))
      return array->getElementType();
    return {};
  }

  /// Reads the series between two iterators.
  bool begin(unsigned first, unsigned last) {
    const Expr *from = source_.getArg(first), *to = source_.getArg(last);
    const clang::VarDecl *container = containerOf(from, "begin", "cbegin");
    if (container && container == containerOf(to, "end", "cend")) {
      const auto *access = llvm::cast<clang::CXXMemberCallExpr>(inside(from));
      const std::string name = textOf(*access->getImplicitObjectArgument());
      countType_ = typeText(context_.getSizeType());
      code("const " + countType_ + " $length$ = " + name + ".size();\n");
      element_ = name + "[$i$]";
      return true;
    }
    if (!beginPointer(*from))
      return false;
    code("const " + countType_ + " $length$ = (" + textOf(*to) + ") - $first$;\n");
    return true;
  }

  /// Reads the series of so many elements.
  bool beginCounted(unsigned first, unsigned number) {
    const QualType type = source_.getArg(number)->IgnoreParenImpCasts()->getType();
    if (!type->isIntegerType() || !beginPointer(*source_.getArg(first)))
      return false;
    countType_ = typeText(type);
    code("const " + countType_ + " $length$ = " + textOf(*source_.getArg(number)) + ";\n");
    return true;
  }

  bool beginPointer(const Expr &from) {
    if (!declarePointer("$first$", from))
      return false;
    isPointer_ = true;
    elementType_ = plainType(elementOf(&from));
    countType_ = typeText(context_.getPointerDiffType());
    element_ = "$first$[$i$]";
    return true;
  }

  /// Reads the begin of another series of as many elements.
  bool second(unsigned iterator) { return declarePointer("$second$", *source_.getArg(iterator)); }

  bool declarePointer(const std::string &name, const Expr &iterator) {
    const QualType element = elementOf(&iterator);
    if (element.isNull() || !plainType(element)->isArithmeticType() || element.isVolatileQualified())
      return false;
    code((element.isConstQualified() ? "const " : "") + typeText(element) + " *" + name + " = " + textOf(iterator) +
         ";\n");
    return true;
  }

  void loop(const std::string &statement) {
    code("for (" + countType_ + " $i$ = 0; $i$ < $length$; ++$i$)\n  " + statement + "\n");
  }

  bool writeSum(unsigned initial, const std::string &term) {
    const QualType type = plainType(source_.getType());
    if (!type->isArithmeticType() || type->isBooleanType())
      return false;
    code(typeText(type) + " $sum$ = " + textOf(*source_.getArg(initial)) + ";\n");
    loop("$sum$ += " + term + ";");
    append(call_->value, "$sum$");
    return true;
  }

  bool writeValue(unsigned argument) {
    const Expr *value = source_.getArg(argument)->IgnoreParenImpCasts();
    if (!plainType(value->getType())->isArithmeticType())
      return false;
    code("const " + typeText(value->getType()) + " $value$ = " + textOf(*value) + ";\n");
    return true;
  }

  bool writeFill(unsigned value) {
    if (!call_->isStatement || !writeValue(value))
      return false;
    loop("@ = $value$;");
    return true;
  }

  bool writeCopy() {
    if (!call_->isStatement)
      return false;
    loop("$second$[$i$] = @;");
    return true;
  }

  bool writeCount(unsigned value) {
    if (!writeValue(value))
      return false;
    code(typeText(context_.getPointerDiffType()) + " $equal$ = 0;\n");
    loop("if (@ == $value$)\n    ++$equal$;");
    append(call_->value, "$equal$");
    return true;
  }

  /// Of equal ones the first. Of none it is the end.
  bool writeExtreme(bool isLargest) {
    code(countType_ + " $at$ = 0;\n" + typeText(elementType_) + " $best$ = $length$ > 0 ? $first$[0] : 0;\n");
    loop("if (" + std::string(isLargest ? "$best$ < @" : "@ < $best$") + ") {\n    $best$ = @;\n    $at$ = $i$;\n  }");
    append(call_->value, "($first$ + $at$)");
    return true;
  }

  bool writeFind(unsigned value) {
    if (!writeValue(value))
      return false;
    code(countType_ + " $at$ = $length$;\n");
    loop("if (@ == $value$) {\n    $at$ = $i$;\n    break;\n  }");
    append(call_->value, "($first$ + $at$)");
    return true;
  }

  /// Returns n of `n * sizeof(T)`, or of a number of bytes where an element is one; empty if it is anything else.
  std::string elementsIn(const Expr &bytes, std::int64_t size) {
    const Expr *number = bytes.IgnoreParenImpCasts();
    if (size == 1)
      return textOf(*number);
    const auto *product = llvm::dyn_cast<clang::BinaryOperator>(number);
    if (!product || product->getOpcode() != clang::BO_Mul)
      return "";
    for (const auto &[part, other] :
         {std::pair(product->getLHS(), product->getRHS()), std::pair(product->getRHS(), product->getLHS())}) {
      clang::Expr::EvalResult value;
      const bool isSize = llvm::isa<clang::UnaryExprOrTypeTraitExpr>(part->IgnoreParenImpCasts()) &&
                          part->EvaluateAsInt(value, context_) && value.Val.getInt() == size;
      if (isSize)
        return textOf(*other->IgnoreParenImpCasts());
    }
    return "";
  }

  bool writeBytes(bool isCopy) {
    const Expr &to = *source_.getArg(0), &from = *source_.getArg(1);
    const QualType element = elementOf(&to);
    clang::Expr::EvalResult value;
    const bool isZero = !isCopy && from.EvaluateAsInt(value, context_) && value.Val.getInt() == 0;
    if (!call_->isStatement ||
        !(isCopy ? !elementOf(&from).isNull() && plainType(elementOf(&from)) == plainType(element) : isZero))
      return false;
    if (!beginPointer(to) || element.isConstQualified())
      return false;
    if (isCopy && !second(1))
      return false;
    const std::string count = elementsIn(*source_.getArg(2), context_.getTypeSizeInChars(elementType_).getQuantity());
    countType_ = typeText(context_.getSizeType());
    code("const " + countType_ + " $length$ = " + count + ";\n");
    loop(isCopy ? "@ = $second$[$i$];" : "@ = 0;");
    return !count.empty();
  }

  const CallExpr &source_;
  const clang::ASTContext &context_;
  const TextMap &map_;
  const Nest &nest_;
  HelperCall *call_ = nullptr;
  QualType elementType_;
  std::string element_, countType_;
  bool isPointer_ = false;
  bool areWritten_ = true; ///< what is passed stands in the kernel's text
};

} // namespace

bool isReadingAlgorithm(const clang::FunctionDecl &function) {
  constexpr auto kReading =
      std::to_array<std::string_view>({"accumulate", "begin", "cbegin", "cend", "count", "data", "end", "find",
                                       "inner_product", "max_element", "min_element", "operator[]", "size"});
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const bool isStandard = method ? method->getParent()->isInStdNamespace() : function.isInStdNamespace();
  return isStandard && std::ranges::binary_search(kReading, function.getNameAsString());
}

bool writeAlgorithm(const CallExpr &source, const clang::ASTContext &context, const TextMap &map, const Nest &nest,
                    HelperCall &call) {
  return Algorithm(source, context, map, nest).write(call);
}

} // namespace agentic::moves
