// Tests folders that are written to: absent, not ours, without room, and no folders at all.
#include "tests/doctor/doctor_fixture.h"

#include "tool/base/process.h"

#include <cstdlib>

namespace agentic {
namespace {

using testing::HasSubstr;

class Storage : public DoctorTest {};

TEST_F(Storage, OfFoldersThatAreNotThereYet) {
  view_.buildDir = root() / "not/yet/";
  const Diagnosis diagnosis = lookAtDisk(view_);
  EXPECT_THAT(diagnosis.found, HasSubstr("GB free for " + root().string() + ","));
  view_.buildDir = "/proc"; // its file system has no room
  expectDiagnosis(lookAtDisk(view_), Health::Fail, "0.0 GB free for /proc");
}

TEST_F(Storage, TreeThatCannotBeWritten) {
  put("build/CMakeCache.txt", "");
  for (const char *closed : {"build/_agentic", "build/_agentic/runs", "build"}) {
    fs::create_directories(root() / closed);
    for (auto folder = root() / closed; folder != root(); folder = folder.parent_path())
      fs::permissions(folder, fs::perms::all);
    fs::permissions(root() / closed, fs::perms(0555));
    const Diagnosis diagnosis = asSomebody([&] { return lookAtDisk(view_); });
    fs::permissions(root() / closed, fs::perms::all);
    expectDiagnosis(diagnosis, Health::Fail, (root() / closed).string() + "' cannot be written to: Permission denied");
    remove("build/_agentic");
  }
  put("build/_agentic", "no folder");
  expectDiagnosis(lookAtDisk(view_), Health::Fail, "_agentic' is no folder");
}

TEST_F(Storage, CacheThatCannotBeWrittenIsNoFailure) {
  put("cache", "no folder");
  expectDiagnosis(lookAtDisk(view_), Health::Warn, "cache' is no folder");
  EXPECT_THAT(lookAtDisk(view_).remedy, HasSubstr("XDG_CACHE_HOME"));
}

TEST_F(Storage, TemporaryFolderThatIsNone) {
  const char *before = std::getenv("TMPDIR");
  const std::string was = before ? before : "";
  ::setenv("TMPDIR", (root() / "gone").c_str(), 1);
  const Diagnosis diagnosis = lookAtDisk(view_);
  before ? ::setenv("TMPDIR", was.c_str(), 1) : ::unsetenv("TMPDIR");
  expectDiagnosis(diagnosis, Health::Fail, "TMPDIR is no folder");
  EXPECT_THAT(diagnosis.remedy, HasSubstr("unset it"));
}

} // namespace
} // namespace agentic
