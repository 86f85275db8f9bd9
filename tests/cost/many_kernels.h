// A consumer project with any number of kernels as a user checks them in: real sources and headers, and real locks and
// variants, written by the user's code path from the results of extraction.
#pragma once

#include "tool/base/error.h"

#include <filesystem>
#include <string>

namespace agentic::cost {

struct ManyKernels {
  std::filesystem::path root; ///< holds source/ and all build trees
  int count = 0;

  std::filesystem::path source() const { return root / "source"; }
};

/// Writes sources, headers, a test, a benchmark and CMakeLists.txt. With -DWITH_KERNELS=OFF the same project is
/// configured without add_agentic_kernel().
Result<void> writeSources(const ManyKernels &project);

/// Writes lock, dispatcher and one variant (x86-64-v2) per kernel and family. Needs a configured `buildDir`; parses
/// every source once (about 0.2 s each).
Result<void> writeVariants(const ManyKernels &project, const std::string &buildDir);

} // namespace agentic::cost
