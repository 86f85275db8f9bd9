#include "tool/run/candidate_file.h"

#include "tool/base/files.h"
#include "tool/source/candidate/tunables.h"

namespace agentic {

Result<Candidate> readCandidate(const std::string &path) {
  constexpr std::uintmax_t kMost = std::uintmax_t{16} << 20; // the check says how long a candidate may be
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_character_file(status) || fs::is_block_file(status))
    return userError("'" + path + "' is a device, which may have no end", "name a file that holds the function");
  if (fs::is_regular_file(status) && fs::file_size(path, error) > kMost)
    return userError("'" + path + "' has more than 16 MiB", "name a file that holds the function");
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
