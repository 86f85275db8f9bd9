#include "tool/base/user_command.h"

#include "tool/base/text.h"

#include <algorithm>

namespace agentic {

std::vector<std::string> userCommand(std::string_view line, const fs::path &startDirectory) {
  std::vector<std::string> words = splitCommandLine(line);
  if (words.empty() || words.front().empty())
    return {};
  for (std::string &word : words) {
    const bool isProgram = &word == &words.front();
    std::error_code ignored;
    if (isProgram ? word.find('/') != std::string::npos : fs::is_regular_file(startDirectory / word, ignored))
      word = (startDirectory / word).lexically_normal().string();
  }
  return words;
}

std::string saidAtTheEnd(const ProcessResult &result) {
  constexpr std::size_t kMost = 2048;
  const std::string_view said = trim(result.err);
  return said.empty() ? "" : ": " + std::string(said.substr(said.size() - std::min(said.size(), kMost)));
}

} // namespace agentic
