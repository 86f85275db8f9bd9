// Tests folders without a build tree, trees without kernels, stale kernels, damaged files, and modules of other
// versions.
#include "tests/doctor/doctor_fixture.h"

#include "tool/base/version.h"
#include "tool/model/json.h"

#include <utility>

namespace agentic {
namespace {

class ProjectChecks : public DoctorTest {
protected:
  /// Makes a build tree of the project in "source", and its kernels with their states.
  void tree(const std::vector<std::pair<std::string, std::string>> &kernels, const std::string &moreCache = {}) {
    put("build/CMakeCache.txt",
        "CMAKE_HOME_DIRECTORY:INTERNAL=" + (root() / "source").string() + "\n" + moreCache + "\n");
    fs::create_directories(root() / "source");
    for (const auto &[kernel, state] : kernels) {
      Manifest manifest;
      manifest.kernel = kernel;
      manifest.state = state;
      manifest.compiler = "/bin/sh";
      put("build/_agentic/manifests/" + kernel + ".json", nlohmann::json(manifest).dump());
    }
  }
};

TEST_F(ProjectChecks, TreeAndItsKernels) {
  expectDiagnosis(lookAtTree(view_), Health::Fail, "build' is no CMake build tree");
  const fs::path build = std::exchange(view_.buildDir, ".");
  expectDiagnosis(lookAtTree(view_), Health::Ok, "no build tree was given");
  view_.buildDir = build;
  tree({});
  expectDiagnosis(lookAtTree(view_), Health::Warn, "no kernel is declared");
  tree({{"dot", "active"}, {"sum", "baseline"}});
  expectDiagnosis(lookAtTree(view_), Health::Ok, "2 kernels: dot, sum");
  tree({{"dot", "stale: its text changed"}});
  expectDiagnosis(lookAtTree(view_), Health::Warn, "dot (stale: its text changed)");
  put("build/_agentic/manifests/dot.json", "{\"kernel\": 42");
  expectDiagnosis(lookAtTree(view_), Health::Warn, "dot.json");
}

TEST_F(ProjectChecks, ThreadsThatCallAreSaid) {
  expectDiagnosis(lookAtCallers(view_), Health::Ok, "not known yet");
  view_.callers = [] { return std::vector<std::string>{"dot: calls come from one thread", "sum: side by side"}; };
  expectDiagnosis(lookAtCallers(view_), Health::Ok,
                  "dot: calls come from one thread; sum: side by side; variants keep");
}

TEST_F(ProjectChecks, PermissionsAreListed) {
  expectDiagnosis(lookAtPermissions(view_), Health::Ok, "none: no kernel");
  view_.permissions = [] { return std::vector<std::string>{"dot, line 3: 'p < q' [x]", "sum, line 4: 'r' [y]"}; };
  expectDiagnosis(lookAtPermissions(view_), Health::Ok, "dot, line 3: 'p < q' [x]; sum, line 4: 'r' [y]");
}

TEST_F(ProjectChecks, CodeThatNothingRunsIsListed) {
  expectDiagnosis(lookAtCoverage(view_), Health::Ok, "no run found");
  view_.uncovered = [] { return std::vector<std::string>{"dot: no test runs dot.cpp:3:5: body of the loop"}; };
  expectDiagnosis(lookAtCoverage(view_), Health::Warn, "dot: no test runs dot.cpp:3:5: body of the loop");
}

TEST_F(ProjectChecks, TreeWhoseCompilerIsGone) {
  tree({});
  Manifest manifest;
  manifest.kernel = "dot";
  manifest.compiler = (root() / "gone/c++").string();
  put("build/_agentic/manifests/dot.json", nlohmann::json(manifest).dump());
  expectDiagnosis(lookAtTree(view_), Health::Fail, "gone/c++, which is not there any more");
}

TEST_F(ProjectChecks, TreeWhoseCacheIsDamagedOrCannotBeRead) {
  put("build/CMakeCache.txt/inside", "");
  expectDiagnosis(lookAtTree(view_), Health::Fail, "CMakeCache.txt");
  remove("build");
  put("build/CMakeCache.txt", std::string(100, '\x01'));
  expectDiagnosis(lookAtTree(view_), Health::Fail, "is damaged: it names no project");
  tree({});
  remove("source");
  expectDiagnosis(lookAtTree(view_), Health::Fail, "source', which is not there any more");
  fs::create_directory_symlink(root() / "build", root() / "other");
  tree({{"dot", "active"}}, "CMAKE_CACHEFILE_DIR:INTERNAL=" + (root() / "other").string());
  expectDiagnosis(lookAtTree(view_), Health::Ok, "1 kernel: dot");
  tree({{"dot", "active"}}, "CMAKE_CACHEFILE_DIR:INTERNAL=" + root().string());
  expectDiagnosis(lookAtTree(view_), Health::Fail, "then moved or copied");
}

TEST_F(ProjectChecks, FolderThatWasRemovedUnderTheShell) {
  tree({{"dot", "active"}});
  const fs::path before = fs::current_path();
  fs::create_directories(root() / "gone");
  fs::current_path(root() / "gone");
  remove("gone");
  const Diagnosis diagnosis = lookAtTree(view_);
  fs::current_path(before);
  expectDiagnosis(diagnosis, Health::Fail, "started in is not there any more");
}

TEST_F(ProjectChecks, WhatMayNotBeReadIsSaid) {
  tree({{"dot", "active"}});
  for (const char *closed : {"build/CMakeCache.txt", "build/_agentic/manifests", "build"}) {
    fs::permissions(root() / closed, fs::perms::none);
    const Diagnosis diagnosis = asSomebody([&] { return lookAtTree(view_); });
    fs::permissions(root() / closed, fs::perms::all);
    expectDiagnosis(diagnosis, Health::Fail, "Permission denied");
    EXPECT_THAT(diagnosis.found, testing::HasSubstr(root() / closed));
  }
}

TEST_F(ProjectChecks, VersionsOfToolAndModule) {
  const std::string own = std::string("tool ") + kVersion;
  expectDiagnosis(lookAtVersions(view_), Health::Ok, own);
  tree({});
  expectDiagnosis(lookAtVersions(view_), Health::Ok, own);
  const std::string stamp = "source/cmake/agentic-kernel/agentic-kernel.version";
  put(stamp, std::string("agentic-kernel ") + kVersion + "\n");
  expectDiagnosis(lookAtVersions(view_), Health::Ok, std::string("copy of the module ") + kVersion);
  put(stamp, "agentic-kernel 0.0.1\n");
  expectDiagnosis(lookAtVersions(view_), Health::Warn, own + ", the project's copy of the module 0.0.1");
  put(stamp, "");
  expectDiagnosis(lookAtVersions(view_), Health::Warn, "the project's copy of the module unknown");
  remove("source");
  tree({}, "AgenticKernel_DIR:PATH=" + (root() / "package").string());
  put("package/AgenticKernelConfigVersion.cmake", "set(PACKAGE_VERSION \"0.0.2\")\n");
  expectDiagnosis(lookAtVersions(view_), Health::Warn, "the installed module 0.0.2");
  put("package/AgenticKernelConfigVersion.cmake", "set(PACKAGE_VERSION \"0.0.2");
  expectDiagnosis(lookAtVersions(view_), Health::Warn, "the installed module 0.0.2");
}

TEST_F(ProjectChecks, TreeThatCallsAnotherTool) {
  put("mine", "");
  put("other", "");
  view_.toolProgram = (root() / "mine").string();
  tree({}, "AGENTIC_KERNEL_TOOL:FILEPATH=" + (root() / "mine").string());
  expectDiagnosis(lookAtVersions(view_), Health::Ok, "tool ");
  tree({}, "AGENTIC_KERNEL_TOOL:FILEPATH=" + (root() / "other").string());
  expectDiagnosis(lookAtVersions(view_), Health::Warn, "the tree's targets call " + (root() / "other").string());
}

TEST_F(ProjectChecks, Noise) {
  expectDiagnosis(lookAtNoise(view_), Health::Warn, "never measured");
  view_.calibrationNote = "it is of another machine";
  expectDiagnosis(lookAtNoise(view_), Health::Warn, "it is of another machine");
  view_.calibration = "calibrated 2026-11-01: …";
  expectDiagnosis(lookAtNoise(view_), Health::Ok, "calibrated 2026-11-01");
}

} // namespace
} // namespace agentic
