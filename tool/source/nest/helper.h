// What a function of the project is made of, if its text is to stand in the place of a call. Includes Clang: only
// helper*.cpp and library_calls.cpp may include this.
#pragma once

#include "tool/source/loops/helper_call.h"
#include "tool/source/nest/ast.h"

#include <set>
#include <string>
#include <vector>

namespace agentic::moves {

struct Helper {
  Range range;                                 ///< of the definition, in the unit; empty if it is not written there
  std::vector<std::string> names;              ///< of its parameters, then of its variables
  std::vector<bool> isChanged;                 ///< a parameter: it is assigned to, or more than its value is used
  OpenText body, value;                        ///< as in HelperCall
  std::set<std::string, std::less<>> mentions; ///< names in it that are not its own
  bool changesNothing = false;                 ///< beside its own variables
  bool hasLoop = false;
  std::string problem; ///< why its text cannot stand elsewhere; empty if it can
};

/// Reads a definition. It is understood if it returns a number, a pointer or nothing, and only at its end: in one
/// statement, or in a last chain of conditions that return, which becomes one expression.
Helper readHelper(const clang::FunctionDecl &definition, const clang::ASTContext &context);

/// Writes a call of an algorithm of the standard library over numbers as the loop that it stands for: everything but
/// the call's place, which is known. False if it is no such call.
bool writeAlgorithm(const clang::CallExpr &source, const clang::ASTContext &context, const TextMap &map,
                    const Nest &nest, HelperCall &call);
/// Returns whether a function of the standard library reads what it is given, and changes nothing.
bool isReadingAlgorithm(const clang::FunctionDecl &function);

/// Returns whether evaluating it changes nothing and may be left out, or done twice.
bool changesNothing(const clang::Expr *expression);

} // namespace agentic::moves
