// Reduces a sanitizer's report on a process to one line that tells an agent where its code is wrong and nothing else:
// no path, no line of another file, no value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct SanitizerReport {
  std::string summary; ///< "signed integer overflow: ? + ? cannot be represented in type 'int'"; empty = no report
  std::string file;    ///< UndefinedBehaviorSanitizer: the place of the error
  unsigned line = 0, column = 0;
  std::vector<std::uint64_t> frames; ///< the other two: offsets in the shared object, innermost first
};

/// The reports of a log, at most 1000; hostile input. `sharedObject`: the file name of the candidate's.
std::vector<SanitizerReport> parseSanitizerReports(std::string_view log, std::string_view sharedObject);

/// Returns the -fsanitize= group of an UndefinedBehaviorSanitizer report: "signed-integer-overflow"; empty if unknown.
std::string sanitizerGroup(std::string_view summary);

} // namespace agentic
