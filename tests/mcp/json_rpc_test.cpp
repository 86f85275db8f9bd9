// Lines of bytes become messages, whatever they hold.
#include "tool/mcp/json_rpc.h"
#include "tool/mcp/line_reader.h"

#include <gtest/gtest.h>

namespace agentic::mcp {
namespace {

struct Row {
  const char *what;
  std::string line;
  Incoming::Kind kind;
  int code; ///< of an invalid one
  Json id;
};

std::string nested(int depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(JsonRpc, EveryLineIsAMessageOrAnError) {
  using Kind = Incoming::Kind;
  const Row rows[] = {
      {"a request", R"({"jsonrpc":"2.0","id":1,"method":"ping"})", Kind::Request, 0, 1},
      {"id 0", R"({"jsonrpc":"2.0","id":0,"method":"ping"})", Kind::Request, 0, 0},
      {"a text as id", R"({"jsonrpc":"2.0","id":"x","method":"ping","params":{}})", Kind::Request, 0, "x"},
      {"params null", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":null})", Kind::Request, 0, 1},
      {"a notification", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", Kind::Notification, 0, nullptr},
      {"a response", R"({"jsonrpc":"2.0","id":7,"result":{}})", Kind::Response, 0, 7},
      {"an error", R"({"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}})", Kind::Response, 0, 7},
      {"no JSON", "hello", Kind::Invalid, kParseError, nullptr},
      {"half a message", R"({"jsonrpc":"2.0","id":1)", Kind::Invalid, kParseError, nullptr},
      {"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}", Kind::Invalid, kParseError, nullptr},
      {"a number out of range", R"({"jsonrpc":"2.0","id":1e999,"method":"ping"})", Kind::Invalid, kParseError, nullptr},
      {"a number", "42", Kind::Invalid, kInvalidRequest, nullptr},
      {"an empty batch", "[]", Kind::Invalid, kInvalidRequest, nullptr},
      {"another version", R"({"jsonrpc":"1.0","id":3,"method":"ping"})", Kind::Invalid, kInvalidRequest, 3},
      {"no version", R"({"id":3,"method":"ping"})", Kind::Invalid, kInvalidRequest, 3},
      {"no method", R"({"jsonrpc":"2.0","id":3})", Kind::Invalid, kInvalidRequest, 3},
      {"a method that is no text", R"({"jsonrpc":"2.0","id":3,"method":5})", Kind::Invalid, kInvalidRequest, 3},
      {"id null", R"({"jsonrpc":"2.0","id":null,"method":"ping"})", Kind::Invalid, kInvalidRequest, nullptr},
      {"a fraction as id", R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", Kind::Invalid, kInvalidRequest, nullptr},
      {"an object as id", R"({"jsonrpc":"2.0","id":{},"method":"ping"})", Kind::Invalid, kInvalidRequest, nullptr},
      {"an array of params", R"({"jsonrpc":"2.0","id":3,"method":"ping","params":[1]})", Kind::Invalid, kInvalidParams,
       3},
      {"deep", nested(100000), Kind::Invalid, kInvalidRequest, nullptr},
      {"a huge id", R"({"jsonrpc":"2.0","id":")" + std::string(2000, 'x') + R"(","method":"ping"})", Kind::Invalid,
       kInvalidRequest, nullptr},
      {"a huge line", std::string(kMostLineBytes + 1, ' '), Kind::Invalid, kInvalidRequest, nullptr},
  };
  for (const Row &row : rows) {
    SCOPED_TRACE(row.what);
    const IncomingLine line = readLine(row.line);
    ASSERT_EQ(line.messages.size(), 1U);
    EXPECT_EQ(line.messages[0].kind, row.kind);
    EXPECT_EQ(line.messages[0].id, row.id);
    EXPECT_TRUE(line.messages[0].params.is_object());
    if (row.kind == Kind::Invalid) {
      EXPECT_EQ(line.messages[0].error.code, row.code);
      EXPECT_NE(line.messages[0].error.message, "");
    }
  }
}

TEST(JsonRpc, BracketsInStringsAreNoDepth) {
  const Json message = {{"jsonrpc", "2.0"},
                        {"id", 1},
                        {"method", "m"},
                        {"params", {{"text", std::string(500, '[') + "\\\"" + std::string(500, '{')}}}};
  EXPECT_EQ(readLine(message.dump()).messages[0].kind, Incoming::Kind::Request);
}

TEST(JsonRpc, ABatchHoldsItsMessages) {
  const IncomingLine line = readLine(R"([{"jsonrpc":"2.0","id":1,"method":"a"},5])");
  EXPECT_TRUE(line.isBatch);
  ASSERT_EQ(line.messages.size(), 2U);
  EXPECT_EQ(line.messages[0].method, "a");
  EXPECT_EQ(line.messages[1].error.code, kInvalidRequest);
}

TEST(JsonRpc, ALineOfABadTextIsUtf8) {
  EXPECT_EQ(lineOf({{"a", "\xff\nb"}}), "{\"a\":\"\xEF\xBF\xBD\\nb\"}");
}

TEST(LineReader, SplitsAtAnyByte) {
  const std::string bytes = "one\r\ntwo\n\n  \nthree\nrest";
  for (std::size_t step = 1; step < bytes.size(); ++step) {
    LineReader reader;
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < bytes.size(); at += step)
      for (const LineReader::Line &line : reader.take(std::string_view(bytes).substr(at, step)))
        lines.push_back(line.text);
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three"})) << step;
  }
}

TEST(LineReader, DropsWhatIsTooLong) {
  LineReader reader;
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(reader.take(piece).empty());
  const auto lines = reader.take("end\nnext\n");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].isTooLong);
  EXPECT_EQ(lines[1].text, "next");
}

} // namespace
} // namespace agentic::mcp
