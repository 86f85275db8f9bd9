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

  /// Data of tests and benchmarks: a file, or a folder with all below it. Programs read them whenever they run, so one
  /// that was changed and put back in between counts as changed, too: told by inode, size and the times of content and
  /// inode, of which the last is nobody's to set. `except` (our own build tree) and folders of git are not looked into.
  /// Cost: a few microseconds a file.
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
