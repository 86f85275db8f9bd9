// Prints a glue's description of its kernel's parameters, for the tool, which loads no code of the project's compiler.
#pragma once

namespace agentic::runner {

/// Prints {"parameters":[{"name","kind","element",…}],"result":{…},"requirements":0|1} as one line; returns the exit
/// status.
int describe(const char *glue, const char *kernel);

} // namespace agentic::runner
