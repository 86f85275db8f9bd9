// Writes the wrapper for a marked function that cannot be a kernel itself: a member, a template, an inline function.
// Its body moves into a free function of the same file, which gets the marker and the contract, and which it calls.
#pragma once

#include "tool/base/error.h"
#include "tool/source/extract/extract.h"

#include <string>

namespace clang {
class FunctionDecl;
}

namespace agentic {

struct ParsedUnit;

struct Wrapping {
  std::string source;   ///< SOURCE with the wrapper, LF
  std::string function; ///< the new function: "bits_kernel"
  std::string of;       ///< the function that was marked: "Counter::bits"
  std::string note;     ///< what the user should know; may be empty
  std::size_t line = 0; ///< of that function in SOURCE
};

/// Members that the body uses become parameters of the same names: scalars that are only read by value, others by
/// reference. Of a template the first instance in the file is taken, and gets an explicit specialization.
/// Errors: SOURCE cannot be parsed; no marked function, or it can be a kernel as it is; what no wrapper can do (`this`
/// itself, calls of its methods, private names of its class, a definition in a header or written by a macro), with the
/// place; a word that means something else in a free function, with its place; the result would not be a kernel. Cost:
/// two parses of SOURCE.
Result<Wrapping> wrapKernel(const ExtractRequest &request);

/// The same of `text` in SOURCE's place.
Result<Wrapping> wrapFrom(const ExtractRequest &request, const std::string &text);

/// The same within one parse, without a test of the result.
Result<Wrapping> wrapIn(const ParsedUnit &unit);
Result<Wrapping> wrapperOf(const ParsedUnit &unit, const clang::FunctionDecl &function);

} // namespace agentic
