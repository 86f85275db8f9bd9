// Mutated messages: no crash, no hang, and whatever is answered is JSON-RPC. Compiled with sanitizers.
#include "tests/mcp/fake_host.h"

#include <random>

namespace agentic::mcp {
namespace {

constexpr int kMessages = 5000;

const std::vector<std::string> kSeeds = {
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}})",
    R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"progressToken":0}}})",
    R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"\u00e9\n","n":3}}})",
    R"({"jsonrpc":"2.0","id":"four","method":"tools/call","params":{"name":"wait","arguments":{},"_meta":{"progressToken":"t"}}})",
    R"({"jsonrpc":"2.0","id":5,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})",
    R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"four"}})",
    R"([{"jsonrpc":"2.0","id":6,"method":"ping"},{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"x://page"}}])",
    R"({"jsonrpc":"2.0","id":8,"method":"prompts/get","params":{"name":"optimize","arguments":{"kernel":"k"}}})",
};
const std::vector<std::string> kWords = {"{",       "}",        "[",       "]",           "\"",        "\\",   ",",
                                         ":",       "null",     "1e999",   "-1",          "true",      "\xff", "\xc3",
                                         "\\ud800", "[[[[[[[[", "\"id\":", "\"params\":", "\"_meta\":"};

std::string mutated(std::mt19937 &random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::string text = kSeeds[below(kSeeds.size())];
  for (std::size_t times = below(4); times > 0 && !text.empty(); --times) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.erase(at, 1 + below(20));
      break;
    case 2:
      text.insert(at, kWords[below(kWords.size())]);
      break;
    case 3:
      text.resize(at);
      break;
    case 4:
      text.insert(at, text.substr(below(text.size()), below(40)));
      break;
    default:
      text.replace(at, std::min<std::size_t>(text.size() - at, below(8)), kWords[below(kWords.size())]);
      break;
    }
  }
  return text;
}

bool isMessage(const Json &line) {
  if (!line.is_object() || line.value("jsonrpc", "") != "2.0")
    return false;
  if (line.contains("method"))
    return line["method"] == "notifications/progress" && !line.contains("id");
  if (!line.contains("id") || !(line["id"].is_null() || line["id"].is_string() || line["id"].is_number_integer()))
    return false;
  return line.contains("result") != line.contains("error") &&
         (!line.contains("error") ||
          (line["error"]["code"].is_number_integer() && line["error"]["message"].is_string()));
}

TEST(ProtocolFuzz, MutatedMessagesAreAnsweredByMessages) {
  std::mt19937 random(20261127);
  int answers = 0;
  FakeHost host;
  host.letEnd();
  std::mutex mutex;
  std::vector<std::string> lines;
  {
    Connection connection(host, [&](std::string line) {
      const std::lock_guard<std::mutex> lock(mutex);
      lines.push_back(std::move(line));
    });
    LineReader reader;
    for (int i = 0; i < kMessages; ++i)
      for (const LineReader::Line &line : reader.take(mutated(random) + "\n"))
        connection.receive(line);
  }
  for (const std::string &text : lines) {
    const Json line = Json::parse(text, nullptr, false);
    ASSERT_FALSE(line.is_discarded()) << text;
    for (const Json &one : line.is_array() ? line : Json::array({line}))
      EXPECT_TRUE(isMessage(one)) << one;
    ++answers;
  }
  EXPECT_GT(answers, kMessages / 2);
}

} // namespace
} // namespace agentic::mcp
