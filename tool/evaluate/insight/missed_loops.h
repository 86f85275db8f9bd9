// Why loops were not vectorized, in the compiler's words. Pure.
#pragma once

#include "tool/model/compile_command.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// What to add to a compile command so that the compiler says it.
std::vector<std::string> missedOptions(Family family);

struct MissedLoop {
  unsigned line = 0; ///< of the candidate's own text
  std::string reason;
  bool operator==(const MissedLoop &) const = default;
};

/// Line of the candidate's text for a line of the unit; 0 where the unit's text is not the candidate's.
using OwnLine = std::function<unsigned(unsigned line, unsigned column)>;

/// Of `unitFile` and the candidate's own lines alone, each (line, reason) once, by line, at most `most`.
std::vector<MissedLoop> missedLoops(std::string_view diagnostics, Family family, std::string_view unitFile,
                                    const OwnLine &ownLine, std::size_t most);

std::string missedText(const std::vector<MissedLoop> &missed);

} // namespace agentic
