#include "tool/variants/variant_set.h"

#include "tool/base/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace agentic {
namespace {

constexpr const char *kLockSuffix = ".lock.json";

std::unexpected<Error> systemError(const std::string &what, const fs::path &path, int number) {
  return userError("cannot " + what + " '" + path.string() + "': " + std::strerror(number),
                   "make VARIANT_DIR and the folder around it writable, and see that there is room");
}

/// A directory that is locked against other writers for this object's life.
class OpenFolder {
public:
  explicit OpenFolder(const fs::path &path) : descriptor_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}
  ~OpenFolder() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  OpenFolder(OpenFolder &&other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFolder &operator=(OpenFolder &&other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  bool isOpen() const { return descriptor_ >= 0; }
  void lock() const {
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR)
      ;
  }
  bool tryLock() const { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }
  void sync() const { ::fsync(descriptor_); }
  /// Returns whether `path` still leads to it: another writer may have exchanged it.
  bool isAt(const fs::path &path) const {
    struct stat here, there;
    return ::fstat(descriptor_, &here) == 0 && ::stat(path.c_str(), &there) == 0 && here.st_ino == there.st_ino &&
           here.st_dev == there.st_dev;
  }

private:
  int descriptor_;
};

bool isOnOneDevice(const fs::path &one, const fs::path &other) {
  struct stat first, second;
  return ::stat(one.c_str(), &first) == 0 && ::stat(other.c_str(), &second) == 0 && first.st_dev == second.st_dev;
}

std::set<std::string> namesIn(const fs::path &folder) {
  std::set<std::string> names;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(folder, error))
    names.insert(entry.path().filename().string());
  return names;
}

class VariantSet {
public:
  explicit VariantSet(const VariantSetChange &change)
      : change_(change), folder_(fs::path(change.folder).lexically_normal()) {
    if (!folder_.has_filename()) // for "generated/"
      folder_ = folder_.parent_path();
  }

  Result<std::vector<std::string>> run() {
    TRY(createDirectories(folder_.parent_path()));
    const OpenFolder folder = lockFolder();
    removeLeftovers();
    compare();
    if (written_.empty() && removed_.empty())
      return std::vector<std::string>();
    Result<void> done;
    if (folder.isOpen() && (written_.size() + removed_.size() == 1 || !mayBeExchanged()))
      done = replaceEach();
    else
      done = replaceWhole(folder);
    if (!done)
      return std::unexpected(done.error());
    std::vector<std::string> paths;
    for (const GeneratedFile *file : written_)
      paths.push_back((folder_ / file->name).string());
    return paths;
  }

private:
  void changed() const {
    if (change_.afterChange)
      change_.afterChange();
  }

  /// Returns a folder that is not open if there is none yet.
  OpenFolder lockFolder() const {
    for (;;) {
      OpenFolder folder(folder_);
      if (!folder.isOpen())
        return folder;
      folder.lock();
      if (folder.isAt(folder_))
        return folder;
    }
  }

  void compare() {
    for (const GeneratedFile &file : change_.files)
      if (const auto text = readFile(folder_ / file.name); !text || *text != file.text)
        written_.push_back(&file);
    std::error_code error;
    for (const std::string &name : change_.removed)
      if (fs::exists(fs::symlink_status(folder_ / name, error)))
        removed_.push_back(name);
  }

  bool mayBeExchanged() const {
    std::error_code error;
    if (fs::is_symlink(folder_, error))
      return false;
    std::set<std::string> names = namesIn(folder_), kernels;
    for (const GeneratedFile &file : change_.files)
      names.insert(file.name);
    for (const std::string &name : names)
      if (name.ends_with(kLockSuffix))
        kernels.insert(name.substr(0, name.size() - std::strlen(kLockSuffix)));
    return std::ranges::all_of(names, [&](const std::string &name) {
      const bool isOurs = name.starts_with('.') || std::ranges::any_of(kernels, [&](const std::string &kernel) {
                            return name.starts_with(kernel + ".");
                          });
      const fs::path path = folder_ / name;
      std::error_code ignored;
      return isOurs && (fs::is_regular_file(fs::symlink_status(path, ignored)) || !fs::exists(path, ignored));
    });
  }

  Result<void> replaceEach() const {
    for (const GeneratedFile *file : written_) {
      TRY(writeFileAtomic(folder_ / file->name, file->text));
      changed();
    }
    for (const std::string &name : removed_) {
      if (::unlink((folder_ / name).c_str()) != 0)
        return systemError("remove", folder_ / name, errno);
      changed();
    }
    return {};
  }

  Result<void> replaceWhole(const OpenFolder &old) const {
    const bool isNear = fs::exists(change_.scratch) && isOnOneDevice(change_.scratch, folder_.parent_path());
    if (isNear)
      if (Result<bool> done = replaceFrom(change_.scratch, "variants-", old); !done || *done)
        return done ? Result<void>() : std::unexpected(done.error());
    // Bind mounts share a device, too, but a rename from one to another fails.
    bool done = TRY(replaceFrom(folder_.parent_path(), leftoverPrefix(), old));
    return done ? Result<void>() : replaceEach();
  }

  std::string leftoverPrefix() const { return "." + folder_.filename().string() + ".agentic-kernel-"; }

  /// Removes the folders of killed writers; writers at work hold a lock on theirs.
  void removeLeftovers() const {
    for (const std::string &name : namesIn(folder_.parent_path())) {
      const fs::path path = folder_.parent_path() / name;
      if (!name.starts_with(leftoverPrefix()))
        continue;
      const OpenFolder leftover(path);
      std::error_code ignored;
      if (leftover.isOpen() && leftover.tryLock())
        fs::remove_all(path, ignored);
    }
  }

  /// False: such a rename is not possible between these places, or on this file system.
  Result<bool> replaceFrom(const fs::path &parent, const std::string &prefix, const OpenFolder &old) const {
    ScratchDirectory next = TRY(ScratchDirectory::create(parent, prefix));
    const OpenFolder used(next.path());
    used.lock();
    changed();
    const std::set<std::string> before = old.isOpen() ? namesIn(folder_) : std::set<std::string>();
    TRY(fill(next.path(), before));
    const unsigned flag = old.isOpen() ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    if (::renameat2(AT_FDCWD, next.path().c_str(), AT_FDCWD, folder_.c_str(), flag) != 0) {
      if (errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EEXIST)
        return false; // EEXIST: another process made the folder in between
      return systemError("replace", folder_, errno);
    }
    OpenFolder(folder_.parent_path()).sync();
    changed();
    if (old.isOpen())
      carryOver(next.path(), before);
    return true;
  }

  /// Makes links, so that files that are not ours to change keep their time stamps and stay open in editors.
  Result<void> fill(const fs::path &next, const std::set<std::string> &before) const {
    struct stat mode;
    const bool isKnown = ::stat(before.empty() ? folder_.parent_path().c_str() : folder_.c_str(), &mode) == 0;
    ::chmod(next.c_str(), isKnown ? mode.st_mode & 07777 : 0755);
    for (const std::string &name : before) {
      const bool isReplaced =
          std::ranges::any_of(written_, [&](const GeneratedFile *file) { return file->name == name; });
      if (isReplaced || std::ranges::find(removed_, name) != removed_.end())
        continue;
      if (::link((folder_ / name).c_str(), (next / name).c_str()) != 0) {
        std::error_code error;
        fs::copy_file(folder_ / name, next / name, error);
        if (error)
          return systemError("copy", folder_ / name, error.value());
        fs::last_write_time(next / name, fs::last_write_time(folder_ / name, error), error);
      }
      changed();
    }
    for (const GeneratedFile *file : written_) {
      TRY(writeFileAtomic(next / file->name, file->text));
      changed();
    }
    OpenFolder(next).sync();
    return {};
  }

  /// Moves files that came into the old folder while the new one was made.
  void carryOver(const fs::path &old, const std::set<std::string> &before) const {
    for (const std::string &name : namesIn(old))
      if (!before.contains(name) &&
          ::renameat2(AT_FDCWD, (old / name).c_str(), AT_FDCWD, (folder_ / name).c_str(), RENAME_NOREPLACE) == 0)
        changed();
  }

  const VariantSetChange &change_;
  fs::path folder_;
  std::vector<const GeneratedFile *> written_;
  std::vector<std::string> removed_;
};

} // namespace

Result<std::vector<std::string>> changeVariantSet(const VariantSetChange &change) {
  return VariantSet(change).run();
}

} // namespace agentic
