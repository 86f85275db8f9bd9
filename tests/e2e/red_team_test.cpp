// The red team against its layers: every row of tests/red-team through every layer, as `agentic-kernel red-team` does
// it. tool/red_team/red_team_row.h explains the first lines of a row.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>
#include <set>

namespace agentic::e2e {
namespace {

using nlohmann::json;

fs::path rowsFolder() {
  return fs::path(sourceRoot()) / "tests" / "red-team";
}

/// The kernels' folders of rows; "any" is tried on kAnyKernel.
constexpr const char *kAnyKernel = "rms_norm_mul";

std::vector<std::string> kernelsWithRows() {
  std::set<std::string> names{kAnyKernel};
  for (const auto &entry : fs::directory_iterator(rowsFolder()))
    if (entry.is_directory() && entry.path().filename() != "any")
      names.insert(entry.path().filename().string());
  return {names.begin(), names.end()};
}

std::size_t countRows(const std::string &expectation) {
  std::size_t count = 0;
  for (const auto &entry : fs::recursive_directory_iterator(rowsFolder()))
    if (entry.path().extension() == ".cpp")
      if (const auto text = readFile(entry.path()); text && text->starts_with("// expect: " + expectation))
        ++count;
  return count;
}

class RedTeam : public testing::TestWithParam<std::string> {
protected:
  static void SetUpTestSuite() {
    project_ = new Project("kernels");
    const Outcome configured = project_->configure();
    if (configured.status != 0)
      throw std::runtime_error("configuring kernels/ failed:\n" + configured.all());
    before_ = snapshot(project_->source());
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(snapshot(project_->source()), before_) << "red-team changed the source tree";
    delete project_;
  }
  static Project *project_;
  static std::map<std::string, std::string> before_;
};
Project *RedTeam::project_ = nullptr;
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

TEST_P(RedTeam, IsRejectedByTheLayersThatItNames) {
  const std::string kernel = GetParam();
  std::vector<std::string> arguments = {"red-team", "--kernel", kernel, "--rows", rowsFolder().string()};
  arguments.push_back(kernel + "/");
  if (kernel == kAnyKernel)
    arguments.push_back("any/");
  const Outcome outcome = project_->tool(arguments);
  ASSERT_TRUE(outcome.json.is_object()) << outcome.all();
  ASSERT_FALSE(outcome.json.contains("error")) << outcome.all();
  const json &summary = outcome.json["summary"];
  std::cout << kernel << ": " << summary["hostile"] << " hostile and " << summary["honest"] << " honest rows in "
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
}

INSTANTIATE_TEST_SUITE_P(Kernels, RedTeam, testing::ValuesIn(kernelsWithRows()),
                         [](const auto &info) { return info.param; });

TEST(RedTeamRows, AreManyOfBothKinds) {
  EXPECT_GE(countRows("rejected"), 80u);
  EXPECT_GE(countRows("valid"), 60u);
}

TEST(RedTeamRows, ShipWithTheInstalledTool) {
  const fs::path installed = fs::path(installPrefix()) / "share" / "agentic-kernel" / "red-team" / "any";
  std::size_t files = 0;
  for (const auto &entry : fs::directory_iterator(rowsFolder() / "any")) {
    EXPECT_TRUE(fs::exists(installed / entry.path().filename())) << entry.path().filename();
    ++files;
  }
  EXPECT_GT(files, 40u);
}

} // namespace
} // namespace agentic::e2e
