// Finds the functions in which programs spend their time, and says of each whether it can be a kernel.
#pragma once

#include "tool/hot/judgement.h"
#include "tool/hot/profile.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace agentic {

struct HotRequest {
  std::string buildDir, config;
  std::string kernel;               ///< without `program`: the benchmarks of this one; empty: all that are known
  std::vector<std::string> program; ///< with its arguments; empty: benchmarks
  std::string preload;              ///< LD_PRELOAD of this process
  const std::atomic<bool> *cancelled = nullptr;
  std::function<void(const std::string &)> progress;
};

struct HotRun {
  std::vector<std::string> argv;
  std::string end; ///< "exited with status 0"
  bool isOk = false;
  int status = 0; ///< its exit status, or 128 + the signal's number
  double samples = 0, cpuSeconds = 0;
  std::string lastWords; ///< the last line of its stderr, if it failed
};

struct HotEntry {
  HotFunction function;
  Judgement judgement;
};

struct HotResult {
  std::vector<HotRun> runs;
  double samples = 0;
  std::vector<HotEntry> functions; ///< at most 12, of at least 1 % each; most samples first
  std::vector<std::string> notes;  ///< what a reader of the figures should know, most important first
};

/// The fewest samples that figures are believed for.
inline constexpr double kEnoughSamples = 50;

/// Errors: the folder is no build tree; no program is known, or it cannot be started; nothing was sampled. A program
/// that fails, or is interrupted, is a note. Cost: what the programs take, under 1 % more, then 0.1-2 s per function.
Result<HotResult> findHot(const HotRequest &request);

} // namespace agentic
