// The judging files beside the tool itself: a change of one of them during a run could decide what wins.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace agentic {

class JudgingFiles {
public:
  /// Adds a file; errors name it as `what`: "the runner". An empty path adds nothing; a missing file must not appear
  /// either. A file that was changed and restored counts as changed. Cost: a hash of the content, ~1 ms per MB.
  void add(std::string what, const std::string &path);

  /// Adds a file or folder of the project, with all below it, by content alone: a configure step may write the same
  /// content again, so a change that was undone is not noticed; a winner is judged once more at the end, with the files
  /// of that time. `except` (our own build tree) and folders of git are not entered; for files above 256 MB only the
  /// size counts.
  void addContent(std::string what, const std::string &path, const std::string &except);

  /// Whether a file that was written again with the same content has changed: not after a build of our own.
  enum class Times { Count, Ignored };
  /// Returns the names of changed files: "the runner (/usr/libexec/…)". It costs as much as adding them.
  std::vector<std::string> changed(Times times = Times::Count) const;

  /// Accepts new times of files with the same content as unchanged from here on: after a build of our own.
  void renewTimes();

private:
  struct File {
    std::string what, path, hash, stamp;
  };
  struct Content {
    std::string what, path, except;
    std::map<std::string, std::string> hashes; ///< key: path
  };
  std::vector<File> files_;
  std::vector<Content> contents_;
};

} // namespace agentic
