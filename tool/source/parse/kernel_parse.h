// Parses a kernel's text once for every visitor of its AST: the transformations, the mutants.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"

#include <cstddef>
#include <functional>
#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace agentic {

class Preambles;           // preambles.h
struct PreprocessorRecord; // extract_preprocessor.h

/// Parses `text`, a whole unit in memory named as a file in SOURCE's folder, and calls `visit`. 0.02-0.5 s, mostly
/// headers. Error if it does not parse; it names `purpose`, the reason for the parse: "the built-in search". `record`
/// gets the preprocessor's work in the unit's own text; null: nobody asks. `preambles` saves the headers' time for
/// units that begin alike, and does not go together with `record`; the AST then holds of them only what the unit uses.
Result<void> parseUnit(const KernelSpec &spec, const std::string &text, const std::string &purpose,
                       const std::function<void(const clang::ASTContext &)> &visit,
                       PreprocessorRecord *record = nullptr, Preambles *preambles = nullptr);

/// A parsed kernel. Everything in it dies when the visitor returns.
struct ParsedKernel {
  const clang::ASTContext &context;
  const clang::FunctionDecl &function;
  const std::string &unit; ///< the parsed text: prelude, closure, then the kernel's text
  std::size_t begin = 0;   ///< begin of the kernel's text in `unit`
};

/// Parses `text` (the kernel, or a candidate for it with helpers in front) between the spec's prelude and closure as
/// one unit, as parseUnit does, and calls `visit`. Error if it does not parse, or holds no such function.
Result<void> parseKernel(const KernelSpec &spec, const std::string &text, const std::string &purpose,
                         const std::function<void(const ParsedKernel &)> &visit, PreprocessorRecord *record = nullptr,
                         Preambles *preambles = nullptr);

} // namespace agentic
