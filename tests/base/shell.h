// Shell scripts as child processes, for the tests of processes.
#pragma once

#include "tool/base/process.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace agentic {

/// The default limit is for scripts that never end: a busy machine is slow.
inline ProcessSpec shell(std::string script, double timeoutSeconds = 600) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", std::move(script)};
  spec.timeoutSeconds = timeoutSeconds;
  return spec;
}

inline ProcessResult mustRun(const ProcessSpec &spec) {
  auto result = runProcess(spec);
  EXPECT_TRUE(result) << result.error().message;
  return result.value_or(ProcessResult{});
}

} // namespace agentic
