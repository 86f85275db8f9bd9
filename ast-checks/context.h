// A check's view of the unit, and the receiver of its reports.
#pragma once

#include "ast-checks/address_forms.h"
#include "ast-checks/check.h"
#include "ast-checks/checks.h"
#include "ast-checks/lexemes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic::checks {

class Context {
public:
  explicit Context(const CheckRequest &request);

  const CheckRequest &request() const { return request_; }
  const Lexemes &lexemes() const { return lexemes_; }
  const OwnRanges &own() const { return own_; }
  /// Returns whether the unit is a candidate, not a baseline: then rules on the text itself (directives, includes,
  /// characters) hold.
  bool isCandidate() const { return !request_.kernelSymbol.empty(); }
  const Policy &policy() const { return request_.policy; }

  /// Returns the position in the unit of a location that counts as own: its expansion or its spelling is in own text.
  std::optional<std::size_t> ownOffset(clang::SourceLocation location) const;
  bool isOwn(clang::SourceLocation location) const { return ownOffset(location).has_value(); }
  bool isMainFile(clang::SourceLocation location) const { return fileOffset(location).has_value(); }
  /// Returns the position in the unit, own text or not, at which a location is expanded.
  std::optional<std::size_t> fileOffset(clang::SourceLocation location) const;
  /// Returns whether a macro that a system header defines wrote it, such as the call in assert.
  bool isSystemMacro(clang::SourceLocation location) const;
  const clang::SourceManager &sources() const { return *sources_; }
  clang::ASTContext &ast() const { return *ast_; }

  /// Reports a finding. Drops findings outside own text, and a second report of the same check at the same place.
  void report(const Check &check, clang::SourceLocation location, std::string message);
  void reportAt(const Check &check, std::size_t offset, std::string message);

  /// Reports what an expression does with an address, unless it has a form (address_forms.h) that is permitted: in a
  /// baseline all are, and become permissions. Returns the variable that then keeps the address, whose uses need the
  /// same; null if there is none. In a baseline's helpers the form must not say where an object lies: a candidate may
  /// call them with other pointers.
  const clang::VarDecl *report(const Check &check, const clang::Expr &about, clang::SourceLocation location,
                               std::string message);
  /// In a baseline, permits what is a finding in candidates alone, if it has a form; does nothing in a candidate.
  void permit(const Check &check, const clang::Expr &about);
  /// In a baseline, permits candidates what `about` does, in a form of the check's own.
  void permit(const Check &check, const clang::Expr &about, std::string form);
  /// In a candidate, notes that it uses this permission of the request.
  void use(const Permission &permission, clang::SourceLocation location);
  /// Returns every reference of the kernel to its variable.
  std::vector<const clang::DeclRefExpr *> references(const clang::VarDecl &variable) const;

  struct Report {
    std::size_t offset;
    std::string_view check;
    std::string message;
    bool isNote = false;
  };
  std::vector<Report> &reports() { return reports_; }

  struct Permitted {
    std::size_t offset;
    Permission permission; ///< without line and column
  };
  std::vector<Permitted> &permitted() { return permitted_; }

  void enterFile(const clang::SourceManager &sources);
  void enterAst(clang::ASTContext &ast) { ast_ = &ast; }
  void enterFunction(const clang::FunctionDecl &function);

private:
  std::optional<std::size_t> mainOffset(clang::SourceLocation fileLocation) const;
  std::optional<AddressForm> formOf(const clang::Expr &about, std::string &helper);
  std::string writtenText(const clang::Expr &expression) const;
  void addPermitted(const Permission &permission, std::size_t offset);

  const CheckRequest &request_;
  OwnRanges own_;
  Lexemes lexemes_;
  const clang::SourceManager *sources_ = nullptr;
  clang::ASTContext *ast_ = nullptr;
  clang::SourceLocation mainBegin_, mainEnd_;
  std::vector<Report> reports_;
  std::set<std::pair<std::size_t, std::string_view>> seen_;
  const clang::FunctionDecl *kernel_ = nullptr;
  std::optional<AddressForms> forms_; ///< made when the first report asks
  /// Of a baseline: functions of the author's that the kernel uses, each with its forms once a report asks.
  std::vector<std::pair<const clang::FunctionDecl *, std::unique_ptr<AddressForms>>> helpers_;
  std::vector<Permitted> permitted_;
};

} // namespace agentic::checks
