// What a candidate unit in C has in place of namespaces: the closure's copies and the candidate's helpers get internal
// linkage by `static`. A header may declare the same name with external linkage, so that a copy of an external function
// or constant has another name, under a macro of the old one; so has what a candidate writes in a copy's place.
#pragma once

#include "tool/source/candidate/candidate_parse.h"

#include <string>

namespace agentic {

/// Adds the closure in SOURCE's order: types, constants and functions, and macros that the prelude does not leave in
/// force. `inner` begins the new names.
void addClosureC(const KernelSpec &spec, const std::string &inner, UnitText &unit);

/// Adds the macros by which the candidate's own declarations stand beside copies of the same name.
void hideCopiesC(const KernelSpec &spec, const CandidateShape &shape, const std::string &inner, UnitText &unit);

/// Writes `static` before the candidate's functions and constants that lack it, but not before the kernel.
void makeInternalC(const LexedText &lexed, const CandidateShape &shape, const CandidateItem &kernel, EditList &edits);

} // namespace agentic
