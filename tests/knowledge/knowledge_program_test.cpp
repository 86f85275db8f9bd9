#include "tests/base/text_changes.h"
#include "tool/base/files.h"
#include "tool/knowledge/cut.h"
#include "tool/knowledge/knowledge_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace agentic {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(AnsweredPassages, AreRead) {
  const auto passages = passagesIn(R"([{"title": "A scan", "text": "int scan();", "source": "https://example.org/scan",
      "licence": "MIT"}, {"text": "only a text"}, {"text": "one too many"}])",
                                   "search.sh", 2);
  ASSERT_TRUE(passages) << passages.error().message;
  ASSERT_EQ(passages->size(), 2u);
  EXPECT_EQ(passages->front().name, "A scan");
  EXPECT_EQ(passages->front().file, "https://example.org/scan");
  EXPECT_EQ(passages->front().licence, "MIT");
  EXPECT_EQ(passages->front().text, "int scan();");
  EXPECT_EQ(passages->front().firstLine, 0u);
  EXPECT_EQ(passages->back().file, "search.sh");
  EXPECT_EQ(passages->back().licence, "");
  EXPECT_THAT(*passagesIn("[]\n", "search.sh", 5), IsEmpty());
}

TEST(AnsweredPassages, OfAnotherFormAreOneError) {
  const std::pair<std::string, std::string> answers[] = {
      {"", "wrote what is no JSON"},
      {"<html>", "wrote what is no JSON"},
      {"[{\"text\": \"a\"}] and more", "wrote what is no JSON"},
      {"[{\"text\": \"\xff\"}]", "wrote what is no JSON"},
      {std::string(100'000, '['), "wrote what is no JSON"},
      {"{\"passages\": []}", "wrote JSON that is no array"},
      {"[{\"text\": \"a\"}, \"b\"]", "wrote a passage (number 2) without a text"},
      {"[{\"title\": \"a\", \"text\": 7}]", "wrote a passage (number 1) without a text"},
      {"[{\"text\": \" \\n\"}]", "wrote a passage (number 1) without a text"}};
  for (const auto &[answer, reason] : answers) {
    const auto passages = passagesIn(answer, "search.sh", 5);
    ASSERT_FALSE(passages) << answer;
    EXPECT_EQ(passages.error().kind, ErrorKind::User);
    EXPECT_EQ(passages.error().message, "--knowledge-command: 'search.sh' " + reason);
    EXPECT_THAT(passages.error().next, HasSubstr("a JSON array of {\"title\", \"text\""));
  }
}

TEST(AnsweredPassages, AreBoundedAndMoveNoCursor) {
  const std::string umlauts = [] {
    std::string text;
    while (text.size() < 2 * kLongestPassage)
      text += "\xc3\xbc";
    return text;
  }();
  const auto passages = passagesIn("[{\"text\": \"x" + umlauts + "\", \"title\": \"a\\n\\u001b[2Jb" + umlauts +
                                       "\", \"source\": \"" + umlauts + "\"}]",
                                   "search.sh", 5);
  ASSERT_TRUE(passages) << passages.error().message;
  EXPECT_EQ(passages->front().text.size(), kLongestPassage);
  EXPECT_TRUE(passages->front().text.ends_with("?")); // half of a character
  EXPECT_LT(passages->front().name.size(), 400u);
  EXPECT_LT(passages->front().file.size(), 400u);
  for (const char moving : {'\n', '\x1b'})
    EXPECT_EQ(passages->front().name.find(moving), std::string::npos);
}

TEST(AnsweredPassages, ThatAreHostileComeThrough) {
  constexpr const char *kPieces[] = {"[", "]", "{", "}", "\"", ",", ":", "null", "1e999", "\\u0000", "\\ud800", "\xff"};
  std::mt19937 random(28);
  for (int i = 0; i < 3000; ++i) {
    std::string answer = R"([{"title": "a", "text": "b", "source": "c", "licence": "d"}, {"text": "e"}])";
    for (unsigned changes = 1 + random() % 6; changes > 0; --changes)
      changeSomewhere(answer, kPieces, random);
    if (const auto passages = passagesIn(answer, "search.sh", 5))
      EXPECT_LE(passages->size(), 5u);
    else
      EXPECT_FALSE(passages.error().next.empty());
  }
}

class KnowledgeCommandTest : public testing::Test {
protected:
  Result<std::vector<Passage>> ask(const std::string &script, double seconds = 600) const {
    EXPECT_TRUE(writeFileAtomic(folder_.path() / "search.sh", script));
    return askKnowledgeProgram({.command = "sh search.sh --web 'two words'",
                                .startDirectory = folder_.path().string(),
                                .query = "prefix \"sum\"",
                                .most = 3,
                                .timeoutSeconds = seconds});
  }
  Error failed(const std::string &script, double seconds = 600) const {
    const auto passages = ask(script, seconds);
    EXPECT_FALSE(passages);
    return passages ? Error() : passages.error();
  }
  ScratchDirectory folder_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "agentic-program-"));
};

TEST_F(KnowledgeCommandTest, GetsTheQuestionAndItsArgumentsInAnEmptyFolder) {
  const auto passages = ask(R"sh(read -r question
printf '%s' "$question" > ')sh" +
                            (folder_.path() / "question").string() + R"sh('
printf '[{"text": "%s|%s|%s"}]' "$1" "$2" "$(ls -A)"
)sh");
  ASSERT_TRUE(passages) << passages.error().message;
  EXPECT_EQ(passages->front().text, "--web|two words|");
  EXPECT_EQ(readFile(folder_.path() / "question").value_or(""), R"({"most":3,"query":"prefix \"sum\""})");
}

TEST_F(KnowledgeCommandTest, ThatFailsIsOneErrorWithItsReason) {
  const Error status = failed("echo 'no such index' >&2; exit 3\n");
  EXPECT_THAT(status.message, AllOf(HasSubstr("--knowledge-command: 'sh'"), HasSubstr("exited with status 3"),
                                    HasSubstr(": no such index")));
  EXPECT_THAT(status.next, HasSubstr("run it by hand with {\"most\":3"));
  EXPECT_THAT(failed("echo hello\n").message, HasSubstr("wrote what is no JSON"));
  EXPECT_THAT(failed("yes '[' | head -c 3000000\n").message, HasSubstr("wrote more than 1 MiB"));
  EXPECT_THAT(failed("sleep 1000\n", 0.2).message, HasSubstr("ran longer than"));
  const auto unknown = askKnowledgeProgram({.command = "/no/such/program", .startDirectory = "/", .query = "a"});
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("--knowledge-command: cannot start"));
  const auto none = askKnowledgeProgram({.command = " ", .startDirectory = "/", .query = "a"});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("names no program"));
  const std::atomic<bool> cancelled{true};
  const auto interrupted =
      askKnowledgeProgram({.command = "sleep 1000", .startDirectory = "/", .query = "a", .cancelled = &cancelled});
  ASSERT_FALSE(interrupted);
  EXPECT_EQ(interrupted.error().kind, ErrorKind::Interrupted);
}

} // namespace
} // namespace agentic
