#include "tool/base/lock_file.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace agentic {

Result<std::optional<LockFile>> LockFile::tryAcquire(const std::filesystem::path &path) {
  TRY(createDirectories(path.parent_path()));
  // The file is never deleted: unlinking a lock file lets two processes lock two different files of one name.
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return userError("cannot open the lock file '" + path.string() + "': " + std::strerror(errno),
                     "make its folder writable");
  LockFile lock(fd);
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return std::optional<LockFile>();
    if (errno != EINTR)
      return userError("cannot lock '" + path.string() + "': " + std::strerror(errno),
                       "use a folder on a file system that supports flock");
  }
  return std::optional<LockFile>(std::move(lock));
}

Result<LockFile> LockFile::acquire(const std::filesystem::path &path, double timeoutSeconds,
                                   const std::atomic<bool> *cancelled) {
  const double deadline = steadySeconds() + timeoutSeconds;
  for (;;) {
    auto lock = TRY(tryAcquire(path));
    if (lock.has_value())
      return std::move(*lock);
    if (cancelled && cancelled->load())
      return interruptedError();
    if (steadySeconds() >= deadline)
      return userError("another process holds the lock '" + path.string() + "'",
                       "wait for it to end, or end it, and try again");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

bool LockFile::isHeld(const std::filesystem::path &path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  const LockFile closes(fd);
  while (::flock(fd, LOCK_SH | LOCK_NB) != 0)
    if (errno != EINTR)
      return errno == EWOULDBLOCK;
  return false;
}

LockFile::LockFile(LockFile &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

LockFile &LockFile::operator=(LockFile &&other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

LockFile::~LockFile() {
  if (fd_ >= 0)
    ::close(fd_);
}

} // namespace agentic
