// The lexical rules of a candidate, and which of its declarations is the kernel.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/source/candidate/candidate_parse.h"

namespace agentic {

/// Printable ASCII only, apart from lines that the kernel itself has.
void checkCharacters(const KernelSpec &spec, std::string_view candidate, std::vector<CandidateProblem> &problems);

/// No spelling that hides structure from these rules: digraphs, spliced tokens, macros that open or close a bracket,
/// and directives with a power of their own.
void checkTokens(const KernelSpec &spec, const LexedText &lexed, std::vector<CandidateProblem> &problems);

/// Nothing at the end may swallow the text that follows in the unit.
void checkEnding(const LexedText &lexed, std::vector<CandidateProblem> &problems);

/// "<cmath>" as written; "" if it is neither <…> nor "…".
std::string includedHeader(std::string_view text, const LexDirective &directive);

/// False with a problem if a candidate may not include this header.
bool checkInclude(const KernelSpec &spec, const std::string &header, std::size_t offset,
                  std::vector<CandidateProblem> &problems);

/// The one definition of the kernel function; nullptr with a problem if there is none or more than one.
const CandidateItem *findKernel(const LexedText &lexed, const KernelSpec &spec, const CandidateShape &shape,
                                std::vector<CandidateProblem> &problems);

bool isKernelPrototype(const LexedText &lexed, const KernelSpec &spec, const CandidateItem &item);

/// Whether `item` is a function of the closure, by name and parameters.
bool redefinesCopy(const LexedText &lexed, const KernelSpec &spec, const CandidateItem &item);

/// Everything must stand in the kernel's namespaces.
void checkPlaces(const LexedText &lexed, const KernelSpec &spec, const CandidateShape &shape,
                 const CandidateItem &kernel, std::vector<CandidateProblem> &problems);

} // namespace agentic
