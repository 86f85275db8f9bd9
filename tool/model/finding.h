// One violation of one rule.
#pragma once

#include <string>

namespace agentic {

struct Finding {
  std::string check;   ///< name of the check, kebab case: "state-outlives-call"
  std::string file;    ///< as the user knows it: the candidate's file, or SOURCE
  unsigned line = 0;   ///< 1-based in `file`; 0 = the whole file
  unsigned column = 0; ///< 1-based
  std::string message; ///< names the construct and the allowed alternative; lower case, no full stop
  bool operator==(const Finding &) const = default;
};

} // namespace agentic
