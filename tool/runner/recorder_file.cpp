#include "tool/runner/recorder_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace agentic::recorder {

bool RecordFile::open(const char *path) {
  descriptor_ = ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor_ < 0)
    return false;
  limit_ = kMostBytes;
  struct rlimit limit;
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) // beyond it a signal ends the program
    limit_ = std::min<std::uint64_t>(limit_, limit.rlim_cur);
  return true;
}

void RecordFile::close() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
  descriptor_ = -1;
}

RecordFile::Outcome RecordFile::append(const void *data, std::size_t size) {
  if (!isOpen() || size > room())
    return Outcome::Failed;
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::pwrite(descriptor_, static_cast<const char *>(data) + done, size - done,
                                   static_cast<off_t>(position_ + done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return count < 0 && errno == EFAULT ? Outcome::Unreadable : Outcome::Failed;
    done += static_cast<std::size_t>(count);
  }
  position_ += size;
  return Outcome::Written;
}

RecordFile::Outcome RecordFile::appendPadded(const void *data, std::size_t size) {
  static constexpr char kZeros[8] = {};
  const Outcome outcome = append(data, size);
  return outcome == Outcome::Written ? append(kZeros, padded(size) - size) : outcome;
}

bool RecordFile::rewrite(std::uint64_t at, const void *data, std::size_t size) {
  return ::pwrite(descriptor_, data, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size);
}

void RecordFile::rewind(std::uint64_t position) {
  position_ = position;
  if (::ftruncate(descriptor_, static_cast<off_t>(position)) != 0)
    close();
}

bool RecordFile::catchUp() {
  const off_t end = isOpen() ? ::lseek(descriptor_, 0, SEEK_END) : -1;
  if (end < 0)
    return false;
  position_ = static_cast<std::uint64_t>(end);
  return true;
}

} // namespace agentic::recorder
