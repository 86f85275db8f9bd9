#include "tool/evaluate/remote/carried_files.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

class CarriedFilesTest : public testing::Test {
protected:
  std::string file(const std::string &name, const std::string &text) const {
    const fs::path path = folder_->path() / name;
    EXPECT_TRUE(writeFileAtomic(path, text));
    return path.string();
  }
  Result<ScratchDirectory> folder_ = ScratchDirectory::create(fs::temp_directory_path(), "carried-");
};

/// This test itself: it needs libstdc++ and other libraries.
TEST_F(CarriedFilesTest, AProgramBringsItsLibrariesAndNoneOfGlibcs) {
  std::error_code error;
  const std::string self = fs::read_symlink("/proc/self/exe", error).string();
  const std::vector<TestProgram> programs = {{.target = "self", .file = self, .workingDirectory = "/project/build"}};
  CarriedFiles carried;
  const auto files = carried.of({.programs = &programs});
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(files->files, Contains(Field(&TaskFile::path, self)));
  EXPECT_THAT(files->files, Contains(Field(&TaskFile::path, HasSubstr("/agentic-libraries/libstdc++.so"))));
  EXPECT_THAT(files->files, Each(Field(&TaskFile::path, Not(HasSubstr("libc.so")))));
  EXPECT_THAT(files->files, Each(Field(&TaskFile::path, Not(HasSubstr("libm.so")))));
  EXPECT_EQ(files->folders, std::vector<std::string>{"/project/build"});
}

TEST_F(CarriedFilesTest, DataAreFilesOrWholeFolders) {
  const std::string one = file("one.txt", "1"), deep = file("data/a/b.bin", "22"), other = file("data/c.bin", "3");
  CarriedFiles carried;
  ASSERT_TRUE(carried.addData({one, (folder_->path() / "data").string()}));
  const std::vector<TestProgram> none;
  const auto files = carried.of({.programs = &none});
  ASSERT_TRUE(files);
  ASSERT_EQ(files->files.size(), 3u);
  for (const std::string &path : {one, deep, other})
    EXPECT_THAT(files->files, Contains(Field(&TaskFile::hash, fileHash(path))));
}

TEST_F(CarriedFilesTest, WhatIsMissingIsNamed) {
  CarriedFiles carried;
  const auto added = carried.addData({"/nowhere/data.bin"});
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().message, HasSubstr("/nowhere/data.bin"));
  EXPECT_THAT(added.error().next, HasSubstr("TEST_DATA"));
  const std::vector<TestProgram> programs = {{.target = "sh", .file = "/usr/bin/true"}};
  const auto files = carried.of({.programs = &programs});
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("belongs to the system"));
}

TEST_F(CarriedFilesTest, AProgramThatIsBuiltAgainIsAnotherFile) {
  const std::string script = file("bench.sh", "#!/bin/sh\n");
  const std::vector<TestProgram> programs = {{.target = "bench", .file = script}};
  CarriedFiles carried;
  const auto before = carried.of({.programs = &programs});
  file("bench.sh", "#!/bin/sh\nexit 1\n");
  const auto after = carried.of({.programs = &programs});
  ASSERT_TRUE(before && after);
  EXPECT_NE(before->files.front().hash, after->files.front().hash);
}

} // namespace
} // namespace agentic
