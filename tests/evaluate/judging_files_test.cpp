// Tests which changes of judging files are noticed: edits, restored edits, appearance and loss; and which are not.
#include "tool/base/files.h"
#include "tool/evaluate/baseline/judging_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class JudgingFilesTest : public testing::Test {
protected:
  void SetUp() override {
    auto scratch = ScratchDirectory::create(testing::TempDir(), "agentic-judging-");
    ASSERT_TRUE(scratch.has_value()) << scratch.error().message;
    scratch_.emplace(std::move(*scratch));
    put("runner", "as built");
    put("data/a", "1 2 3");
    put("data/b", "4 5 6");
    files_.add("the runner", path("runner"));
    files_.add("the glue", path("glue"));
    files_.add("nothing", "");
    files_.addContent("data of the tests", path("data"), path("data/build"));
    files_.addContent("the policy", path("policy"), {});
    ASSERT_THAT(files_.changed(), IsEmpty());
  }
  std::string path(const std::string &name) const { return (scratch_->path() / name).string(); }
  void put(const std::string &name, const std::string &text) { ASSERT_TRUE(writeFileAtomic(path(name), text)); }

  JudgingFiles files_;
  std::optional<ScratchDirectory> scratch_;
};

TEST_F(JudgingFilesTest, WhatWasPutBackWithItsTimesIsNoticed) {
  const auto time = fs::last_write_time(path("runner"));
  put("runner", "another!");
  EXPECT_THAT(files_.changed(), ElementsAre(HasSubstr("the runner (")));
  put("runner", "as built");
  fs::last_write_time(path("runner"), time);
  EXPECT_THAT(files_.changed(), ElementsAre(HasSubstr("the runner (")))
      << "same bytes, same time, written all the same";
  EXPECT_THAT(files_.changed(JudgingFiles::Times::Ignored), IsEmpty());
}

TEST_F(JudgingFilesTest, WhatOurOwnBuildWroteAgainIsNot) {
  put("runner", "as built");
  put("data/a", "9 9 9");
  files_.renewTimes();
  EXPECT_THAT(files_.changed(), ElementsAre(HasSubstr("data of the tests (" + path("data/a"))));
  put("runner", "another!");
  files_.renewTimes();
  EXPECT_EQ(files_.changed().size(), 2u) << "its content is still another one";
}

TEST_F(JudgingFilesTest, DataGoByContent) {
  put("data/a", "1 2 3");
  EXPECT_THAT(files_.changed(), IsEmpty()) << "a configure step wrote the same";
  put("data/build/c", "");
  put("data/.git/index", "");
  EXPECT_THAT(files_.changed(), IsEmpty()) << "our own tree, and what no test reads";
  put("data/c", "");
  EXPECT_THAT(files_.changed(), ElementsAre(HasSubstr(path("data/c")))) << "it was not there";
  fs::remove(path("data/c"));
  fs::remove(path("data/b"));
  EXPECT_THAT(files_.changed(), ElementsAre(HasSubstr(path("data/b")))) << "it is gone";
}

TEST_F(JudgingFilesTest, OneFileOfDataIsNotItsFolder) {
  JudgingFiles one;
  one.addContent("data", path("data/b"), {});
  put("data/a", "another");
  EXPECT_THAT(one.changed(), IsEmpty());
  put("data/b", "another");
  EXPECT_THAT(one.changed(), ElementsAre("data (" + path("data/b") + ")"));
}

TEST_F(JudgingFilesTest, WhatAppearsOrIsLostIsNoticed) {
  put("policy", "{}");
  put("glue", "x");
  fs::remove(path("runner"));
  EXPECT_THAT(files_.changed(), ElementsAre(HasSubstr("the runner"), HasSubstr("the glue"), HasSubstr("the policy (")));
}

} // namespace
} // namespace agentic
