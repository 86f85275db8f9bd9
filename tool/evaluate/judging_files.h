// The files that judge candidates, beside the tool itself: whoever changes one of them during a run decides what wins.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace agentic {

class JudgingFiles {
public:
  /// `what` as an error names it: "the runner". An empty path is none; a file that is not there may not appear either.
  /// Cost: a hash of the content, ~1 ms per MB.
  void add(std::string what, const std::string &path);

  /// Data of tests and benchmarks: a file, or a folder with all below it, by content. Not by time: a project's
  /// configure step may write the same again, so what was changed and put back in between is not noticed. `except` (our
  /// own build tree) and folders of git are not looked into; of files above 256 MB only the size counts.
  void addData(std::string what, const std::string &path, const std::string &except);

  /// Names of those whose content is another one now: "the runner (/usr/libexec/…)". As dear as adding them.
  std::vector<std::string> changed() const;

private:
  struct File {
    std::string what, path, hash;
  };
  struct Data {
    std::string what, path, except;
    std::map<std::string, std::string> stamps; ///< by path
  };
  std::vector<File> files_;
  std::vector<Data> data_;
};

} // namespace agentic
