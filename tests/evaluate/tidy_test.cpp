// Tests what is taken from clang-tidy's output.
#include "tool/evaluate/candidate/tidy.h"

#include "tool/base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A unit of two lines of ours and two of the candidate.
BuiltCandidate builtCandidate() {
  KernelSpec spec;
  spec.kernel = "k";
  spec.source = "/nowhere/k.cpp";
  spec.identifier = spec.function = "f";
  spec.text = "void f(int *p) { p[0] = 1; }";
  BuiltCandidate built;
  built.unitFile = "/scratch/unit.cpp";
  built.unit =
      buildCandidateUnit({spec, levels().front(), Family::Clang, "c1"}, "// mine\nvoid f(int *p) {\n  p[0] = 7;\n}\n");
  EXPECT_THAT(built.unit.findings, IsEmpty());
  return built;
}

TEST(Tidy, OnlyWarningsInTheCandidatesOwnLinesAreNotes) {
  const BuiltCandidate built = builtCandidate();
  const auto rowOf = [&](const std::string &text) {
    const std::size_t at = built.unit.text.find(text);
    EXPECT_NE(at, std::string::npos);
    return std::to_string(1 + std::count(built.unit.text.begin(), built.unit.text.begin() + std::ptrdiff_t(at), '\n'));
  };
  const std::string own = "/scratch/unit.cpp:" + rowOf("p[0] = 7") + ":10: warning: 7 is a magic number [magic]\n";
  EXPECT_THAT(
      tidyNotes("12 warnings generated.\n" + own + "  p[0] = 7;\n         ^\n" +
                    "/scratch/unit.cpp:1:1: warning: of ours [x]\n/usr/include/a.h:3:1: warning: of others [y]\n" +
                    "/scratch/unit.cpp:99999:1: warning: nowhere [z]\n/scratch/unit.cpp: warning: none\n",
                built),
      ElementsAre("clang-tidy, line 3: 7 is a magic number [magic]"));
  std::string many;
  for (int i = 0; i < 8; ++i)
    many += own;
  const auto notes = tidyNotes(many, built);
  ASSERT_EQ(notes.size(), 6u);
  EXPECT_EQ(notes.back(), "clang-tidy: 3 more");
  EXPECT_THAT(tidyNotes("", built), IsEmpty());
}

TEST(Tidy, TheNearestFileDecides) {
  auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "tidy-");
  ASSERT_TRUE(scratch);
  const std::string folder = scratch->path().string();
  ASSERT_TRUE(createDirectories(folder + "/src/deep"));
  EXPECT_EQ(tidyFileFor(folder + "/src/deep/k.cpp"), "");
  ASSERT_TRUE(writeFileAtomic(folder + "/.clang-tidy", "Checks: '*'\n"));
  EXPECT_EQ(tidyFileFor(folder + "/src/deep/k.cpp"), folder + "/.clang-tidy");
  ASSERT_TRUE(writeFileAtomic(folder + "/src/.clang-tidy", "Checks: '*'\n"));
  EXPECT_EQ(tidyFileFor(folder + "/src/deep/k.cpp"), folder + "/src/.clang-tidy");
}

} // namespace
} // namespace agentic
