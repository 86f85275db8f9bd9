// The pragmas with which a dispatch block keeps its own text out of a project's warnings.
#pragma once

#include <string>

namespace agentic {

/// Opens a region without the warnings that only generated text may raise; a "#pragma GCC diagnostic pop" closes it.
std::string emitQuiet();

} // namespace agentic
