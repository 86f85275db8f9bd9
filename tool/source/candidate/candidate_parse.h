// Finds the declarations of a candidate from its tokens alone: enough to know the kernel's definition, its wrappers and
// the helpers, whether or not the text compiles.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/source/candidate/candidate_edits.h"
#include "tool/source/parse/lexed_text.h"

#include <cstddef>
#include <string>
#include <vector>

namespace agentic {

inline constexpr std::size_t kNoToken = static_cast<std::size_t>(-1);

struct CandidateItem {
  enum class Kind { Function, Prototype, Namespace, Other };
  Kind kind = Kind::Other;
  std::size_t first = 0, last = 0;                   ///< tokens, inclusive
  std::vector<std::string> names;                    ///< the declared names; a function's own name, unqualified
  std::size_t qualifier = kNoToken, name = kNoToken; ///< first and last token of a function's declarator-id
  std::size_t open = kNoToken, close = kNoToken;     ///< parameter list
  bool foreign = false;                              ///< it is in a namespace that is not the kernel's
};

struct CandidateShape {
  std::vector<CandidateItem> items;
  std::vector<TextSpan> wrappers; ///< begin..end of "namespace x {" and of its "}": to be removed
};

/// Removes the contract's macros from the tokens: a candidate may repeat them, but only the baseline declares the
/// contract. Returns their spans in the text, with the white space after them.
std::vector<TextSpan> dropContractMacros(LexedText &lexed);
std::string withoutContractMacros(std::string text);

CandidateShape parseCandidate(const LexedText &lexed, const KernelSpec &spec, std::vector<CandidateProblem> &problems);

/// Returns the types of a parameter list as written, without names and defaults: {"const float *", "size_t"} without
/// blanks.
std::vector<std::string> parameterTypes(const LexedText &lexed, std::size_t open, std::size_t close);

/// Parses one declaration that begins at token `first`; `last`, the last token of its text, is at most `end` - 1.
CandidateItem parseItem(const LexedText &lexed, std::size_t first, std::size_t end);

} // namespace agentic
