// Tests `agentic-kernel init`: the copy of the CMake module in a user's project, and when an edit there is lost.
#include "tests/cmake-module/project_fixture.h"

#include <map>

namespace agentic::test {
namespace {

using ::testing::HasSubstr;
namespace files = std::filesystem;

class InitTest : public Project {
protected:
  std::string init(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {AGENTIC_KERNEL_BINARY, "init"});
    return run(options);
  }
  std::map<std::string, std::string> vendored() {
    std::map<std::string, std::string> texts;
    for (const auto &entry : files::recursive_directory_iterator(path("cmake")))
      if (entry.is_regular_file())
        texts[entry.path().string()] = *readFile(entry.path());
    return texts;
  }
  const std::string stamp_ = "cmake/agentic-kernel/agentic-kernel.version";
};

TEST_F(InitTest, TheCopyIsAllThatAProjectNeeds) {
  const std::string output = init();
  ASSERT_EQ(status_, 0) << output;
  const std::string line = "include(${CMAKE_CURRENT_SOURCE_DIR}/cmake/agentic-kernel/AgenticKernel.cmake)";
  EXPECT_THAT(output, HasSubstr("\n  " + line + "\n"));
  lists(replaceAll(kDotLists, "@MODULE@", line)); // as it was printed
  edit("src/dot.cpp", "#include \"dot.h\"\n", "#include \"dot.h\"\n#include <agentic_kernel.h>\n");
  generateDot();
  EXPECT_THAT(configure({"-DAGENTIC_KERNEL_MODE=REQUIRE"}), HasSubstr("agentic kernel 'dot': x86-64-v2"));
  EXPECT_EQ(status_, 0);
  build();
  EXPECT_EQ(traced(), "1014 line 16\ndot x86-64-v2\n");
  EXPECT_THAT(read("build/build.ninja"), ::testing::Not(HasSubstr(AGENTIC_MODULE_DIR)));
}

TEST_F(InitTest, ASecondRunChangesNothingAndAnOlderVersionIsReplaced) {
  EXPECT_THAT(init(), HasSubstr("cmake/agentic-kernel: written (agentic-kernel "));
  const auto first = vendored();
  EXPECT_THAT(init(), HasSubstr("cmake/agentic-kernel: up to date"));
  EXPECT_EQ(vendored(), first);

  // An older version: other texts, which its own stamp covers, and a file that no longer exists.
  const std::string text = "# older\n", hash = run({"sh", "-c", "printf '# older\\n' | sha256sum | cut -c1-64"});
  write("cmake/agentic-kernel/AgenticKernelText.cmake", text);
  write("cmake/agentic-kernel/AgenticKernelGone.cmake", text);
  write(stamp_, "agentic-kernel 0.0.9\n" + hash.substr(0, 64) + "  AgenticKernelText.cmake\n" + hash.substr(0, 64) +
                    "  AgenticKernelGone.cmake\n");
  EXPECT_THAT(init(), HasSubstr("cmake/agentic-kernel: updated from 0.0.9"));
  EXPECT_EQ(vendored(), first);
  EXPECT_EQ(std::distance(files::directory_iterator(path("cmake")), {}), 1); // nothing left beside it
}

TEST_F(InitTest, WhatOthersWroteIsNotReplaced) {
  init();
  const auto clean = vendored();
  edit("cmake/agentic-kernel/AgenticKernelUnit.cmake", "-falign-loops=64", "-falign-loops=32");
  const auto edited = vendored();
  const std::string refusal = init();
  EXPECT_EQ(status_, 1);
  EXPECT_THAT(refusal, HasSubstr("edited since they were written: cmake/agentic-kernel/AgenticKernelUnit.cmake\n"));
  EXPECT_THAT(refusal, HasSubstr("next: take your changes elsewhere and run it again with --force"));
  EXPECT_EQ(vendored(), edited);
  EXPECT_THAT(init({"--force"}), HasSubstr("written again"));
  EXPECT_EQ(vendored(), clean);

  edit(stamp_, "agentic-kernel 0.", "agentic-kernel 97.");
  EXPECT_THAT(init(), HasSubstr("newer than this tool"));
  EXPECT_EQ(status_, 1);
  EXPECT_EQ(init({"--force", "--json"}).find("{\"dir\":\"cmake/agentic-kernel\",\"state\":\"updated from 97."), 0u);

  write("cmake/agentic-kernel/ours.cmake", "");
  EXPECT_THAT(init({"--force"}), HasSubstr("'cmake/agentic-kernel/ours.cmake' is not from agentic-kernel init"));
  EXPECT_EQ(status_, 1);
  EXPECT_THAT(init({"--dir", "third party/ak"}), HasSubstr("third party/ak: written"));
}

TEST_F(InitTest, SaysWhatIsMissing) {
  files::remove(path("CMakeLists.txt"));
  EXPECT_THAT(init(), HasSubstr("this folder has no CMakeLists.txt\n  next: run it in your project's top folder"));
  write("CMakeLists.txt", "");
  files::create_directories(path("alone/bin"));
  std::error_code otherFileSystem;
  files::create_hard_link(AGENTIC_KERNEL_BINARY, path("alone/bin/agentic-kernel"), otherFileSystem);
  if (otherFileSystem)
    files::copy_file(AGENTIC_KERNEL_BINARY, path("alone/bin/agentic-kernel"));
  const std::string output = run({path("alone/bin/agentic-kernel"), "init"});
  EXPECT_EQ(status_, 1);
  EXPECT_THAT(output, HasSubstr("the CMake module that belongs to this tool is not in '" + path("alone")));
  EXPECT_THAT(output, HasSubstr("next: install the tool with its module"));
  EXPECT_FALSE(files::exists(path("cmake")));
}

} // namespace
} // namespace agentic::test
