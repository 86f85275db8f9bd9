// Tests `agentic-kernel check` on every kernel of a build tree: several at once, cached, always reported in the same
// order.
#include "tests/cmake-module/project_fixture.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace agentic::test {
namespace {

using ::testing::HasSubstr;

constexpr int kKernels = 9;

class CheckAllTest : public Project {
protected:
  void SetUp() override {
    Project::SetUp();
    std::string text = "cmake_minimum_required(VERSION 3.22)\nproject(consumer LANGUAGES CXX)\n@MODULE@\n"
                       "add_library(mylib STATIC";
    for (int i = 0; i < kKernels; ++i) {
      write(fmt::format("src/k{}.cpp", i), source(i, "return 2 * x;"));
      text += fmt::format(" src/k{}.cpp", i);
    }
    text += ")\n";
    for (int i = 0; i < kKernels; ++i)
      text += fmt::format("add_agentic_kernel(k{0} TARGET mylib SOURCE src/k{0}.cpp FUNCTION k{0})\n", i);
    lists(text + "add_agentic_kernel(other TARGET mylib SOURCE src/k3.cpp FUNCTION other3)\n");
    write("src/common.h", "#pragma once\nusing Number = int;\n");
    configure();
    ASSERT_EQ(status_, 0);
  }

  static std::string source(int i, const std::string &body) {
    return fmt::format("#include \"common.h\"\n#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\n"
                       "AGENTIC_KERNEL int k{0}(Number x) {{ {1} }}\n"
                       "AGENTIC_KERNEL int other{0}(int x) {{ return 3 * x; }}\n",
                       i, body);
  }

  nlohmann::json check() {
    const std::vector<std::string> lines =
        split(trim(run({AGENTIC_KERNEL_BINARY, "check", "--build-dir", path("build"), "--json"})), '\n');
    return nlohmann::json::parse(lines.back(), nullptr, false);
  }
  /// Returns the files of the findings, in their order; no finding may occur twice.
  static std::vector<std::string> filesOf(const nlohmann::json &result) {
    std::vector<std::string> files;
    std::set<std::string> seen;
    for (const nlohmann::json &finding : result["findings"]) {
      EXPECT_TRUE(seen.insert(finding.dump()).second) << finding;
      files.push_back(std::filesystem::path(finding["file"].get<std::string>()).filename());
    }
    files.erase(std::ranges::unique(files).begin(), files.end());
    return files;
  }
  auto remembered(int i) {
    return std::filesystem::last_write_time(path(fmt::format("build/_agentic/cache/k{}/spec.json", i)));
  }
};

TEST_F(CheckAllTest, FindingsStandInTheOrderOfTheKernelsEachOnce) {
  for (int i : {7, 3, 1})
    write(fmt::format("src/k{}.cpp", i), source(i, "static int calls = 0; return ++calls;"));
  for (int i = 0; i < 3; ++i) {
    const nlohmann::json result = check();
    EXPECT_EQ(status_, 3);
    EXPECT_THAT(filesOf(result), ::testing::ElementsAre("k1.cpp", "k3.cpp", "k7.cpp")); // k3.cpp holds two kernels
    EXPECT_EQ(result["files"].size(), std::size_t(kKernels));
  }
}

TEST_F(CheckAllTest, AKernelThatCannotBeExtractedHidesNoFindingOfTheOthers) {
  write("src/k2.cpp", replaceAll(read("src/k2.cpp"), "AGENTIC_KERNEL int k2", "int k2"));
  write("src/k4.cpp", replaceAll(read("src/k4.cpp"), "AGENTIC_KERNEL int k4", "int k4"));
  for (int i : {1, 7})
    write(fmt::format("src/k{}.cpp", i), source(i, "static int calls = 0; return ++calls;"));
  const nlohmann::json result = check();
  EXPECT_EQ(status_, 1) << "the list of findings is not complete";
  EXPECT_THAT(filesOf(result), ::testing::ElementsAre("k1.cpp", "k7.cpp"));
  ASSERT_EQ(result["errors"].size(), 2u) << result;
  EXPECT_THAT(result["errors"][0]["message"].get<std::string>(), HasSubstr("k2"));
  EXPECT_THAT(result["errors"][1]["message"].get<std::string>(), HasSubstr("k4"));
  EXPECT_EQ(result["error"], result["errors"][0]);
  const std::string text = run({AGENTIC_KERNEL_BINARY, "check", "--build-dir", path("build")});
  EXPECT_EQ(status_, 1);
  EXPECT_THAT(text, HasSubstr("9 files checked, 2 findings, 2 could not be checked"));
}

TEST_F(CheckAllTest, WhatHasNotChangedIsNotCheckedAgain) {
  EXPECT_EQ(filesOf(check()), std::vector<std::string>());
  EXPECT_EQ(status_, 0);
  std::vector<std::filesystem::file_time_type> first;
  for (int i = 0; i < kKernels; ++i)
    first.push_back(remembered(i));
  check();
  for (int i = 0; i < kKernels; ++i)
    EXPECT_EQ(remembered(i), first[std::size_t(i)]) << i;

  write("src/k5.cpp", source(5, "return 2 + x;"));
  check();
  for (int i = 0; i < kKernels; ++i)
    EXPECT_EQ(remembered(i) != first[std::size_t(i)], i == 5) << i;
  write("src/common.h", "#pragma once\nusing Number = long;\n");
  check();
  for (int i = 0; i < kKernels; ++i)
    EXPECT_NE(remembered(i), first[std::size_t(i)]) << i;
  write("src/k5.cpp", source(5, "static int calls = 0; return ++calls;"));
  EXPECT_EQ(filesOf(check()), std::vector<std::string>{"k5.cpp"});
  write(".agentic-kernel.json", "{\"no such rule\": 1}");
  check();
  EXPECT_EQ(status_, 1); // the project's policy decides for all of them
}

} // namespace
} // namespace agentic::test
