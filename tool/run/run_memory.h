// The memory of a run: what its models are told of earlier runs, and what it keeps for later ones.
//
// A memory is a help, never a condition: what is in its way is one warning, and the run goes on without.
#pragma once

#include "tool/memory/experience.h"
#include "tool/memory/memory_store.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/manifest.h"
#include "tool/model/run_config.h"
#include "tool/run/messages.h"
#include "tool/run/surroundings.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

class Evaluator;

/// The values of --memory.
std::vector<std::string> memoryModes();

/// Refuses a mode that there is not, as the project's AGENTIC_KERNEL_MEMORY may be.
Result<void> checkMemoryMode(const std::string &mode);

/// Returns the file of the project's own memory, one for all of its build trees.
std::string projectMemoryFile(const std::string &sourceDir, const std::string &buildDir,
                              const Surroundings &surroundings);

/// Returns the file of the memory that all projects of the user share: words of ours and ratios.
std::string sharedMemoryFile(const std::string &buildDir, const Surroundings &surroundings);

/// Returns the files that a mode reads and writes, the project's own first. They may be missing.
std::vector<std::string> memoryFiles(const std::string &mode, const Manifest &manifest,
                                     const Surroundings &surroundings);

/// Returns whether a run reads and keeps items: one that asks a model, is no experiment, and is not cold. What the
/// built-in search learns alone are recipes (run_recipes.h).
bool remembers(const RunConfig &config);

/// The kernel that items are wanted for.
struct MemoryQuestion {
  const Manifest &manifest;
  const KernelSpec &spec;
  std::string level, family;
  std::string mode = "project"; ///< one of memoryModes()
};

/// Returns the items of earlier runs that fit, those of kernels that share most with it first, at most 16; and of the
/// file that the project has checked in. `warn` hears what could not be read.
std::vector<MemoryItem> fittingMemory(const MemoryQuestion &question, const Surroundings &surroundings,
                                      const std::function<void(const std::string &warning)> &warn);

/// Returns the items that a run's models are to be told; none if it asks none. Those of `replay:` are of the recording:
/// what is in the memory now would make other requests.
std::vector<MemoryItem> recallMemory(Messages &messages, const Surroundings &surroundings, const RunConfig &config,
                                     const Evaluator &evaluator);

/// Keeps what a run learns.
class RunMemory {
public:
  /// `before`: the attempts of a run that goes on; they are kept already.
  RunMemory(Messages &messages, const Surroundings &surroundings, const RunConfig &config, const Evaluator &evaluator,
            const std::vector<Attempt> &before);

  void saw(const Attempt &attempt);
  /// Writes what the attempts since the last round taught, in the words of the run's summarizer where it said any.
  void endRound(const std::vector<Summary> &summaries);

private:
  void warnOnce(const Error &error);
  bool begins();
  Messages &messages_;
  const Surroundings &surroundings_;
  const RunConfig &config_;
  const Evaluator &evaluator_;
  std::optional<Experience> experience_;
  std::vector<Attempt> before_; ///< until there is an experience
  bool isOver_ = false;         ///< nothing can be kept
};

} // namespace agentic
