// A coding agent drives the tool by MCP, as real clients do: a whole job, ends of clients and servers in the middle.
#include "tests/e2e/mcp_job.h"

#include <csignal>

namespace agentic::e2e {
namespace {

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
  EXPECT_EQ(names, (std::vector<std::string>{"list_kernels", "describe_kernel", "evaluate", "attempts",
                                             "search_knowledge", "memory", "insight", "finish", "status", "cancel"}));
  EXPECT_NE(client.call("list_kernels")["error"]["next"], "");
  EXPECT_NE(client.call("status", {{"job", "a/b"}})["error"]["next"], "");
  const json pages = client.request("resources/list")["result"]["resources"];
  ASSERT_GT(pages.size(), 20U);
  const json page = client.request("resources/read", {{"uri", pages[0]["uri"]}});
  EXPECT_NE(page["result"]["contents"][0]["text"].get<std::string>().find("#"), std::string::npos);
  client.closeInput();
  EXPECT_EQ(client.wait(), 0);
}

// More than a pipe holds waits for it, while the server goes on to read, and ends with it.
TEST(McpServer, AClientThatNeverReadsHoldsNothingUp) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "mcp-");
  ASSERT_TRUE(scratch);
  McpClient client({"--build-dir", scratch->path().string()}, scratch->path() / "log");
  for (int id = 0; id < 100; ++id)
    client.send({{"jsonrpc", "2.0"}, {"id", id}, {"method", "tools/list"}});
  client.closeInput();
  EXPECT_EQ(client.wait(), 0);
}

// The server keeps 64 MiB for it, and no more.
TEST(McpServer, AClientThatNeverReadsIsGivenUp) {
  ::signal(SIGPIPE, SIG_IGN);
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "mcp-");
  ASSERT_TRUE(scratch);
  McpClient client({"--build-dir", scratch->path().string()}, scratch->path() / "log");
  const json read = {{"jsonrpc", "2.0"},
                     {"id", 1},
                     {"method", "resources/read"},
                     {"params", {{"uri", "agentic-kernel://checks/addresses-as-numbers"}}}};
  EXPECT_THROW(for (;;) client.send(read), std::runtime_error);
  EXPECT_EQ(client.wait(), 0);
}

TEST_F(McpJob, AWholeJob) {
  McpClient client(arguments(), log());
  initialized(client);
  const json kernels = client.call("list_kernels")["kernels"];
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0]["source"], "column_sums.cpp");

  const json known = client.call("search_knowledge");
  EXPECT_FALSE(known["patterns"].empty()) << known;
  EXPECT_FALSE(known["features"]["words"].empty()) << known;
  EXPECT_FALSE(client.call("search_knowledge", {{"query", "sum"}})["patterns"].empty());
  project_.write("agentic-memory.jsonl",
                 R"({"v":1,"title":"walk rows","words":["float","reduction","strided"],"ratio":2})");
  const json remembered = client.call("memory");
  ASSERT_EQ(remembered["items"].size(), 1U) << remembered;
  EXPECT_EQ(remembered["items"][0]["title"], "walk rows");
  const json facts = client.result("describe_kernel", {{"kernel", "column_sums"}});
  EXPECT_GT(facts["baseline_ns"].get<double>(), 0);
  for (const char *word : {"columnSums", "columns", "evaluate", "CPU"})
    EXPECT_NE(facts["text"].get<std::string>().find(word), std::string::npos) << word;
  EXPECT_EQ(client.call("attempts")["error"]["message"], "nothing was tried yet") << "a run without a candidate";

  // Two at once.
  client.sendCall("w", "evaluate", candidate("wrong", kWrong));
  client.sendCall("f", "evaluate", candidate("../../forbidden", kForbidden));
  const auto resultOf = [&](const char *id) {
    return client.ended(client.answerTo(id)["result"]["structuredContent"])["result"];
  };
  const json forbidden = resultOf("f");
  const json wrong = resultOf("w");
  EXPECT_EQ(wrong["verdict"], "rejected");
  EXPECT_EQ(wrong["stage"], "test");
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
  for (const char *words : {"changed during the run", "column_sums_test)"})
    EXPECT_NE(finish["error"]["message"].get<std::string>().find(words), std::string::npos) << finish;
  EXPECT_FALSE(isVariantThere());
}

} // namespace
} // namespace agentic::e2e
