// Makes mutants of the function as a whole: results of an earlier call, ignored arguments, an early end.
#include "tool/source/mutants/mutants_ast.h"

#include "tool/base/text.h"

namespace agentic::mutants {
namespace {

class FunctionSites {
public:
  FunctionSites(SiteList &list, const clang::FunctionDecl &function) : list_(list), function_(function) {}

  void add() {
    const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function_.getBody());
    if (!body || !list_.isWritten(body->getLBracLoc()) || !list_.isWritten(body->getRBracLoc()))
      return;
    body_ = {*list_.offset(body->getLBracLoc()) + 1, *list_.offset(body->getRBracLoc())};
    const clang::QualType result = function_.getReturnType();
    isVoid_ = result->isVoidType();
    if (isVoid_ || result->isScalarType()) {
      addStale(false);
      addStale(true);
      addEarlyReturns(*body);
    }
    for (const clang::ParmVarDecl *parameter : function_.parameters())
      addIgnored(*parameter);
  }

private:
  std::string typeText(clang::QualType type) const {
    return type.getCanonicalType().getUnqualifiedType().getAsString(list_.context.getPrintingPolicy());
  }

  static bool isIdentity(const clang::ParmVarDecl &parameter) {
    return !parameter.getName().empty() &&
           (parameter.getType()->isScalarType() || parameter.getType()->isReferenceType());
  }

  /// `sameArguments`: only a call with the same arguments as the previous one keeps its result.
  void addStale(bool sameArguments) {
    if (isC_ && !isVoid_)
      return; // the result of each of its return statements cannot be kept
    std::string state = isC_ ? " static int agenticCalled;" : " static bool agenticCalled = false;";
    std::string same = "agenticCalled", keep = isC_ ? " agenticCalled = 1;" : " agenticCalled = true;";
    int addresses = 0, number = 0;
    for (const clang::ParmVarDecl *parameter : function_.parameters()) {
      if (!sameArguments || !isIdentity(*parameter))
        continue;
      const clang::QualType type = parameter->getType();
      const bool isAddress = type->isReferenceType() || type->isPointerType();
      addresses += isAddress;
      const std::string name = parameter->getNameAsString(), old = "agenticOld" + std::to_string(number++);
      const std::string value =
          type->isReferenceType() ? "(const volatile void *)__builtin_addressof(" + name + ")" : name;
      state += std::string(" static ") + (isAddress ? "const volatile void *" : typeText(type) + " ") + old +
               (isC_ ? ";" : "{};");
      same += " && " + old + " == " + value;
      keep += " " + old + " = " + value + ";";
    }
    if (sameArguments && addresses == 0)
      return;
    Site site{.kind = MutantKind::StaleOutput,
              .at = list_.offset(function_.getLocation()).value_or(body_.begin - 1),
              .edits = {},
              .helper = {}};
    if (isVoid_) {
      site.edits.insert(body_.begin, state + " if (" + same + ") return;" + keep);
    } else {
      const std::string type = typeText(function_.getReturnType());
      site.edits.insert(body_.begin, state + " static " + type + " agenticLast{}; if (" + same +
                                         ") return agenticLast;" + keep + " agenticLast = [&]() -> " + type + " {");
      site.edits.insert(body_.end, "}(); return agenticLast; ");
    }
    site.change = sameArguments ? "a call with the arguments of the one before leaves its results as they are"
                                : "every call but the first leaves the results of the first as they are";
    site.advice = sameArguments
                      ? "call it twice with the same buffers, with other values in all of them, and compare both times"
                      : "call it twice with different inputs, and compare both times";
    list_.add(std::move(site));
  }

  /// Adds a return before every statement of the body but the first that has an effect.
  void addEarlyReturns(const clang::CompoundStmt &body) {
    bool isFirst = true;
    for (const clang::Stmt *statement : body.body()) {
      if (llvm::isa<clang::DeclStmt, clang::NullStmt>(statement))
        continue;
      const auto range = list_.range(statement);
      if (!isFirst && range && !llvm::isa<clang::ReturnStmt>(statement) && list_.isWritten(statement->getBeginLoc())) {
        Site site{.kind = MutantKind::EarlyReturn, .at = range->begin, .edits = {}, .helper = {}};
        site.edits.insert(range->begin, isC_      ? isVoid_ ? "if (1) return; " : "if (1) return 0; "
                                        : isVoid_ ? "if (true) return; "
                                                  : "if (true) return {}; ");
        site.change = "returns before " + quoted(firstLine(list_.slice(*range)));
        site.advice = "compare what the statements from here on compute";
        list_.add(std::move(site));
      }
      isFirst = false;
    }
  }

  /// Hides the parameter behind a variable of its name.
  void shadow(const clang::ParmVarDecl &parameter, const std::string &value, std::string advice) {
    const auto at = list_.offset(parameter.getLocation());
    if (!at)
      return;
    const std::string name = parameter.getNameAsString();
    const std::string type = parameter.getType().getUnqualifiedType().getAsString(list_.context.getPrintingPolicy());
    Site site{.kind = MutantKind::IgnoredArgument, .at = *at, .edits = {}, .helper = {}};
    site.edits.insert(body_.begin, " {" + type + " " + name + " = " + value + ";");
    site.edits.insert(body_.end, "} ");
    site.change = "`" + name + "` is `" + value + "` whatever is passed";
    site.advice = std::move(advice);
    list_.add(std::move(site));
  }

  void addIgnored(const clang::ParmVarDecl &parameter) {
    const clang::QualType type = parameter.getType();
    const std::string name = parameter.getNameAsString();
    if (name.empty() || !list_.isWritten(parameter.getLocation()))
      return;
    const auto other = [&](const std::string &value) {
      return "call it with `" + name + "` other than " + value + ", where that changes the result";
    };
    if (type->isBooleanType()) {
      shadow(parameter, isC_ ? "1" : "true", other("true"));
      shadow(parameter, isC_ ? "0" : "false", other("false"));
    } else if (type->isRealFloatingType()) {
      shadow(parameter, "0", other("0"));
      shadow(parameter, "1", other("1"));
    } else if (isNumber(type)) {
      const auto observed = list_.options.observed.find(name);
      const bool isKnown = observed != list_.options.observed.end() && !observed->second.empty();
      const std::string value = isKnown ? std::to_string(observed->second.front()) : "1";
      shadow(parameter, value, other(value) + (isKnown ? " (what the benchmark passes)" : ""));
    } else if (type->isPointerType() && type->getPointeeType().isConstQualified()) {
      addSwapped(parameter);
    }
  }

  /// Replaces one input by another.
  void addSwapped(const clang::ParmVarDecl &parameter) {
    for (const clang::ParmVarDecl *other : function_.parameters())
      if (other != &parameter && !other->getName().empty() &&
          list_.context.hasSameUnqualifiedType(other->getType(), parameter.getType())) {
        shadow(parameter, other->getNameAsString(),
               "call it with different values in `" + parameter.getNameAsString() + "` and `" +
                   other->getNameAsString() + "`");
        return;
      }
  }

  SiteList &list_;
  const clang::FunctionDecl &function_;
  Range body_; ///< between the braces
  bool isVoid_ = false;
  const bool isC_ = list_.spec.language == Language::C;
};

} // namespace

void addFunctionSites(SiteList &list, const clang::FunctionDecl &function) {
  FunctionSites(list, function).add();
}

} // namespace agentic::mutants
