#include "tool/base/files.h"

#include "tool/base/append.h"
#include "tool/base/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace agentic {
namespace {

using testing::HasSubstr;

class Files : public testing::Test {
protected:
  void SetUp() override {
    auto created = ScratchDirectory::create(fs::temp_directory_path(), "files-test-");
    ASSERT_TRUE(created) << created.error().message;
    scratch_.emplace(std::move(*created));
  }
  fs::path at(const std::string &name) const { return scratch_->path() / name; }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(scratch_->path()), {}));
  }

private:
  std::optional<ScratchDirectory> scratch_;
};

TEST_F(Files, WriteThenReadAnyBytes) {
  const std::string bytes("a\0b\r\n\xff", 6);
  ASSERT_TRUE(writeFileAtomic(at("new/folder/file"), bytes));
  EXPECT_EQ(readFile(at("new/folder/file")).value_or(""), bytes);
  ASSERT_TRUE(writeFileAtomic(at("new/folder/file"), ""));
  EXPECT_EQ(readFile(at("new/folder/file")).value_or("?"), "");
}

TEST_F(Files, ReadErrorsNameThePathAndTheReason) {
  const auto missing = readFile(at("none"));
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr((at("none")).string() + "': No such file"));
  EXPECT_FALSE(missing.error().next.empty());
  EXPECT_THAT(readFile("/").error().message, HasSubstr("Is a directory"));
}

TEST_F(Files, ScratchIsWrittenAsItIsAndHashedAsItIs) {
  const std::string bytes("a\r\n\0b", 5);
  ASSERT_TRUE(writeScratch(at("plan"), bytes));
  EXPECT_EQ(readFile(at("plan")).value_or(""), bytes);
  EXPECT_EQ(fileHash(at("plan").string()), sha256(bytes));
  EXPECT_EQ(fileHash(at("nothing").string()), "");
  const auto failed = writeScratch(at("no folder") / "plan", bytes);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("no folder/plan"), std::string::npos);
}

TEST_F(Files, WhatIsNotSyncedIsWrittenAllTheSame) {
  ASSERT_TRUE(appendUnsynced(at("lines"), "one\n"));
  ASSERT_TRUE(appendSynced(at("lines"), "tw")); // and the process dies
  ASSERT_TRUE(appendUnsynced(at("lines"), "three\n"));
  EXPECT_EQ(readFile(at("lines")).value_or(""), "one\ntw\nthree\n");
  ASSERT_TRUE(writeFileAtomic(at("file"), "old"));
  ASSERT_TRUE(writeFileAtomic(at("file"), "new", Flush::Later));
  EXPECT_EQ(readFile(at("file")).value_or(""), "new");
  EXPECT_FALSE(appendUnsynced(at("no folder") / "lines", "one\n"));
}

TEST_F(Files, AFailedWriteLeavesTheOldTextAndNoTemporaryFile) {
  ASSERT_TRUE(writeFileAtomic(at("file"), "old"));
  // A file-size limit fails the write half way, as a full disk does.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto ignored = ::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = writeFileAtomic(at("file"), std::string(5000, 'n'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, ignored);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("cannot write"));
  EXPECT_EQ(readFile(at("file")).value_or(""), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, RenameFailureRemovesTheTemporaryFile) {
  ASSERT_TRUE(createDirectories(at("folder")));
  EXPECT_FALSE(writeFileAtomic(at("folder"), "text"));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, ReadersNeverSeeAMixture) {
  const std::string first(100'000, 'a'), second(150'000, 'b');
  ASSERT_TRUE(writeFileAtomic(at("file"), first));
  std::jthread writer([&](const std::stop_token &stop) {
    for (bool toggle = true; !stop.stop_requested(); toggle = !toggle)
      (void)writeFileAtomic(at("file"), toggle ? second : first);
  });
  for (int i = 0; i < 200; ++i) {
    const std::string text = readFile(at("file")).value_or("");
    ASSERT_TRUE(text == first || text == second) << "read " << text.size() << " bytes";
  }
}

TEST_F(Files, KeepsTheModeOfAnExistingFile) {
  ASSERT_TRUE(writeFileAtomic(at("file"), "old"));
  ASSERT_EQ(::chmod(at("file").c_str(), 0640), 0);
  ASSERT_TRUE(writeFileAtomic(at("file"), "new"));
  struct stat status{};
  ASSERT_EQ(::stat(at("file").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST_F(Files, WriteIfChangedLeavesAnIdenticalFileAlone) {
  EXPECT_TRUE(writeFileIfChanged(at("file"), "text").value_or(false));
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(at("file"), old);
  const auto stamp = fs::last_write_time(at("file"));
  EXPECT_FALSE(writeFileIfChanged(at("file"), "text").value_or(true));
  EXPECT_EQ(fs::last_write_time(at("file")), stamp);
  EXPECT_TRUE(writeFileIfChanged(at("file"), "other").value_or(false));
  EXPECT_EQ(readFile(at("file")).value_or(""), "other");
}

TEST_F(Files, CreateDirectoriesNamesWhatStandsInTheWay) {
  ASSERT_TRUE(writeFileAtomic(at("file"), ""));
  const auto made = createDirectories(at("file") / "below");
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("Not a directory"));
}

TEST_F(Files, ScratchDirectoryGoesWithItsOwner) {
  fs::path path;
  {
    auto scratch = ScratchDirectory::create(at("parent"), "s-");
    ASSERT_TRUE(scratch);
    const ScratchDirectory moved = std::move(*scratch);
    path = moved.path();
    ASSERT_TRUE(writeFileAtomic(path / "sub/file", "x"));
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(at("parent")));
}

TEST(LineEnds, OnlyCrLfBecomesLf) {
  EXPECT_EQ(normalizeLineEnds("a\r\nb\rc\n\r\n\r"), "a\nb\rc\n\n\r");
  EXPECT_EQ(normalizeLineEnds("\r\r\n"), "\r\n");
  EXPECT_EQ(normalizeLineEnds(""), "");
}

} // namespace
} // namespace agentic
