// A project of 2,000 files, of which a kernel's library, test and benchmark need five: preparing the kernel builds
// those alone. Counted, never timed.
#include "tests/e2e/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace agentic::e2e {
namespace {

constexpr int kLibraries = 40, kFiles = 50, kUsed = 3;

/// Files below a folder whose paths hold these words.
std::vector<std::string> filesWith(const fs::path &folder, std::string_view name, std::string_view ending) {
  std::vector<std::string> files;
  for (const auto &entry : fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied))
    if (const std::string path = entry.path().string();
        entry.is_regular_file() && path.find(name) != std::string::npos && path.ends_with(ending))
      files.push_back(path);
  std::ranges::sort(files);
  return files;
}

class LargeProject : public testing::Test {
protected:
  void SetUp() override {
    std::string libraries = "file(APPEND ${CMAKE_SOURCE_DIR}/../configured.log \"${CMAKE_BINARY_DIR}\\n\")\n";
    for (int library = 0; library < kLibraries; ++library) {
      const std::string name = "rest_" + std::to_string(library);
      libraries += "add_library(" + name + " STATIC";
      for (int file = 0; file < kFiles; ++file)
        libraries += addFile(name + "_" + std::to_string(file));
      libraries += ")\n";
    }
    libraries += "add_library(used STATIC";
    for (int file = 0; file < kUsed; ++file)
      libraries += addFile("used_" + std::to_string(file));
    libraries += ")\nadd_executable(everything" + addFile("main", "int main() { return 0; }\n") + ")\n";
    libraries += "target_link_libraries(everything PRIVATE";
    for (int library = 0; library < kLibraries; ++library)
      libraries += " rest_" + std::to_string(library);
    libraries += ")\n";
    project_.write("parts/CMakeLists.txt", libraries);
    project_.replace("CMakeLists.txt", "add_library(column_sums STATIC column_sums.cpp)",
                     "add_subdirectory(parts)\nadd_library(column_sums STATIC column_sums.cpp)\n"
                     "target_link_libraries(column_sums PRIVATE used)");
    project_.write("candidate.cpp", kBareWalksRows);
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  std::string addFile(const std::string &name, const std::string &text = {}) {
    project_.write("parts/" + name + ".cpp", text.empty() ? "int " + name + "() { return 1; }\n" : text);
    return " " + name + ".cpp";
  }
  Outcome evaluate() const {
    return project_.tool({"evaluate", "--kernel", "column_sums", (project_.source() / "candidate.cpp").string()});
  }
  /// The folders below the build tree in which CMake configured the project so far.
  std::vector<std::string> configured() const {
    std::ifstream log(project_.root() / "configured.log");
    std::vector<std::string> folders;
    for (std::string folder; std::getline(log, folder);)
      folders.push_back(fs::path(folder).lexically_relative(project_.build()).string());
    return folders;
  }

  Project project_{"examples/quickstart"};
};

TEST_F(LargeProject, OnlyTheKernelsOwnTargetsAreBuilt) {
  ASSERT_EQ(filesWith(project_.source() / "parts", "", ".cpp").size(), std::size_t(kLibraries * kFiles + kUsed + 1));
  // The kernel's flags, which CMake does not say before the tree is there, come from a first configure in the probe.
  const std::vector<std::string> atFirst = configured();
  EXPECT_THAT(atFirst, testing::ElementsAre(".", "_agentic/probe"));
  const Outcome first = evaluate();
  EXPECT_EQ(first.status, 0) << first.all();
  ASSERT_EQ(configured().size(), atFirst.size() + 1) << "the tool's private copy of the build configuration";
  EXPECT_THAT(configured().back(), testing::StartsWith("_agentic/shadow"));

  const fs::path own = project_.build() / "_agentic";
  EXPECT_THAT(filesWith(own, "rest_", ".o"), testing::IsEmpty()) << "built for nothing";
  EXPECT_THAT(filesWith(own, "rest_", ".a"), testing::IsEmpty());
  EXPECT_THAT(filesWith(own, "rest_", ".cpp"), testing::IsEmpty()) << "copied";
  EXPECT_THAT(filesWith(own, "everything", ".o"), testing::IsEmpty());
  const std::vector<std::string> used = filesWith(own / "shadow", "used_", ".o");
  EXPECT_EQ(used.size(), std::size_t(kUsed)) << testing::PrintToString(used);
  EXPECT_THAT(filesWith(project_.build(), "/rest_", ".o"), testing::IsEmpty()) << "the user's tree is only read";

  const auto built = [&] { return filesWith(own / "shadow", "", ".o"); };
  std::vector<fs::file_time_type> times;
  const std::vector<std::string> objects = built();
  for (const std::string &file : objects)
    times.push_back(fs::last_write_time(file));
  const Outcome again = evaluate();
  EXPECT_EQ(again.status, 0) << again.all();
  EXPECT_EQ(configured().size(), atFirst.size() + 1);
  EXPECT_EQ(built(), objects);
  for (std::size_t i = 0; i < objects.size(); ++i)
    EXPECT_EQ(fs::last_write_time(objects[i]), times[i]) << objects[i] << " was built again";
}

} // namespace
} // namespace agentic::e2e
