#include "tool/base/piped_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace agentic {
namespace {

using testing::HasSubstr;

constexpr double kPatience = 600;

std::unique_ptr<PipedProcess> started(std::vector<std::string> argv) {
  auto peer = PipedProcess::start(std::move(argv), {"PATH=/usr/bin:/bin", "MARK=here"});
  EXPECT_TRUE(peer) << peer.error().message;
  return peer ? std::move(*peer) : nullptr;
}

/// Receives until `size` bytes came, or the end.
std::string received(PipedProcess &peer, std::size_t size) {
  std::string text;
  while (text.size() < size && peer.receive(text, kPatience) == PipedProcess::Received::Bytes) {
  }
  return text;
}

TEST(PipedProcess, TalksBothWays) {
  const auto peer = started({"cat"});
  for (const std::string text : {"one\n", "two\n"}) {
    ASSERT_TRUE(peer->send(text, kPatience));
    EXPECT_EQ(received(*peer, text.size()), text);
  }
  std::string nothing;
  EXPECT_EQ(peer->receive(nothing, 0), PipedProcess::Received::Nothing);
  EXPECT_EQ(peer->ending(kPatience), "exited with status 0") << "the end of its input ends it";
}

TEST(PipedProcess, HasItsOwnEnvironmentAlone) {
  const auto peer = started({"/bin/sh", "-c", "echo \"$MARK-$HOME\""});
  EXPECT_EQ(received(*peer, 6), "here-\n");
}

TEST(PipedProcess, ItsEndIsSeenWithItsWords) {
  const auto peer = started({"/bin/sh", "-c", "echo out; echo the reason >&2; exit 7"});
  EXPECT_EQ(received(*peer, 100), "out\n");
  const std::string ending = peer->ending(kPatience);
  EXPECT_THAT(ending, HasSubstr("status 7"));
  EXPECT_THAT(ending, HasSubstr("the reason"));
  EXPECT_FALSE(peer->send("too late", kPatience));
}

TEST(PipedProcess, AProgramThatDoesNotExistEnds) {
  const auto peer = started({"no-such-program-anywhere"});
  EXPECT_EQ(received(*peer, 1), "");
  EXPECT_THAT(peer->ending(kPatience), HasSubstr("no-such-program-anywhere"));
}

TEST(PipedProcess, MegabytesGoThrough) {
  const auto peer = started({"wc", "-c"});
  const std::string bytes(5'000'000, 'x');
  ASSERT_TRUE(peer->send(bytes, kPatience));
  peer->endInput();
  EXPECT_EQ(received(*peer, 8), "5000000\n");
}

TEST(PipedProcess, WhoDoesNotReadIsNotWaitedForWhenCancelled) {
  const auto peer = started({"sleep", "600"});
  std::atomic<bool> cancelled = false;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancelled = true;
  });
  EXPECT_FALSE(peer->send(std::string(5'000'000, 'x'), kPatience, &cancelled));
  EXPECT_TRUE(cancelled);
  EXPECT_FALSE(peer->send(std::string(5'000'000, 'x'), 0.1)) << "nor for longer than it is given";
}

} // namespace
} // namespace agentic
