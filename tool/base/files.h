// Files: whole reads, atomic writes, scratch directories. Errors name the path and the system's reason.
#pragma once

#include "tool/base/error.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

namespace fs = std::filesystem;

Result<std::string> readFile(const fs::path &path);

/// Returns the text without blanks around it, as of a file of /proc or /sys; empty if it cannot be read.
std::string readTrimmed(const fs::path &path);

/// Writes a temporary file beside `path`, fsyncs it and renames it into place: a reader or a crash sees the old text or
/// the new one, never a mixture. Creates missing parent directories. On failure the temporary file is removed.
/// Flush::Later leaves the fsync out: a reader still sees a whole file, but a power cut may leave an empty one.
enum class Flush { Now, Later };
Result<void> writeFileAtomic(const fs::path &path, std::string_view text, Flush flush = Flush::Now);

/// Like writeFileAtomic, but leaves an identical file (and its time stamp) alone. Returns whether it wrote.
Result<bool> writeFileIfChanged(const fs::path &path, std::string_view text, Flush flush = Flush::Now);

/// Returns once what was written with Flush::Later survives a power cut.
Result<void> syncFile(const fs::path &path);

/// Writes without a temporary file and without an fsync, for many megabytes that are made again if they are lost. A
/// crash may leave a part of them.
Result<void> writeScratch(const fs::path &path, std::string_view bytes);

Result<void> createDirectories(const fs::path &path);

/// Returns `path`, from `folder` if it is relative, without "." and "..". Asks no file.
std::string absoluteIn(const fs::path &folder, const fs::path &path);

/// Returns the path of the file with this name in the nearest folder above `path` that has one, as tools find their
/// settings; empty: there is none.
std::string nearestAbove(const fs::path &path, const std::string &name);

/// Returns whether `path` is below `folder`, by their names. Nothing is below an empty one.
bool isBelow(std::string_view path, const std::string &folder);

/// Returns whether two names lead to one file. A relative name is its own file alone.
bool isSameFile(const std::string &a, const std::string &b);

/// Returns the text with every CRLF turned into LF. Hashes and kernel texts always use this form.
std::string normalizeLineEnds(std::string_view text);

/// A directory that is removed with its contents when the object dies.
class ScratchDirectory {
public:
  /// Creates `<parent>/<prefix>XXXXXX`; `parent` is created if missing.
  static Result<ScratchDirectory> create(const fs::path &parent, std::string_view prefix);
  ScratchDirectory(ScratchDirectory &&) noexcept;
  ScratchDirectory &operator=(ScratchDirectory &&) noexcept;
  ~ScratchDirectory();
  const fs::path &path() const { return path_; }

private:
  explicit ScratchDirectory(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

} // namespace agentic
