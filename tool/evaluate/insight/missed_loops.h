// Extracts why loops were not vectorized, in the compiler's words. Pure.
#pragma once

#include "tool/model/compile_command.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Returns the options that make the compiler say it.
std::vector<std::string> missedOptions(Family family);

struct MissedLoop {
  unsigned line = 0; ///< line of the candidate's own text
  std::string reason;
  bool operator==(const MissedLoop &) const = default;
};

/// Maps a line of the unit to a line of the candidate's text; 0 where the unit's text is not the candidate's.
using OwnLine = std::function<unsigned(unsigned line, unsigned column)>;

/// Returns only lines of `unitFile` that are the candidate's own, each (line, reason) once, by line, at most `most`.
std::vector<MissedLoop> missedLoops(std::string_view diagnostics, Family family, std::string_view unitFile,
                                    const OwnLine &ownLine, std::size_t most);

std::string missedText(const std::vector<MissedLoop> &missed);

} // namespace agentic
