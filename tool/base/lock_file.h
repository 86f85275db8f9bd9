// Advisory locks between processes (flock). Released when the object or the process dies, also on kill -9.
#pragma once

#include "tool/base/error.h"

#include <atomic>
#include <filesystem>
#include <optional>

namespace agentic {

class LockFile {
public:
  /// nullopt if another process holds it.
  static Result<std::optional<LockFile>> tryAcquire(const std::filesystem::path &path);
  /// Waits (polling) until it is free, `timeoutSeconds` passed (an error that names the file) or `cancelled` is set.
  static Result<LockFile> acquire(const std::filesystem::path &path, double timeoutSeconds,
                                  const std::atomic<bool> *cancelled = nullptr);
  /// Whether a process holds it now. Makes no file; what cannot be read counts as free.
  static bool isHeld(const std::filesystem::path &path);
  LockFile(LockFile &&) noexcept;
  LockFile &operator=(LockFile &&) noexcept;
  ~LockFile();

private:
  explicit LockFile(int fd) : fd_(fd) {}
  int fd_ = -1;
};

} // namespace agentic
