// A program that a host runs in the place of this machine: what is asked, the work, and what comes back.
#include "tool/evaluate/remote/running_task.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RunningTask : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(scratch_);
    for (const char *folder : {"store", "there", "here"})
      ASSERT_TRUE(createDirectories(path(folder)));
  }
  std::string path(const std::string &name) const { return (scratch_->path() / name).string(); }
  /// A file of the host's store, which the program sees as `place`.
  TaskFile stored(const std::string &place, const std::string &text) const {
    const std::string hash = sha256(text);
    EXPECT_TRUE(writeFileAtomic(path("store/" + hash), text));
    fs::permissions(path("store/" + hash), fs::perms::owner_read | fs::perms::owner_exec);
    return {.path = place, .file = {}, .hash = hash};
  }
  Result<ProcessResult> ran(const ProcessSpec &spec, std::vector<TaskFile> files, Tasks tasks = Tasks::Processes) {
    const Sandbox::View view{.readOnly = {}, .writable = {path("here")}, .hidden = {}, .tasks = tasks};
    const Sandbox sandbox = Sandbox::probe();
    return ranThere(performTask(runningTask(spec, view, std::move(files), false).description,
                                {.sandbox = &sandbox, .store = path("store"), .scratch = path("there")}),
                    view.writable);
  }
  /// What a host says of a program that wrote these files, whose contents are `bytes`.
  Result<ProcessResult> said(const json &files, const std::string &bytes) const {
    return ranThere({.json = {{"end", 0},
                              {"code", 0},
                              {"out", 0},
                              {"err", 0},
                              {"truncated", false},
                              {"wallSeconds", 0},
                              {"cpuSeconds", 0},
                              {"timeoutSeconds", 0},
                              {"files", files}},
                     .bytes = bytes},
                    {path("here")});
  }
  std::vector<std::string> written() const {
    std::vector<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(scratch_->path() / "here"))
      names.push_back(entry.path().lexically_relative(scratch_->path() / "here").string());
    return names;
  }

  Result<ScratchDirectory> scratch_ = ScratchDirectory::create(fs::temp_directory_path(), "running-");
};

TEST_F(RunningTask, SeesItsFilesAndBringsBackWhatItPrintedAndWrote) {
  ProcessSpec spec;
  spec.argv = {"/project/program.sh", path("here")};
  spec.workingDirectory = "/project/tests";
  spec.environment = {{"WORD=seven"}};
  const auto process =
      ran(spec, {stored("/project/program.sh", "#!/bin/sh\ncat /project/data; pwd; echo $WORD >&2; mkdir $1/inner\n"
                                               "printf '\\000\\377' >$1/inner/bytes; ln -s /etc/passwd $1/link\n"
                                               "echo >/project/data; exit 3\n"),
                 stored("/project/data", "data\n")});
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(process->describe(), "exited with status 3");
  EXPECT_EQ(process->out, "data\n/project/tests\n");
  EXPECT_THAT(process->err, HasSubstr("seven\n"));
  EXPECT_THAT(process->err, HasSubstr("Read-only")) << "files are the same for the next program";
  EXPECT_EQ(readFile(path("here/inner/bytes")).value_or(""), std::string("\0\377", 2));
  EXPECT_THAT(written(), testing::UnorderedElementsAre("inner", "inner/bytes")) << "a link is nobody's result";
  EXPECT_TRUE(fs::is_empty(scratch_->path() / "there"));
}

TEST_F(RunningTask, GoesOnWithWhatIsInItsFolders) {
  ASSERT_TRUE(writeFileAtomic(path("here/counts"), "1"));
  ASSERT_TRUE(writeFileAtomic(path("store/" + sha256("1")), "1"));
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "cat $1/counts; echo 2 >>$1/counts", "sh", path("here")};
  const auto process = ran(spec, {});
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(process->out, "1") << process->err;
  EXPECT_EQ(readFile(path("here/counts")).value_or(""), "12\n");
  const Sandbox::View view{.readOnly = {}, .writable = {path("here")}};
  json description = runningTask(spec, view, {}, false).description;
  ASSERT_EQ(description["begun"].size(), 1u);
  for (const auto &[key, value] : json{{"hash", "../x"}, {"path", "../x"}, {"folder", 1}}.items()) {
    json other = description;
    other["begun"][0][key] = value;
    const Sandbox sandbox = Sandbox::probe();
    const TaskResult refused =
        performTask(other, {.sandbox = &sandbox, .store = path("store"), .scratch = path("there")});
    EXPECT_TRUE(refused.json.contains("error")) << other.dump();
  }
}

TEST_F(RunningTask, HasTheLimitsOfTheProgram) {
  ProcessSpec spec;
  spec.argv = {"/bin/sleep", "60"};
  spec.timeoutSeconds = 0.2;
  const auto late = ran(spec, {}, Tasks::None);
  ASSERT_TRUE(late) << late.error().message;
  EXPECT_EQ(late->end, ProcessResult::End::TimedOut);
  spec.argv = {"/bin/sh", "-c", "kill -SEGV $$"};
  spec.timeoutSeconds = 60;
  const auto killed = ran(spec, {}, Tasks::Processes);
  ASSERT_TRUE(killed) << killed.error().message;
  EXPECT_EQ(killed->describe(), "was killed by SIGSEGV");
  spec.argv = {"/bin/sh", "-c", "head -c 2000000 /dev/zero >$1/much", "sh", path("here")};
  spec.limits.fileSizeBytes = 1 << 20;
  const auto much = ran(spec, {}, Tasks::Processes);
  ASSERT_TRUE(much) << much.error().message;
  EXPECT_FALSE(much->ok());
}

TEST_F(RunningTask, AnAnswerWritesNowhereElse) {
  ASSERT_TRUE(said({{{"folder", 0}, {"path", "a/b"}, {"size", 2}}}, "xy"));
  EXPECT_THAT(readFile(path("here/a/b")).value_or(""), "xy");
  fs::remove_all(scratch_->path() / "here/a");
  for (const char *place : {"../x", "a/../../x", "/tmp/agentic-running-x", "", "."}) {
    EXPECT_FALSE(said({{{"folder", 0}, {"path", place}, {"size", 1}}}, "x")) << place;
    EXPECT_FALSE(fs::exists(scratch_->path() / "x")) << place;
  }
  EXPECT_FALSE(fs::exists("/tmp/agentic-running-x"));
  EXPECT_FALSE(said({{{"folder", 1}, {"path", "a"}, {"size", 1}}}, "x"));
  EXPECT_FALSE(said({{{"folder", 0}, {"path", "a"}, {"size", 9}}}, "x")) << "it says more than it sends";
  EXPECT_FALSE(said({{{"folder", 0}, {"path", "a"}, {"size", -1}}}, "x"));
  EXPECT_FALSE(said({{{"path", "a"}}}, "x"));
  EXPECT_THAT(written(), IsEmpty());
}

TEST_F(RunningTask, AnErrorThereIsOneHere) {
  const auto failed = ranThere({.json = json::parse(R"({"error": {"kind": 1, "message": "no room", "next": "look"}})")},
                               {path("here")});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no room");
}

} // namespace
} // namespace agentic
