// The Debian package: made by cpack from the built tree, unpacked, and used from there. So a prefix other than the one
// it was installed for is tested here, too.
#include "tests/e2e/project.h"
#include "tool/base/text.h"

#include <gmock/gmock.h>

namespace agentic::e2e {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Package : public testing::Test {
protected:
  static void SetUpTestSuite() {
    if (!findProgram("dpkg-deb") || !findProgram("dpkg-shlibdeps") || !findProgram("file"))
      return;
    scratch_.emplace(std::move(*ScratchDirectory::create(fs::temp_directory_path(), "agentic-package-")));
    // gzip, because xz would take most of the time.
    const Outcome made = runCommand({"cpack", "--config", AGENTIC_BUILD_DIR "/CPackConfig.cmake", "-B", path("made"),
                                     "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"});
    ASSERT_EQ(made.status, 0) << made.all();
    for (const auto &entry : fs::directory_iterator(path("made")))
      if (entry.path().extension() == ".deb")
        deb_ = entry.path();
    const Outcome unpacked = runCommand({"dpkg-deb", "-x", deb_, path("root")});
    ASSERT_EQ(unpacked.status, 0) << unpacked.all();
  }
  static void TearDownTestSuite() { scratch_.reset(); }
  void SetUp() override {
    if (!scratch_)
      GTEST_SKIP() << "no Debian packages are made here: dpkg-dev or file is missing";
  }

  static std::string path(const std::string &name) { return (scratch_->path() / name).string(); }
  static std::string field(const std::string &name) {
    return std::string(trim(runCommand({"dpkg-deb", "-f", deb_, name}).out));
  }

  inline static std::optional<ScratchDirectory> scratch_;
  inline static std::string deb_;
};

TEST_F(Package, IsNamedAndNeedsWhatTheToolNeeds) {
  EXPECT_EQ(field("Package"), "agentic-kernel");
  EXPECT_EQ(fs::path(deb_).filename(), "agentic-kernel_" + field("Version") + "_" + field("Architecture") + ".deb");
  EXPECT_EQ("agentic-kernel " + field("Version"), trim(runCommand({toolPath(), "--version"}).out));
  std::vector<std::string> packages;
  for (const std::string &one : split(field("Depends"), ','))
    packages.push_back(split(std::string(trim(one)), ' ')[0]);
  // It needs the libraries that the tool links, Clang's own headers, and the programs that it starts.
  for (const char *begin : {"libclang-cpp", "libclang-common-", "libssl", "libisl", "libseccomp", "libc6", "cmake",
                            "ninja-build", "binutils"})
    EXPECT_THAT(packages, Contains(testing::StartsWith(begin)));
}

TEST_F(Package, HoldsTheToolAndTheModuleWithoutDebugInformation) {
  for (const char *file :
       {"bin/agentic-kernel", "include/agentic_kernel.h", "lib/cmake/AgenticKernel/AgenticKernelConfig.cmake",
        "lib/cmake/AgenticKernel/include/agentic_kernel.h", "share/agentic-kernel/red-team/any/processes.cpp",
        "share/doc/agentic-kernel/copyright"})
    EXPECT_TRUE(fs::exists(path("root/usr/") + file)) << file;
  for (const auto &entry : fs::directory_iterator(path("root")))
    EXPECT_EQ(entry.path().filename(), "usr");
  EXPECT_THAT(runCommand({"readelf", "-SW", path("root/usr/bin/agentic-kernel")}).out,
              AllOf(HasSubstr(".text"), Not(HasSubstr(".debug_info"))));
  // No file in it contains the path of its build.
  EXPECT_THAT(runCommand({"grep", "-rl", AGENTIC_BUILD_DIR, path("root/usr/lib")}).out, "");
}

TEST_F(Package, WorksWhereItWasUnpacked) {
  const std::string tool = path("root/usr/bin/agentic-kernel");
  const Project project("examples/quickstart");
  const Outcome configured = project.configure({"-DCMAKE_PREFIX_PATH=" + path("root/usr")});
  ASSERT_EQ(configured.status, 0) << configured.all();
  EXPECT_THAT(*readFile(project.build() / "CMakeCache.txt"), HasSubstr("AGENTIC_KERNEL_TOOL:FILEPATH=" + tool + "\n"));
  const std::string manifest = (project.build() / "_agentic/manifests/column_sums-Release.json").string();
  EXPECT_TRUE(fs::exists(manifest));

  project.write("candidate.cpp",
                "void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) "
                "{\n  for (std::size_t c = 0; c < columns; ++c) {\n    float sum = 0.0f;\n    for (std::size_t "
                "r = 0; r < rows; ++r)\n      sum += matrix[r * columns + c];\n    sums[c] = sum;\n  }\n}\n");
  // It uses the sandbox, the runner and the recorder of the package.
  const Outcome evaluated = runCommand({tool, "evaluate", "--build-dir", project.build().string(), "--kernel",
                                        "column_sums", (project.source() / "candidate.cpp").string(), "--json"});
  ASSERT_TRUE(evaluated.json.is_object()) << evaluated.all();
  EXPECT_FALSE(evaluated.json.contains("error")) << evaluated.all();

  const Outcome init = runCommand({tool, "init", "--json"}, kPatience, {}, project.source().string());
  EXPECT_EQ(init.status, 0) << init.all();
  EXPECT_TRUE(fs::exists(project.source() / "cmake/agentic-kernel/AgenticKernel.cmake"));
}

} // namespace
} // namespace agentic::e2e
