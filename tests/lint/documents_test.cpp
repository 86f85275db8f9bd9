// Our documents: their links lead somewhere, and what a user sets in CMake has one reference entry, a table row that
// begins with its name in backticks. Options of the command line are manners_test's.
#include "tests/lint/markdown.h"
#include "tests/lint/rules.h"
#include "tool/base/files.h"
#include "tool/base/text.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace agentic::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(Links, LeadSomewhere) {
  const std::vector<std::string> documents = documentsOfOurs(AGENTIC_REPOSITORY);
  for (const char *known : {"README.md", "tool/README.md", "ast-checks/calls.md"})
    EXPECT_THAT(documents, testing::Contains(known));
  for (const std::string &problem : deadLinksBelow(AGENTIC_REPOSITORY))
    ADD_FAILURE() << problem;
}

TEST(Links, ThatAreDeadAreFound) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "documents-test-");
  ASSERT_TRUE(scratch);
  const fs::path root = scratch->path();
  ASSERT_TRUE(writeFileAtomic(root / "README.md",
                              "# One\n[a](tool/README.md#two) [b](#one) [c](tool#two) [d](/tool)\n\n"
                              "[e](https://example.org/x#y)\n[f](#two)\n[g](tool/no.md)\n"));
  ASSERT_TRUE(writeFileAtomic(root / "tool/README.md", "# Two\n[a](../README.md#one) ![b](no.png) [c](../../x)\n"));
  ASSERT_TRUE(writeFileAtomic(root / "build/README.md", "[a](nothing)\n"));
  EXPECT_THAT(deadLinksBelow(root), UnorderedElementsAre("README.md:5: 'README.md' has no heading '#two'",
                                                         "README.md:6: there is no 'tool/no.md'",
                                                         "tool/README.md:2: there is no 'tool/no.png'",
                                                         "tool/README.md:2: '../../x' leads out of the repository"));
}

TEST(Links, AreNotInCode) {
  std::vector<std::string> targets;
  for (const Link &link : linksIn("[`a`](b) `[c](d)` ``e`[f](g)`` [two\nlines](h \"title\")\n```\n[i](j)\n```\n"
                                  "a ` alone\n\n[k](l)\n[m]: n\nno [o]: p\n"))
    targets.push_back(std::to_string(link.line) + " " + link.target);
  EXPECT_THAT(targets, ElementsAre("1 b", "2 h", "8 l", "9 n"));
}

TEST(Anchors, AreThoseOfGitHub) {
  EXPECT_THAT(anchorsIn("# The `add_kernel()`, once & again\n## §4 Layout\n### [A](b#c) → é\n## §4 Layout\n"
                        "```\n# a comment\n```\n#no\n####### seven\n"),
              UnorderedElementsAre("the-add_kernel-once--again", "4-layout", "4-layout-1", "a--é"));
}

TEST(Tables, HaveRowsWithNames) {
  const auto rows =
      tableRowsIn("| a | b |\n|---|---|\n| `x Y`, `-z` | one \\| two |\n| plain `w` | |\n\n| `head` |\n|---|\n");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(rows[0].head, ElementsAre("a", "b"));
  EXPECT_THAT(rows[0].cells, ElementsAre("`x Y`, `-z`", "one \\| two"));
  EXPECT_THAT(rows[0].names(), ElementsAre("x", "-z"));
  EXPECT_THAT(rows[1].names(), IsEmpty());
}

std::string textOf(const std::string &file) {
  return readFile(fs::path(AGENTIC_REPOSITORY) / file).value_or("");
}

/// How many rows of these documents are the entry of a name, in tables whose first column is called `head`.
std::map<std::string, int> entriesIn(const std::vector<std::string> &documents, const std::string &head) {
  std::map<std::string, int> entries;
  for (const std::string &document : documents)
    for (const TableRow &row : tableRowsIn(textOf(document)))
      if (row.head.front() == head)
        for (const std::string &name : row.names())
          ++entries[name];
  return entries;
}

void expectOneEntryEach(const std::set<std::string> &declared, const std::map<std::string, int> &entries) {
  for (const std::string &name : declared)
    EXPECT_EQ(entries.contains(name) ? entries.at(name) : 0, 1) << "entries of " << name;
  for (const auto &[name, count] : entries)
    EXPECT_TRUE(declared.contains(name)) << name << " has an entry, and nothing declares it";
}

/// What a user may set: the names in `set(AGENTIC_KERNEL_X … CACHE …)`, `option(…)` and `find_program(…)`.
std::set<std::string> cacheVariablesIn(const std::string &text) {
  std::set<std::string> variables;
  for (const std::string &line : split(text, '\n')) {
    const std::string_view statement = trim(line);
    for (const std::string_view begin : {"set(", "option(", "find_program("})
      if (statement.starts_with(std::string(begin) + "AGENTIC_KERNEL_") &&
          (begin != "set(" || statement.find(" CACHE ") != std::string_view::npos))
        variables.emplace(statement.substr(begin.size(), statement.find(' ') - begin.size()));
  }
  return variables;
}

TEST(Reference, HasOneEntryForEachCacheVariable) {
  std::set<std::string> declared = cacheVariablesIn(textOf("CMakeLists.txt"));
  for (const std::string &file : filesOfOurs(AGENTIC_REPOSITORY))
    if (file.starts_with("cmake-module/"))
      declared.merge(cacheVariablesIn(textOf(file)));
  for (const char *known : {"AGENTIC_KERNEL_MODE", "AGENTIC_KERNEL_TOOL", "AGENTIC_KERNEL_UNTUNED"})
    EXPECT_TRUE(declared.contains(known)) << known;
  expectOneEntryEach(declared, entriesIn({"cmake-module/README.md", "CONTRIBUTING.md"}, "cache variable"));
}

/// The keywords that add_agentic_kernel() parses: its statements "set(one …)" and "set(many …)".
std::set<std::string> argumentsIn(const std::string &module) {
  std::set<std::string> arguments;
  for (const std::string_view begin : {"set(one ", "set(many "})
    for (std::size_t at = module.find(begin); at != std::string::npos; at = module.find(begin, at + 1)) {
      const std::size_t first = at + begin.size();
      for (const std::string &line : split(module.substr(first, module.find(')', first) - first), '\n'))
        for (const std::string &word : split(trim(line), ' '))
          arguments.insert(word);
    }
  return arguments;
}

TEST(Reference, HasOneEntryForEachArgument) {
  const std::set<std::string> arguments = argumentsIn(textOf("cmake-module/AgenticKernel.cmake"));
  EXPECT_GE(arguments.size(), 15u);
  expectOneEntryEach(arguments, entriesIn({"cmake-module/README.md"}, "argument"));
}

} // namespace
} // namespace agentic::lint
