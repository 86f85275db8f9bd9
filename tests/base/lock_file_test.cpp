#include "tool/base/lock_file.h"

#include "tool/base/files.h"

#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace agentic {
namespace {

class Lock : public testing::Test {
protected:
  void SetUp() override {
    auto created = ScratchDirectory::create(fs::temp_directory_path(), "lock-test-");
    ASSERT_TRUE(created);
    scratch_.emplace(std::move(*created));
    path_ = scratch_->path() / "new" / "lock";
  }
  bool isFree() const {
    auto lock = LockFile::tryAcquire(path_);
    EXPECT_TRUE(lock);
    return lock && lock->has_value();
  }
  fs::path path_;

private:
  std::optional<ScratchDirectory> scratch_;
};

TEST_F(Lock, IsHeldUntilItsOwnerDies) {
  {
    auto first = LockFile::tryAcquire(path_);
    ASSERT_TRUE(first && first->has_value());
    EXPECT_FALSE(isFree());
    const LockFile moved = std::move(**first);
    first->reset();
    EXPECT_FALSE(isFree()) << "moving must not release it";
  }
  EXPECT_TRUE(isFree());
}

TEST_F(Lock, IsAskedForWithoutBeingTakenOrMade) {
  EXPECT_FALSE(LockFile::isHeld(path_));
  EXPECT_FALSE(fs::exists(path_));
  {
    const auto holder = LockFile::tryAcquire(path_);
    ASSERT_TRUE(holder && holder->has_value());
    EXPECT_TRUE(LockFile::isHeld(path_));
  }
  EXPECT_FALSE(LockFile::isHeld(path_));
  EXPECT_TRUE(isFree());
}

TEST_F(Lock, TimesOutWithTheFilesName) {
  auto holder = LockFile::tryAcquire(path_);
  ASSERT_TRUE(holder && holder->has_value());
  const auto late = LockFile::acquire(path_, 0.05);
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().message, testing::HasSubstr(path_.string()));
}

TEST_F(Lock, WaitsUntilFree) {
  auto holder = LockFile::tryAcquire(path_);
  ASSERT_TRUE(holder && holder->has_value());
  std::jthread releaser([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    holder->reset();
  });
  EXPECT_TRUE(LockFile::acquire(path_, 600));
}

TEST_F(Lock, WaitingIsCancelled) {
  auto holder = LockFile::tryAcquire(path_);
  const std::atomic<bool> cancelled = true;
  const auto result = LockFile::acquire(path_, 600, &cancelled);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Interrupted);
}

TEST_F(Lock, IsReleasedWhenItsProcessIsKilled) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto lock = LockFile::tryAcquire(path_);
    (void)!::write(ends[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  EXPECT_FALSE(isFree());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(isFree());
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(Lock, ErrorsNameTheFile) {
  const auto result = LockFile::tryAcquire("/proc/no-such-folder/lock");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, testing::HasSubstr("/proc/no-such-folder"));
  EXPECT_FALSE(result.error().next.empty());
}

} // namespace
} // namespace agentic
