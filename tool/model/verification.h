// The result of `verify`: one row for each checked-in variant, and one for a kernel that has none.
#pragma once

#include "tool/model/measurement.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

enum class Standing {
  Holds,   ///< fresh, clean, correct and, unless that was left out, faster
  Fails,   ///< something falls short
  NotTried ///< it cannot be tried here: another CPU, another compiler family, no variant at all
};
const char *standingName(Standing standing); ///< "holds", "fails", "not-tried"

struct VerifiedVariant {
  std::string kernel, source;
  std::string level, family, file; ///< empty: the kernel has no variant
  bool isTuned = true;             ///< false: it was never measured, so there is no speed to verify
  Standing standing = Standing::NotTried;
  std::string what;    ///< the requirement that fails: "fresh", "check", "audit", "tests", "speedup", "limit" …
  std::string problem; ///< why it fails or was not tried; lower case, no full stop
  std::string next;    ///< the next step
  Speedup recorded;    ///< speedup in the lock
  std::string recordedCpu;
  std::optional<Speedup> measured; ///< speedup here and now, as it ships against the original build
  std::size_t codeBytes = 0;       ///< size of text and constants; 0 = not compiled
  std::vector<std::string> warnings;
  double seconds = 0;
};

struct Verification {
  std::string machine, compiler;
  bool interrupted = false;
  std::vector<VerifiedVariant> rows;
};

} // namespace agentic
