// One `optimize` for both compiler families: each is searched in a tree of its own, both variants are in one lock, and
// every build runs the one that was made with its compiler.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

class Families : public testing::Test {
protected:
  Families() {
    project_.replace("CMakeLists.txt", "add_compile_options(-march=native)", "");
    project_.replace("CMakeLists.txt", "VARIANT_DIR generated",
                     "ARCHITECTURES x86-64-v3\n  FAMILIES clang gcc\n  VARIANT_DIR generated");
  }

  static std::vector<std::string> optimize(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"optimize", "--kernel", "column_sums", "--max-iterations", "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  /// Returns the choice in a colleague's build with that compiler.
  std::string chosen(const std::string &compiler) {
    const fs::path build = project_.root() / ("consumer-" + compiler), trace = project_.root() / "trace.txt";
    const Outcome configured =
        project_.configureIn(build, {"-DAGENTIC_KERNEL_TOOL=", "-DCMAKE_CXX_COMPILER=" + compiler});
    EXPECT_EQ(configured.status, 0) << configured.all();
    const Outcome built = runCommand({"cmake", "--build", build.string()});
    EXPECT_EQ(built.status, 0) << built.all();
    fs::remove(trace);
    EXPECT_EQ(
        runCommand({(build / "column_sums_test").string()}, kPatience, {{"AGENTIC_KERNEL_TRACE", trace.string()}})
            .status,
        0);
    const Outcome symbols = runCommand({"nm", "-C", (build / "column_sums_test").string()});
    const std::string family = compiler == "g++" ? "gcc" : "clang";
    EXPECT_NE(symbols.out.find("column_sums__x86_64_v3__" + family), std::string::npos) << symbols.out;
    return readFile(trace).value_or("(no trace)");
  }

  Project project_{"examples/quickstart"};
};

TEST_F(Families, EachIsSearchedAndEveryBuildRunsItsOwn) {
  ASSERT_EQ(project_.configure().status, 0);
  const Outcome optimized = project_.tool(optimize());
  ASSERT_EQ(optimized.status, 0) << optimized.all();
  int found = 0;
  for (const std::string &line : split(optimized.out, '\n'))
    if (const auto json = nlohmann::json::parse(line, nullptr, false); json.is_object() && json.contains("best"))
      found += json["best"].is_object() ? 1 : 0;
  EXPECT_EQ(found, 2) << optimized.out;
  for (const char *family : {"clang", "gcc"})
    EXPECT_TRUE(fs::exists(project_.source() / "generated" / (std::string("column_sums.x86-64-v3.") + family + ".cpp")))
        << family;
  EXPECT_EQ(chosen(compilerPath()), "column_sums x86-64-v3\n");
  EXPECT_EQ(chosen("g++"), "column_sums x86-64-v3\n");
  const nlohmann::json variants = project_.tool({"status"}).json["kernels"][0]["variants"];
  ASSERT_EQ(variants.size(), 2u) << variants;
  for (const nlohmann::json &variant : variants)
    EXPECT_EQ(variant["state"], "fresh") << variant;
}

TEST_F(Families, OneThatCannotBeHadIsOneError) {
  ASSERT_EQ(project_.configure({"-DAGENTIC_KERNEL_GCC=/nowhere/g++"}).status, 0);
  expectOneError(project_.tool(optimize({"--family", "gcc"})), 1, {"column_sums", "/nowhere/g++", "AGENTIC_KERNEL_GCC"});
  expectOneError(project_.tool(optimize({"--patch", "p.patch"})), 1, {"one patch", "--family"});
  ASSERT_EQ(project_.configure({"-DAGENTIC_KERNEL_GCC=" + compilerPath()}).status, 0);
  expectOneError(project_.tool(optimize({"--family", "gcc"})), 1, {"column_sums", "gcc", compilerPath(), "clang"});
}

} // namespace
} // namespace agentic::e2e
