// Checks that folders are writable and have room.
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/doctor/check.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace agentic {
namespace {

constexpr double kGiga = 1e9;

/// A folder and the requirements for work in it.
struct Place {
  fs::path folder;
  double least = 0, enough = 0; ///< bytes
  Health withoutIt = Health::Fail;
  bool isWritten = true, runsPrograms = false;
  std::string consequence;
  std::string elsewhere; ///< setting for another folder
  std::string room = {}; ///< how to free some room
};

/// Returns the part of a path that exists: the rest is made on the disk of its parent.
fs::path existing(const fs::path &wanted) {
  std::error_code error;
  fs::path folder = fs::absolute(wanted, error).lexically_normal();
  while (fs::status(folder, error).type() == fs::file_type::not_found && folder.has_relative_path())
    folder = folder.parent_path();
  return folder.has_filename() ? folder : folder.parent_path();
}

/// Returns why no file can be made there; empty if it can.
std::string refusalOf(const fs::path &folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() != fs::file_type::none && !fs::is_directory(status))
    return "'" + folder.string() + "' is no folder";
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    return "'" + folder.string() + "' cannot be written to: " + std::strerror(errno);
  return {};
}

/// Tries the folder itself, then those in it: a run as another user leaves some that are not ours.
std::string refusalWithin(const fs::path &folder) {
  std::string refusal = refusalOf(folder);
  std::error_code error;
  if (folder.filename() == "_agentic")
    for (fs::directory_iterator entry(folder, error), end; refusal.empty() && !error && entry != end;
         entry.increment(error))
      if (entry->is_directory(error))
        refusal = refusalOf(entry->path());
  return refusal;
}

struct Sum {
  Diagnosis diagnosis;
  std::vector<std::string> found, remedies;

  void add(Health health, const Place &place, const std::string &remedy) {
    if (health > diagnosis.health) {
      diagnosis.health = health;
      diagnosis.consequence = place.consequence;
    }
    remedies.push_back(remedy);
  }
};

void look(Sum &sum, const Place &place) {
  const fs::path folder = existing(place.folder);
  const std::string refusal = place.isWritten ? refusalWithin(folder) : std::string();
  if (!refusal.empty()) {
    sum.found.push_back(refusal);
    sum.add(place.withoutIt, place, place.elsewhere + " ('ls -ld' shows whose this one is)");
  }
  struct statvfs system{};
  if (::statvfs(folder.c_str(), &system) != 0)
    return;
  const double available = double(system.f_bavail) * double(system.f_frsize);
  if (refusal.empty())
    sum.found.push_back(fmt::format("{:.1f} GB free for {}", available / kGiga, folder.string()));
  if (available < place.enough)
    sum.add(available < place.least ? place.withoutIt : Health::Warn, place,
            "free some" + place.room + ", or " + place.elsewhere);
  if (system.f_files > 0 && system.f_favail == 0) {
    sum.found.back() += ", but no more files fit there (inodes)";
    sum.add(place.withoutIt, place, "remove files" + place.room + ", or " + place.elsewhere);
  }
  if (place.runsPrograms && (system.f_flag & ST_NOEXEC) != 0) {
    sum.found.back() += ", but no program may run from there (mounted noexec)";
    sum.add(place.withoutIt, place, "build the project on a file system without noexec");
  }
}

} // namespace

Diagnosis lookAtDisk(const DoctorView &view) {
  std::error_code error;
  const bool isTree = fs::exists(view.buildDir / "CMakeCache.txt", error);
  Sum sum;
  look(sum, {.folder = isTree ? view.buildDir / "_agentic" : view.buildDir,
             .least = 0.3 * kGiga,
             .enough = 2 * kGiga,
             .isWritten = isTree,
             .runsPrograms = isTree,
             .consequence = "trees for candidates, recorded calls and journals are made there: hundreds of megabytes",
             .elsewhere = "configure the project in a build tree of your own",
             .room = " ('agentic-kernel runs --help' says how to prune old runs)"});
  const fs::path temporary = fs::temp_directory_path(error);
  const Place forTemporary = {.folder = temporary,
                              .least = 0.05 * kGiga,
                              .enough = 0.3 * kGiga,
                              .consequence =
                                  "temporary files of compilers, of the sandbox and of 'calibrate' have no place",
                              .elsewhere = "set TMPDIR to a folder of your own"};
  if (error) {
    sum.found.push_back("TMPDIR is no folder");
    sum.add(Health::Fail, forTemporary, "make the folder that TMPDIR names, or unset it");
  } else {
    look(sum, forTemporary);
  }
  if (!isTree || !view.cacheDir.string().starts_with(view.buildDir.string())) // without HOME the caches are there
    look(sum, {.folder = view.cacheDir,
               .least = 0.01 * kGiga,
               .enough = 0.1 * kGiga,
               .withoutIt = Health::Warn,
               .consequence = "calibration and what was learnt from other runs cannot be kept",
               .elsewhere = "set XDG_CACHE_HOME to a folder of your own"});
  sum.diagnosis.found = join(sum.found, ", ");
  sum.diagnosis.remedy = join(sum.remedies, "; ");
  return sum.diagnosis;
}

} // namespace agentic
