// One rule. Every unit gets a new check object, which sees the unit through the hooks below and reports to the Context.
//
// All hooks but text() get own text only, or Context::report drops what is not own: a check need not test that. text()
// runs before the unit is parsed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace clang {
class Decl;
class Stmt;
class Token;
class TypeLoc;
} // namespace clang

namespace agentic::checks {

class Context;

/// A Clang warning in own text.
struct DiagnosticView {
  std::size_t offset = 0;
  std::string_view option; ///< "unknown-attributes"
  std::string_view text;
};

/// A pragma that a macro of own text expands to; text() sees directives themselves.
struct PragmaView {
  std::size_t offset = 0;
  bool readable = false; ///< false: its text is pasted together and cannot be read
  std::string text;      ///< "omp simd"
};

/// A macro of the compiler or of its command line that own text names outside directives.
struct MacroView {
  std::size_t offset = 0;
  std::string_view name;
  bool isPredefined = false; ///< the compiler itself predefines it
};

class Check {
public:
  virtual ~Check() = default;
  virtual void text(Context &) {}
  virtual void token(const clang::Token &, Context &) {} ///< after preprocessing
  virtual void pragma(const PragmaView &, Context &) {}
  virtual void macro(const MacroView &, Context &) {}
  virtual void diagnostic(const DiagnosticView &, Context &) {}
  virtual void declaration(const clang::Decl &, Context &) {}
  virtual void statement(const clang::Stmt &, Context &) {}
  virtual void typeLocation(const clang::TypeLoc &, Context &) {}
  virtual void finish(Context &) {} ///< called last

  std::string_view name() const { return name_; }
  bool isNote() const { return isNote_; } ///< its reports reject nothing
  void setRow(std::string_view name, bool isNote) { name_ = name, isNote_ = isNote; }

private:
  std::string_view name_;
  bool isNote_ = false;
};

} // namespace agentic::checks
