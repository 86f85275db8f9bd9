// The permissions and bans of a project beyond the rules that hold everywhere: `.agentic-kernel.json` at the root of
// its source tree.
//
//   { "allow":  { "checks": ["const-casts"], "functions": ["vendor::fast_exp"], "headers": ["<vendor/math.h>"],
//                 "attributes": ["no_sanitize"], "pragmas": ["GCC diagnostic"] },
//     "forbid": { "functions": ["_mm512_*"], "checks": ["literal-shape"] },
//     "limits": { "min_speedup": 1.1, "max_code_bytes": 65536, "max_levels": 2 } }
//
// This module reads names only; the checks decide which of them may be allowed at all (checks::verifyPolicy).
#pragma once

#include "tool/base/error.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

inline constexpr std::string_view kPolicyFile = ".agentic-kernel.json";

struct PolicyRules {
  std::vector<std::string> checks, functions, headers, attributes, pragmas;
  bool operator==(const PolicyRules &) const = default;
};

/// The requirements on a checked-in variant; the search and `verify` keep to them.
struct PolicyLimits {
  double minSpeedup = 0;        ///< ratio over the original: 1.1; 0 = significantly faster is enough
  std::size_t maxCodeBytes = 0; ///< code and constants of one variant; 0 = the project sets no limit
  int maxLevels = 0;            ///< levels for one kernel and compiler family; 0 = no limit
  bool operator==(const PolicyLimits &) const = default;
};

struct Policy {
  PolicyRules allow, forbid;
  PolicyLimits limits;
  std::string hash; ///< hash of the file's bytes; empty: the project has none
  bool operator==(const Policy &) const = default;
};

/// Returns whether `name` is in the list; an entry that ends in '*' matches all names with that beginning.
bool isListed(std::span<const std::string> names, std::string_view name);

/// Parses any byte sequence to a policy or to an error that names `file`, the fault in it and, for an unknown key, the
/// nearest known one. A key given twice is an error.
Result<Policy> parsePolicy(std::string_view text, std::string_view file);

/// Reads the policy of the project at `sourceDir`; returns one without rules and hash if there is no file.
Result<Policy> readPolicy(const std::string &sourceDir);

} // namespace agentic
