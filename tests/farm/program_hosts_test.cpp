// Hosts that run programs in the place of this machine, with the real worker: on this machine, by a shell.
#include "tool/evaluate/remote/program_hosts.h"

#include "tests/farm/built_worker.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class ProgramHostsTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(folder_);
    for (const char *folder : {"project", "written"})
      ASSERT_TRUE(createDirectories(folder_->path() / folder));
    options_.worker = builtWorker(folder_->path() / "cache");
    options_.hosts = {{.name = "here", .words = {"/bin/sh", "-c"}}};
    view_.readOnly = {path("project")};
    view_.writable = {path("written")};
    view_.tasks = Tasks::Processes;
  }
  std::string path(const std::string &name) const { return (folder_->path() / name).string(); }
  std::string file(const std::string &name, const std::string &text) const {
    EXPECT_TRUE(writeFileAtomic(path(name), text));
    fs::permissions(path(name), fs::perms::owner_all);
    return path(name);
  }
  /// An engine whose worker is gone once the file `name`-dead is there.
  HostAddress mortal(const std::string &name) const {
    const std::string script =
        file(name, "#!/bin/bash\n[ ! -e " + path(name + "-dead") + " ] || { echo No route >&2; exit 255; }\n" +
                       "set -o pipefail\nsh -c \"$1\" | while IFS= read -r line; do\n  [ ! -e " + path(name + "-dead") +
                       " ] || kill -9 0\n  printf '%s\\n' \"$line\"\ndone\n");
    return {.name = name, .words = {script}};
  }
  std::shared_ptr<ProgramHosts> opened() {
    auto hosts = ProgramHosts::open(request_);
    EXPECT_TRUE(hosts) << hosts.error().message;
    return hosts ? *hosts : nullptr;
  }
  ProcessSpec program(const std::string &text) const {
    ProcessSpec spec;
    spec.argv = {file("project/program.sh", "#!/bin/sh\n" + text)};
    return spec;
  }
  std::string printed(ProgramHosts &hosts, const ProcessSpec &spec) const {
    const auto process = hosts.run(spec, view_);
    EXPECT_TRUE(process) << process.error().message;
    return process ? process->out + process->err : "";
  }

  Result<ScratchDirectory> folder_ = ScratchDirectory::create(fs::temp_directory_path(), "programs-");
  FarmOptions options_;
  ProgramHostsRequest request_{.options = &options_, .refusal = [](const Cpu &) { return std::string(); }, .data = {}};
  Sandbox::View view_;
};

TEST_F(ProgramHostsTest, AProgramHasWhatItsWordsNameAndNothingElse) {
  request_.data = {file("project/data.txt", "the data\n")};
  file("project/source.cpp", "a secret\n");
  const auto hosts = opened();
  ASSERT_TRUE(hosts);
  ProcessSpec spec = program("cat $1 $OTHER " + path("project/data.txt") + "; ls " + path("project") + "\necho left >" +
                             path("written") + "/report\n");
  spec.argv.push_back(file("project/argument", "an argument\n"));
  spec.environment = {{"OTHER=" + file("project/variable", "a variable\n")}};
  EXPECT_EQ(printed(*hosts, spec), "an argument\na variable\nthe data\nargument\ndata.txt\nprogram.sh\nvariable\n");
  EXPECT_EQ(readFile(path("written/report")).value_or(""), "left\n");
  EXPECT_EQ(printed(*hosts, spec).substr(0, 12), "an argument\n");
  file("project/argument", "another one\n");
  EXPECT_EQ(printed(*hosts, spec).substr(0, 12), "another one\n") << "its contents count, not its name";
}

TEST_F(ProgramHostsTest, ALibraryOfThisSystemIsFoundInAnotherPlace) {
  const auto libraries = sharedLibraries(fs::read_symlink("/proc/self/exe").string());
  ASSERT_TRUE(libraries);
  const auto library = libraries->find("libstdc++.so.6");
  if (library == libraries->end())
    GTEST_SKIP() << "these tests are linked without a shared libstdc++";
  const auto hosts = opened();
  ASSERT_TRUE(hosts);
  ProcessSpec spec = program("echo $LD_PRELOAD; grep -c libstdc /proc/self/maps >/dev/null && echo loaded\n");
  spec.environment = {{"LD_PRELOAD=" + library->second}};
  view_.readOnly.push_back(library->second);
  EXPECT_THAT(printed(*hosts, spec), AllOf(StartsWith("/agentic-libraries/libstdc++.so"), HasSubstr("\nloaded\n")));
}

TEST_F(ProgramHostsTest, KnowTheCpuByItsFeatures) {
  const auto hosts = opened();
  ASSERT_TRUE(hosts);
  for (const CpuFeature &feature : cpuFeatures())
    EXPECT_EQ(hasFeatures(hosts->cpu(), feature.name), hasFeatures(hostCpu(), feature.name)) << feature.name;
  EXPECT_EQ(highestLevel(hosts->cpu()), highestLevel(hostCpu()));
  ASSERT_EQ(cpusOf(options_, nullptr).size(), 1u);
}

TEST_F(ProgramHostsTest, AHostWithoutTheLevelIsNone) {
  request_.refusal = [](const Cpu &) { return std::string("it lacks level x86-64-v9"); };
  const auto hosts = ProgramHosts::open(request_);
  ASSERT_FALSE(hosts);
  EXPECT_THAT(hosts.error().message, HasSubstr("host 'here': it lacks level x86-64-v9"));
}

TEST_F(ProgramHostsTest, AHostThatDiesIsLeftOutAndAnotherRunsTheProgram) {
  options_.hosts = {mortal("first"), mortal("second")};
  const auto hosts = opened();
  ASSERT_TRUE(hosts);
  EXPECT_EQ(hosts->connected().size(), 2u);
  const ProcessSpec spec = program("echo done\n");
  file("first-dead", "");
  EXPECT_EQ(printed(*hosts, spec), "done\n");
  EXPECT_THAT(hosts->takeWarnings(),
              testing::ElementsAre(AllOf(HasSubstr("host 'first': "), HasSubstr("it is left out from here on"))));
  EXPECT_EQ(hosts->connected().size(), 1u);
  file("second-dead", "");
  const auto lost = hosts->run(spec, view_);
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().message,
              AllOf(HasSubstr("all hosts that run the programs are lost: host 'second'"), HasSubstr("No route")));
}

TEST_F(ProgramHostsTest, AnInterruptionEndsTheWait) {
  const auto hosts = opened();
  ASSERT_TRUE(hosts);
  const std::atomic<bool> cancelled = true;
  ProcessSpec spec = program("sleep 60\n");
  spec.cancelled = &cancelled;
  const auto process = hosts->run(spec, view_);
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(process->end, ProcessResult::End::Cancelled);
  EXPECT_THAT(hosts->takeWarnings(), IsEmpty());
}

} // namespace
} // namespace agentic
