// From a confirmed winner to checked-in files.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/evaluator.h"
#include "tool/source/emit.h"

#include <string>
#include <vector>

namespace agentic {

struct WriteBackRequest {
  Candidate candidate;
  Measurement confirmed;      ///< of confirm(): goes into the header until the final binary is measured
  std::string agent;          ///< "builtin"
  std::string patchFile;      ///< write a patch there instead of the files
  bool dryRun = false;        ///< build, test and measure, write nothing
};

struct WriteBackResult {
  Measurement claim;               ///< hook-off final binary against the original, undispatched build
  std::vector<std::string> files;  ///< absolute paths written (or named in the patch)
  std::vector<std::string> warnings; ///< git check-ignore, sandbox …
};

/// 1. inputs re-fingerprinted; 2. the final tree built with the user's flags and the staged files; 3. tests run with every
/// variant forced and the one that ran asserted; 4. measured against the original build; 5. files renamed into place, the
/// lock last. Any failure writes nothing.
Result<WriteBackResult> writeBack(Evaluator &evaluator, const WriteBackRequest &request);

} // namespace agentic
