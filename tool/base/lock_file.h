// Advisory locks between processes (flock). A lock is released when the object or the process dies, even by kill -9.
#pragma once

#include "tool/base/error.h"

#include <atomic>
#include <filesystem>
#include <optional>

namespace agentic {

class LockFile {
public:
  /// Returns nullopt if another process holds the lock.
  static Result<std::optional<LockFile>> tryAcquire(const std::filesystem::path &path);
  /// Waits (polling) until the lock is free, `timeoutSeconds` have passed (an error that names the file) or `cancelled`
  /// is set.
  static Result<LockFile> acquire(const std::filesystem::path &path, double timeoutSeconds,
                                  const std::atomic<bool> *cancelled = nullptr);
  /// Returns whether a process holds the lock now. Creates no file; an unreadable file counts as free.
  static bool isHeld(const std::filesystem::path &path);
  LockFile(LockFile &&) noexcept;
  LockFile &operator=(LockFile &&) noexcept;
  ~LockFile();

private:
  explicit LockFile(int fd) : fd_(fd) {}
  int fd_ = -1;
};

} // namespace agentic
