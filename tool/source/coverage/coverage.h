// Finds the places of a candidate's code that have run: instruments its unit with a flag at each place, for any
// compiler that compiles the unit. Same results; slower.
//
// Places: bodies of functions, lambdas and loops, both ways out of every `if` (a missing else counts), `?:`, `&&` and
// `||`, case labels. Each place of the text counts once, whatever the number of instantiations. Not places: code that
// only constant expressions reach; arms that no instantiation can take; arms that only end the program or are declared
// unreachable; assertions.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"
#include "tool/source/candidate/candidate_unit.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct CoveragePlace {
  unsigned line = 0, column = 0; ///< in the candidate's text
  std::string what;              ///< "body of the loop", "else of the if in line 12", "case label"
  /// The code that runs only if the place runs, in the unit before instrumentation.
  std::size_t begin = 0, end = 0;
};

struct InstrumentedUnit {
  std::string text;
  std::vector<CoveragePlace> places; ///< by position
  std::vector<std::string> remarks;  ///< "line 7: what stands in a macro's body is not measured"
  std::vector<std::string> hidden;   ///< the same for macros that the candidate itself defines: it need not
};

/// Instruments a unit with one parse (0.02-0.5 s). When the object of the text is loaded, it maps the file named by the
/// environment variable AGENTIC_KERNEL_COVERAGE, and sets a byte of it for each place that runs, so that nothing is
/// lost however the process ends, and processes share a file; without the variable nothing is written. Error if Clang
/// cannot parse the unit.
Result<InstrumentedUnit> instrumentCoverage(const KernelSpec &spec, const CandidateUnit &unit);

inline constexpr const char *kCoverageVariable = "AGENTIC_KERNEL_COVERAGE";

/// Returns the content that the file must have before the first process starts.
std::string emptyCoverage(std::size_t places);

/// Adds a file's flags to `ran`, one entry for each place; hostile input. Returns false if the file does not fit that
/// many places.
bool addCoverage(std::string_view file, std::vector<bool> &ran);

} // namespace agentic
