// What a project allows or forbids beyond the rules that hold everywhere: `.agentic-kernel.json` at the root of its
// source tree.
//
//   { "allow":  { "checks": ["const-casts"], "functions": ["vendor::fast_exp"], "headers": ["<vendor/math.h>"],
//                 "attributes": ["no_sanitize"], "pragmas": ["GCC diagnostic"] },
//     "forbid": { "functions": ["_mm512_*"], "checks": ["literal-shape"] },
//     "limits": { "min_speedup": 1.1, "max_code_bytes": 65536, "max_levels": 2 } }
//
// Names alone are read here; which of them may be allowed at all is for the checks to say (checks::verifyPolicy).
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

/// What a checked-in variant has to be worth; the search and `verify` keep to it.
struct PolicyLimits {
  double minSpeedup = 0;        ///< ratio over the original: 1.1; 0 = significantly faster is enough
  std::size_t maxCodeBytes = 0; ///< of code and constants of one variant; 0 = no limit of the project's
  int maxLevels = 0;            ///< of one kernel and compiler family; 0 = no limit
  bool operator==(const PolicyLimits &) const = default;
};

struct Policy {
  PolicyRules allow, forbid;
  PolicyLimits limits;
  std::string hash; ///< of the file's bytes; empty: the project has none
  bool operator==(const Policy &) const = default;
};

/// Whether `name` is in the list; an entry that ends in '*' stands for all names that begin like it.
bool isListed(std::span<const std::string> names, std::string_view name);

/// Every byte sequence gives a policy or an error that names `file`, what is wrong in it and, for a key that is not
/// known, the nearest that is. A key given twice is an error, not the last of the two.
Result<Policy> parsePolicy(std::string_view text, std::string_view file);

/// The policy of the project at `sourceDir`; one without rules and hash if there is no file.
Result<Policy> readPolicy(const std::string &sourceDir);

} // namespace agentic
