#include "tool/run/candidate_file.h"

#include "tool/base/files.h"
#include "tool/source/candidate/tunables.h"

namespace agentic {

Result<Candidate> readCandidate(const std::string &path) {
  auto text = TRY(readFile(path));
  return makeCandidate(text, "file: " + fs::path(path).filename().string());
}

Result<Candidate> readSettledCandidate(const std::string &path, OpenConstants open, Language language) {
  auto candidate = TRY(readCandidate(path));
  auto text = TunableText::read(candidate.text);
  if (!text)
    return std::unexpected(Error{ErrorKind::User, path + ": " + text.error().message, text.error().next});
  if (text->tunables().empty())
    return candidate;
  const TunableSetting first(text->tunables().size(), 0);
  if (open == OpenConstants::First)
    return makeCandidate(text->settled(first, language), candidate.origin);
  return userError(path + " leaves constants open (" + text->tunables().front().name + ")",
                   "write constexpr int " + text->tunables().front().name +
                       " = …; in place of AGENTIC_TUNE; 'agentic-kernel evaluate' finds the best setting");
}

} // namespace agentic
