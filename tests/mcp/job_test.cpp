// Jobs and orders: the parts of a session that need no kernel.
#include "tool/mcp/answers.h"
#include "tool/mcp/run_agent.h"

#include <gtest/gtest.h>

#include <thread>

namespace agentic::mcp {
namespace {

class PlainCall : public Call {
public:
  const Json &arguments() const override { return arguments_; }
  bool isCancelled() const override { return cancelled; }
  void progress(const std::string &what) override { steps.push_back(what); }
  std::vector<std::string> steps;
  std::atomic<bool> cancelled = false;

private:
  Json arguments_ = Json::object();
};

std::shared_ptr<Job> job(const std::string &id) {
  return std::make_shared<Job>(id, "beginning");
}

TEST(Job, EndsOnce) {
  Job one("k/evaluate/c1", "beginning");
  EXPECT_EQ(one.view(), (Json{{"job", "k/evaluate/c1"}, {"state", "running"}, {"doing", "beginning"}}));
  one.succeed({{"a", 1}});
  one.fail({ErrorKind::User, "late", ""});
  one.cancel("late");
  EXPECT_EQ(one.view(), (Json{{"job", "k/evaluate/c1"}, {"state", "done"}, {"result", {{"a", 1}}}}));
}

TEST(Job, SaysThatItEndsUntilItHasEnded) {
  Job one("k/finish", "confirming");
  one.ends();
  one.does("measuring");
  EXPECT_EQ(one.view()["state"], "running");
  EXPECT_EQ(one.view()["doing"], "ending: it was cancelled");
  one.cancel("the run was interrupted");
  EXPECT_EQ(one.view()["state"], "cancelled");
}

TEST(Job, AWaitEndsWithItsTimeItsCallOrTheJob) {
  Job one("j", "first");
  PlainCall call;
  one.wait(0, call);
  call.cancelled = true;
  one.wait(3600, call);
  EXPECT_FALSE(one.hasEnded());
  call.cancelled = false;
  std::thread worker([&] {
    one.does("second");
    one.fail({ErrorKind::User, "why", "next"});
  });
  one.wait(3600, call);
  worker.join();
  EXPECT_EQ(one.view()["error"], (Json{{"message", "why"}, {"next", "next"}}));
}

TEST(Orders, ComeInTheirOrderAndCanBeTakenOut) {
  Orders orders;
  for (const char *id : {"a", "b", "c"})
    EXPECT_TRUE(orders.add({.job = job(id)}));
  EXPECT_TRUE(orders.remove("b"));
  EXPECT_FALSE(orders.remove("b"));
  EXPECT_EQ(orders.next([] { return false; })->job->id(), "a");
  orders.addFirst({.job = job("a")});
  EXPECT_TRUE(orders.contains("a"));
  EXPECT_EQ(orders.next([] { return false; })->job->id(), "a");
  EXPECT_EQ(orders.next([] { return false; })->job->id(), "c");
  EXPECT_FALSE(orders.next([] { return true; }));
}

TEST(Orders, AreBounded) {
  Orders orders;
  for (std::size_t i = 0; i < Orders::kMost; ++i)
    EXPECT_TRUE(orders.add({.job = job("x")}));
  EXPECT_FALSE(orders.add({.job = job("x")}));
  orders.failAll(interruptedError().error());
  EXPECT_TRUE(orders.isEmpty());
}

TEST(Answers, ANameIsFitForAHeader) {
  EXPECT_EQ(plainName("a/../b c\n*/"), "a_.._b_c___");
  EXPECT_EQ(plainName(""), "candidate");
  EXPECT_EQ(plainName(std::string(100, 'x')).size(), 40U);
  EXPECT_EQ(plainName("\xc3\xa9"), "__");
}

} // namespace
} // namespace agentic::mcp
