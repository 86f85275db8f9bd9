#include "tool/base/files.h"

#include "tool/base/text.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace agentic {
namespace {

std::unexpected<Error> fileError(const std::string &action, const fs::path &path, int error) {
  const char *next = "check the path and its permissions";
  if (error == ENOSPC || error == EDQUOT)
    next = "free some disk space";
  else if (error == EROFS)
    next = "use a writable folder: the file system is mounted read-only";
  return userError("cannot " + action + " '" + path.string() + "': " + std::strerror(error), next);
}

/// Returns a name beside `path` that no other thread or process uses.
fs::path temporaryName(const fs::path &path, unsigned attempt) {
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  return path.parent_path() / ("." + path.filename().string() + "." + std::to_string(::getpid()) + "-" +
                               std::to_string(ticks) + "-" + std::to_string(attempt) + ".tmp");
}

/// Returns 0, or errno.
int writeAll(int fd, std::string_view text, Flush flush) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return flush == Flush::Later || ::fsync(fd) == 0 || errno == EINVAL ? 0
                                                                      : errno; // EINVAL: a file system without fsync
}

} // namespace

Result<std::string> readFile(const fs::path &path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return fileError("read", path, errno);
  struct stat status{};
  std::string text;
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
    text.reserve(static_cast<std::size_t>(status.st_size));
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR)
      continue;
    const int error = errno;
    if (count <= 0) {
      ::close(fd);
      if (count < 0)
        return fileError("read", path, error);
      return text;
    }
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

std::string readTrimmed(const fs::path &path) {
  return std::string(trim(readFile(path).value_or(std::string())));
}

Result<void> writeFileAtomic(const fs::path &path, std::string_view text, Flush flush) {
  TRY(createDirectories(path.parent_path()));
  fs::path temporary;
  int fd = -1;
  for (unsigned attempt = 0; fd < 0 && attempt < 100; ++attempt) {
    temporary = temporaryName(path, attempt);
    fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
      break;
  }
  if (fd < 0)
    return fileError("write", path, errno);
  struct stat old{};
  if (::stat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode))
    ::fchmod(fd, old.st_mode & 07777); // best effort: a new file in place of the old one keeps its mode
  int error = writeAll(fd, text, flush);
  if (::close(fd) != 0 && error == 0)
    error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0)
    error = errno;
  if (error == 0)
    return {};
  ::unlink(temporary.c_str());
  return fileError("write", path, error);
}

Result<bool> writeFileIfChanged(const fs::path &path, std::string_view text, Flush flush) {
  if (auto old = readFile(path); old && *old == text)
    return false;
  TRY(writeFileAtomic(path, text, flush));
  return true;
}

Result<void> syncFile(const fs::path &path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return fileError("flush", path, errno);
  const int error = ::fsync(fd) == 0 || errno == EINVAL ? 0 : errno; // EINVAL: a file system without fsync
  ::close(fd);
  return error == 0 ? Result<void>() : fileError("flush", path, error);
}

Result<void> createDirectories(const fs::path &path) {
  std::error_code error;
  if (!path.empty() && !fs::is_directory(path, error)) {
    error.clear();
    fs::create_directories(path, error);
  }
  if (error)
    return fileError("create the folder", path, error.value());
  return {};
}

std::string normalizeLineEnds(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n')
      result += text[i];
  return result;
}

std::string absoluteIn(const fs::path &folder, const fs::path &path) {
  return (folder / path).lexically_normal().string();
}

std::string nearestAbove(const fs::path &path, const std::string &name) {
  for (fs::path folder = path.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    std::error_code error;
    if (fs::is_regular_file(folder / name, error))
      return (folder / name).string();
    if (folder == folder.root_path())
      break;
  }
  return {};
}

bool isBelow(std::string_view path, const std::string &folder) {
  return !folder.empty() && path.starts_with(folder.ends_with('/') ? folder : folder + "/");
}

bool isSameFile(const std::string &a, const std::string &b) {
  std::error_code error;
  return a == b || (!a.empty() && a[0] == '/' && fs::equivalent(a, b, error));
}

Result<void> writeScratch(const fs::path &path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), std::streamsize(bytes.size()));
  out.close();
  return out ? Result<void>() : userError("cannot write '" + path.string() + "'", "check the free space there");
}

Result<ScratchDirectory> ScratchDirectory::create(const fs::path &parent, std::string_view prefix) {
  TRY(createDirectories(parent));
  std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
  if (!::mkdtemp(name.data()))
    return fileError("create a folder in", parent, errno);
  return ScratchDirectory(name);
}

ScratchDirectory::ScratchDirectory(ScratchDirectory &&other) noexcept : path_(std::exchange(other.path_, {})) {}

ScratchDirectory &ScratchDirectory::operator=(ScratchDirectory &&other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (!path_.empty())
    fs::remove_all(path_, ignored);
}

} // namespace agentic
