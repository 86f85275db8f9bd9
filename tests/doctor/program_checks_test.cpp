// Tests programs that exist, do not, or do not run; sandboxes of every strength; agents in every state.
#include "tests/doctor/doctor_fixture.h"

#include "tool/base/process.h"

#include <algorithm>
#include <map>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

std::function<std::string(const std::string &)> only(std::map<std::string, std::string> versions) {
  return [versions = std::move(versions)](const std::string &program) {
    const auto found = versions.find(program);
    return found == versions.end() ? std::string() : found->second;
  };
}

class ProgramChecks : public DoctorTest {};

TEST_F(ProgramChecks, VersionIsOfProgramsThatRun) {
  EXPECT_THAT(programVersion("sh"), Not(HasSubstr("\n")));
  EXPECT_THAT(programVersion("cmake"), HasSubstr("cmake version 3."));
  EXPECT_EQ(programVersion("false"), "") << "it is there, but does not say a version";
  EXPECT_EQ(programVersion("no-such-program-here"), "");
}

TEST_F(ProgramChecks, CompilersOneIsEnough) {
  view_.versionOf = only({});
  expectDiagnosis(lookAtCompilers(view_), Health::Fail, "none in PATH");
  view_.versionOf = only({{"g++-12", "g++-12 12.2"}});
  expectDiagnosis(lookAtCompilers(view_), Health::Ok, "g++-12: g++-12 12.2; FAMILIES needs both");
  view_.versionOf = only({{"g++", "g++ 13"}, {"clang++-18", "clang 18"}, {"clang++", "clang 14"}});
  expectDiagnosis(lookAtCompilers(view_), Health::Ok, "clang++-18: clang 18; g++: g++ 13");
}

TEST_F(ProgramChecks, CompilerOfTheTreeNeedsNoPath) {
  put("build/CMakeCache.txt", "CMAKE_CXX_COMPILER:FILEPATH=/opt/c++\n");
  view_.versionOf = only({});
  expectDiagnosis(lookAtCompilers(view_), Health::Fail, "none in PATH");
  view_.versionOf = only({{"/opt/c++", "g++ 12"}});
  expectDiagnosis(lookAtCompilers(view_), Health::Ok,
                  "none in PATH that runs; the build tree's own is /opt/c++: g++ 12");
}

TEST_F(ProgramChecks, CMakeAndNinjaAreBothNeeded) {
  view_.versionOf = only({{"ninja", "1.11.1"}});
  expectDiagnosis(lookAtCMake(view_), Health::Fail, "no cmake");
  view_.versionOf = only({});
  expectDiagnosis(lookAtCMake(view_), Health::Fail, "no cmake, no ninja");
  EXPECT_EQ(lookAtCMake(view_).remedy, "apt-get install cmake ninja-build");
  for (const char *old : {"cmake version 3.16.3", "cmake version 2.99"}) {
    view_.versionOf = only({{"cmake", old}, {"ninja", "1.10"}});
    expectDiagnosis(lookAtCMake(view_), Health::Fail, old);
    EXPECT_EQ(lookAtCMake(view_).consequence, "the module needs 3.22 or later");
  }
  view_.versionOf = only({{"cmake", "cmake version 4.0.1"}, {"ninja", "1.11.1"}});
  expectDiagnosis(lookAtCMake(view_), Health::Ok, "4.0.1");
  view_.versionOf = only({{"cmake", "cmake version 3.25.1"}});
  expectDiagnosis(lookAtCMake(view_), Health::Fail, "cmake version 3.25.1; no ninja");
  view_.versionOf = only({{"cmake", "cmake version 3.25.1"}, {"ninja", "1.11.1"}});
  expectDiagnosis(lookAtCMake(view_), Health::Ok, "cmake version 3.25.1; ninja 1.11.1");
}

TEST_F(ProgramChecks, ClangHeadersAreAFolderWithHeaders) {
  view_.clangHeaders = root() / "clang";
  expectDiagnosis(lookAtClangHeaders(view_), Health::Fail, "clang has no include/stddef.h");
  put("clang/include/stddef.h", "");
  expectDiagnosis(lookAtClangHeaders(view_), Health::Ok, (root() / "clang").string());
}

TEST_F(ProgramChecks, SandboxesByStrength) {
  view_.sandbox = Sandbox::none;
  expectDiagnosis(lookAtSandbox(view_), Health::Fail, "resource limits alone");
  int tried = 0;
  for (const auto &[strength, health] : {std::pair(Sandbox::Strength::Bubblewrap, Health::Ok),
                                         {Sandbox::Strength::BubblewrapNoUserNamespace, Health::Ok},
                                         {Sandbox::Strength::OwnLauncher, Health::Warn}})
    if (const auto sandbox = Sandbox::ofStrength(strength)) {
      view_.sandbox = [&] { return *sandbox; };
      expectDiagnosis(lookAtSandbox(view_), health, sandbox->name());
      ++tried;
    }
  view_.sandbox = Sandbox::none;
  view_.versionOf = only({});
  EXPECT_THAT(lookAtSandbox(view_).remedy, HasSubstr("apt-get install bubblewrap"));
  view_.versionOf = only({{"bwrap", "bubblewrap 0.8.0"}});
  EXPECT_THAT(lookAtSandbox(view_).remedy, Not(HasSubstr("install")));
  if (!tried)
    GTEST_SKIP() << "no sandbox works here: only its absence was looked at";
}

ProviderState provider(const std::string &name, Reach reach) {
  ProviderState state;
  state.name = name;
  state.reach = reach;
  return state;
}

TEST_F(ProgramChecks, AgentsThatAnswerAreNamed) {
  expectDiagnosis(lookAtAgents(view_), Health::Ok, "builtin; others were not asked");
  view_.agents = [] { return std::vector{provider("openai", Reach::NotTried), provider("ollama", Reach::No)}; };
  expectDiagnosis(lookAtAgents(view_), Health::Ok, "builtin; no model answers");
  view_.agents = [] { return std::vector{provider("openai", Reach::Yes), provider("ollama", Reach::Yes)}; };
  expectDiagnosis(lookAtAgents(view_), Health::Ok, "builtin, openai, ollama");
  view_.agents = [] { return std::vector{provider("openai", Reach::Yes), provider("groq", Reach::KeyRefused)}; };
  expectDiagnosis(lookAtAgents(view_), Health::Warn, "groq refused the key");
  view_.agents = [] {
    ProviderState state = provider("openai", Reach::No);
    state.keyIsSet = true;
    state.detail = "no route";
    return std::vector{state, provider("ollama", Reach::No)};
  };
  expectDiagnosis(lookAtAgents(view_), Health::Warn, "no answer, though a key is set: openai (no route)");
}

TEST_F(ProgramChecks, OtherMachinesAreReachedByWhatIsThere) {
  const auto has = [](std::vector<std::string> programs) {
    return [programs](const std::string &program) { return std::ranges::find(programs, program) != programs.end(); };
  };
  view_.toolProgram.clear();
  view_.hasProgram = has({});
  expectDiagnosis(lookAtFarm(view_), Health::Ok, "would need ssh, or Slurm's srun");
  view_.hasProgram = has({"ssh"});
  expectDiagnosis(lookAtFarm(view_), Health::Ok, "there is no srun");
  view_.hasProgram = has({"ssh", "srun"});
  expectDiagnosis(lookAtFarm(view_), Health::Ok, "by ssh and by Slurm");
  view_.toolProgram = "/nowhere/bin/agentic-kernel";
  expectDiagnosis(lookAtFarm(view_), Health::Warn, "/nowhere/libexec/agentic-kernel/agentic-kernel-worker");
}

} // namespace
} // namespace agentic
