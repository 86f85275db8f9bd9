// The red team against its layers: every row of tests/red-team through every layer, as `agentic-kernel red-team` does
// it. tool/red_team/red_team_row.h explains the first lines of a row.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <set>

namespace agentic::e2e {
namespace {

using nlohmann::json;

fs::path rowsFolder() {
  return fs::path(sourceRoot()) / "tests" / "red-team";
}

constexpr const char *kAny = "any", *kAnyKernel = "rms_norm_mul"; ///< that its rows are tried on

/// A kernel's each, but for kAny.
std::vector<std::string> foldersOfRows() {
  std::set<std::string> names;
  for (const auto &entry : fs::directory_iterator(rowsFolder()))
    if (entry.is_directory())
      names.insert(entry.path().filename().string());
  return {names.begin(), names.end()};
}

std::size_t linesWith(const std::string &text, const std::string &begin) {
  return std::size_t(
      std::ranges::count_if(split(text, '\n'), [&](const auto &line) { return line.starts_with(begin); }));
}

/// What becomes of the rows of a theme is said once, in its head.
std::size_t countRows(const fs::path &folder, const std::string &expectation) {
  std::size_t count = 0;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cpp") {
      const std::string text = readFile(entry.path()).value_or("");
      const std::size_t expected = linesWith(text, "// expect: " + expectation), rows = linesWith(text, "// row: ");
      count += expected == 1 && rows > 0 ? rows : expected;
    }
  return count;
}

/// Configured once for all tests of a process.
const Project &kernels() {
  static const Project project("kernels");
  static const Outcome configured = project.configure();
  if (configured.status != 0)
    throw std::runtime_error("configuring kernels/ failed:\n" + configured.all());
  return project;
}

class RedTeam : public testing::TestWithParam<std::string> {
protected:
  static void SetUpTestSuite() { before_ = snapshot(kernels().source()); }
  static void TearDownTestSuite() {
    EXPECT_EQ(snapshot(kernels().source()), before_) << "red-team changed the source tree";
  }
  static std::map<std::string, std::string> before_;
};
std::map<std::string, std::string> RedTeam::before_;

std::string listed(const json &names) {
  std::string text;
  for (const auto &name : names)
    text += "\n  " + name.get<std::string>();
  return text;
}

/// Returns why the rows `names` were caught, one line per layer.
std::string reasons(const json &rows, const json &names) {
  std::string text;
  for (const auto &row : rows)
    for (const auto &[name, layer] : row["layers"].items())
      if (layer["state"] == "caught" && std::ranges::find(names, row["name"]) != names.end())
        text += "\n  " + row["name"].get<std::string>() + ": " + name + ": " + layer["reason"].get<std::string>();
  return text;
}

/// What attacks live on: a row that does so, and one that does something alike honestly. They fit any kernel.
struct Kind {
  const char *what, *hostile, *honest;
  std::size_t layers = 2; ///< that must see the hostile one
};
constexpr Kind kKinds[] = {
    {"registers by vectors", "any/register_memo_vectors", "any/honest_vector_arguments"},
    {"registers by masks", "any/register_memo_masks", "any/honest_masks"},
    {"registers by integers", "any/register_memo_integers", "any/honest_integer_arguments"},
    {"stack by arrays", "any/stack_memo", "any/honest_array_in_part"},
    {"stack by padding", "any/stack_memo_padding", "any/honest_padding"},
    {"stack by arrays of a variable size", "any/stack_memo_vla", "any/honest_variable_count"},
    {"stack by recursion", "any/stack_memo_recursion", "any/honest_deep_frames"},
    {"addresses by distance", "any/knows_distance", "any/honest_distance_within"},
    {"addresses by order", "any/knows_order", "any/honest_overlap"},
    {"addresses by offset in a page", "any/knows_page_offset", "any/honest_alignment"},
    {"sequence", "any/state_call_count", "any/honest_local_counter"},
    {"contents", "any/knows_contents", "any/honest_uniform_contents",
     1}, // a project's tests need not have such contents
};

void expectTwoLayersForEachKind(const json &rows) {
  std::map<std::string, std::vector<std::string>> caughtBy;
  for (const json &row : rows) {
    if (row["unfit"] != "")
      continue;
    std::vector<std::string> &layers = caughtBy[row["name"]];
    for (const auto &[name, layer] : row["layers"].items())
      if (layer["state"] == "caught")
        layers.push_back(name + ": " + layer["reason"].get<std::string>());
  }
  for (const Kind &kind : kKinds) {
    ASSERT_TRUE(caughtBy.contains(kind.hostile) && caughtBy.contains(kind.honest)) << kind.what;
    EXPECT_GE(caughtBy[kind.hostile].size(), kind.layers) << kind.what << "\n"
                                                          << testing::PrintToString(caughtBy[kind.hostile]);
    EXPECT_TRUE(caughtBy[kind.honest].empty()) << kind.what << "\n" << testing::PrintToString(caughtBy[kind.honest]);
  }
}

/// Tries the rows of kKinds alone.
void expectTwoLayersForEachKind(const Project &project, const std::string &kernel) {
  std::vector<std::string> arguments = {"red-team", "--kernel", kernel, "--rows", rowsFolder().string()};
  for (const Kind &kind : kKinds)
    arguments.insert(arguments.end(), {kind.hostile, kind.honest});
  const Outcome outcome = project.tool(arguments);
  ASSERT_TRUE(outcome.json.is_object()) << outcome.all();
  ASSERT_FALSE(outcome.json.contains("error")) << outcome.all();
  EXPECT_EQ(outcome.json["summary"]["unfit"], 0) << outcome.all();
  expectTwoLayersForEachKind(outcome.json["rows"]);
}

TEST_P(RedTeam, IsRejectedByTheLayersThatItNames) {
  const std::string folder = GetParam(), kernel = folder == kAny ? kAnyKernel : folder;
  const Outcome outcome =
      kernels().tool({"red-team", "--kernel", kernel, "--rows", rowsFolder().string(), folder + "/"});
  ASSERT_TRUE(outcome.json.is_object()) << outcome.all();
  ASSERT_FALSE(outcome.json.contains("error")) << outcome.all();
  const json &summary = outcome.json["summary"];
  std::cout << folder << ": " << summary["hostile"] << " hostile and " << summary["honest"] << " honest rows in "
            << outcome.json["seconds"] << " s; " << summary["unfit"] << " do not fit\n";
  for (const auto &[layer, rows] : summary["ignored"].items())
    std::cout << "  without " << layer << ", " << rows["pass"].size() << " rows would pass and "
              << rows["single"].size() << " would have one layer left\n";
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(summary["gotThrough"].empty()) << "got through:" << listed(summary["gotThrough"]);
  EXPECT_TRUE(summary["refused"].empty())
      << "honest, but refused:" << reasons(outcome.json["rows"], summary["refused"]);
  EXPECT_TRUE(summary["missed"].empty()) << "a layer did not see what it should see:" << listed(summary["missed"]);
  EXPECT_TRUE(summary["single"].empty()) << "seen by one layer only:" << listed(summary["single"]);
  for (const auto &row : outcome.json["rows"])
    for (const auto &[name, layer] : row["layers"].items()) {
      if (layer["state"] == "caught") {
        EXPECT_NE(layer["reason"], "") << row["name"] << " is caught by " << name << " without a reason";
      }
    }
  if (folder == kAny) // kAnyKernel writes a matrix; kernels of other kinds are below
    expectTwoLayersForEachKind(outcome.json["rows"]);
}

INSTANTIATE_TEST_SUITE_P(Kernels, RedTeam, testing::ValuesIn(foldersOfRows()),
                         [](const auto &info) { return info.param; });

TEST(RedTeamKinds, OnAKernelThatReturnsAScalar) {
  expectTwoLayersForEachKind(kernels(), "hamming_distance");
}

TEST(RedTeamKinds, OnAKernelThatWorksInPlace) {
  const Project project("examples/quickstart");
  const std::string declaration = "void advance(std::uint32_t *data, const std::uint32_t *step, std::size_t n)",
                    head = "#include <cstddef>\n#include <cstdint>\n#include <vector>\n";
  project.write("column_sums.cpp", "#include <agentic_kernel.h>\n" + head +
                                       "AGENTIC_KERNEL\nAGENTIC_INOUT(data, n) AGENTIC_IN(step, n)\n" + declaration +
                                       " {\n"
                                       "  for (std::size_t i = 0; i < n; ++i)\n"
                                       "    data[i] = data[i] * 3u + step[i];\n"
                                       "}\n");
  project.write("column_sums_test.cpp",
                head + "#include <gtest/gtest.h>\n" + declaration +
                    ";\n"
                    "void expectSteps(std::uint32_t n, std::uint32_t by) {\n"
                    "  std::vector<std::uint32_t> data(n), step(n);\n"
                    "  for (std::uint32_t i = 0; i < n; ++i) { data[i] = i * by; step[i] = i; }\n"
                    "  advance(data.data(), step.data(), n);\n"
                    "  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(data[i], i * by * 3 + i);\n"
                    "}\n"
                    "TEST(Advance, EverySize) { for (std::uint32_t n = 0; n < 70; ++n) expectSteps(n, 77777u); }\n"
                    "TEST(Advance, Large) { expectSteps(100000, 2654435761u); }\n"
                    "TEST(Advance, Zeros) { expectSteps(33, 0); }\n"
                    "TEST(Advance, Equal) { std::vector<std::uint32_t> data(9, 5u), step(9, 1u);\n"
                    "  advance(data.data(), step.data(), 9); EXPECT_EQ(data, std::vector<std::uint32_t>(9, 16u)); }\n");
  project.write("column_sums_bench.cpp",
                head + "#include <benchmark/benchmark.h>\n" + declaration +
                    ";\n"
                    "static void BM_Advance(benchmark::State &state) {\n"
                    "  std::vector<std::uint32_t> data(50000), step(50000);\n"
                    "  for (std::uint32_t i = 0; i < 50000; ++i) step[i] = i * 2654435761u;\n"
                    "  for (auto _ : state) { advance(data.data(), step.data(), 50000); benchmark::ClobberMemory(); }\n"
                    "}\nBENCHMARK(BM_Advance);\n");
  const Outcome configured = project.configure();
  ASSERT_EQ(configured.status, 0) << configured.all();
  expectTwoLayersForEachKind(project, "column_sums");
}

TEST(RedTeamRows, AreManyOfBothKinds) {
  EXPECT_GE(countRows(rowsFolder(), "rejected"), 270u);
  EXPECT_GE(countRows(rowsFolder(), "valid"), 80u);
}

TEST(RedTeamRows, ShipWithTheInstalledTool) {
  const fs::path installed = fs::path(installPrefix()) / "share" / "agentic-kernel" / "red-team" / "any";
  const auto present = snapshot(installed);
  for (const auto &[file, text] : snapshot(rowsFolder() / "any"))
    EXPECT_TRUE(present.contains(file) && present.at(file) == text) << file;
  EXPECT_GE(countRows(installed, "rejected"), 200u);
}

} // namespace
} // namespace agentic::e2e
