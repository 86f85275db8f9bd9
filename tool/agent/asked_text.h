// The message for what a strategy asks for (model/ask.h): the file to go on from, and what came of it so far. Nothing
// of the other attempts is in it.
#pragma once

#include "tool/agent/candidate_names.h"
#include "tool/agent/prompts.h"
#include "tool/model/run_state.h"

#include <cstddef>
#include <string>

namespace agentic {

struct AskedTextParts {
  std::string shapes, problem, budget; ///< texts for these placeholders; each may be empty
  bool isShort = false;                ///< without what was tried, and without other files
};

/// Returns the message for `state.ask`, of which a strategy must have decided. An id of no attempt is left out. At most
/// 32 KiB of the parent, 16 KiB of each of two other files, and 2 KiB of verdicts.
std::string askedText(const Prompts &prompts, const RunState &state, const CandidateNames &names,
                      const AskedTextParts &parts);

/// Returns the attempt's file in a fence, at most `most` bytes of it.
std::string sourceOf(const RunState &state, std::size_t index, const CandidateNames &names, std::size_t most);
/// Returns the best file so far like that, with its number; or that there is none.
std::string bestSource(const RunState &state, const CandidateNames &names, std::size_t most);
/// Returns the verdict on the attempt, at most 1 KiB.
std::string verdictOn(const RunState &state, std::size_t index, const CandidateNames &names);
/// Returns what was tried from `state.ask`'s parent, with a title; empty if nothing was.
std::string triedText(const RunState &state, const CandidateNames &names);

} // namespace agentic
