// The lines to paste and the programs to run, for projects that the test makes up.
#include "tool/base/files.h"
#include "tool/hot/paste_lines.h"
#include "tool/hot/sampling.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LinkedTarget program(const std::string &name, std::vector<std::string> inputs) {
  return {.name = name,
          .kind = LinkedTarget::Kind::Program,
          .file = "/b/" + name,
          .folder = "/b",
          .inputs = std::move(inputs)};
}

class PasteLinesTest : public testing::Test {
protected:
  PasteLinesTest() {
    project_.buildDir = "/b";
    project_.sourceDir = folder_.path().string();
    EXPECT_TRUE(writeFileAtomic(folder_.path() / "sub" / "CMakeLists.txt", ""));
    project_.linked = {{.name = "work",
                        .kind = LinkedTarget::Kind::Static,
                        .file = "/b/sub/libwork.a",
                        .folder = "/b/sub",
                        .inputs = {}},
                       program("work_test", {"/b/sub/libwork.a", "/usr/lib/libgtest.a"}),
                       program("work bench", {"/b/sub/libwork.a", "-lbenchmark"}),
                       program("other_test", {"/usr/lib/libgtest.a"})};
    prospect_.kind = Prospect::Kind::Kernel;
    prospect_.function = "ns::sum";
    prospect_.line = 7;
  }
  PasteLines lines(const std::string &target = "work") {
    return pasteLines(project_, prospect_, "sum", (folder_.path() / "sub/src/a b.cpp").string(), target);
  }

  ScratchDirectory folder_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "agentic-hot-"));
  HotProject project_;
  Prospect prospect_;
};

TEST_F(PasteLinesTest, NameTheProgramsThatLinkTheTarget) {
  const PasteLines paste = lines();
  EXPECT_EQ(paste.markerLine, 7u);
  EXPECT_THAT(paste.markerLines, ElementsAre("AGENTIC_KERNEL"));
  EXPECT_EQ(paste.markerColumn, 0u);
  EXPECT_EQ(paste.cmakeFile, (folder_.path() / "sub/CMakeLists.txt").string());
  EXPECT_THAT(paste.cmakeLines,
              ElementsAre("find_package(AgenticKernel CONFIG REQUIRED)", "add_agentic_kernel(sum", "  TARGET work",
                          "  SOURCE \"src/a b.cpp\"", "  TESTS work_test", "  BENCHMARKS \"work bench\"", ")"));
  EXPECT_EQ(paste.command, "agentic-kernel optimize -B /b -k sum");
}

TEST_F(PasteLinesTest, SayWhatIsMissing) {
  project_.linked.resize(1);
  project_.hasPackage = true;
  prospect_.needsDefinition = prospect_.needsName = true;
  prospect_.column = 12;
  prospect_.kind = Prospect::Kind::Wrapper;
  const PasteLines paste = lines();
  EXPECT_THAT(paste.markerLines, ElementsAre("#ifndef AGENTIC_KERNEL", "#define AGENTIC_KERNEL", "#endif"));
  EXPECT_EQ(paste.markerColumn, 12u);
  EXPECT_THAT(paste.cmakeLines,
              ElementsAre("add_agentic_kernel(sum", "  TARGET work", "  SOURCE \"src/a b.cpp\"", "  FUNCTION ns::sum",
                          HasSubstr("  # TESTS <"), HasSubstr("  # BENCHMARKS <"), ")"));
  EXPECT_EQ(paste.command, "agentic-kernel wrap -B /b -k sum --write");
}

TEST_F(PasteLinesTest, NameTheFunctionsOfOneFile) {
  PasteLines first = lines(), second = lines(), alone = lines();
  alone.markerFile = "/elsewhere.cpp";
  nameFunctions({&first, &second, &alone});
  nameFunctions({&first, &second, &alone}); // once is enough
  EXPECT_EQ(first.cmakeLines.size(), alone.cmakeLines.size() + 1);
  EXPECT_EQ(first.cmakeLines[4], "  FUNCTION ns::sum");
  EXPECT_EQ(first.cmakeLines, second.cmakeLines);
}

TEST_F(PasteLinesTest, OfATargetThatLinksNothingGoToTheTop) {
  const PasteLines paste = lines("objects");
  EXPECT_EQ(paste.cmakeFile, (folder_.path() / "CMakeLists.txt").string());
  EXPECT_THAT(paste.cmakeLines, testing::Contains("  SOURCE \"sub/src/a b.cpp\""));
}

TEST_F(PasteLinesTest, BenchmarksAreThoseOfKernelsOrThoseThatAreLinkedSo) {
  const auto make = [&](const std::string &name) {
    EXPECT_TRUE(writeFileAtomic(folder_.path() / name, ""));
    return (folder_.path() / name).string();
  };
  EXPECT_THAT(benchmarkPrograms(project_, "").error().message, HasSubstr("is built: work bench"));
  project_.linked[2].file = make("bench");
  Result<std::vector<HotProgram>> programs = benchmarkPrograms(project_, "");
  ASSERT_TRUE(programs && programs->size() == 1);
  EXPECT_THAT(programs->front().argv, ElementsAre(project_.linked[2].file));
  EXPECT_EQ(programs->front().workingDirectory, folder_.path().string());

  Manifest manifest;
  manifest.kernel = "sum";
  manifest.benchmarks = {{"kernel_bench", make("kernel_bench")}, {"kernel_bench", make("kernel_bench")}};
  manifest.benchmarkFilter = "BM_Sum";
  manifest.benchmarkArgs = {"--x"};
  project_.manifests = {manifest};
  programs = benchmarkPrograms(project_, "sum");
  ASSERT_TRUE(programs && programs->size() == 1);
  EXPECT_THAT(programs->front().argv, ElementsAre(manifest.benchmarks[0].file, "--benchmark_filter=BM_Sum", "--x"));
  project_.manifests.clear();
  project_.linked.clear();
  EXPECT_THAT(benchmarkPrograms(project_, "").error().next, HasSubstr("agentic-kernel hot -B /b -- PROGRAM"));
}

TEST_F(PasteLinesTest, ACodesTargetIsTheOneThatIsLinkedIntoItsModule) {
  const std::string file = "/s/x.cpp";
  for (const char *target : {"another", "work"})
    project_.commands.push_back({.directory = "/b",
                                 .file = file,
                                 .arguments = {"c++", "-o", "sub/CMakeFiles/" + std::string(target) + ".dir/x.cpp.o"},
                                 .output = {}});
  EXPECT_EQ(project_.targetFor(file, "/b/work_test"), "work");
  EXPECT_EQ(project_.targetFor(file, "/b/other_test"), "another") << "the first, where links tell nothing";
  EXPECT_EQ(project_.targetFor("/s/y.cpp", "/b/work_test"), "");
}

} // namespace
} // namespace agentic
