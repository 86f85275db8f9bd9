// One proposed replacement of a kernel.
#pragma once

#include <string>

namespace agentic {

struct Candidate {
  std::string id;     ///< "c" + first 10 hex digits of sha256(text): the same text is the same candidate
  std::string text;   ///< the file as proposed: includes, helpers and the kernel function
  std::string origin; ///< "builtin: strip-mine(j,16)", "file: fast.cpp", "baseline"
  std::string parent; ///< id of the candidate it was made from; may be empty
};

Candidate makeCandidate(std::string text, std::string origin, std::string parent = {});

} // namespace agentic
