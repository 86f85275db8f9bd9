// tests/README.md tells which proof runs in which tier; ctest decides. Both say the same.
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace agentic {
namespace {

using Tiers = std::map<std::string, std::string>; ///< of a test, its tier: "quick" or "all"

/// The rows "| `test` | tier | … |" of the list.
Tiers listed() {
  Tiers tiers;
  for (const std::string &line : split(readFile(AGENTIC_REPOSITORY "/tests/README.md").value_or(""), '\n')) {
    const std::vector<std::string> cells = split(line, '|');
    if (!line.starts_with("| `") || cells.size() < 4)
      continue;
    const std::string cell(trim(cells[1])), name = cell.substr(1, cell.size() - 2);
    EXPECT_TRUE(tiers.emplace(name, trim(cells[2])).second) << name << " is listed twice";
    EXPECT_NE(trim(cells[3]), "") << name << " proves nothing";
  }
  return tiers;
}

/// As ctest would run them: a test without a tier is in neither, and one with both would run twice in --all.
Tiers registered() {
  const auto result =
      runProcess({.argv = {AGENTIC_CTEST, "--test-dir", AGENTIC_BUILD, "--show-only=json-v1"}, .timeoutSeconds = 60});
  EXPECT_TRUE(result && result->ok()) << (result ? result->out : result.error().message);
  Tiers tiers;
  for (const nlohmann::json &test : nlohmann::json::parse(result ? result->out : "{}").value("tests", nlohmann::json()))
    for (const nlohmann::json &property : test["properties"])
      if (property["name"] == "LABELS")
        for (const std::string label : property["value"])
          tiers[test["name"]] += label == "quick" || label == "all" ? label : "";
  return tiers;
}

TEST(Tiers, OfEveryTestAreWhatTheListSays) {
#ifndef __x86_64__
  GTEST_SKIP() << "the list is that of x86-64: llama.cpp's package is not there for every processor";
#endif
  const Tiers list = listed(), tests = registered();
  EXPECT_GT(tests.size(), 50U);
  for (const auto &[test, tier] : tests)
    EXPECT_EQ(list.contains(test) ? list.at(test) : "no row", tier) << test;
  for (const auto &[test, tier] : list)
    EXPECT_TRUE(tests.contains(test)) << test << " is listed, and ctest does not have it";
}

} // namespace
} // namespace agentic
