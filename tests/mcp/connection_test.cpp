// Calls of tools beside each other: progress, cancellation before, during and after, batches, ends.
#include "tests/mcp/fake_host.h"

namespace agentic::mcp {
namespace {

Json cancelled(const Json &id) {
  return {{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}, {"reason", "x"}}}};
}

TEST(Connection, TextAndStructuredContentAreEqual) {
  Client client;
  client.call("a", "echo", {{"text", "\"quoted\"\nlines \u00e9"}});
  const Json result = client.line(1)["result"];
  EXPECT_EQ(result["isError"], false);
  EXPECT_EQ(result["structuredContent"]["echo"]["text"], "\"quoted\"\nlines \u00e9");
  EXPECT_EQ(Json::parse(result["content"][0]["text"].get<std::string>()), result["structuredContent"]);
}

TEST(Connection, AMegabyteOfSourceArrives) {
  Client client;
  client.call(1, "echo", {{"text", std::string(1 << 20, '[')}});
  EXPECT_EQ(client.line(1)["result"]["structuredContent"]["echo"]["text"].get<std::string>().size(), 1U << 20);
}

TEST(Connection, BytesThatAreNoTextAreReplacedInBoth) {
  Client client;
  client.host.letEnd();
  client.call(1, "wait", Json::object());
  const Json result = client.line(1)["result"];
  EXPECT_EQ(result["structuredContent"]["text"], "\uFFFD bad");
  EXPECT_EQ(Json::parse(result["content"][0]["text"].get<std::string>()), result["structuredContent"]);
}

TEST(Connection, PingIsAnsweredWhileAToolRuns) {
  Client client;
  client.call(1, "wait", Json::object());
  client.host.untilWaiting(1);
  client.request(2, "ping");
  EXPECT_EQ(client.line(1)["id"], 2);
  client.host.letEnd();
  EXPECT_EQ(client.line(2)["id"], 1);
}

TEST(Connection, TwoCallsRunBesideEachOther) {
  Client client;
  client.call(1, "wait", Json::object());
  client.call(2, "wait", Json::object());
  client.host.untilWaiting(2);
  client.host.letEnd();
  EXPECT_EQ(client.line(1)["id"].get<int>() + client.line(2)["id"].get<int>(), 3);
}

TEST(Connection, ProgressHasTheTokenAndIncreases) {
  for (const Json &token : {Json(0), Json("t"), Json(7)}) {
    Client client;
    client.call(1, "wait", Json::object(), {{"progressToken", token}});
    for (const int n : {1, 2}) {
      const Json line = client.line(n);
      EXPECT_EQ(line["method"], "notifications/progress");
      EXPECT_EQ(line["params"]["progressToken"], token);
      EXPECT_EQ(line["params"]["progress"], n);
      EXPECT_FALSE(line.contains("id"));
    }
    client.host.letEnd();
    EXPECT_EQ(client.line(3)["id"], 1);
  }
}

TEST(Connection, NobodyHearsOfProgressWithoutAToken) {
  for (const Json &meta :
       {Json(nullptr), Json::object(), Json{{"progressToken", nullptr}}, Json{{"progressToken", Json::array()}}}) {
    Client client;
    client.host.letEnd();
    client.call(1, "wait", Json::object(), meta);
    EXPECT_EQ(client.line(1)["id"], 1);
  }
}

TEST(Connection, ACancelledCallEndsAndIsNotAnswered) {
  Client client;
  client.call("x", "wait", Json::object());
  client.host.untilWaiting(1);
  client.send(cancelled("x"));
  client.host.untilEnded(1);
  client.request(2, "ping");
  EXPECT_EQ(client.line(1)["id"], 2);
  client.end();
  EXPECT_EQ(client.lines(), 1U);
}

TEST(Connection, ACancelledCallTellsNothingMore) {
  Client client;
  client.call("x", "wait", Json::object(), {{"progressToken", 0}});
  client.line(2);
  client.send(cancelled("x"));
  client.host.untilEnded(1);
  client.request(2, "ping");
  EXPECT_EQ(client.line(3)["id"], 2);
  client.end();
  EXPECT_EQ(client.lines(), 3U);
}

TEST(Connection, CancellationsOfWhatIsNotInWorkAreIgnored) {
  Client client;
  client.send(cancelled(1)); // before
  client.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}});
  client.call(1, "echo", {{"text", "x"}});
  EXPECT_EQ(client.line(1)["id"], 1);
  client.send(cancelled(1)); // after
  client.send(cancelled("1"));
  client.request(2, "ping");
  EXPECT_EQ(client.line(2)["id"], 2);
}

TEST(Connection, AnIdInWorkIsRefused) {
  Client client;
  client.call(1, "wait", Json::object());
  client.host.untilWaiting(1);
  client.call(1, "echo", {{"text", "x"}});
  EXPECT_EQ(client.line(1)["error"]["code"], kInvalidRequest);
  client.host.letEnd();
  EXPECT_EQ(client.line(2)["result"]["isError"], false);
}

TEST(Connection, CallsAreBounded) {
  Client client;
  for (int i = 0; i < 16; ++i)
    client.call(i, "wait", Json::object());
  client.host.untilWaiting(16);
  client.call(16, "echo", {{"text", "x"}});
  EXPECT_EQ(client.line(1)["result"]["isError"], true);
  client.host.letEnd();
  client.line(17);
}

TEST(Connection, TheEndCancelsWhatIsInWork) {
  Client client;
  client.call(1, "wait", Json::object());
  client.host.untilWaiting(1);
  client.end();
  EXPECT_EQ(client.lines(), 0U);
}

TEST(Connection, NotificationsAndResponsesHaveNoAnswer) {
  Client client;
  client.send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  client.send({{"jsonrpc", "2.0"}, {"method", "no/such"}});
  client.send({{"jsonrpc", "2.0"}, {"id", 9}, {"result", Json::object()}});
  client.request(1, "ping");
  EXPECT_EQ(client.line(1)["id"], 1);
}

TEST(Connection, WhatIsNoMessageIsAnswered) {
  Client client;
  client.sendText("\xff\xfe");
  EXPECT_EQ(client.line(1)["error"]["code"], kParseError);
  EXPECT_EQ(client.line(1)["id"], nullptr);
  client.tooLong();
  EXPECT_EQ(client.line(2)["error"]["code"], kInvalidRequest);
}

// Batches came with 2025-03-26 and went with the version after it.
TEST(Connection, BatchesAreOfOneVersion) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},)"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}},7])";
  for (const char *version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    Client client;
    client.request(0, "initialize", {{"protocolVersion", version}});
    client.line(1);
    client.sendText(batch);
    const Json line = client.line(2);
    if (version != std::string("2025-03-26")) {
      EXPECT_EQ(line["error"]["code"], kInvalidRequest) << version;
      continue;
    }
    ASSERT_TRUE(line.is_array());
    std::set<Json> ids;
    for (const Json &one : line)
      ids.insert(one["id"]);
    EXPECT_EQ(ids, (std::set<Json>{1, 2, nullptr}));
    client.sendText(R"([{"jsonrpc":"2.0","method":"notifications/x"}])"); // nothing to answer
    client.request(5, "ping");
    EXPECT_EQ(client.line(3)["id"], 5);
  }
}

} // namespace
} // namespace agentic::mcp
