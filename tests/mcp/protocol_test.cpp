// The conformance table: what is answered to a request, in both eras.
#include "tests/mcp/fake_host.h"

namespace agentic::mcp {
namespace {

constexpr const char *kServer = "io.modelcontextprotocol/serverInfo";

Json answered(const std::string &method, Json params = Json::object()) {
  Client client;
  client.request(1, method, std::move(params));
  const Json line = client.line(1);
  EXPECT_EQ(line["id"], 1);
  EXPECT_EQ(line["jsonrpc"], "2.0");
  return line;
}

TEST(Protocol, InitializeSettlesAVersion) {
  for (const char *version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    const Json result =
        answered("initialize", {{"protocolVersion", version}, {"capabilities", Json::object()}})["result"];
    EXPECT_EQ(result["protocolVersion"], version);
    EXPECT_EQ(result["serverInfo"]["name"], "agentic-kernel");
    EXPECT_TRUE(result["capabilities"]["tools"].is_object());
    EXPECT_TRUE(result["instructions"].is_string());
    EXPECT_FALSE(result.contains("resultType"));
  }
  for (const char *unknown : {"2023-01-01", "2026-07-28", "2099-01-01", ""})
    EXPECT_EQ(answered("initialize", {{"protocolVersion", unknown}})["result"]["protocolVersion"], "2025-11-25");
  EXPECT_EQ(answered("initialize")["error"]["code"], kInvalidParams);
}

TEST(Protocol, ModernRequestsNeedNoHandshake) {
  const Json discovered = answered("server/discover", {{"_meta", modern()}})["result"];
  EXPECT_EQ(discovered["supportedVersions"], Json::array({"2026-07-28"}));
  EXPECT_EQ(discovered["resultType"], "complete");
  EXPECT_TRUE(discovered["capabilities"]["tools"].is_object());
  for (const char *method : {"tools/list", "resources/list", "resources/templates/list", "prompts/list"}) {
    const Json result = answered(method, {{"_meta", modern()}})["result"];
    EXPECT_EQ(result["resultType"], "complete") << method;
    EXPECT_TRUE(result["ttlMs"].is_number_integer()) << method;
    EXPECT_TRUE(result["cacheScope"].is_string()) << method;
    EXPECT_EQ(result["_meta"][kServer]["name"], "agentic-kernel") << method;
    EXPECT_FALSE(answered(method)["result"].contains("resultType")) << method;
  }
}

TEST(Protocol, AVersionThatWeDoNotSpeakIsNamed) {
  for (const Json &version : {Json("2030-01-01"), Json(7), Json(nullptr), Json("2025-11-25")}) {
    const Json error =
        answered("tools/list", {{"_meta", {{"io.modelcontextprotocol/protocolVersion", version}}}})["error"];
    EXPECT_EQ(error["code"], kUnsupportedVersion);
    EXPECT_EQ(error["data"]["supported"], Json::array({"2026-07-28"}));
  }
}

TEST(Protocol, ErrorsHaveTheirCodes) {
  const struct {
    const char *method;
    Json params;
    int code;
  } rows[] = {
      {"no/such", Json::object(), kMethodNotFound},
      {"server/discover", Json::object(), kMethodNotFound}, // the modern way alone
      {"logging/setLevel", {{"level", "debug"}}, kMethodNotFound},
      {"tools/call", Json::object(), kInvalidParams},
      {"tools/call", {{"name", 5}}, kInvalidParams},
      {"tools/call", {{"name", "no_such"}}, kInvalidParams},
      {"tools/call", {{"name", "echo"}, {"arguments", Json::array()}}, kInvalidParams},
      {"tools/list", {{"cursor", "x"}}, kInvalidParams},
      {"resources/read", Json::object(), kInvalidParams},
      {"resources/read", {{"uri", "x://other"}}, kResourceNotFound},
      {"resources/read", {{"uri", "x://other"}, {"_meta", modern()}}, kInvalidParams},
      {"prompts/get", {{"name", "other"}}, kInvalidParams},
      {"prompts/get", {{"name", "optimize"}}, kInvalidParams},
      {"prompts/get", {{"name", "optimize"}, {"arguments", {{"kernel", 5}}}}, kInvalidParams},
  };
  for (const auto &row : rows)
    EXPECT_EQ(answered(row.method, row.params)["error"]["code"], row.code) << row.method << row.params;
}

TEST(Protocol, ListsWhatTheHostHas) {
  const Json tools = answered("tools/list")["result"]["tools"];
  ASSERT_EQ(tools.size(), 2U);
  EXPECT_EQ(tools[0]["name"], "echo");
  EXPECT_EQ(tools[0]["inputSchema"]["type"], "object");
  EXPECT_EQ(tools[0]["outputSchema"]["type"], "object");
  // Clients refuse a failed result that does not fit.
  EXPECT_EQ(tools[0]["outputSchema"]["anyOf"], Json::parse(R"([{"required":["echo"]},{"required":["error"]}])"));
  EXPECT_EQ(answered("resources/read", {{"uri", "x://page"}})["result"]["contents"][0]["text"], "the page");
  EXPECT_EQ(answered("prompts/get", {{"name", "optimize"},
                                     {"arguments", {{"kernel", "gemm"}}}})["result"]["messages"][0]["content"]["text"],
            "optimize gemm");
  EXPECT_EQ(answered("ping")["result"], Json::object());
}

// A model can act on what is wrong with its arguments, so it is a result.
TEST(Protocol, BadArgumentsAreAResult) {
  const struct {
    Json arguments;
    const char *word;
  } rows[] = {
      {Json::object(), "'text' is missing"},
      {{{"text", 5}}, "'text' is no string"},
      {{{"text", "x"}, {"more", 1}}, "no argument 'more'"},
      {{{"text", "x"}, {"n", 26}}, "'n' is more than 25"},
      {{{"text", "x"}, {"n", -1}}, "'n' is less than 0"},
      {{{"text", "x"}, {"n", 1.5}}, "'n' is no integer"},
      {{{"text", std::string((1 << 20) + 1, 'x')}}, "the most is 1048576"},
  };
  for (const auto &row : rows) {
    Client client;
    client.call(1, "echo", row.arguments);
    const Json result = client.line(1)["result"];
    EXPECT_EQ(result["isError"], true);
    EXPECT_NE(result["structuredContent"]["error"]["message"].get<std::string>().find(row.word), std::string::npos)
        << result;
  }
}

} // namespace
} // namespace agentic::mcp
