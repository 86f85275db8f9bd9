// `hot` on a project without a kernel: what it finds, and that the lines that it writes make a kernel of it.
#include "tests/e2e/project.h"
#include "tool/base/text.h"

#include <gmock/gmock.h>

namespace agentic::e2e {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Hot : public testing::Test {
protected:
  void build(const std::vector<std::string> &options) const {
    const Outcome configured = project_.configure(options);
    ASSERT_EQ(configured.status, 0) << configured.all();
    const Outcome built = runCommand({"cmake", "--build", project_.build().string()});
    ASSERT_EQ(built.status, 0) << built.all();
  }

  Outcome hot(std::vector<std::string> program = {}) const {
    std::vector<std::string> argv = {toolPath(), "hot", "--json", "--build-dir", project_.build().string()};
    if (!program.empty())
      argv.insert(argv.end(), {"--", (project_.build() / "app").string()});
    argv.insert(argv.end(), program.begin(), program.end());
    return runCommand(std::move(argv));
  }

  /// Does what the lines say.
  void paste(const nlohmann::json &lines) const {
    const auto relative = [&](const char *file) {
      return fs::path(lines[file].get<std::string>()).lexically_relative(fs::canonical(project_.source())).string();
    };
    const std::string source = relative("marker_file"), cmake = relative("cmake_file");
    std::vector<std::string> text = split(project_.read(source), '\n');
    const std::vector<std::string> marker = lines["marker_lines"];
    text.insert(text.begin() + (lines["marker_line"].get<int>() - 1), marker.begin(), marker.end());
    project_.write(source, join(text, "\n"));
    project_.write(cmake,
                   project_.read(cmake) + join(lines["cmake_lines"].get<std::vector<std::string>>(), "\n") + "\n");
  }

  /// The whole way, with a program that works in scale() alone.
  void findAndPaste(const std::vector<std::string> &options) const {
    ASSERT_NO_FATAL_FAILURE(build(options));
    const Outcome found = hot({"scale"});
    ASSERT_EQ(found.status, 0) << found.all();
    ASSERT_THAT(found.json["functions"], testing::Not(IsEmpty())) << found.all();
    const nlohmann::json first = found.json["functions"][0];
    EXPECT_THAT(first["name"].get<std::string>(), StartsWith("work::scale(float*"));
    EXPECT_EQ(first["judgement"], "kernel") << first;
    EXPECT_EQ(first["line"], 5);
    EXPECT_EQ(fs::path(first["file"].get<std::string>()).filename(), "work.cpp");
    EXPECT_EQ(first["kernel"], "scale");
    EXPECT_THAT(first["paste"]["cmake_lines"].get<std::vector<std::string>>(),
                testing::AllOf(Contains("  TARGET work"), Contains("  SOURCE src/work.cpp")));

    paste(first["paste"]);
    ASSERT_NO_FATAL_FAILURE(build(options));
  }

  void expectAKernel() const {
    const Outcome checked = project_.tool({"check", "--kernel", "scale"});
    EXPECT_EQ(checked.status, 0) << checked.all();
    const Outcome again = hot({"scale"});
    ASSERT_EQ(again.status, 0) << again.all();
    EXPECT_EQ(again.json["functions"][0]["judgement"], "is-kernel") << again.all();
    EXPECT_EQ(again.json["functions"][0]["kernel"], "scale");
  }

  Project project_{"tests/e2e/hot_project"};
};

TEST_F(Hot, ClangsProgramWithoutDebugInformation) {
  findAndPaste({"-DCMAKE_BUILD_TYPE=Release"});
}

TEST_F(Hot, GccsProgramWithDebugInformation) {
  findAndPaste({"-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_COMPILER=g++"});
  expectAKernel();
}

TEST_F(Hot, SaysWhatElseIsToBeKnown) {
  ASSERT_NO_FATAL_FAILURE(build({"-DCMAKE_BUILD_TYPE=Debug"}));
  const Outcome failed = hot({"fails"});
  EXPECT_EQ(failed.status, 0) << "what was sampled counts";
  const std::string notes = failed.json["notes"].dump();
  EXPECT_THAT(notes, HasSubstr("exited with status 3"));
  EXPECT_THAT(notes, HasSubstr("CMAKE_BUILD_TYPE=Release"));
  EXPECT_EQ(failed.json["runs"][0]["status"], 3);

  const Outcome member = hot({"sum"});
  ASSERT_EQ(member.status, 0) << member.all();
  EXPECT_EQ(member.json["functions"][0]["judgement"], "wrapper") << member.all();

  expectOneError(hot(), 1, {"no benchmark program that is known", "-- PROGRAM"});
  const Outcome unloaded = runCommand(
      {toolPath(), "hot", "--json", "-B", project_.build().string(), "--", (project_.build() / "static_app").string()});
  expectOneError(unloaded, 1, {"nothing was sampled", "statically"});
  const Outcome folder = runCommand({toolPath(), "hot", "--json", "-B", project_.source().string(), "--", "true"});
  expectOneError(folder, 1, {"not a CMake build tree"});
}

} // namespace
} // namespace agentic::e2e
