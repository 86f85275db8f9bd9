// Runs programs of the user with the sampler, and chooses those to run.
#pragma once

#include "tool/base/error.h"
#include "tool/base/process.h"
#include "tool/hot/hot_project.h"
#include "tool/hot/samples.h"

#include <atomic>
#include <string>
#include <vector>

namespace agentic {

struct HotProgram {
  std::vector<std::string> argv;
  std::string workingDirectory; ///< empty: that of this process
};

/// Returns the benchmark programs that `kernel` or all kernels name; if the tree has no kernel, all programs that are
/// linked with Google Benchmark. Errors: there is none, or none is built; the next step says what to write.
Result<std::vector<HotProgram>> benchmarkPrograms(const HotProject &project, const std::string &kernel);

struct SamplingRequest {
  HotProgram program;
  std::string sampler; ///< the library
  std::string preload; ///< LD_PRELOAD as it is; may be empty
  std::string folder;  ///< the files of samples are made in a folder of their own below it
  const std::atomic<bool> *cancelled = nullptr;
};

struct SampledRun {
  ProcessResult process;
  std::vector<ProcessSamples> samples; ///< of the program's processes that took some
};

/// Runs it to its end, without a limit of time, as it is: no sandbox, no input; its output is kept (1 MiB a stream).
/// One that was cancelled leaves what it sampled until then. Errors: it cannot be started; the folder cannot be
/// written.
Result<SampledRun> sampleProgram(const SamplingRequest &request);

} // namespace agentic
