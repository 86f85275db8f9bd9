// Applies the lexical rules to a candidate, and finds the kernel among its declarations.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/source/candidate/candidate_parse.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Returns the lines of the kernel and its closure as their author wrote them.
std::set<std::string> linesOf(const KernelSpec &spec);

/// Requires printable ASCII, apart from lines that the kernel itself has.
void checkCharacters(const KernelSpec &spec, std::string_view candidate, std::vector<CandidateProblem> &problems);

/// Rejects spellings that hide structure from these rules: digraphs, spliced tokens, macros that open or close a
/// bracket, and directives with a power of their own.
void checkTokens(const KernelSpec &spec, const LexedText &lexed, std::vector<CandidateProblem> &problems);

/// Returns whether a `#define` closes every bracket that it opens, and no other.
bool hasBalancedBrackets(std::string_view define);

/// Requires an ending that cannot swallow the text that follows in the unit.
void checkEnding(const LexedText &lexed, std::vector<CandidateProblem> &problems);

/// Returns the header as written: "<cmath>"; "" if it is neither <…> nor "…".
std::string includedHeader(std::string_view text, const LexDirective &directive);

/// Returns false with a problem if a candidate may not include this header.
bool checkInclude(const KernelSpec &spec, const std::string &header, std::size_t offset,
                  std::vector<CandidateProblem> &problems);

/// Returns the one definition of the kernel function, in a namespace of another name if there is none in its own;
/// nullptr with a problem if there is none or more than one.
const CandidateItem *findKernel(const LexedText &lexed, const KernelSpec &spec, const CandidateShape &shape,
                                std::vector<CandidateProblem> &problems);

bool isKernelPrototype(const LexedText &lexed, const KernelSpec &spec, const CandidateItem &item);

/// Returns whether `item` is a function of the closure, by name and parameters.
bool redefinesCopy(const LexedText &lexed, const KernelSpec &spec, const CandidateItem &item);

/// Requires every declaration to be in the kernel's namespaces.
void checkPlaces(const LexedText &lexed, const KernelSpec &spec, const CandidateShape &shape,
                 const CandidateItem &kernel, std::vector<CandidateProblem> &problems);

} // namespace agentic
