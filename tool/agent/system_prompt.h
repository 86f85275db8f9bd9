// The system prompt, sent once: the kernel with everything that it refers to, its contract, the rules, the machine.
//
// It holds nothing that is measured or changes within a run, so that providers can cache it and it finds a recording.
#pragma once

#include "tool/agent/prompts.h"
#include "tool/model/run_state.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace agentic {

/// The compiler and the machine of the candidates.
struct MachineFacts {
  std::string cpu;
  std::vector<std::pair<std::string, double>> caches; ///< "L1" and its bytes, smallest first
  std::string compiler;                               ///< "clang 19.1.7"
  std::string flags;                                  ///< "-O3 -march=native"
};

struct SystemPromptOptions {
  MachineFacts machine;
  bool isBlind = false; ///< hides machine and level
  std::string hint;     ///< the user's; may be empty
  bool usesTools = false;
  std::string answer;                     ///< prompt that says how to answer; empty: by usesTools
  std::string knowledge;                  ///< ideas that fit the kernel, a list; may be empty
  std::string memory;                     ///< what earlier runs measured on kernels like it, a list; may be empty
  std::map<std::string, double> dropouts; ///< by role: the share of both lists that each question leaves out (menu.h)
};

/// Returns "answer-text.md" or "answer-tools.md", filled.
std::string answerText(const Prompts &prompts, bool usesTools);

std::string systemPrompt(const Prompts &prompts, const RunState &state, const SystemPromptOptions &options);

/// Returns the system prompt of a role that writes no files: the kernel, its contract and the machine, at most about
/// 100 KiB. It differs between roles, so that a recording never gives one the answer of another. It says C++: for a
/// kernel in C, inLanguage() follows for the whole request.
std::string roleSystemPrompt(const Prompts &prompts, const RunState &state, const SystemPromptOptions &options,
                             std::string_view role);

/// Returns the parts of the kernel's closure that do not fit: functions and types beyond 32 KiB, headers beyond 32 KiB
/// in all or 12 KiB each. The prompt names them, too.
std::vector<std::string> leftOutOfPrompt(const KernelSpec &spec);

} // namespace agentic
