#include "tool/llm/framing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns "name|data" of each event.
template <class Cut> std::vector<std::string> eventsOf(const std::vector<std::string> &pieces) {
  std::vector<std::string> events;
  Cut framing([&](const StreamEvent &event) { events.push_back(event.name + "|" + event.data); });
  for (const std::string &piece : pieces)
    EXPECT_TRUE(framing.feed(piece));
  framing.end();
  return events;
}

TEST(Framing, TheSameEventsWhereverTheBytesAreSplit) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    std::string text = "\xEF\xBB\xBF: comment@event: start@data: {\"a\":@data:1}@@data: two@id: 7@retry: 10@@: ping@@";
    text += "unknown: x@data@data: last@@data: never dispatched";
    for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos; at += end.size())
      text.replace(at, 1, end);
    const auto expected = ElementsAre("start|{\"a\":\n1}", "|two", "|\nlast");
    EXPECT_THAT(eventsOf<SseFraming>({text}), expected);
    for (std::size_t i = 0; i <= text.size(); ++i)
      ASSERT_THAT(eventsOf<SseFraming>({text.substr(0, i), text.substr(i)}), expected) << "split at " << i;
    std::vector<std::string> bytes;
    for (const char c : text)
      bytes.emplace_back(1, c);
    EXPECT_THAT(eventsOf<SseFraming>(bytes), expected);
  }
}

TEST(Framing, JsonLinesTakeTheLastLineWithoutItsEnd) {
  const std::string text = "{\"a\":1}\r\n\n  \n{\"b\":2}\n{\"c\":3}";
  const auto expected = ElementsAre("|{\"a\":1}", "|{\"b\":2}", "|{\"c\":3}");
  for (std::size_t i = 0; i <= text.size(); ++i)
    ASSERT_THAT(eventsOf<LineFraming>({text.substr(0, i), text.substr(i)}), expected) << "split at " << i;
}

TEST(Framing, AnEventTooLongEndsIt) {
  const std::string megabyte(1u << 20, 'x');
  for (const bool inOneLine : {true, false}) {
    std::size_t handled = 0;
    SseFraming framing([&](const StreamEvent &) { ++handled; });
    bool goesOn = framing.feed("data: ");
    int fed = 0;
    for (; goesOn && fed < 64; ++fed)
      goesOn = framing.feed(inOneLine ? megabyte : megabyte + "\ndata: ");
    EXPECT_FALSE(goesOn);
    EXPECT_LE(fed, 17);
    EXPECT_FALSE(framing.feed("\n\ndata: x\n\n"));
    EXPECT_EQ(handled, 0u);
  }
}

TEST(Framing, NothingComesOfNothing) {
  EXPECT_THAT(eventsOf<SseFraming>({"", "\n\n\n", ": only comments\n\n", "event: x\n\n"}), IsEmpty());
  EXPECT_THAT(eventsOf<LineFraming>({"", "\n"}), IsEmpty());
}

} // namespace
} // namespace agentic
