#include "tool/farm/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Feeds a text in pieces of `size` bytes.
std::vector<Message> readInPieces(const std::string &text, std::size_t size) {
  MessageReader reader;
  std::vector<Message> messages;
  for (std::size_t at = 0; at < text.size(); at += size) {
    reader.buffer() += text.substr(at, size);
    for (;;) {
      auto message = reader.next();
      EXPECT_TRUE(message) << message.error().message;
      if (!message || !*message)
        break;
      messages.push_back(std::move(**message));
    }
  }
  return messages;
}

TEST(Message, ArrivesWholeInPiecesOfAnySize) {
  const std::string bytes("\0\n{\"verb\"\xff", 11);
  const std::string text = wireText({{"verb", "hello"}}) + wireText({{"verb", "put"}, {"hash", "ab"}}, bytes) +
                           wireText({{"verb", "have"}, {"hashes", json::array()}});
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{7}, text.size()}) {
    const std::vector<Message> messages = readInPieces(text, size);
    ASSERT_EQ(messages.size(), 3u) << size;
    EXPECT_EQ(messages[0].json, (json{{"verb", "hello"}}));
    EXPECT_EQ(messages[1].json.value("hash", ""), "ab");
    EXPECT_EQ(messages[1].bytes, bytes);
    EXPECT_EQ(messages[2].json.value("verb", ""), "have");
    EXPECT_TRUE(messages[2].bytes.empty());
  }
}

TEST(Message, ATextThatIsNoneSaysWhatCame) {
  for (const char *text : {"Welcome to box1!\n", "[1, 2]\n", "{\"verb\": \n"}) {
    MessageReader reader;
    reader.buffer() = text;
    const auto message = reader.next();
    ASSERT_FALSE(message) << text;
    EXPECT_THAT(message.error().message, HasSubstr(std::string(text).substr(0, 6)));
    EXPECT_THAT(message.error().next, HasSubstr("greeting"));
  }
}

TEST(Message, AnnouncesOfMoreThanAFileEndTheConnection) {
  MessageReader reader;
  reader.buffer() = "{\"verb\": \"put\", \"bytes\": 99999999999}\n";
  EXPECT_FALSE(reader.next());
}

} // namespace
} // namespace agentic
