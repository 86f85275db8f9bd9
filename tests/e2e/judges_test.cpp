// Changes judging files during a run: nothing is written.
#include "tests/e2e/project.h"

#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

TEST(Judges, AChangeOfAnyOfThemDuringTheRunWritesNothing) {
  const Project project("examples/quickstart");
  const fs::path installation = project.root() / "installation";
  fs::copy(installPrefix(), installation, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  // The final tree is configured after the first test of them, outside any sandbox.
  const std::string cache = (project.build() / "_agentic/cache/column_sums").string(),
                    helpers = (installation / "libexec/agentic-kernel").string();
  project.replace("CMakeLists.txt", "enable_testing()",
                  "if(CMAKE_BINARY_DIR MATCHES \"/final$\")\n"
                  "  file(WRITE \"${CMAKE_SOURCE_DIR}/.agentic-kernel.json\" \"{}\")\n"
                  "  file(GLOB judges \"" +
                      cache + "/glue-*.so\" \"" + cache +
                      "/entry-*.o\")\n"
                      "  foreach(file IN LISTS judges ITEMS \"" +
                      helpers + "/agentic-kernel-runner\" \"" + helpers +
                      "/libagentic-kernel-recorder.so\")\n"
                      "    file(APPEND \"${file}\" \"x\")\n"
                      "  endforeach()\n"
                      "endif()\n"
                      "enable_testing()");
  const Outcome configured = project.configure({"-DCMAKE_PREFIX_PATH=" + installation.string()});
  ASSERT_EQ(configured.status, 0) << configured.all();
  const std::string file = (project.root() / "candidate.cpp").string();
  ASSERT_TRUE(writeFileAtomic(
      file, "void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n"
            "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0;\n"
            "  for (std::size_t r = 0; r < rows; ++r)\n    for (std::size_t c = 0; c < columns; ++c)\n"
            "      sums[c] += matrix[r * columns + c];\n}\n"));
  const Outcome outcome = runCommand({"/usr/bin/env", "XDG_CACHE_HOME=" + (project.root() / "cache").string(),
                                      (installation / "bin/agentic-kernel").string(), "apply", "--kernel",
                                      "column_sums", file, "--build-dir", project.build().string(), "--json"});
  expectOneError(outcome, 1,
                 {"the policy (", "the runner (", "the recorder (", "the kernel's glue (", "the candidates' entry (",
                  "changed during the run", "nothing was written"});
  EXPECT_FALSE(fs::exists(project.source() / "generated"));
}

/// An agent that works in the user's tree: `edits` are its actions there, then it proposes a right candidate.
Outcome runWithAgent(const Project &project, const std::string &edits) {
  const fs::path agent = project.root() / "agent.sh";
  EXPECT_TRUE(writeFileAtomic(
      agent, "#!/bin/sh\ncat >/dev/null\ncd '" + project.source().string() + "'\n" + edits +
                 "\ncat <<'END'\n```cpp\n#include <cstddef>\n"
                 "void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n"
                 "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0;\n"
                 "  for (std::size_t r = 0; r < rows; ++r)\n    for (std::size_t c = 0; c < columns; ++c)\n"
                 "      sums[c] += matrix[r * columns + c];\n}\n```\nEND\n"));
  fs::permissions(agent, fs::perms::owner_all);
  return project.tool(
      {"optimize", "--kernel", "column_sums", "--max-iterations", "1", "--agent", "command:" + agent.string()});
}

TEST(Judges, AnAgentThatEditsThemInTheTreeWritesNothing) {
  Project project("examples/quickstart");
  project.write("data.txt", "1 2 3\n");
  project.replace("CMakeLists.txt", "VARIANT_DIR generated", "TEST_DATA data.txt\n  VARIANT_DIR generated");
  const Outcome configured = project.configure();
  ASSERT_EQ(configured.status, 0) << configured.all();
  struct Case {
    const char *edits;
    std::vector<std::string> words;
  };
  for (const Case &one :
       {Case{"echo 4 > data.txt", {"data of the tests", "data.txt"}},
        Case{"sed -i 's/ASSERT_EQ(sums.c., expected)/ASSERT_TRUE(true)/' column_sums_test.cpp",
             {"test or benchmark", "/column_sums_test)"}},
        Case{"sed -i 's/size = 512/size = 64/' column_sums_bench.cpp", {"test or benchmark", "/column_sums_bench)"}}}) {
    const Outcome outcome = runWithAgent(project, one.edits);
    expectOneError(outcome, 1, one.words);
    EXPECT_FALSE(fs::exists(project.source() / "generated")) << one.edits;
  }
}

TEST(Judges, AnAgentThatPutsBackWhatItChangedWritesNothing) {
  const Project project("examples/quickstart");
  const Outcome configured = project.configure();
  ASSERT_EQ(configured.status, 0) << configured.all();
  const auto changeAndPutBack = [&](const std::string &pattern) {
    return "for f in '" + (project.build() / "_agentic").string() + "'/" + pattern +
           "; do cp -p \"$f\" /tmp/agentic-kept-$$; printf x >> \"$f\"; cat /tmp/agentic-kept-$$ > \"$f\"; "
           "touch -r /tmp/agentic-kept-$$ \"$f\"; rm /tmp/agentic-kept-$$; done";
  };
  for (const auto &[pattern, word] : {std::pair("shadow/column_sums/hook/column_sums_test", "test or benchmark"),
                                      {"shadow/column_sums/hook/column_sums_bench", "test or benchmark"},
                                      {"cache/column_sums/glue-*.so", "the kernel's glue"}}) {
    const Outcome outcome = runWithAgent(project, changeAndPutBack(pattern));
    expectOneError(outcome, 1, {word, "changed during the run", "nothing was written"});
    EXPECT_FALSE(fs::exists(project.source() / "generated")) << pattern;
  }
}

} // namespace
} // namespace agentic::e2e
