// The parts of process.h that need no child: they find programs and describe how a child ended.
#include "tool/base/process.h"
#include "tool/base/text.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace agentic {
namespace {

bool isExecutableFile(const std::string &path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

} // namespace

std::string ProcessResult::describe() const {
  switch (end) {
  case End::Exited:
    return "exited with status " + std::to_string(code);
  case End::Signalled: {
    const char *name = ::sigabbrev_np(code);
    return name ? "was killed by SIG" + std::string(name) : "was killed by signal " + std::to_string(code);
  }
  case End::TimedOut: {
    std::array<char, 32> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "%.3g", timeoutSeconds);
    return "ran longer than " + std::string(seconds.data()) + " s";
  }
  case End::Cancelled:
    return "was interrupted";
  case End::WroteTooMuch:
    return "wrote more than it may keep in files";
  }
  return {};
}

std::optional<std::string> findProgram(const std::string &program) {
  if (program.find('/') != std::string::npos)
    return isExecutableFile(program) ? std::optional(std::filesystem::absolute(program).string()) : std::nullopt;
  std::string_view path = "/usr/local/bin:/usr/bin:/bin";
  for (char **entry = environ; entry && *entry; ++entry)
    if (std::string_view(*entry).starts_with("PATH="))
      path = std::string_view(*entry).substr(5);
  for (const std::string &folder : split(path, ':')) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + program;
    if (!program.empty() && isExecutableFile(candidate))
      return std::filesystem::absolute(candidate).string();
  }
  return std::nullopt;
}

} // namespace agentic
