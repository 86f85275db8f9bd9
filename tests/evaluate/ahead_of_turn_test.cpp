#include "tool/evaluate/pipeline/ahead_of_turn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <semaphore>

namespace agentic {
namespace {

using ::testing::ElementsAre;

std::vector<Candidate> named(const std::vector<std::string> &ids) {
  std::vector<Candidate> candidates;
  for (const std::string &id : ids)
    candidates.push_back({.id = id, .text = id, .origin = ""});
  return candidates;
}

/// Work whose begin is announced and whose end is permitted, one step at a time.
class AheadTest : public ::testing::Test {
protected:
  std::optional<std::string> work(const Candidate &candidate) {
    {
      const std::lock_guard lock(mutex_);
      begun_.push_back(candidate.id);
    }
    began_.release();
    for (int step = 0; step < steps; ++step) {
      if (step > 0)
        queue->rest();
      permitted_.acquire();
      stepped_.release();
    }
    return candidate.id == "nothing" ? std::nullopt : std::optional("found " + candidate.id);
  }
  void start(std::size_t workers) {
    queue = std::make_unique<AheadOfTurn<std::string>>(
        workers, [this](std::size_t, const Candidate &candidate) { return work(candidate); });
  }
  std::vector<std::string> begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }

  int steps = 1;
  std::mutex mutex_;
  std::vector<std::string> begun_;
  std::counting_semaphore<100> began_{0}, permitted_{0}, stepped_{0};
  std::unique_ptr<AheadOfTurn<std::string>> queue;
};

TEST_F(AheadTest, WorksInOrderAndIsTakenOnce) {
  permitted_.release(10);
  start(1);
  queue->expect(named({"a", "b", "nothing", "c"}));
  for (int i = 0; i < 4; ++i)
    began_.acquire();
  EXPECT_EQ(queue->take("b", nullptr), "found b");
  EXPECT_EQ(queue->take("c", nullptr), "found c") << "it is waited for";
  EXPECT_EQ(queue->take("nothing", nullptr), std::nullopt);
  EXPECT_EQ(queue->take("a", nullptr), "found a");
  EXPECT_EQ(queue->take("a", nullptr), std::nullopt);
  EXPECT_THAT(begun(), ElementsAre("a", "b", "nothing", "c"));
}

TEST_F(AheadTest, WhatHasNotBegunIsDroppedByTakingItAndByOtherExpectations) {
  start(1);
  queue->expect(named({"a", "b", "c", "d"}));
  began_.acquire();
  EXPECT_EQ(queue->take("b", nullptr), std::nullopt);
  queue->expect(named({"a", "d", "e"}));
  permitted_.release(10);
  began_.acquire();
  began_.acquire();
  EXPECT_EQ(queue->take("e", nullptr), "found e");
  EXPECT_EQ(queue->take("a", nullptr), "found a");
  EXPECT_THAT(begun(), ElementsAre("a", "d", "e"));
}

TEST_F(AheadTest, IsWorkedOnOnceHoweverOftenItIsExpected) {
  permitted_.release(10);
  start(1);
  queue->expect(named({"a", "a", "b"}));
  began_.acquire();
  began_.acquire();
  EXPECT_EQ(queue->take("b", nullptr), "found b");
  queue->expect(named({"a", "c"}));
  began_.acquire();
  EXPECT_EQ(queue->take("c", nullptr), "found c");
  EXPECT_THAT(begun(), ElementsAre("a", "b", "c"));
}

TEST_F(AheadTest, SeveralAtOnce) {
  start(3);
  queue->expect(named({"a", "b", "c", "d"}));
  for (int i = 0; i < 3; ++i)
    began_.acquire();
  EXPECT_FALSE(began_.try_acquire());
  permitted_.release(10);
  EXPECT_EQ(queue->take("c", nullptr), "found c");
}

TEST_F(AheadTest, NothingGoesOnDuringAPause) {
  steps = 2;
  start(1);
  queue->expect(named({"a"}));
  began_.acquire();
  const std::atomic<bool> cancelled = true;
  queue->pause(&cancelled); // it begins, whoever waits for it
  auto paused = std::async(std::launch::async, [&] { queue->pause(nullptr); });
  EXPECT_EQ(paused.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout) << "in the middle of a step";
  permitted_.release(10);
  paused.get();
  stepped_.acquire();
  EXPECT_FALSE(stepped_.try_acquire_for(std::chrono::milliseconds(50))) << "the second step began";
  queue->resume();
  EXPECT_EQ(queue->take("a", nullptr), "found a");
}

TEST_F(AheadTest, NoWorkBeginsDuringAPause) {
  start(1);
  queue->pause(nullptr);
  queue->expect(named({"a"}));
  EXPECT_FALSE(began_.try_acquire_for(std::chrono::milliseconds(50)));
  queue->resume();
  began_.acquire();
  permitted_.release();
  EXPECT_EQ(queue->take("a", nullptr), "found a");
}

TEST_F(AheadTest, WhoeverWaitsCanBeInterrupted) {
  start(1);
  queue->expect(named({"a"}));
  began_.acquire();
  std::atomic<bool> cancelled = true;
  EXPECT_EQ(queue->take("a", &cancelled), std::nullopt);
  queue->pause(&cancelled);
  queue->resume();
  permitted_.release();
}

TEST_F(AheadTest, AnEndStopsTheWork) {
  std::promise<void> began;
  std::atomic<bool> sawStop = false;
  AheadOfTurn<int> *own = nullptr;
  auto numbers = std::make_unique<AheadOfTurn<int>>(1, [&](std::size_t, const Candidate &) -> std::optional<int> {
    began.set_value();
    while (!*own->stopped())
      std::this_thread::yield();
    sawStop = true;
    own->rest(); // does not wait any more
    return 1;
  });
  own = numbers.get();
  numbers->expect(named({"a", "b"}));
  began.get_future().wait();
  numbers.reset();
  EXPECT_TRUE(sawStop);
}

} // namespace
} // namespace agentic
