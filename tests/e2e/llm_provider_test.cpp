// The whole job with a foreign implementation of a provider's server (aimock): it is busy, then broken, then answers
// with a candidate that leaves a constant open; its cost is counted, and its key is written nowhere.
#include "tests/e2e/project.h"
#include "tests/llm/peer_process.h"

#include "tool/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char *kKey = "test-key-0123456789";

constexpr const char *kReply = R"(Walk the rows, a block of columns at a time.

```cpp blocks.cpp
#include <cstddef>
AGENTIC_TUNE(kBlock, 32, 16);
void columnSums(const float *__restrict matrix, float *__restrict sums, std::size_t rows, std::size_t columns) {
  for (std::size_t begin = 0; begin < columns; begin += kBlock) {
    const std::size_t end = begin + kBlock < columns ? begin + kBlock : columns;
    for (std::size_t c = begin; c < end; ++c)
      sums[c] = 0.0f;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = begin; c < end; ++c)
        sums[c] += matrix[r * columns + c];
  }
}
```
)";

json fixture(int sequence, json response) {
  return {{"match", {{"userMessage", "Propose your first file"}, {"sequenceIndex", sequence}}},
          {"response", std::move(response)}};
}

/// Serves: busy, broken, the candidate; then prose.
json fixtures() {
  const json usage = {{"prompt_tokens", 3210}, {"completion_tokens", 450}, {"cost", 0.0123}};
  return {{"fixtures",
           {fixture(0, {{"status", 429},
                        {"retryAfter", 1},
                        {"error", {{"message", "slow down"}, {"type", "rate_limit_error"}}}}),
            fixture(1, {{"status", 500}, {"error", {{"message", "boom"}, {"type", "server_error"}}}}),
            fixture(2, {{"content", kReply}, {"usage", usage}}),
            {{"match", {{"userMessage", "Propose the next file"}}},
             {"response", {{"content", "I am done."}, {"usage", usage}}}}}}};
}

/// Serves the file's contents, to clients with the key.
auto startAimock(const fs::path &fixturesFile) {
  return PeerProcess::start({peersNode(), peersFolder() + "/@copilotkit/aimock/dist/cli.js", "-p", "0", "-f",
                             fixturesFile.string(), "--strict"},
                            {{"AIMOCK_API_KEYS", kKey}}, "listening on ");
}

TEST(LlmProvider, DrivesTheLoopAndIsPaidOncePerAnswer) {
  if (peersFolder().empty())
    GTEST_SKIP() << "aimock is not installed (npm)";
  Project project("examples/quickstart");
  const fs::path file = project.root() / "fixtures.json";
  ASSERT_TRUE(writeFileAtomic(file, fixtures().dump(1)));
  const auto aimock = startAimock(file);
  ASSERT_TRUE(aimock) << aimock.error().message;
  const Outcome configured = project.configure();
  ASSERT_EQ(configured.status, 0) << configured.all();

  const Environment environment = {{"OPENROUTER_BASE_URL", (*aimock)->url() + "/api/v1"}, {"OPENROUTER_API_KEY", kKey}};
  const std::string cassette = (project.root() / "run.cassette").string();
  const Outcome outcome =
      runCommand(project.toolCommand({"optimize", "--kernel", "column_sums", "--agent", "openrouter:openai/gpt-4o",
                                      "--max-iterations", "2", "--yes", "--record", cassette}),
                 kPatience, environment);
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_EQ(outcome.json["best"]["origin"], "openrouter:openai/gpt-4o call 1");
  EXPECT_EQ(outcome.json["rejected"], (json{{"reply", 1}}));
  EXPECT_EQ(outcome.json["iterations"], 2);
  EXPECT_EQ(outcome.json["model"]["answered"], 2);
  EXPECT_DOUBLE_EQ(outcome.json["model"]["cost_usd"], 0.0246); // as the provider reports it

  const fs::path run = outcome.json["run_dir"].get<std::string>();
  std::vector<std::string> outcomes, settings;
  for (const std::string &line : split(readFile(run / "calls.jsonl").value_or(""), '\n'))
    if (const json entry = json::parse(line, nullptr, false); entry.is_object() && entry["event"] == "settled")
      outcomes.push_back(entry["outcome"]);
  EXPECT_THAT(outcomes, ElementsAre("rate", "overload", "answered", "answered"));
  for (const std::string &line : split(readFile(run / "journal.jsonl").value_or(""), '\n'))
    if (const json entry = json::parse(line, nullptr, false); entry.is_object() && entry["event"] == "tried")
      settings.push_back(entry["setting"].dump());
  EXPECT_THAT(settings, ElementsAre("[0]", "[1]"));

  int variants = 0;
  for (const auto &entry : fs::directory_iterator(project.source() / "generated"))
    if (entry.path().extension() == ".cpp" && ++variants == 1) {
      EXPECT_THAT(readFile(entry.path()).value_or(""), HasSubstr("constexpr int kBlock = "));
      EXPECT_THAT(readFile(entry.path()).value_or(""), Not(HasSubstr("AGENTIC_TUNE")));
    }
  EXPECT_EQ(variants, 1);
  for (const fs::path &root : {project.source(), project.build(), fs::path(cassette)}) {
    const Outcome found = runCommand({"grep", "-rlF", kKey, root.string()});
    EXPECT_EQ(found.status, 1) << found.all();
  }
}

// A model that the server has and no table prices at this provider.
TEST(LlmProvider, PricesOfTheUserAreKeptForResume) {
  if (peersFolder().empty())
    GTEST_SKIP() << "aimock is not installed (npm)";
  Project project("examples/quickstart");
  const json usage = {{"prompt_tokens", 1000}, {"completion_tokens", 500}};
  const json replies = {{"fixtures",
                         {fixture(0, {{"status", 403}, {"error", {{"message", "no"}, {"type", "permission_error"}}}}),
                          fixture(1, {{"content", kReply}, {"usage", usage}}),
                          {{"match", {{"userMessage", "Propose the next file"}}},
                           {"response", {{"content", "I am done."}, {"usage", usage}}}}}}};
  const fs::path file = project.root() / "fixtures.json", prices = project.root() / "prices.json";
  ASSERT_TRUE(writeFileAtomic(file, replies.dump(1)));
  ASSERT_TRUE(
      writeFileAtomic(prices, R"({"models": {"openai": {"gemini-2.0-flash": {"input": 1000, "output": 2000}}}})"));
  const auto aimock = startAimock(file);
  ASSERT_TRUE(aimock) << aimock.error().message;
  const Outcome configured = project.configure();
  ASSERT_EQ(configured.status, 0) << configured.all();
  const Environment environment = {{"OPENAI_BASE_URL", (*aimock)->url() + "/v1"}, {"OPENAI_API_KEY", kKey}};
  const auto optimize = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"optimize", "--kernel", "column_sums",         "--max-iterations",
                                          "2",        "--yes",    "--max-output-tokens", "1000"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCommand(project.toolCommand(arguments), kPatience, environment);
  };
  const std::vector<std::string> model = {"--agent", "openai:gemini-2.0-flash", "--budget-usd", "500"};
  expectOneError(optimize(model), 1, {"no price of this model is known", "--allow-unknown-price"});
  std::vector<std::string> priced = model;
  priced.insert(priced.end(), {"--prices", prices.string()});
  expectOneError(optimize(priced), 1, {"error 403"});
  fs::remove(prices);
  const Outcome resumed = optimize({"--resume"});
  ASSERT_EQ(resumed.status, 0) << resumed.all();
  EXPECT_EQ(resumed.json["model"]["answered"], 2);
  EXPECT_DOUBLE_EQ(resumed.json["model"]["cost_usd"], 2 * (1000 * 1000 + 500 * 2000) / 1e6);
}

} // namespace
} // namespace agentic::e2e
