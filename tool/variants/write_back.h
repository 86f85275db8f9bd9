// Writes a confirmed winner back as checked-in files.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/end_to_end.h"
#include "tool/model/stages.h"
#include "tool/source/emit/emit.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct WriteBackRequest {
  Candidate candidate;
  Measurement confirmed;           ///< by confirm(): in the header while the final binary is built; empty if untimed
  std::string agent;               ///< "builtin", "apply"
  std::string shortening;          ///< what was left out of the winner, for the header; empty: nothing
  std::string reviewed;            ///< what a reviewer changed in it, for the header; empty: nothing
  std::vector<std::string> review; ///< notes of confirm(), for the header
  std::string patchFile;           ///< write a patch there instead of the files
  /// A time of steadySeconds(): the tree with sanitizers is left out if it does not fit before it; nullopt = none.
  std::optional<double> deadline;
  /// Called as each gate begins, with the stage that it repeats for the shipped build: the last one is the one that
  /// refused.
  std::function<void(Stage)> gate;
};

struct WriteBackResult {
  std::optional<EndToEnd> endToEnd;  ///< the application as it ships; nullopt: there is none, or nothing is timed
  Measurement claim;                 ///< the binary as it ships, against the original, undispatched build
  std::vector<std::string> files;    ///< absolute paths written, or the patch
  std::vector<std::string> warnings; ///< ignored by git, variants of other families dropped …
  std::vector<std::string> review;   ///< notes of the variant's header beyond the request's
};

/// 1. inputs re-fingerprinted (a change during the run writes nothing and says so); 2. the final tree built with the
/// user's flags and the staged files; 3. the tests run with every variant forced, the one that ran asserted by the
/// dispatcher's trace; 4. measured against the original, undispatched build: that ratio is the claim; 5. the tests in a
/// tree built with sanitizers throughout, then, if the deadline leaves time, 4. once more: its pairs join the claim;
/// 6. the application of END_TO_END, if there is one, against the original: an error if it got slower for sure, or does
/// not run; 7. files renamed into place, the lock last. Any failure writes nothing. For a
/// level that is only emulated here 4. to 6. are left out: the variant is untuned, and never replaces a tuned one.
/// Cost: two builds of the kernel's tests and benchmarks, and for 5. another one that takes twice as long;
/// for 6. 16 to 40 pairs of the application.
Result<WriteBackResult> writeBack(Evaluator &evaluator, const WriteBackRequest &request);

/// Checks that a variant of the evaluator's level fits into the project's limits.max_levels; also called before a run.
Result<void> checkLevelLimit(const Evaluator &evaluator);

/// Checks that files can be created in `directory` (or in the nearest folder above it that exists); called before a
/// run, so that no budget is spent on a result that cannot be written. The error suggests --patch.
Result<void> checkWritable(const std::string &directory);

} // namespace agentic
