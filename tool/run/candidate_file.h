// Reads candidates from files that the user names.
#pragma once

#include "tool/base/error.h"
#include "tool/model/candidate.h"
#include "tool/model/language.h"

#include <string>

namespace agentic {

Result<Candidate> readCandidate(const std::string &path);

/// The treatment of open constants (AGENTIC_TUNE, source/tunables.h) where nothing searches them: the first value of
/// each, or an error that says how to find the best.
enum class OpenConstants { First, Refused };
Result<Candidate> readSettledCandidate(const std::string &path, OpenConstants open, Language language = Language::Cxx);

} // namespace agentic
