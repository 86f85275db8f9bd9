// What a dispatch block chooses between, for the blocks of C++ (emit_dispatch.cpp) and of C (emit_dispatch_c.cpp).
#pragma once

#include "tool/base/error.h"
#include "tool/model/level.h"
#include "tool/source/emit/emit.h"

#include <string>
#include <vector>

namespace agentic {

struct Choice {
  const Level *level;
  std::string macro; ///< defined if the variant is part of the program
  std::string condition, symbol;
  bool isTuned = true;
};

/// Returns the variants, best level first. Bug error for an unknown level or family.
Result<std::vector<Choice>> choicesOf(const KernelSpec &spec, const std::vector<Provenance> &variants);

/// Returns each level of the choices once.
std::vector<const Level *> levelsOf(const std::vector<Choice> &choices);

/// Returns the name of the macro under which unmeasured variants are chosen like others.
std::string untunedMacro(const std::string &kernel);

/// Returns the condition under which a chosen variant of that level runs where the compiler's flags decide.
std::string staticCondition(const std::string &kernel, const Choice &choice);

/// Returns the comment at the beginning of a block.
std::string dispatchHeader(const KernelSpec &spec, const std::vector<Choice> &choices, std::string_view toolVersion);

/// Returns `text` with the kernel's name for @KERNEL@.
std::string forKernel(const char *text, const std::string &kernel);

/// The block in C, at file scope: every name of ours ends with the kernel's.
Result<std::string> emitDispatchC(const KernelSpec &spec, const std::vector<Choice> &choices,
                                  std::string_view toolVersion);

} // namespace agentic
