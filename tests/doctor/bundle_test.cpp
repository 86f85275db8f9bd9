// Tests the archive's contents, and what must not be in it: keys, home folder, user and host.
#include "tests/doctor/doctor_fixture.h"

#include "tool/base/process.h"
#include "tool/doctor/bundle.h"

#include <cstdlib>
#include <sys/stat.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Bundle : public DoctorTest {
protected:
  void SetUp() override {
    DoctorTest::SetUp();
    request_.file = (root() / "bundle.tar.gz").string();
    request_.doctorJson = "{\"checks\": []}\n";
    request_.buildDir = (root() / "build").string();
    request_.identity.environment = {"HOME=/home/marvin", "USER=marvin", "SOME_API_KEY=planted-0123456789", "PATH=/bin",
                                     "NO_EQUALS"};
    request_.identity.host = "heart-of-gold";
  }
  /// Returns all files of the archive, one after the other.
  std::string unpacked() {
    const auto text = runProcess({.argv = {"tar", "-xzOf", request_.file}});
    EXPECT_TRUE(text && text->ok());
    return text ? text->out : std::string();
  }
  BundleRequest request_;
};

TEST_F(Bundle, HoldsManifestsAndTheRunRedacted) {
  put("build/_agentic/manifests/dot.json", R"({"source": "/home/marvin/src/dot.cpp", "by": "marvin@heart-of-gold"})");
  put("build/_agentic/manifests/notes.txt", "not mine");
  put("run/journal.jsonl", "{\"error\": \"401 for key planted-0123456789\"}\n");
  put("run/candidates/c1.cpp", "secret source");
  request_.runDir = (root() / "run").string();
  const auto names = writeBundle(request_);
  ASSERT_TRUE(names.has_value()) << names.error().message;
  EXPECT_THAT(*names, ElementsAre("doctor.json", "manifests/dot.json", "run/journal.jsonl"));
  const std::string text = unpacked();
  EXPECT_THAT(text, HasSubstr(R"("source": "~/src/dot.cpp", "by": "user@host")"));
  EXPECT_THAT(text, HasSubstr("401 for key [redacted]"));
  for (const char *gone : {"marvin", "heart-of-gold", "planted-0123456789", "secret source", "not mine"})
    EXPECT_THAT(text, Not(HasSubstr(gone)));
}

TEST_F(Bundle, NeedsNoTreeAndReplacesWhatWasThere) {
  put("bundle.tar.gz", "old");
  const auto names = writeBundle(request_);
  ASSERT_TRUE(names.has_value()) << names.error().message;
  EXPECT_THAT(*names, ElementsAre("doctor.json"));
  EXPECT_EQ(unpacked(), request_.doctorJson);
}

TEST_F(Bundle, HoldsTheCallsOfEveryAgent) {
  put("run/journal.jsonl", "{}\n");
  put("run/agents/1/calls.jsonl", "{\"call\": 1, \"error\": \"planted-0123456789\"}\n");
  put("run/agents/2/calls.jsonl", "{\"call\": 2}\n");
  put("run/agents/2/replies/1.txt", "a reply");
  request_.runDir = (root() / "run").string();
  const auto names = writeBundle(request_);
  ASSERT_TRUE(names.has_value()) << names.error().message;
  EXPECT_THAT(*names,
              ElementsAre("doctor.json", "run/agents/1/calls.jsonl", "run/agents/2/calls.jsonl", "run/journal.jsonl"));
  const std::string text = unpacked();
  EXPECT_THAT(text, HasSubstr("\"call\": 2"));
  EXPECT_THAT(text, Not(HasSubstr("planted")));
}

TEST_F(Bundle, WhatCannotBeReadLeavesANote) {
  put("build/_agentic/manifests/dot.json/inside", "a folder");
  put("build/_agentic/manifests/sum.json", "{\"kernel\": \"sum\"}");
  fs::create_symlink("loop.json", root() / "build/_agentic/manifests/loop.json");
  ASSERT_EQ(::mkfifo((root() / "build/_agentic/manifests/pipe.json").c_str(), 0600), 0);
  put("run/agents", "no folder");
  request_.runDir = (root() / "run").string();
  const auto names = writeBundle(request_);
  ASSERT_TRUE(names.has_value()) << names.error().message;
  EXPECT_THAT(*names, ElementsAre("doctor.json", "manifests/sum.json", "manifests/dot.json.unreadable.txt",
                                  "manifests/loop.json.unreadable.txt", "manifests/pipe.json.unreadable.txt",
                                  "run/agents.unreadable.txt"));
  const std::string text = unpacked();
  EXPECT_THAT(text, HasSubstr("dot.json is no file"));
  EXPECT_THAT(text, HasSubstr("Too many levels of symbolic links"));
}

TEST_F(Bundle, NeedsNoTemporaryFolder) {
  const char *before = std::getenv("TMPDIR");
  const std::string was = before ? before : "";
  ::setenv("TMPDIR", (root() / "gone").c_str(), 1);
  const auto names = writeBundle(request_);
  before ? ::setenv("TMPDIR", was.c_str(), 1) : ::unsetenv("TMPDIR");
  ASSERT_TRUE(names.has_value()) << names.error().message;
  EXPECT_EQ(unpacked(), request_.doctorJson);
}

TEST_F(Bundle, FolderThatIsNotThereIsOneError) {
  put("file", "");
  request_.file = (root() / "file" / "bundle.tar.gz").string();
  const auto names = writeBundle(request_);
  ASSERT_FALSE(names.has_value());
  EXPECT_THAT(names.error().message, HasSubstr("Not a directory"));
}

} // namespace
} // namespace agentic
