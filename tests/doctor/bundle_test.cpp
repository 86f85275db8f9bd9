// What is in the archive, and what must not be: keys, home folder, user and host.
#include "tests/doctor/doctor_fixture.h"

#include "tool/base/process.h"
#include "tool/doctor/bundle.h"

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
    request_.environment = {"HOME=/home/marvin", "USER=marvin", "SOME_API_KEY=planted-0123456789", "PATH=/bin",
                            "NO_EQUALS"};
    request_.host = "heart-of-gold";
  }
  /// All files of the archive, one after the other.
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

TEST_F(Bundle, ShortNamesAreNotReplacedEverywhere) {
  request_.environment = {"HOME=/", "USER=ed", "LOGNAME="};
  request_.host = "a";
  request_.doctorJson = "/edited by a machine\n";
  ASSERT_TRUE(writeBundle(request_).has_value());
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
