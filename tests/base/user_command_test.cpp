#include "tool/base/user_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(UserCommand, FindsItsProgramAndFilesWhereTheToolWasStarted) {
  const auto folder = ScratchDirectory::create(fs::temp_directory_path(), "agentic-command-");
  ASSERT_TRUE(folder);
  ASSERT_TRUE(writeFileAtomic(folder->path() / "search.sh", ""));
  const std::string file = (folder->path() / "search.sh").string();
  EXPECT_THAT(userCommand("sh search.sh --web 'two words' none.sh", folder->path()),
              ElementsAre("sh", file, "--web", "two words", "none.sh"));
  EXPECT_THAT(userCommand("./search.sh ./search.sh", folder->path()), ElementsAre(file, file));
  EXPECT_THAT(userCommand("./none.sh", folder->path()), ElementsAre((folder->path() / "none.sh").string()));
  EXPECT_THAT(userCommand("/bin/sh " + file, "/"), ElementsAre("/bin/sh", file));
  for (const char *nothing : {"", "  ", "''", "\"\" search.sh"})
    EXPECT_THAT(userCommand(nothing, folder->path()), IsEmpty()) << nothing;
}

TEST(UserCommand, SaysWhatWasWrittenLast) {
  ProcessResult result;
  EXPECT_EQ(saidAtTheEnd(result), "");
  result.err = " \n";
  EXPECT_EQ(saidAtTheEnd(result), "");
  result.err = "no such index\n";
  EXPECT_EQ(saidAtTheEnd(result), ": no such index");
  result.err = std::string(5000, 'x') + "the reason\n";
  EXPECT_EQ(saidAtTheEnd(result).size(), 2u + 2048u);
  EXPECT_TRUE(saidAtTheEnd(result).ends_with("the reason"));
}

} // namespace
} // namespace agentic
