// The connection to a worker, with the real worker: on this machine, by a shell as every engine runs it.
#include "tool/farm/host.h"

#include "tests/farm/built_worker.h"

#include "tool/base/cpus.h"
#include "tool/base/files.h"
#include "tool/base/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace agentic {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class HostTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(folder_);
    worker_ = builtWorker(cache());
  }
  fs::path cache() const { return folder_->path() / "cache"; }
  fs::path store() const { return cache() / "agentic-kernel/farm"; }
  fs::path results() const { return fs::directory_iterator(store() / "results")->path(); } ///< of this machine
  HostAddress here() const { return {.name = "here", .words = {"/bin/sh", "-c"}}; }
  /// An engine that notes the process of each worker that it starts, and then does `before`.
  HostAddress noted(const std::string &before) const {
    const fs::path script = folder_->path() / "engine.sh";
    EXPECT_TRUE(writeFileAtomic(script, "#!/bin/sh\necho $$ >>" + (folder_->path() / "pids").string() + "\n" + before +
                                            "\nexec /bin/sh -c \"$1\"\n"));
    fs::permissions(script, fs::perms::owner_all);
    return {.name = "noted", .words = {script.string()}};
  }
  pid_t lastProcess() const {
    const std::string pids = readFile(folder_->path() / "pids").value_or("");
    const std::size_t line = pids.rfind('\n', pids.size() - 2);
    return static_cast<pid_t>(std::atol(pids.c_str() + (line == std::string::npos ? 0 : line + 1)));
  }
  std::unique_ptr<Host> connected(const HostAddress &address) const {
    auto host = Host::connect(address, worker_, nullptr);
    EXPECT_TRUE(host) << host.error().message;
    return host ? std::move(*host) : nullptr;
  }
  static std::string finishedOf(Host &host, const std::string &run) {
    const auto finished = host.finished(run, nullptr);
    if (!finished)
      return finished.error().message;
    std::string ids;
    for (const auto &[id, result] : *finished)
      ids += id + " ";
    return ids;
  }
  /// What such a task comes to is an error: its description is not understood.
  Task task(const std::string &id) const { return {.id = id, .description = {{"verb", "none"}}, .files = {}}; }

  Result<ScratchDirectory> folder_ = ScratchDirectory::create(fs::temp_directory_path(), "host-");
  WorkerProgram worker_;
};

TEST_F(HostTest, TheWorkerIsSentOnceAndSaysWhatItIs) {
  const auto host = connected(here());
  ASSERT_TRUE(host);
  EXPECT_EQ(host->facts().version, kVersion);
  EXPECT_FALSE(host->facts().cpu.empty());
  EXPECT_FALSE(host->facts().glibc.empty());
  EXPECT_FALSE(host->facts().features.empty());
  std::size_t workers = 0;
  for (const auto &entry : fs::directory_iterator(cache() / "agentic-kernel"))
    workers += entry.path().filename().string().starts_with("worker-");
  EXPECT_EQ(workers, 1u);
  const auto mode = fs::status(cache() / "agentic-kernel").permissions();
  EXPECT_EQ(mode & (fs::perms::group_all | fs::perms::others_all), fs::perms::none) << "nobody else's business";
  ASSERT_TRUE(connected(here())) << "the second finds it there";
}

TEST_F(HostTest, AWorkerKeepsToItsCoresAndItsFolder) {
  HostAddress address = noted("");
  address.cores = std::to_string(usableCpus().front());
  address.folder = (folder_->path() / "its own").string();
  const auto host = connected(address);
  ASSERT_TRUE(host);
  EXPECT_TRUE(fs::exists(folder_->path() / "its own/agentic-kernel/farm"));
  EXPECT_FALSE(fs::exists(cache()));
  EXPECT_THAT(readFile("/proc/" + std::to_string(lastProcess()) + "/status").value_or(""),
              HasSubstr("Cpus_allowed_list:\t" + address.cores + "\n"));
}

TEST_F(HostTest, FilesAreSentOnceAndByTheirContents) {
  const std::string file = (folder_->path() / "data").string();
  ASSERT_TRUE(writeFileAtomic(file, "contents"));
  Task with = task("aa");
  with.files = {{.path = "/project/data", .file = file, .hash = sha256("contents")}};
  const auto host = connected(here());
  ASSERT_TRUE(host);
  ASSERT_TRUE(host->perform(with, 60, nullptr));
  EXPECT_EQ(readFile(store() / "files" / sha256("contents")).value_or(""), "contents");
  fs::remove(file);
  with.id = "ab";
  EXPECT_TRUE(connected(here())->perform(with, 60, nullptr)) << "it is there: nothing is read here";
}

TEST_F(HostTest, ATaskThatWasDoneIsNotDoneAgain) {
  const auto host = connected(here());
  ASSERT_TRUE(host);
  ASSERT_TRUE(writeFileAtomic(results() / "77.json", R"({"outcome": "kept"})"));
  const auto result = host->perform(task("77"), 60, nullptr);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->json.value("outcome", ""), "kept");
  ASSERT_TRUE(writeFileAtomic(results() / "78.json", R"({"outcome": "ha)"));
  const auto half = host->perform(task("78"), 60, nullptr);
  ASSERT_TRUE(half);
  EXPECT_TRUE(half->json.contains("error")) << "half a result is none: the task was done, and it is none";
}

TEST_F(HostTest, WhatWasFinishedForARunIsToldByItsId) {
  const auto host = connected(here());
  ASSERT_TRUE(host);
  ASSERT_TRUE(writeFileAtomic(results() / "7a01.json", R"({"outcome": "of this run"})"));
  ASSERT_TRUE(writeFileAtomic(results() / "7a02.json", R"({"outcome": "ha)"));
  ASSERT_TRUE(writeFileAtomic(results() / "7b01.json", R"({"outcome": "of another"})"));
  const auto finished = host->finished("7a", nullptr);
  ASSERT_TRUE(finished) << finished.error().message;
  ASSERT_EQ(finished->size(), 1u);
  EXPECT_EQ(finished->at("7a01").value("outcome", ""), "of this run");
  for (const char *none : {"", "../results/7a", "7c"})
    EXPECT_EQ(finishedOf(*host, none), "") << none;
}

TEST_F(HostTest, WhatWasFinishedIsAskedAgainByANewConnection) {
  const auto host = connected(noted(""));
  ASSERT_TRUE(host);
  ASSERT_TRUE(writeFileAtomic(results() / "7a01.json", R"({"outcome": "kept"})"));
  ASSERT_EQ(::kill(lastProcess(), SIGKILL), 0);
  EXPECT_EQ(finishedOf(*host, "7a"), "7a01 ");
  // Of another type, or without an end.
  const std::string hello = R"(echo '{"hello": {"protocol": 1}}'; )";
  const auto odd = connected(noted(hello + R"(echo '{"finished": 3}'; cat >/dev/null)"));
  ASSERT_TRUE(odd);
  EXPECT_EQ(finishedOf(*odd, "7a"), "");
  const auto endless = connected(noted(hello + "yes '{}'"));
  ASSERT_TRUE(endless);
  std::atomic<bool> cancelled = false;
  const std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    cancelled = true;
  });
  EXPECT_FALSE(endless->finished("7a", &cancelled));
}

TEST_F(HostTest, ADiskThatIsFullThereIsSaid) {
  if (std::system("unshare -rm mount -t tmpfs -o size=512k tmpfs /mnt 2>/dev/null") != 0)
    GTEST_SKIP() << "no namespaces of mounts for this user";
  const auto host = connected(noted("mkdir -p " + store().string() + "\nexec unshare -rm sh -c 'mount -t tmpfs -o " +
                                    "size=512k tmpfs " + store().string() + " && exec sh -c \"$1\"' sh \"$1\""));
  ASSERT_TRUE(host);
  const std::string large(1u << 20, 'x'), file = (folder_->path() / "data").string();
  ASSERT_TRUE(writeFileAtomic(file, large));
  Task with = task("f1");
  with.files = {{.path = "/project/data", .file = file, .hash = sha256(large)}};
  const auto result = host->perform(with, 60, nullptr);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->json.dump(), AllOf(HasSubstr("could not be kept there"), HasSubstr("No space left on device")));
  EXPECT_TRUE(host->perform(task("f2"), 60, nullptr)) << "it goes on";
}

TEST_F(HostTest, AClockThatJumpsCostsWorkAlone) {
  const std::string file = (folder_->path() / "data").string();
  ASSERT_TRUE(writeFileAtomic(file, "contents"));
  Task with = task("c1");
  with.files = {{.path = "/project/data", .file = file, .hash = sha256("contents")}};
  ASSERT_TRUE(connected(here())->perform(with, 60, nullptr));
  for (const int days : {-30, 30}) { // what lies there is older, or newer, than anything can be
    for (const char *part : {"files", "results"})
      for (const auto &entry : fs::directory_iterator(store() / part))
        fs::last_write_time(entry.path(), fs::file_time_type::clock::now() + std::chrono::hours(24 * days));
    const auto host = connected(here());
    ASSERT_TRUE(host);
    EXPECT_TRUE(host->perform(with, 60, nullptr)) << days;
    EXPECT_EQ(readFile(store() / "files" / sha256("contents")).value_or(""), "contents") << days;
  }
}

TEST_F(HostTest, AWorkerThatIsKilledIsStartedAgain) {
  const auto host = connected(noted(""));
  ASSERT_TRUE(host);
  ASSERT_EQ(::kill(lastProcess(), SIGKILL), 0);
  const pid_t before = lastProcess();
  EXPECT_TRUE(host->perform(task("1a"), 60, nullptr));
  EXPECT_NE(lastProcess(), before);
}

TEST_F(HostTest, AHostThatIsGoneIsNamedWithItsReason) {
  const auto host = connected(
      noted("[ ! -e " + (folder_->path() / "gone").string() + " ] || { echo No route to host >&2; exit 255; }"));
  ASSERT_TRUE(host);
  ASSERT_TRUE(writeFileAtomic(folder_->path() / "gone", ""));
  ASSERT_EQ(::kill(lastProcess(), SIGKILL), 0);
  const auto lost = host->perform(task("1b"), 60, nullptr);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind, ErrorKind::User);
  EXPECT_THAT(lost.error().message, HasSubstr("noted"));
  const auto never = Host::connect(noted("echo No route to host >&2; exit 255"), worker_, nullptr);
  ASSERT_FALSE(never);
  EXPECT_THAT(never.error().message, HasSubstr("No route to host"));
}

TEST_F(HostTest, AGreetingIsNamed) {
  const auto host = Host::connect(noted("echo Welcome to this machine"), worker_, nullptr);
  ASSERT_FALSE(host);
  EXPECT_THAT(host.error().message, HasSubstr("Welcome to this machine"));
}

TEST_F(HostTest, AnswersOfOtherTypesAreNoAnswers) {
  for (const char *hello : {R"({"hello": 3})", R"({"hello": {"protocol": "1"}})", R"({"hello": {"protocol": [1]}})"})
    EXPECT_FALSE(Host::connect(noted("echo '" + std::string(hello) + "'; sleep 600"), worker_, nullptr)) << hello;
  // A worker that lacks nothing, by its own words, and whose result is none.
  const auto host = connected(
      noted(R"(echo '{"hello": {"protocol": 1, "version": 7, "features": "avx2"}}')"
            "\n"
            R"(echo '{"missing": {"a": 1}, "ask": 1}'; echo '{"task": 5}'; echo '{"task": "1c"}'; cat >/dev/null)"));
  ASSERT_TRUE(host);
  EXPECT_EQ(host->facts().version, "");
  Task with = task("1c");
  with.files = {{.path = "/project/data", .file = "/nowhere", .hash = sha256("contents")}};
  const auto result = host->perform(with, 60, nullptr);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->json.is_null());
}

TEST_F(HostTest, AnInterruptionEndsTheWait) {
  std::atomic<bool> cancelled = false;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancelled = true;
  });
  const auto host = Host::connect(noted("sleep 600"), worker_, &cancelled);
  ASSERT_FALSE(host);
  EXPECT_EQ(host.error().kind, ErrorKind::Interrupted);
}

TEST_F(HostTest, AfterAnInterruptionAnotherTaskFindsItsFiles) {
  const std::string file = (folder_->path() / "data").string();
  ASSERT_TRUE(writeFileAtomic(file, "contents"));
  const auto host = connected(here());
  ASSERT_TRUE(host);
  const std::atomic<bool> cancelled = true;
  const auto interrupted = host->perform(task("1d"), 60, &cancelled); // its answer comes when nobody waits for it
  ASSERT_FALSE(interrupted);
  EXPECT_EQ(interrupted.error().kind, ErrorKind::Interrupted);
  Task with = task("1e");
  with.files = {{.path = "/project/data", .file = file, .hash = sha256("contents")}};
  ASSERT_TRUE(host->perform(with, 60, nullptr));
  EXPECT_EQ(readFile(store() / "files" / sha256("contents")).value_or(""), "contents");
}

TEST_F(HostTest, AnotherMachineIsNotTheSameHost) {
  const auto host = connected(noted("n=$(wc -l <" + (folder_->path() / "pids").string() +
                                    ")\necho '{\"hello\": {\"protocol\": 1, \"machine\": \"'$n'\"}}'\nexit 0"));
  ASSERT_TRUE(host);
  const auto other = host->perform(task("1f"), 60, nullptr);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("another machine"));
}

} // namespace
} // namespace agentic
