// Emits the pragmas that exempt a dispatch block's own text from a project's warnings.
#pragma once

#include "tool/model/language.h"

#include <string>

namespace agentic {

/// Opens a region without the warnings that only generated text may raise; "#pragma GCC diagnostic pop" closes it.
std::string emitQuiet(Language language);

} // namespace agentic
