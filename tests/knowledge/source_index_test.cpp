#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/knowledge/source_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Index : public testing::Test {
protected:
  void write(const std::string &name, const std::string &text) {
    const auto written = writeFileAtomic(folder_.path() / "code" / name, text);
    ASSERT_TRUE(written) << written.error().message;
  }
  std::string path(const std::string &name = {}) const {
    return (name.empty() ? folder_.path() / "code" : folder_.path() / "code" / name).string();
  }
  std::string file() const { return (folder_.path() / "cache" / "index.sqlite").string(); }
  SourceIndex open() {
    auto index = SourceIndex::open(file());
    EXPECT_TRUE(index) << index.error().message;
    return std::move(*index);
  }
  static AddReport added(SourceIndex &index, const std::string &path) {
    const auto report = index.add(path);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : AddReport();
  }
  static std::vector<std::string> found(SourceIndex &index, std::string_view words) {
    const auto passages = index.search(words, 10);
    EXPECT_TRUE(passages) << passages.error().message;
    std::vector<std::string> names;
    for (const Passage &passage : passages.value_or(std::vector<Passage>()))
      names.push_back(passage.name);
    return names;
  }

  ScratchDirectory folder_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "agentic-index-"));
};

TEST_F(Index, FindsFunctionsByTheWordsOfTheirNamesAndBodies) {
  write("a.cpp",
        "int prefixSum(int *x) {\n  return x[0];\n}\n\nint other(int y) {\n  return y << 3; // horizontal\n}\n");
  write("notes.md", "# On scans\nA scan in a register.\n# Else\nNothing.\n");
  SourceIndex index = open();
  const AddReport report = added(index, path());
  EXPECT_EQ(report.files, 2u);
  EXPECT_EQ(report.passages, 4u);
  EXPECT_THAT(report.skipped, IsEmpty());
  EXPECT_THAT(found(index, "prefix sums"), ElementsAre("prefixSum"));
  EXPECT_THAT(found(index, "horizontally"), ElementsAre("other"));
  EXPECT_THAT(found(index, "scanning"), ElementsAre("On scans"));
  EXPECT_THAT(found(index, "quaternion"), IsEmpty());
  EXPECT_THAT(found(index, ""), IsEmpty());
  const auto passages = index.search("prefix", 10);
  ASSERT_TRUE(passages);
  EXPECT_EQ(passages->front().file, fs::canonical(path("a.cpp")).string());
  EXPECT_EQ(passages->front().firstLine, 1u);
  EXPECT_EQ(passages->front().lastLine, 3u);
  EXPECT_THAT(passages->front().text, HasSubstr("return x[0];"));
}

// 6,100 functions hold "common" and one of them "seldom", another both in its name.
TEST_F(Index, WordsThatAllHoldCountOnlyWhereNoRarerOneIsAskedFor) {
  std::string many;
  for (int i = 0; i < 6100; ++i)
    many += "int f" + std::to_string(i) + "(int common) {\n  return " + (i == 7 ? "seldom" : "common") + ";\n}\n";
  write("many.c", many);
  write("one.c", "int common_seldom(int x) {\n  return x;\n}\n");
  SourceIndex index = open();
  EXPECT_EQ(added(index, path()).passages, 6101u);
  EXPECT_THAT(found(index, "common seldom"), ElementsAre("common_seldom", "f7"));
  EXPECT_EQ(found(index, "common int").size(), 10u);
  EXPECT_THAT(found(index, "absent seldom"), ElementsAre("common_seldom", "f7"));
  const auto named = index.named("common_seldom", 5);
  ASSERT_TRUE(named && named->size() == 1);
  EXPECT_EQ(named->front().firstLine, 1u);
  EXPECT_TRUE(index.named("seldom", 5)->empty()) << "a name is a whole";
}

TEST_F(Index, ANameCountsMoreThanABody) {
  write("a.c", "int f(int seldom) {\n  return seldom;\n}\nint g(int x) {\n  return x;\n}\n");
  write("b.c", "int seldom(int x) {\n  return x;\n}\n");
  SourceIndex index = open();
  added(index, path());
  const auto passages = index.search("seldom", 10);
  ASSERT_TRUE(passages);
  ASSERT_EQ(passages->size(), 2u);
  EXPECT_EQ((*passages)[0].name, "seldom");
  EXPECT_GT((*passages)[0].score, (*passages)[1].score);
  EXPECT_GT((*passages)[1].score, 0);
}

TEST_F(Index, TakesWordsForNoQueryLanguage) {
  write("a.c", "int near(void) { return 1; }\n");
  SourceIndex index = open();
  added(index, path());
  for (const char *words :
       {"\"", "near AND", "NEAR(a b)", "name:near", "* near ^", "near\" OR \"", "a' ; DROP TABLE words"})
    EXPECT_TRUE(index.search(words, 5)) << words;
  EXPECT_THAT(found(index, "NEAR(\"near\")"), ElementsAre("near"));
}

TEST_F(Index, ReadsOnlyWhatChanged) {
  write("a.c", "int first(void) { return 1; }\n");
  write("b.c", "int second(void) { return 2; }\n");
  {
    SourceIndex index = open();
    EXPECT_EQ(added(index, path()).files, 2u);
  }
  SourceIndex index = open();
  EXPECT_EQ(added(index, path()).unchanged, 2u);
  write("a.c", "int third(void) { return 3; }\n");
  fs::remove(path("b.c"));
  const AddReport report = added(index, path());
  EXPECT_EQ(report.files, 1u);
  EXPECT_EQ(report.removed, 1u);
  EXPECT_THAT(found(index, "first second"), IsEmpty());
  EXPECT_THAT(found(index, "third"), ElementsAre("third"));
}

TEST_F(Index, NamesSourcesAndForgetsThem) {
  write("a.c", "int first(void) { return 1; }\n");
  write("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n");
  write("gpl/b.c", "// SPDX-License-Identifier: GPL-2.0-only\nint second(void) { return 2; }\n");
  SourceIndex index = open();
  EXPECT_EQ(added(index, path()).licence, "MIT");
  const auto sources = index.list();
  ASSERT_TRUE(sources);
  ASSERT_EQ(sources->size(), 1u);
  EXPECT_EQ(sources->front().path, fs::canonical(path()).string());
  EXPECT_EQ(sources->front().licence, "MIT");
  EXPECT_EQ(sources->front().files, 2u);
  EXPECT_EQ(sources->front().passages, 2u);
  EXPECT_EQ(index.search("first", 1)->front().licence, "MIT");
  EXPECT_EQ(index.search("second", 1)->front().licence, "GPL-2.0-only");
  EXPECT_EQ(index.remove("/no/such/source").value_or(true), false);
  EXPECT_EQ(index.remove(path()).value_or(false), true);
  EXPECT_THAT(*index.list(), IsEmpty());
  EXPECT_THAT(found(index, "first second"), IsEmpty());
}

TEST_F(Index, KnowsTheLicenceNearestAboveAFile) {
  write("LICENSE", "MIT License\n");
  write("vendor/COPYING", "GNU GENERAL PUBLIC LICENSE\n Version 2, June 1991\n");
  write("a.c", "int first(void) { return 1; }\n");
  write("vendor/deep/b.c", "int second(void) { return 2; }\n");
  SourceIndex index = open();
  EXPECT_EQ(added(index, path()).licence, "MIT");
  EXPECT_EQ(index.search("first", 1)->front().licence, "MIT");
  EXPECT_EQ(index.search("second", 1)->front().licence, "GPL-2.0");
}

/// Ten lines of code, from line 3 of a file on.
std::string tenLines(const std::string &name, const std::string &tag = {}) {
  std::string text = tag + "\n\nint " + name + "(int a) {\n";
  for (int i = 0; i < 8; ++i)
    text += "  a = a * " + std::to_string(i + 3) + " + " + name + "_" + std::to_string(i) + ";\n";
  return text + "  return a;\n}\n";
}

TEST_F(Index, FindsWhatACandidateCopies) {
  write("src/gpl.c", tenLines("one", "// SPDX-License-Identifier: GPL-2.0-only"));
  write("src/mit.c", tenLines("two", "// SPDX-License-Identifier: MIT"));
  write("own/own.c", tenLines("three"));
  write("notes.md", "# On four\n```c\n" + tenLines("four") + "```\n");
  write("many.c", tenLines("one") + tenLines("five"));
  SourceIndex index = open();
  added(index, path());
  const std::string own = fs::canonical(path("own")).string();
  const auto copiesOf = [&](const std::string &candidate, const std::string &baseline = "") {
    const auto copies =
        index.copies({.candidate = candidate, .baseline = baseline, .licences = {"MIT"}, .own = {own, "/no/such"}});
    EXPECT_TRUE(copies) << copies.error().message;
    std::vector<std::string> found;
    for (const CopiedPassage &copy : copies.value_or(std::vector<CopiedPassage>()))
      found.push_back(copy.place + " " + copy.licence + " " + std::to_string(copy.lines));
    return found;
  };
  EXPECT_THAT(copiesOf(tenLines("one")), ElementsAre("code/many.c:3  10", "code/src/gpl.c:3 GPL-2.0-only 10"));
  EXPECT_THAT(copiesOf("int kernel;\n" + replaceAll(tenLines("five"), "\n", " ")), ElementsAre("code/many.c:16  10"));
  EXPECT_THAT(copiesOf(tenLines("four")), ElementsAre("code/notes.md:1  10"));
  for (const char *nobodys : {"two", "three", "six"})
    EXPECT_THAT(copiesOf(tenLines(nobodys)), IsEmpty()) << nobodys;
  EXPECT_THAT(copiesOf(tenLines("one"), tenLines("one")), IsEmpty());
  EXPECT_THAT(copiesOf(""), IsEmpty());
  // What is removed, or is no longer so, was not copied.
  write("src/gpl.c", tenLines("seven"));
  fs::remove(path("many.c"));
  added(index, path());
  EXPECT_THAT(copiesOf(tenLines("one")), IsEmpty());
  EXPECT_THAT(copiesOf(tenLines("seven")), ElementsAre("code/src/gpl.c:3  10"));
  EXPECT_EQ(index.remove(path()).value_or(false), true);
  EXPECT_THAT(copiesOf(tenLines("seven")), IsEmpty());
}

/// What many passages begin alike with hides no copy: others of its fingerprints are rare.
TEST_F(Index, FindsACopyAmongThousandsOfAlikeFunctions) {
  std::string alike;
  for (int i = 0; i < 3000; ++i)
    alike += tenLines("alike") + "\n";
  write("a.c", alike);
  write("b.c", "// SPDX-License-Identifier: GPL-2.0-only\n" + tenLines("rare"));
  SourceIndex index = open();
  added(index, path());
  const std::string candidate = tenLines("alike") + tenLines("rare");
  const auto copies = index.copies({.candidate = candidate, .baseline = "", .licences = {}, .own = {}});
  ASSERT_TRUE(copies) << copies.error().message;
  std::vector<std::string> places;
  for (const CopiedPassage &copy : *copies)
    places.push_back(copy.place);
  EXPECT_THAT(places, testing::Contains("code/b.c:4"));
  EXPECT_LT(places.size(), 2000u);
}

TEST_F(Index, LeavesOutHostileFilesWithAReason) {
  write("good.c", "int good(void) { return 1; }\n");
  write("binary.c", std::string("int f() {\0 }", 12));
  write("endless.c", "int g() { return " + std::string(20'000, '1') + "; }\n");
  write("large.c", std::string((4u << 20) + 1, '\n'));
  write("paper.pdf", "%PDF-1.4 broken");
  write(".git/hidden.c", "int hidden(void) { return 1; }\n");
  write("picture.png", "\x89PNG");
  fs::create_symlink("/", path("everything"));
  fs::create_symlink(path("good.c"), path("link.c"));
  SourceIndex index = open();
  const AddReport report = added(index, path());
  EXPECT_EQ(report.files, 1u);
  std::map<std::string, std::string> reasons;
  for (const SkippedFile &file : report.skipped)
    reasons[fs::path(file.path).filename().string()] = file.reason;
  EXPECT_EQ(reasons.size(), 4u);
  EXPECT_EQ(reasons["binary.c"], "it is binary");
  EXPECT_THAT(reasons["endless.c"], HasSubstr("a line of 20020 bytes"));
  EXPECT_THAT(reasons["large.c"], HasSubstr("4 MiB"));
  EXPECT_THAT(reasons["paper.pdf"], HasSubstr("pdftotext"));
  EXPECT_THAT(found(index, "good hidden everything"), ElementsAre("good"));
}

TEST_F(Index, ReadsPdfsByWhatMakesATextOfThem) {
  write("scan.pdf", "%PDF-1.4 one");
  write("broken.pdf", "%PDF-1.4 two");
  SourceIndex index = open();
  std::vector<std::string> asked;
  const PdfReader reader = [&](const fs::path &file) -> SourceText {
    asked.push_back(file.filename().string());
    if (file.filename() == "broken.pdf")
      return std::unexpected("pdftotext exited with status 1");
    return "On scans\n========\nA prefix sum in a register.\n";
  };
  const auto read = index.add(path(), nullptr, reader);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->files, 1u);
  ASSERT_EQ(read->skipped.size(), 1u);
  EXPECT_EQ(read->skipped.front().reason, "pdftotext exited with status 1");
  EXPECT_THAT(found(index, "prefix register"), ElementsAre("On scans"));
  // One that did not change is not read again; one of which nothing was made is.
  const auto again = index.add(path(), nullptr, reader);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->unchanged, 1u);
  EXPECT_THAT(asked, ElementsAre("broken.pdf", "scan.pdf", "broken.pdf"));
  fs::resize_file(path("scan.pdf"), (64u << 20) + 1);
  const auto huge = index.add(path("scan.pdf"), nullptr, reader);
  ASSERT_TRUE(huge) << huge.error().message;
  ASSERT_EQ(huge->skipped.size(), 1u);
  EXPECT_THAT(huge->skipped.front().reason, HasSubstr("at most 64 are read"));
  EXPECT_EQ(asked.size(), 3u);
}

TEST_F(Index, KeepsTextsThatAreNoUtf8Readable) {
  write("a.c", "int gr\xfc\xdf"
               "e(void) { return 'x'; } // \xe2\x82\n");
  SourceIndex index = open();
  EXPECT_EQ(added(index, path()).passages, 1u);
  EXPECT_THAT(index.search("void", 1)->front().text, HasSubstr("gr??e"));
}

TEST_F(Index, IsMadeAnewByAnotherVersionAndRefusesDamage) {
  write("a.c", "int first(void) { return 1; }\n");
  {
    SourceIndex index = open();
    added(index, path());
    auto database = Database::open(file(), {.name = "index", .repair = {}});
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->run("PRAGMA user_version = 77"));
  }
  {
    SourceIndex index = open();
    EXPECT_THAT(*index.list(), IsEmpty());
    EXPECT_EQ(added(index, path()).passages, 1u);
  }
  ASSERT_TRUE(writeFileAtomic(file(), std::string(10'000, 'x')));
  const auto damaged = SourceIndex::open(file());
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr("is damaged"));
  EXPECT_THAT(damaged.error().next, HasSubstr("remove the file"));
}

TEST_F(Index, SaysWhatCannotBeAdded) {
  SourceIndex index = open();
  EXPECT_THAT(index.add("/no/such/folder").error().message, HasSubstr("/no/such/folder"));
  write("picture.png", "x");
  EXPECT_THAT(index.add(path("picture.png")).error().message, HasSubstr("neither code nor a text"));
  const std::atomic<bool> cancelled{true};
  write("a.c", "int first(void) { return 1; }\n");
  const auto interrupted = index.add(path(), &cancelled);
  ASSERT_FALSE(interrupted);
  EXPECT_EQ(interrupted.error().kind, ErrorKind::Interrupted);
  EXPECT_THAT(*index.list(), IsEmpty()); // all or nothing
}

} // namespace
} // namespace agentic
