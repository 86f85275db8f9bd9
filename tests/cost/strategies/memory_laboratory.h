// What the tool's own memory (tool/memory) is worth to simulated models that search related kernels, one after the
// other. What a model makes of an item, and how far kernels are related, are assumptions; which items are kept, merged,
// found and shown is the tool's code.
#pragma once

#include "tests/cost/strategies/laboratory.h"
#include "tool/memory/experience.h"
#include "tool/memory/memory_store.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic::cost {

/// Stands for an approach where the tool reads source: nothing but it changes between two of these.
std::string sourceOf(int approach);

/// The memory of one sequence of kernels.
class SimulatedMemory {
public:
  SimulatedMemory();
  /// Begins the next kernel. Returns what the memory shows for it.
  Advice begin();
  /// Keeps what a measured file teaches.
  void saw(const Attempt &attempt, int approach);

private:
  MemoryStore store_;
  int kernels_ = 0;
  std::optional<Experience> experience_;
  std::vector<MemoryItem> learned_; ///< on the present kernel
};

inline constexpr int kRelatedKernels = 4;

struct MemoryResult {
  std::string strategy;
  Estimate saved;   ///< share of the calls on the last kernel until 90 % of the best that is reached with or without
  Estimate speedup; ///< at the end on the last kernel, with a memory over without one
};

/// Runs each strategy on sequences of four kernels, with each model and each seed from 1 to `seeds`. Models that never
/// reached anything on the last kernel count in the speedups alone.
std::vector<MemoryResult> compareMemory(const std::vector<AskStrategy> &strategies,
                                        const std::vector<std::string> &names, const std::vector<FittedModel> &models,
                                        const Assumptions &assumptions, int seeds, int calls);

} // namespace agentic::cost
