// What a model is told once: the kernel with everything it refers to, its contract, the rules, the machine.
//
// Nothing in it is measured or changes within a run, so that providers can cache it and a recording is found by it.
#pragma once

#include "tool/agent/prompts.h"
#include "tool/model/run_state.h"

#include <string>
#include <utility>
#include <vector>

namespace agentic {

/// What candidates are compiled with and run on.
struct MachineFacts {
  std::string cpu;
  std::vector<std::pair<std::string, double>> caches; ///< "L1" and its bytes, smallest first
  std::string compiler;                               ///< "clang 19.1.7"
  std::string flags;                                  ///< "-O3 -march=native"
};

struct SystemPromptOptions {
  MachineFacts machine;
  bool isBlind = false; ///< nothing of machine and level
  std::string hint;     ///< the user's; may be empty
  bool usesTools = false;
};

/// "answer-text.md" or "answer-tools.md".
std::string answerText(const Prompts &prompts, bool usesTools);

std::string systemPrompt(const Prompts &prompts, const RunState &state, const SystemPromptOptions &options);

/// What the kernel refers to and there is no room for: functions and types beyond 32 KiB, headers beyond 32 KiB in all
/// or 12 KiB each. The prompt names it, too.
std::vector<std::string> leftOutOfPrompt(const KernelSpec &spec);

} // namespace agentic
