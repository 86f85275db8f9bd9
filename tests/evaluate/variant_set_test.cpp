#include "tool/variants/variant_set.h"

#include "tool/base/files.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace agentic {
namespace {

using Texts = std::map<std::string, std::string>;

class VariantSet : public testing::Test {
protected:
  VariantSet() : root_(std::move(*ScratchDirectory::create(fs::temp_directory_path(), "variant-set-"))) {
    fs::create_directory(scratch());
  }

  fs::path folder() const { return root_.path() / "project" / "generated"; }
  fs::path scratch() const { return root_.path() / "build"; }

  VariantSetChange change(const Texts &texts, std::vector<std::string> removed = {}) const {
    VariantSetChange change{.folder = folder().string(),
                            .scratch = scratch().string(),
                            .files = {},
                            .removed = std::move(removed),
                            .afterChange = {}};
    for (const auto &[name, text] : texts)
      change.files.push_back({name, text});
    return change;
  }

  Texts texts() const {
    Texts texts;
    if (fs::exists(folder()))
      for (const auto &entry : fs::directory_iterator(folder()))
        texts[entry.path().filename().string()] = readFile(entry.path()).value_or("(a folder)");
    return texts;
  }

  /// Returns everything beside the folder: nothing of ours stays there.
  Texts beside() const {
    Texts names;
    for (const auto &entry : fs::directory_iterator(root_.path() / "project"))
      if (entry.path() != folder())
        names[entry.path().filename().string()];
    return names;
  }

  void put(const Texts &texts) {
    fs::create_directories(folder());
    for (const auto &[name, text] : texts)
      ASSERT_TRUE(writeFileAtomic(folder() / name, text));
  }

  /// Kills the writer after its n-th change on disk. False: it had ended by then.
  static bool isKilledAfter(int n, VariantSetChange change) {
    const pid_t child = ::fork();
    if (child == 0) {
      change.afterChange = [n, done = 0]() mutable {
        if (++done == n)
          ::raise(SIGKILL);
      };
      ::_exit(changeVariantSet(change) ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
  }

  ScratchDirectory root_;
};

const Texts kOld = {
    {"k.a.clang.cpp", "old a"}, {"k.b.clang.cpp", "old b"}, {"k.dispatch.inc", "old"}, {"k.lock.json", "old"}};
const Texts kNew = {
    {"k.a.clang.cpp", "new a"}, {"k.c.clang.cpp", "new c"}, {"k.dispatch.inc", "new"}, {"k.lock.json", "new"}};

TEST_F(VariantSet, IsMadeWhereThereIsNone) {
  const auto written = changeVariantSet(change(kNew));
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->size(), 4u);
  EXPECT_EQ(texts(), kNew);
  EXPECT_EQ(beside(), Texts());
  EXPECT_TRUE(fs::is_empty(scratch()));
}

TEST_F(VariantSet, IdenticalFilesKeepTheirTimeAndOthersStay) {
  put(kOld);
  put({{"other.lock.json", "{}"}, {"other.dispatch.inc", "x"}, {".gitattributes", "* -text"}});
  const auto time = fs::file_time_type::clock::now() - std::chrono::hours(5);
  fs::last_write_time(folder() / "other.dispatch.inc", time);
  fs::last_write_time(folder() / "k.b.clang.cpp", time);
  Texts next = kNew;
  next["k.b.clang.cpp"] = "old b";
  const auto written = changeVariantSet(change(next));
  ASSERT_TRUE(written);
  EXPECT_EQ(written->size(), 4u);
  EXPECT_EQ(fs::last_write_time(folder() / "other.dispatch.inc"), time);
  EXPECT_EQ(fs::last_write_time(folder() / "k.b.clang.cpp"), time);
  EXPECT_EQ(texts().at(".gitattributes"), "* -text");
  EXPECT_TRUE(changeVariantSet(change(next))->empty());
}

TEST_F(VariantSet, IsTheOldOneOrTheNewOneWhereverTheWriterIsKilled) {
  for (const bool isThere : {true, false})
    for (const bool isNear : {true, false}) {
      int kills = 0;
      for (bool killed = true; killed; ++kills) {
        fs::remove_all(folder().parent_path());
        fs::create_directories(folder().parent_path());
        if (isThere)
          put(kOld);
        VariantSetChange next = change(kNew, {"k.b.clang.cpp"});
        next.scratch = isNear ? scratch().string() : "/proc"; // another file system
        killed = isKilledAfter(kills + 1, next);
        const Texts now = texts();
        EXPECT_TRUE(now == kNew || now == (isThere ? kOld : Texts())) << "killed after change " << kills + 1;
        ASSERT_TRUE(changeVariantSet(next));
        EXPECT_EQ(texts(), kNew);
        EXPECT_EQ(beside(), Texts()) << "killed after change " << kills + 1;
      }
      EXPECT_GT(kills, 5);
    }
}

TEST_F(VariantSet, AReaderNeverSeesAMixture) {
  put(kOld);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; i < 200; ++i)
      EXPECT_TRUE(changeVariantSet(i % 2 ? change(kOld, {"k.c.clang.cpp"}) : change(kNew, {"k.b.clang.cpp"})));
    stop = true;
  });
  while (!stop) {
    const int descriptor = ::open(folder().c_str(), O_RDONLY | O_DIRECTORY); // one folder, whatever comes after it
    const fs::path seen = "/proc/self/fd/" + std::to_string(descriptor);
    const auto first = readFile(seen / "k.lock.json"), second = readFile(seen / "k.dispatch.inc");
    ::close(descriptor);
    if (first && second) {
      EXPECT_EQ(*first, *second);
    }
  }
  writer.join();
}

TEST_F(VariantSet, WritersOfTwoKernelsDoNotUndoEachOther) {
  put(kOld);
  std::vector<std::thread> writers;
  for (const std::string kernel : {"k", "m", "n"})
    writers.emplace_back([this, kernel] {
      for (int i = 0; i < 60; ++i) {
        const std::string text = std::to_string(i);
        EXPECT_TRUE(changeVariantSet(change(
            {{kernel + ".a.clang.cpp", text}, {kernel + ".dispatch.inc", text}, {kernel + ".lock.json", text}})));
      }
    });
  for (std::thread &writer : writers)
    writer.join();
  const Texts now = texts();
  for (const std::string kernel : {"k", "m", "n"})
    for (const char *name : {".a.clang.cpp", ".dispatch.inc", ".lock.json"})
      EXPECT_EQ(now.count(kernel + name) ? now.at(kernel + name) : "none", "59") << kernel << name;
}

// A folder with the project's own files must not be exchanged.
TEST_F(VariantSet, AmongOtherFilesEachIsReplacedOnItsOwnTheLockLast) {
  put(kOld);
  put({{"kernel.cpp", "int f();"}});
  const int before = ::open(folder().c_str(), O_RDONLY | O_DIRECTORY);
  std::vector<std::string> locks;
  VariantSetChange next = change(kNew, {"k.b.clang.cpp"});
  next.afterChange = [&] { locks.push_back(texts()["k.lock.json"]); };
  ASSERT_TRUE(changeVariantSet(next));
  ASSERT_EQ(locks.size(), 5u);
  EXPECT_EQ(locks[2], "old");
  EXPECT_EQ(locks[3], "new");
  Texts all = kNew;
  all["kernel.cpp"] = "int f();";
  EXPECT_EQ(texts(), all);
  struct stat first, second;
  ASSERT_EQ(::fstat(before, &first), 0);
  ASSERT_EQ(::stat(folder().c_str(), &second), 0);
  EXPECT_EQ(first.st_ino, second.st_ino);
  ::close(before);
}

TEST_F(VariantSet, WhatComesInMeanwhileIsCarriedOver) {
  put(kOld);
  VariantSetChange next = change(kNew, {"k.b.clang.cpp"});
  next.afterChange = [&, isFirst = true]() mutable {
    if (std::exchange(isFirst, false))
      put({{".k.notes", "mine"}});
  };
  ASSERT_TRUE(changeVariantSet(next));
  EXPECT_EQ(texts()[".k.notes"], "mine");
}

TEST_F(VariantSet, AFolderThatCannotBeMadeIsOneError) {
  ASSERT_TRUE(writeFileAtomic(root_.path() / "project", "a file"));
  const auto written = changeVariantSet(change(kNew));
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("project"), std::string::npos) << written.error().message;
  EXPECT_TRUE(fs::is_empty(scratch()));
}

} // namespace
} // namespace agentic
