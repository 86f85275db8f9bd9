// Parses a kernel's text to its loop nest: the only step of the transformations that runs Clang.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"
#include "tool/source/loops/loop_nest.h"

#include <memory>

namespace agentic {

class Preambles; // parse/preambles.h

/// Parses `text` (the kernel, or a candidate for it with helpers in front) between the spec's prelude and closure as
/// one unit in memory, named as a file in SOURCE's folder. 0.02-0.5 s, mostly headers, which `preambles` saves from the
/// third time on. Error if it does not parse.
Result<std::unique_ptr<moves::Nest>> parseLoopNest(const KernelSpec &spec, const std::string &text,
                                                   Preambles *preambles = nullptr);

/// The same of a text that its author wrote, in a form that computes the same, so that the nest's text is another one:
/// a loop's variable that is declared in front of it, as C once wanted, is declared in its header, if it lives nowhere
/// else; a variable that each iteration assigns first is declared there; macros of SOURCE with arguments that stand for
/// statements are these statements.
Result<std::unique_ptr<moves::Nest>> parseAuthorsLoopNest(const KernelSpec &spec, const std::string &text);

} // namespace agentic
