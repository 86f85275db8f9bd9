#include "tool/build/sandbox_landlock.h"

#include "tool/base/files.h"
#include "tool/build/sandbox_view.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace agentic {
namespace {

// The header of this system may be older than its kernel, so that everything is named here.
constexpr long kCreateRuleset = 444, kAddRule = 445;
constexpr unsigned kPathBeneath = 1, kGetVersion = 1;

enum Access : std::uint64_t {
  Execute = 1u << 0,
  WriteFile = 1u << 1,
  ReadFile = 1u << 2,
  ReadFolder = 1u << 3,
  RemoveFolder = 1u << 4,
  RemoveFile = 1u << 5,
  MakeFolder = 1u << 7,
  MakeFile = 1u << 8,
  MakeFifo = 1u << 10,
  MakeLink = 1u << 12,
  Refer = 1u << 13,    ///< version 2
  Truncate = 1u << 14, ///< version 3
};

constexpr std::uint64_t kReading = Execute | ReadFile | ReadFolder;
constexpr std::uint64_t kWriting = WriteFile | ReadFile | ReadFolder | RemoveFolder | RemoveFile | MakeFolder |
                                   MakeFile | MakeFifo | MakeLink | Refer | Truncate;
constexpr std::uint64_t kOfFiles = Execute | WriteFile | ReadFile | Truncate;

struct RulesetAttributes {
  std::uint64_t files = 0, network = 0, scope = 0;
};

/// Everything that this version can refuse.
RulesetAttributes allOf(int version) {
  RulesetAttributes all;
  const int files = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  all.files = (std::uint64_t{1} << files) - 1;
  all.network = version >= 4 ? 3 : 0; // bind and connect TCP
  all.scope = version >= 6 ? 3 : 0;   // abstract sockets and signals
  return all;
}

class Ruleset {
public:
  static Result<Ruleset> create() {
    Ruleset out;
    out.all_ = allOf(landlockVersion());
    const long fd = ::syscall(kCreateRuleset, &out.all_, attributeBytes(landlockVersion()), 0);
    if (fd < 0)
      return userError(std::string("this kernel has no Landlock: ") + std::strerror(errno),
                       "use a kernel of version 5.13 or later with Landlock in its list of security modules");
    out.owner_ = std::make_shared<OwnedDescriptor>(static_cast<int>(fd));
    return out;
  }
  /// Returns false if `path` does not exist.
  bool allow(const std::string &path, std::uint64_t access) const {
    const OwnedDescriptor target(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status{};
    if (target.get() < 0 || ::fstat(target.get(), &status) != 0)
      return false;
    if (!S_ISDIR(status.st_mode))
      access &= kOfFiles;
    struct [[gnu::packed]] {
      std::uint64_t access;
      std::int32_t target;
    } rule{access & all_.files, target.get()};
    return ::syscall(kAddRule, owner_->get(), kPathBeneath, &rule, 0) == 0;
  }
  const std::shared_ptr<OwnedDescriptor> &owner() const { return owner_; }

private:
  static std::size_t attributeBytes(int version) { return version >= 6 ? 24 : version >= 4 ? 16 : 8; }
  RulesetAttributes all_;
  std::shared_ptr<OwnedDescriptor> owner_;
};

void allowSystem(const Ruleset &ruleset) {
  for (const std::string &path : systemPaths())
    ruleset.allow(path, kReading);
  for (const char *path : {"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm/overcommit_memory",
                           "/sys/fs/cgroup/cpu.max", "/dev/random", "/dev/urandom"})
    ruleset.allow(path, ReadFile);
  for (const char *path : {"/dev/null", "/dev/zero", "/dev/full"})
    ruleset.allow(path, ReadFile | WriteFile | Truncate);
}

void allowReading(const Ruleset &ruleset, const Sandbox::View &view) {
  std::vector<std::string> hidden;
  for (const std::string &path : view.hidden)
    hidden.push_back(normalizedPath(path));
  for (const std::string &entry : view.readOnly)
    for (const std::string &shown : aroundHidden(normalizedPath(entry), hidden))
      ruleset.allow(shown, kReading); // a path that does not exist is not there inside either, as with bubblewrap
}

constexpr std::string_view kTmpPrefix = "agentic-tmp-";

/// Our own private folders whose tool was killed.
void removeAbandoned(const fs::path &parent) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(parent, error); !error && entry != fs::end(entry); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kTmpPrefix))
      continue;
    const auto owner = static_cast<pid_t>(std::strtol(name.c_str() + kTmpPrefix.size(), nullptr, 10));
    struct stat status{};
    std::error_code ignored;
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH && ::lstat(entry->path().c_str(), &status) == 0 &&
        status.st_uid == ::geteuid())
      fs::remove_all(entry->path(), ignored);
  }
}

Result<std::shared_ptr<ScratchDirectory>> privateTmp() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  static const bool swept = (removeAbandoned(parent), true); // once per process
  auto made =
      TRY(ScratchDirectory::create(parent, std::string(kTmpPrefix) + std::to_string(swept ? ::getpid() : 0) + "-"));
  return std::make_shared<ScratchDirectory>(std::move(made));
}

bool hasVariable(const std::vector<std::string> &environment, const std::string &name) {
  return std::any_of(environment.begin(), environment.end(),
                     [&](const std::string &entry) { return entry.starts_with(name + "="); });
}

} // namespace

int landlockVersion() {
  return std::max(0, static_cast<int>(::syscall(kCreateRuleset, nullptr, 0, kGetVersion)));
}

Result<ProcessSpec> underLandlock(ProcessSpec spec, const Sandbox::View &view,
                                  const std::vector<std::string> &environment) {
  const auto ruleset = TRY(Ruleset::create());
  const bool scoped = landlockVersion() >= 6;
  auto program = TRY(seccompProgram(view.tasks, scoped));
  const auto scratch = TRY(privateTmp());
  const std::string tmp = scratch->path().string();

  allowSystem(ruleset);
  allowReading(ruleset, view);
  spec.writtenFolders = view.writable;
  spec.writtenFolders.push_back(tmp);
  for (const std::string &path : spec.writtenFolders)
    if (!ruleset.allow(path, kWriting))
      return userError("the sandbox cannot show '" + path + "': " + std::strerror(errno),
                       "check that the folder exists and that it is readable");
  spec.environment = environment;
  for (const std::string name : {"TMPDIR", "HOME"})
    if (!hasVariable(environment, name))
      spec.environment->push_back(name + "=" + tmp);
  if (spec.workingDirectory.empty())
    spec.workingDirectory = tmp;
  ProcessConfinement confinement;
  confinement.landlockRuleset = ruleset.owner()->get();
  confinement.seccompProgram = std::move(program);
  confinement.signalsOnlyItself = !scoped;
  spec.confinement = std::make_shared<const ProcessConfinement>(std::move(confinement));
  spec.ownSession = true;
  spec.keepAlive.push_back(ruleset.owner());
  spec.keepAlive.push_back(scratch);
  return spec;
}

} // namespace agentic
