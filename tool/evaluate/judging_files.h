// The files that judge candidates, beside the tool itself: whoever changes one of them during a run decides what wins.
#pragma once

#include <string>
#include <vector>

namespace agentic {

class JudgingFiles {
public:
  /// `what` as an error names it: "the runner". An empty path is none; a file that is not there may not appear either.
  /// Cost: a hash of the content, ~1 ms per MB.
  void add(std::string what, const std::string &path);

  /// Names of those whose content is another one now: "the runner (/usr/libexec/…)". As dear as adding them.
  std::vector<std::string> changed() const;

private:
  struct File {
    std::string what, path, hash;
  };
  std::vector<File> files_;
};

} // namespace agentic
