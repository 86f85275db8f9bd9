// Ends before their time: a client that is killed while its candidate is measured, work that is cancelled.
#include "tests/e2e/background.h"
#include "tests/e2e/mcp_job.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace agentic::e2e {
namespace {

class McpEnds : public McpJob {
protected:
  void killClientThatMeasures() const;
};

/// A client in a process of its own, which has its candidate measured when it is killed.
void McpEnds::killClientThatMeasures() const {
  const fs::path measures = project_.root() / "measures";
  const pid_t process = ::fork();
  if (process == 0) {
    try {
      McpClient client(arguments(), log());
      client.result("describe_kernel");
      client.sendCall("a", "evaluate", candidate("rows", kWalksRows));
      client.untilProgress("benchmark");
      if (writeFileAtomic(measures, ""))
        for (;;)
          ::pause();
    } catch (const std::exception &error) {
      std::fputs(error.what(), stderr);
    }
    ::_exit(1);
  }
  ASSERT_TRUE(eventually([&] { return fs::exists(measures) || ::waitpid(process, nullptr, WNOHANG) != 0; }));
  ASSERT_TRUE(fs::exists(measures)) << readFile(log()).value_or("");
  ::kill(process, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_TRUE(WIFSIGNALED(status));
}

// What a killed client began is not lost: the next server knows its job by the same id, and continues it.
TEST_F(McpEnds, AKilledClientLeavesNothingRunning) {
  killClientThatMeasures();
  const std::string mark = project_.root().filename().string();
  EXPECT_TRUE(eventually([&] { return processesThatMention(mark).empty(); }, 60))
      << testing::PrintToString(processesThatMention(mark));
  EXPECT_FALSE(isVariantThere());

  const std::string job = jobOf(kWalksRows);
  McpClient second(arguments(), log());
  EXPECT_EQ(second.result("status", {{"job", job}})["verdict"], "accepted");
  EXPECT_EQ(second.call("attempts")["count"], 1);
  EXPECT_TRUE(second.result("evaluate", candidate("rows", kWalksRows)).contains("was_tried_before"));
  second.closeInput();
  EXPECT_EQ(second.wait(), 0);
  McpClient third(arguments(), log());
  EXPECT_EQ(third.result("status", {{"job", job}})["verdict"], "accepted");
}

// The same, but nobody wants it any more.
TEST_F(McpEnds, AJobOfAnEarlierServerIsCancelled) {
  killClientThatMeasures();
  const std::string job = jobOf(kWalksRows);
  McpClient second(arguments(), log());
  EXPECT_EQ(second.call("cancel", {{"job", job}})["state"], "cancelled");
  EXPECT_EQ(second.call("status", {{"job", job}, {"wait", 0}})["state"], "cancelled");
  EXPECT_EQ(second.result("evaluate", candidate("wrong", kWrong))["number"], 1) << "the cancelled one counts";
  EXPECT_EQ(second.call("attempts")["count"], 1);
  const json again = second.result("evaluate", candidate("rows", kWalksRows));
  EXPECT_EQ(again["verdict"], "accepted");
  EXPECT_FALSE(again.contains("was_tried_before"));
}

// In work, waiting behind it, and after its verdict; by the call that began it, and by the tool.
TEST_F(McpEnds, ACancelledCandidateHasNoVerdictAndMayComeAgain) {
  McpClient client(arguments(), log());
  client.result("describe_kernel");
  const auto isKnown = [&](const std::string &source) {
    return eventually([&] { return client.call("status", {{"job", jobOf(source)}, {"wait", 0}}).contains("state"); });
  };
  client.sendCall("works", "evaluate", candidate("rows", kWalksRows));
  client.untilProgress("benchmark");
  client.sendCall("waits", "evaluate", candidate("wrong", kWrong));
  client.sendCall("waits, too", "evaluate", candidate("forbidden", kForbidden));
  ASSERT_TRUE(isKnown(kWrong) && isKnown(kForbidden));

  client.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", "waits"}}}});
  EXPECT_EQ(client.call("cancel", {{"job", jobOf(kForbidden)}})["state"], "cancelled");
  EXPECT_EQ(client.answerTo("waits, too")["result"]["structuredContent"]["state"], "cancelled");
  EXPECT_EQ(client.call("cancel", {{"job", jobOf(kWalksRows)}})["state"], "cancelled");
  EXPECT_EQ(client.call("status", {{"job", jobOf(kWalksRows)}, {"wait", 0}})["state"], "cancelled");
  EXPECT_EQ(client.answerTo("works")["result"]["structuredContent"]["state"], "cancelled");

  // Sent while what it began still ends.
  const json again = client.result("evaluate", candidate("rows", kWalksRows));
  EXPECT_EQ(again["verdict"], "accepted");
  EXPECT_EQ(again["number"], 1) << "cancelled ones count";
  EXPECT_FALSE(again.contains("was_tried_before"));
  EXPECT_EQ(client.result("evaluate", candidate("wrong", kWrong))["number"], 2);
  EXPECT_EQ(client.call("cancel", {{"job", jobOf(kWalksRows)}})["state"], "done") << "its verdict stays";
  EXPECT_EQ(client.call("attempts")["count"], 2);

  client.sendCall("finishes", "finish", json::object());
  client.untilProgress("confirm");
  EXPECT_EQ(client.ended(client.call("cancel", {{"job", "column_sums/finish"}}))["state"], "cancelled");
  EXPECT_EQ(client.result("evaluate", candidate("forbidden", kForbidden))["number"], 3) << "the run goes on";
  EXPECT_FALSE(isVariantThere());
}

} // namespace
} // namespace agentic::e2e
