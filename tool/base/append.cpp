#include "tool/base/append.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace agentic {
namespace {

/// Returns whether the file's last byte is anything but a line feed.
bool endsInTornLine(const std::filesystem::path &path, off_t size) {
  char last = '\n';
  const int reader = size > 0 ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  if (reader < 0)
    return false;
  const bool isRead = ::pread(reader, &last, 1, size - 1) == 1;
  ::close(reader);
  return isRead && last != '\n';
}

Result<void> append(const std::filesystem::path &path, std::string_view line, bool isSynced) {
  auto fail = [&](const char *what) {
    return userError(std::string("cannot ") + what + " " + path.string() + ": " + std::strerror(errno),
                     "free some disk space or fix the permissions, then continue with --resume");
  };
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0)
    return fail("open");
  std::string whole(line);
  if (endsInTornLine(path, ::lseek(fd, 0, SEEK_END)))
    whole.insert(whole.begin(), '\n');
  std::size_t done = 0;
  while (done < whole.size()) {
    const ssize_t n = ::write(fd, whole.data() + done, whole.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      auto error = fail("write");
      ::close(fd);
      return error;
    }
    done += static_cast<std::size_t>(n);
  }
  const bool flushed = !isSynced || ::fsync(fd) == 0;
  ::close(fd);
  if (!flushed)
    return fail("flush");
  return {};
}

} // namespace

Result<void> appendSynced(const std::filesystem::path &path, std::string_view line) {
  return append(path, line, true);
}

Result<void> appendUnsynced(const std::filesystem::path &path, std::string_view line) {
  return append(path, line, false);
}

} // namespace agentic
