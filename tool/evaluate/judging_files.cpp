#include "tool/evaluate/judging_files.h"

#include "tool/base/hash.h"

namespace agentic {
void JudgingFiles::add(std::string what, const std::string &path) {
  if (!path.empty())
    files_.push_back({std::move(what), path, fileHash(path)});
}

std::vector<std::string> JudgingFiles::changed() const {
  std::vector<std::string> names;
  for (const File &file : files_)
    if (fileHash(file.path) != file.hash)
      names.push_back(file.what + " (" + file.path + ")");
  return names;
}

} // namespace agentic
