// A coding agent drives the tool by MCP, as real clients do: a whole job, ends of clients and servers in the middle.
#include "tests/e2e/background.h"
#include "tests/e2e/mcp_client.h"

#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using nlohmann::json;

constexpr const char *kWalksRows = R"(#include <cstddef>
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c)
    sums[c] = 0.0f;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      sums[c] += matrix[r * columns + c];
}
)";
constexpr const char *kWrong = R"(#include <cstddef>
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c)
    sums[c] = rows > 0 ? matrix[c] : 0.0f;
}
)";
constexpr const char *kForbidden = R"(#include <cstddef>
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  static std::size_t calls = 0;
  ++calls;
  for (std::size_t c = 0; c < columns; ++c) {
    sums[c] = 0.0f;
    for (std::size_t r = 0; r < rows; ++r)
      sums[c] += matrix[r * columns + c];
  }
}
)";

json candidate(const std::string &name, const std::string &source) {
  return {{"name", name}, {"source", source}, {"hypothesis", "for the test"}};
}

json initialized(McpClient &client) {
  const json answer = client.request("initialize", {{"protocolVersion", "2025-06-18"},
                                                    {"capabilities", json::object()},
                                                    {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
  client.send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  return answer["result"];
}

TEST(McpServer, ServesWhereNothingIsConfigured) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "mcp-");
  ASSERT_TRUE(scratch);
  McpClient client({"--build-dir", scratch->path().string()}, scratch->path() / "log");
  EXPECT_EQ(initialized(client)["protocolVersion"], "2025-06-18");
  const json tools = client.request("tools/list")["result"]["tools"];
  std::vector<std::string> names;
  for (const json &tool : tools) {
    names.push_back(tool["name"]);
    EXPECT_EQ(tool["inputSchema"]["type"], "object") << tool;
    EXPECT_EQ(tool["outputSchema"]["type"], "object") << tool;
    EXPECT_GT(tool["description"].get<std::string>().size(), 40U) << tool;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"list_kernels", "describe_kernel", "evaluate", "attempts", "insight",
                                             "finish", "status", "cancel"}));
  EXPECT_NE(client.call("list_kernels")["error"]["next"], "");
  EXPECT_NE(client.call("status", {{"job", "a/b"}})["error"]["next"], "");
  const json pages = client.request("resources/list")["result"]["resources"];
  ASSERT_GT(pages.size(), 20U);
  const json page = client.request("resources/read", {{"uri", pages[0]["uri"]}});
  EXPECT_NE(page["result"]["contents"][0]["text"].get<std::string>().find("#"), std::string::npos);
  client.closeInput();
  EXPECT_EQ(client.wait(), 0);
}

class McpJob : public testing::Test {
protected:
  void SetUp() override {
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--build-dir", project_.build().string()});
    return more;
  }
  fs::path log() const { return project_.root() / "log"; }
  bool isVariantThere() const { return fs::exists(project_.source() / "generated/column_sums.lock.json"); }

  Project project_{"examples/quickstart"};
};

TEST_F(McpJob, AWholeJob) {
  McpClient client(arguments(), log());
  initialized(client);
  const json kernels = client.call("list_kernels")["kernels"];
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0]["source"], "column_sums.cpp");

  const json facts = client.result("describe_kernel", {{"kernel", "column_sums"}});
  EXPECT_GT(facts["baseline_ns"].get<double>(), 0);
  for (const char *word : {"columnSums", "columns", "evaluate", "CPU"})
    EXPECT_NE(facts["text"].get<std::string>().find(word), std::string::npos) << word;
  EXPECT_EQ(client.call("attempts")["error"]["message"], "nothing was tried yet") << "a run without a candidate";

  const json wrong = client.result("evaluate", candidate("wrong", kWrong));
  EXPECT_EQ(wrong["verdict"], "rejected");
  EXPECT_EQ(wrong["stage"], "test");
  const json forbidden = client.result("evaluate", candidate("../../forbidden", kForbidden));
  EXPECT_EQ(forbidden["verdict"], "rejected");
  EXPECT_EQ(forbidden["stage"], "check");
  EXPECT_FALSE(forbidden["findings"].empty());
  const json fast = client.result("evaluate", candidate("rows", kWalksRows));
  EXPECT_EQ(fast["verdict"], "accepted") << fast;
  EXPECT_TRUE(fast["became_best"].get<bool>());
  EXPECT_TRUE(fast["speedup"].is_object());
  EXPECT_EQ(fast["iterations_left"], 47);
  const json again = client.result("evaluate", candidate("other name", kWalksRows));
  EXPECT_TRUE(again["was_tried_before"].get<bool>());

  const json attempts = client.call("attempts");
  EXPECT_EQ(attempts["count"], 3);
  EXPECT_EQ(attempts["attempts"][0]["candidate"], fast["candidate"]);
  const json one = client.call("attempts", {{"candidate", fast["candidate"]}});
  EXPECT_EQ(one["attempts"][0]["source"], kWalksRows);
  EXPECT_FALSE(client.result("insight", {{"candidate", fast["candidate"]}})["sections"].empty());
  EXPECT_EQ(client.ended(client.call("insight", {{"candidate", wrong["candidate"]}}))["state"], "done");
  EXPECT_EQ(client.ended(client.call("insight", {{"candidate", forbidden["candidate"]}}))["state"], "failed");

  const json finish = client.result("finish");
  EXPECT_EQ(finish["outcome"], "written") << finish;
  EXPECT_EQ(finish["best"]["name"], "rows");
  EXPECT_EQ(finish["files"].size(), 3U);
  EXPECT_TRUE(isVariantThere());
  EXPECT_EQ(client.result("finish"), finish) << "the run has ended";
  EXPECT_NE(
      client.request("resources/read", {{"uri", "agentic-kernel://runs/column_sums"}})["result"]["contents"][0]["text"]
          .get<std::string>()
          .find("column_sums"),
      std::string::npos);
  EXPECT_GT(client.notifications, 0);
  EXPECT_LT(client.slowest, 60) << "clients cut a call at 60 s";
  client.closeInput();
  EXPECT_EQ(client.wait(), 0);
}

// What a killed client began is not lost: the next server continues it, and its job is known by the same id.
TEST_F(McpJob, AKilledClientLeavesNothingRunning) {
  const std::string mark = project_.root().filename().string();
  std::string job;
  {
    McpClient client(arguments(), log());
    client.result("describe_kernel");
    // Two at once: whatever is in work when the client dies, one of them has no verdict.
    client.send({{"jsonrpc", "2.0"},
                 {"id", "a"},
                 {"method", "tools/call"},
                 {"params", {{"name", "evaluate"}, {"arguments", candidate("rows", kWalksRows)}}}});
    ASSERT_TRUE(eventually([&] {
      const json attempts = client.call("attempts");
      return attempts.contains("count");
    }));
    client.closeInput(); // as the death of a client does
    EXPECT_EQ(client.wait(), 0);
  }
  EXPECT_TRUE(eventually([&] { return processesThatMention(mark).empty(); }, 20))
      << testing::PrintToString(processesThatMention(mark));
  EXPECT_FALSE(isVariantThere());

  McpClient client(arguments(), log());
  const json answer = client.result("evaluate", candidate("rows", kWalksRows));
  EXPECT_EQ(answer["verdict"], "accepted");
  EXPECT_EQ(client.call("attempts")["count"], 1);
  const json status =
      client.result("status", {{"job", "column_sums/evaluate/" + answer["candidate"].get<std::string>()}});
  EXPECT_EQ(status["verdict"], "accepted");
  client.closeInput();
  EXPECT_EQ(client.wait(), 0);
  McpClient third(arguments(), log());
  const json known =
      third.result("status", {{"job", "column_sums/evaluate/" + answer["candidate"].get<std::string>()}});
  EXPECT_EQ(known["verdict"], "accepted");
}

TEST_F(McpJob, ASecondServerSaysWhyNot) {
  McpClient first(arguments(), log());
  first.result("describe_kernel");
  McpClient second(arguments(), log());
  const json answer = second.ended(second.call("describe_kernel"));
  EXPECT_EQ(answer["state"], "failed");
  EXPECT_NE(answer["error"]["message"].get<std::string>().find("another 'agentic-kernel mcp'"), std::string::npos);
  first.closeInput();
  EXPECT_EQ(first.wait(), 0);
  EXPECT_EQ(second.ended(second.call("describe_kernel"))["state"], "done");
}

TEST_F(McpJob, ACancelledCandidateHasNoVerdictAndMayComeAgain) {
  McpClient client(arguments(), log());
  client.result("describe_kernel");
  client.send({{"jsonrpc", "2.0"},
               {"id", "a"},
               {"method", "tools/call"},
               {"params", {{"name", "evaluate"}, {"arguments", candidate("rows", kWalksRows)}}}});
  client.request("ping");
  client.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", "a"}}}});
  const json wrong = client.result("evaluate", candidate("wrong", kWrong));
  EXPECT_EQ(wrong["number"], 1) << "the cancelled one counts";
  const json again = client.result("evaluate", candidate("rows", kWalksRows));
  EXPECT_EQ(again["verdict"], "accepted");
  EXPECT_FALSE(again.contains("was_tried_before"));
}

TEST_F(McpJob, TheBudgetIsTheServers) {
  McpClient client(arguments({"--max-iterations", "1"}), log());
  const json fast = client.result("evaluate", candidate("rows", kWalksRows));
  EXPECT_EQ(fast["iterations_left"], 0);
  const json finish = client.result("finish");
  EXPECT_EQ(finish["outcome"], "written") << finish;
  const json more = client.ended(client.call("evaluate", candidate("wrong", kWrong)));
  EXPECT_EQ(more["error"]["message"], "the budget of this server is spent");
}

// The client may edit the project meanwhile, its judge included.
TEST_F(McpJob, WhoEditsATestWritesNothing) {
  McpClient client(arguments(), log());
  EXPECT_EQ(client.result("evaluate", candidate("rows", kWalksRows))["verdict"], "accepted");
  project_.write("column_sums_test.cpp", "int main() {}\n");
  const json finish = client.ended(client.call("finish"));
  EXPECT_EQ(finish["state"], "failed") << finish;
  EXPECT_NE(finish["error"]["message"].get<std::string>().find("changed during the run"), std::string::npos) << finish;
  EXPECT_FALSE(isVariantThere());
}

} // namespace
} // namespace agentic::e2e
