// Messages from another machine, cut, changed and mixed: each is a message or an error, never a crash or a loop.
#include "tool/farm/message.h"

#include <gtest/gtest.h>

#include <random>

namespace agentic {
namespace {

std::string changed(std::string text, std::mt19937_64 &random) {
  for (std::size_t changes = random() % 6; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size();
    switch (random() % 4) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.erase(at, random() % 9);
      break;
    case 2:
      text.insert(at, text.substr(random() % text.size(), random() % 20));
      break;
    default:
      text.insert(at, 1, "{}[]\",:\n0-9"[random() % 11]);
    }
  }
  return text;
}

TEST(MessageFuzz, TwentyThousandConversations) {
  std::mt19937_64 random(2026);
  const std::string whole = wireText({{"verb", "put"}, {"hash", "0a"}}, "some\nbytes") +
                            wireText({{"task", "77"}, {"result", {{"outcome", {{"pairs", 3}}}}}}) +
                            wireText({{"hello", {{"version", "0.1.0"}, {"features", {"avx2", "bmi2"}}}}});
  std::size_t understood = 0, refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = changed(whole, random);
    MessageReader reader;
    for (std::size_t at = 0, size = 0; at < text.size(); at += size) {
      size = 1 + random() % 40;
      reader.buffer() += text.substr(at, size);
      bool isOver = false;
      for (;;) {
        const auto message = reader.next();
        isOver = !message;
        if (!message || !*message)
          break;
        EXPECT_TRUE((*message)->json.is_object());
        ++understood;
      }
      if (isOver) {
        ++refused;
        break;
      }
    }
  }
  EXPECT_GT(understood, 20'000u);
  EXPECT_GT(refused, 2'000u);
}

} // namespace
} // namespace agentic
