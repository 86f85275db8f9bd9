// Hostile files: everything that reads them is compiled with sanitizers here, and must come through.
#include "tests/base/text_changes.h"
#include "tool/base/files.h"
#include "tool/knowledge/copied_lines.h"
#include "tool/knowledge/cut.h"
#include "tool/knowledge/licence.h"
#include "tool/knowledge/source_index.h"
#include "tool/store/search_words.h"

#include <gtest/gtest.h>

#include <random>

namespace agentic {
namespace {

constexpr const char *kSeeds[] = {
    "#include <x>\nnamespace a {\ntemplate <class T> T sum(const T *x, int n) {\n  T s{}; // }\n  return s;\n}\n}\n",
    "auto s = R\"d(text { )d\"; char c = '\\''; int f() { return \"}\"[0]; }\n/* open",
    "impl<'a> P<'a> { fn next(&mut self) -> u8 { b'x' } }",
    "# Title\n\ntext `code`\n```cpp\nint x;\n```\n## Two\n=====\n",
    "<html><h1>A &lt; B</h1><script>if (a < b) {}</script><p>text<br>more</html>",
    "sum:\n\tadd x0, x1\n.L1:\n\tret\n",
    "SPDX-License-Identifier: MIT\nRedistribution and use in source and binary forms",
};
constexpr const char *kPieces[] = {"{",  "}",  "(",  ")",        "\"",  "'",        "R\"(",     ")\"",      "/*",
                                   "*/", "//", "\n", "\\\n",     "#",   "<",        ">",        "<script>", "&lt;",
                                   "::", "~",  "=",  "operator", "```", "\xff\xfe", "\xe2\x82", ";",        "\r"};

std::string mutated(std::mt19937 &random) {
  std::string text = kSeeds[random() % std::size(kSeeds)];
  for (unsigned changes = 1 + random() % 12; changes > 0; --changes)
    changeSomewhere(text, kPieces, random);
  return text;
}

TEST(HostileTexts, AreCut) {
  std::mt19937 random(28);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = mutated(random);
    for (const FileKind kind :
         {FileKind::Code, FileKind::Assembly, FileKind::Markdown, FileKind::Html, FileKind::Text, FileKind::Pdf})
      for (const Cut &cut : cutFile(kind, text)) {
        ASSERT_LE(cut.text.size(), kLongestPassage);
        ASSERT_LE(cut.firstLine, cut.lastLine);
        ASSERT_GE(cut.firstLine, 1u);
        searchWords(cut.name + cut.text);
      }
    licenceOf(text);
  }
}

TEST(HostileTexts, AreComparedForCopies) {
  std::mt19937 random(30);
  for (int i = 0; i < 3000; ++i) {
    const std::string candidate = mutated(random) + mutated(random), source = mutated(random);
    const CopyFinder finder(candidate, source);
    finder.fingerprints();
    EXPECT_FALSE(finder.in(source)); // of the baseline, which is the same here
    fingerprintsOf(TokenHashes(source));
    isUnderListed(source, std::vector<std::string>{"MIT"});
  }
}

TEST(HostileTexts, AreIndexedAndForgotten) {
  const auto folder = ScratchDirectory::create(fs::temp_directory_path(), "agentic-fuzz-");
  ASSERT_TRUE(folder);
  std::mt19937 random(29);
  const char *endings[] = {".c", ".rs", ".s", ".md", ".html", ".txt"};
  for (int i = 0; i < 200; ++i)
    ASSERT_TRUE(
        writeFileAtomic(folder->path() / "code" / (std::to_string(i) + endings[i % 6]), mutated(random), Flush::Later));
  auto index = SourceIndex::open((folder->path() / "index.sqlite").string());
  ASSERT_TRUE(index) << index.error().message;
  const auto report = index->add((folder->path() / "code").string());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->files + report->skipped.size(), 200u);
  for (int i = 0; i < 50; ++i)
    ASSERT_TRUE(index->search(mutated(random), 5));
  const std::string candidate = mutated(random);
  ASSERT_TRUE(index->copies({.candidate = candidate, .baseline = "", .licences = {}, .own = {}}));
  // Every word goes away again: nothing is found, and the tables agree.
  ASSERT_TRUE(index->remove((folder->path() / "code").string()).value_or(false));
  for (const char *words : {"sum text next code title", "int f return x"}) {
    const auto found = index->search(words, 5);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE(found->empty());
  }
}

/// Times of the cutters grow with the length, not with its square: these would take hours.
TEST(HostileTexts, OfManyMegabytesTakeSeconds) {
  for (const char *piece :
       {"{", "(", "'", "R\"(", "\"", "/*", "#x\n", "int f() {", "<a", "&", "<script>", "a:\n", "= {", "```\n"}) {
    std::string text;
    while (text.size() < (1u << 20))
      text += piece;
    for (const FileKind kind : {FileKind::Code, FileKind::Assembly, FileKind::Markdown, FileKind::Html})
      cutFile(kind, text);
    CopyFinder(text, "").in(text.substr(0, kLongestPassage));
  }
}

} // namespace
} // namespace agentic
