// Tests the drawing thread: its frequency, and that nothing is lost between two frames.
#include "tool/cli/live_area.h"

#include <array>
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <semaphore>
#include <string>
#include <thread>
#include <unistd.h>

namespace agentic {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kFrames = 6;

/// Has new content for every frame, and notes the times of the requests.
class Counter : public LiveSource {
public:
  std::vector<LiveLine> lines(const LiveSize &) override {
    asked.push_back(Clock::now());
    if (asked.size() == kFrames)
      enough.release();
    const std::string text = "frame " + std::to_string(asked.size());
    return {{text, text.size()}};
  }
  void activity(const std::string &) override {}

  std::vector<Clock::time_point> asked;
  std::binary_semaphore enough{0};
};

TEST(LiveArea, DrawsAtMostTenTimesASecondHoweverMuchHappens) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  std::string written;
  std::thread reader([&] {
    std::array<char, 4096> bytes{};
    for (ssize_t got; (got = ::read(ends[0], bytes.data(), bytes.size())) > 0;)
      written.append(bytes.data(), static_cast<std::size_t>(got));
  });
  Counter counter;
  LiveArea area(ends[1], false);
  area.begin(counter);
  int lines = 0;
  while (!counter.enough.try_acquire_for(1ms)) {
    area.print("line " + std::to_string(++lines) + "\n");
    area.touch();
  }
  area.end();
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  ASSERT_GE(counter.asked.size(), kFrames);
  // A busy machine makes these longer, never shorter.
  for (std::size_t i = 1; i < counter.asked.size(); ++i)
    EXPECT_GE(counter.asked[i] - counter.asked[i - 1], 100ms) << "frame " << i;
  for (int i = 1; i <= lines; ++i)
    EXPECT_THAT(written, testing::HasSubstr("line " + std::to_string(i) + "\n"));
}

} // namespace
} // namespace agentic
