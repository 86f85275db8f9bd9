// The files that judge candidates, beside the tool itself: whoever changes one of them during a run decides what wins.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace agentic {

class JudgingFiles {
public:
  /// `what` as an error names it: "the runner". An empty path is none; a file that is not there may not appear either.
  /// What was changed and put back counts as changed, too. Cost: a hash of the content, ~1 ms per MB.
  void add(std::string what, const std::string &path);

  /// The project's: a file, or a folder with all below it, by content alone: a configure step may write the same again,
  /// so what was changed and put back is not noticed; a winner is judged once more at the end, with what is there then.
  /// `except` (our own build tree) and folders of git are not looked into; of files above 256 MB only the size counts.
  void addContent(std::string what, const std::string &path, const std::string &except);

  /// Names of those that were written since: "the runner (/usr/libexec/…)". As dear as adding them.
  std::vector<std::string> changed() const;

  /// From here on what was written with the same content counts as untouched: after a build of our own.
  void renewTimes();

private:
  struct File {
    std::string what, path, hash, stamp;
  };
  struct Content {
    std::string what, path, except;
    std::map<std::string, std::string> hashes; ///< by path
  };
  std::vector<File> files_;
  std::vector<Content> contents_;
};

} // namespace agentic
