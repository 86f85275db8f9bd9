// What a glue says of its kernel's parameters, for the tool, which loads nothing that the project's compiler made.
#pragma once

namespace agentic::runner {

/// Prints {"parameters":[{"name","kind","element",…}],"result":{…},"requirements":0|1} as one line; the exit status.
int describe(const char *glue, const char *kernel);

} // namespace agentic::runner
