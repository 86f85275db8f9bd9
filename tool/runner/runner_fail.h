// Ends the runner on errors: one line on stderr and an exit status. It has no caller to return an error to.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace agentic::runner {

enum ExitStatus {
  kDone = 0,        ///< every step has its result, and the end is written
  kBadInput = 2,    ///< arguments or plan are broken, or do not fit the glue
  kKernelFault = 3, ///< the kernel crashed; the last result says how
  kNotLoadable = 4, ///< the glue or the kernel cannot be loaded; stderr has the dynamic linker's reason
  kNoResources = 5  ///< no memory for a buffer, or the result cannot be written
};

[[noreturn, gnu::format(printf, 2, 3)]] inline void fail(ExitStatus status, const char *format, ...) {
  char text[1024] = "agentic-kernel-runner: ";
  const std::size_t begin = sizeof "agentic-kernel-runner: " - 1;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text + begin, sizeof text - begin, format, arguments);
  va_end(arguments);
  ::dprintf(STDERR_FILENO, "%s\n", text);
  ::_exit(status);
}

} // namespace agentic::runner
