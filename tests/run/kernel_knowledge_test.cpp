// What a run has of the index of sources and of the user's program.
#include "tool/run/kernel_knowledge.h"

#include "tool/base/files.h"
#include "tool/run/copied_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A function of nine lines that hold code.
std::string function(const std::string &name) {
  std::string text = "int " + name + "(int a) {\n";
  for (int i = 0; i < 7; ++i)
    text += "  a = a * " + std::to_string(i + 3) + " + " + name + "_" + std::to_string(i) + ";\n";
  return text + "  return a;\n}\n";
}

class RunKnowledge : public testing::Test {
protected:
  RunKnowledge() {
    surroundings_.cancelled = &cancelled_;
    surroundings_.environment = [this](const std::string &name) {
      return name == "XDG_CACHE_HOME" ? std::optional((folder_.path() / "cache").string()) : std::nullopt;
    };
    surroundings_.secrets = std::make_shared<Redactor>();
    manifest_.sourceDir = (folder_.path() / "project").string();
    manifest_.buildDir = (folder_.path() / "build").string();
    manifest_.source = manifest_.sourceDir + "/kernel.c";
    manifest_.variantDir = manifest_.sourceDir + "/generated";
    spec_.text = "int kernel(int a) {\n  return a;\n}\n";
  }
  void write(const std::string &file, const std::string &text) const {
    ASSERT_TRUE(writeFileAtomic(folder_.path() / file, text));
  }
  std::string indexFile() const { return knowledgeFile(manifest_.sourceDir, manifest_.buildDir, surroundings_); }
  void add(const std::string &path) const {
    auto index = SourceIndex::open(indexFile());
    ASSERT_TRUE(index) << index.error().message;
    const auto added = index->add((folder_.path() / path).string());
    ASSERT_TRUE(added) << added.error().message;
  }
  std::vector<std::string> remarks(const std::string &candidate) const {
    return copyRemarks(manifest_, spec_, candidate, surroundings_);
  }

  ScratchDirectory folder_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "agentic-knowledge-"));
  std::atomic<bool> cancelled_{false};
  Surroundings surroundings_;
  Manifest manifest_;
  KernelSpec spec_;
};

TEST_F(RunKnowledge, NamesCopiesOfUnlistedLicences) {
  const std::string copied = function("one");
  EXPECT_THAT(remarks(copied), IsEmpty());
  EXPECT_FALSE(fs::exists(indexFile())); // where nothing was indexed, nothing is made
  write("other/one.c", "// SPDX-License-Identifier: GPL-2.0-only\n" + copied);
  add("other");
  const std::string remark = "copies 9 lines of other/one.c:2, under GPL-2.0-only, which the project does not list "
                             "(AGENTIC_KERNEL_LICENCES)";
  EXPECT_THAT(remarks(copied), ElementsAre(remark));
  EXPECT_THAT(remarks(function("two")), IsEmpty());
  manifest_.licences = {"MIT"};
  EXPECT_THAT(remarks(copied), ElementsAre(remark));
  manifest_.licences = {"MIT", "GPL-2.0-only"};
  EXPECT_THAT(remarks(copied), IsEmpty());
  manifest_.licences.clear();
  write("project/LICENSE", "SPDX-License-Identifier: GPL-2.0-only\n");
  EXPECT_THAT(remarks(copied), IsEmpty());
}

TEST_F(RunKnowledge, NamesTheLongestCopiesAndNoneOfTheProjectsOwn) {
  std::string candidate;
  for (const char *name : {"one", "two", "three", "four", "five"}) {
    write(std::string("other/") + name + ".c", function(name));
    candidate += function(name);
  }
  write("project/kernel.c", function("six"));
  write("project/generated/kernel.c", function("six"));
  add("other");
  add("project");
  const std::vector<std::string> found = remarks(candidate + function("six"));
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found.front(), "copies 9 lines of other/five.c:1, whose licence is not known");
  EXPECT_EQ(found.back(), "copies lines of 2 more indexed passages");
  spec_.text = candidate; // what the kernel itself holds
  EXPECT_THAT(remarks(candidate), IsEmpty());
}

TEST_F(RunKnowledge, SaysThatAnIndexCannotBeRead) {
  ASSERT_TRUE(writeFileAtomic(indexFile(), std::string(10'000, 'x')));
  const std::vector<std::string> found = remarks(function("one"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found.front(), HasSubstr("is not known: the index cannot be read"));
  EXPECT_THAT(found.front(), testing::Not(HasSubstr(folder_.path().string()))); // headers name no folder
}

TEST_F(RunKnowledge, HasNoSecretsOfTheUsersProgram) {
  EXPECT_THAT(*programPassages("", "a", 5, surroundings_), IsEmpty());
  surroundings_.secrets->add("planted-secret-value");
  const auto passages =
      programPassages(R"(printf '[{"title": "planted-secret-value", "text": "with planted-secret-value in it"}]')", "a",
                      5, surroundings_);
  ASSERT_TRUE(passages) << passages.error().message;
  ASSERT_EQ(passages->size(), 1u);
  EXPECT_EQ(passages->front().name, "[redacted]");
  EXPECT_EQ(passages->front().text, "with [redacted] in it");
}

} // namespace
} // namespace agentic
