#include "tool/run/pdf_text.h"

#include "tool/build/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace agentic {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A program of that name in PATH: what it does with a file is said by the file's name.
class PdfText : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(writeFileAtomic(program_, R"sh(#!/bin/sh
case "$5" in
*broken.pdf) echo 'Syntax Error: no xref table' >&2; exit 1 ;;
*endless.pdf) exec sleep 1000 ;;
*large.pdf) head -c 5000000 /dev/zero | tr '\0' x ;;
*blank.pdf) printf '\n' ;;
*curious.pdf) cat "${5%curious.pdf}secret.pdf" ;;
*) cat "$5" ;;
esac
)sh"));
    fs::permissions(program_, fs::perms::owner_all);
  }
  void TearDown() override { ::setenv("PATH", path_.c_str(), 1); }

  SourceText textOf(const std::string &name, double seconds = 600) const {
    const fs::path file = folder_.path() / "papers" / name;
    EXPECT_TRUE(writeFileAtomic(file, "the text of " + name + "\n"));
    ::setenv("PATH", (program_.parent_path().string() + ":" + path_).c_str(), 1);
    return pdfReader(nullptr, seconds)(file);
  }
  std::string reasonOf(const std::string &name, double seconds = 600) const {
    const SourceText text = textOf(name, seconds);
    EXPECT_FALSE(text) << *text;
    return text ? "" : text.error();
  }

  ScratchDirectory folder_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "agentic-pdf-"));
  fs::path program_ = folder_.path() / "bin" / "pdftotext";
  std::string path_ = std::getenv("PATH") ? std::getenv("PATH") : "";
};

TEST_F(PdfText, IsMadeInTheSandbox) {
  if (!Sandbox::probe().confines())
    GTEST_SKIP() << "no sandbox works here";
  const SourceText text = textOf("scan.pdf");
  ASSERT_TRUE(text) << text.error();
  EXPECT_EQ(*text, "the text of scan.pdf\n");
  EXPECT_THAT(reasonOf("broken.pdf"), AllOf(HasSubstr("pdftotext exited with status 1"), HasSubstr("no xref table")));
  EXPECT_THAT(reasonOf("endless.pdf", 0.5), HasSubstr("pdftotext ran longer than"));
  EXPECT_THAT(reasonOf("large.pdf"), HasSubstr("more than 4 MiB"));
  EXPECT_THAT(reasonOf("blank.pdf"), HasSubstr("no text in it"));
  textOf("secret.pdf");
  EXPECT_THAT(reasonOf("curious.pdf"), HasSubstr("pdftotext exited with status 1")); // it sees its own file alone
}

TEST_F(PdfText, NeedsTheProgram) {
  ::setenv("PATH", "/nowhere", 1);
  const SourceText text = pdfReader(nullptr)("/scan.pdf");
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error(), HasSubstr("poppler-utils"));
}

} // namespace
} // namespace agentic
