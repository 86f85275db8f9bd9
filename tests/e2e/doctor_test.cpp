// Tests `doctor` in an empty folder, on a real build tree, on a damaged one, and with an archive to send.
#include "tests/e2e/project.h"

#include <gmock/gmock.h>

#include <pwd.h>
#include <unistd.h>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Returns its check of that name; null if there is none.
nlohmann::json checkOf(const Outcome &outcome, const std::string &name) {
  for (const auto &check : outcome.json["checks"])
    if (check["name"] == name)
      return check;
  return {};
}

/// Makes a PATH with only these programs, by links.
fs::path pathWith(const fs::path &folder, const std::vector<std::string> &programs) {
  fs::create_directories(folder);
  for (const std::string &program : programs)
    if (const auto found = findProgram(program))
      fs::create_symlink(*found, folder / program);
  return folder;
}

class Doctor : public testing::Test {
protected:
  Outcome doctor(std::vector<std::string> arguments, const Environment &environment = {},
                 const fs::path &folder = {}) const {
    arguments.insert(arguments.begin(), {toolPath(), "doctor", "--offline"});
    return runCommand(std::move(arguments), kPatience, environment, folder.string());
  }
  Project project_{"examples/quickstart"};
};

TEST_F(Doctor, NeedsNothingButAFolder) {
  const fs::path empty = project_.root() / "empty";
  fs::create_directories(empty);
  const Outcome outcome = doctor({}, {}, empty);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_THAT(outcome.out, HasSubstr("no build tree was given"));
  EXPECT_THAT(outcome.out, HasSubstr("22 checks: "));
  EXPECT_THAT(outcome.out, HasSubstr(", 0 fail"));
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(fs::is_empty(empty)) << "it writes nothing";
}

TEST_F(Doctor, TellsWhatIsMissingAndFails) {
  const fs::path path = pathWith(project_.root() / "bin", {"cmake", "g++"});
  const Outcome outcome = doctor({"--json"}, {{"PATH", path.string()}}, project_.root());
  EXPECT_EQ(outcome.status, 1) << outcome.all();
  EXPECT_EQ(outcome.json["health"], "fail");
  const nlohmann::json ninja = checkOf(outcome, "CMake and Ninja");
  EXPECT_EQ(ninja["health"], "fail");
  EXPECT_THAT(std::string(ninja["remedy"]), HasSubstr("ninja-build"));
  EXPECT_EQ(checkOf(outcome, "compilers")["health"], "ok");
  EXPECT_TRUE(checkOf(outcome, "compilers")["remedy"].is_null());
}

TEST_F(Doctor, KnowsTheTreeItsToolAndItsModule) {
  const Outcome configured = project_.configure();
  ASSERT_EQ(configured.status, 0) << configured.all();
  Outcome outcome = doctor({"--json", "-B", project_.build().string()});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_EQ(checkOf(outcome, "build tree")["found"], "1 kernel: column_sums");
  EXPECT_EQ(checkOf(outcome, "versions")["health"], "warn") << "the tree calls the installed tool, not this one";

  project_.write("cmake/agentic-kernel.version", "agentic-kernel 0.0.1\n");
  outcome = doctor({"--json", "-B", project_.build().string()});
  EXPECT_THAT(std::string(checkOf(outcome, "versions")["found"]), HasSubstr("copy of the module 0.0.1"));
  EXPECT_THAT(std::string(checkOf(outcome, "versions")["remedy"]), HasSubstr("agentic-kernel init"));
}

TEST_F(Doctor, SaysWhatIsDamagedOrMissing) {
  const fs::path tree = project_.root() / "tree";
  fs::create_directories(tree / "CMakeCache.txt");
  Outcome outcome = doctor({"--json", "-B", tree.string()});
  EXPECT_EQ(outcome.status, 1) << outcome.all();
  EXPECT_THAT(std::string(checkOf(outcome, "build tree")["found"]), HasSubstr("CMakeCache.txt': Is a directory"));
  fs::remove_all(tree / "CMakeCache.txt");
  ASSERT_TRUE(writeFileAtomic(tree / "CMakeCache.txt", "\x01\x02").has_value());
  ASSERT_TRUE(writeFileAtomic(tree / "_agentic", "no folder").has_value());
  outcome = doctor({"--json", "-B", tree.string()}, {{"TMPDIR", (project_.root() / "gone").string()}});
  EXPECT_EQ(outcome.status, 1) << outcome.all();
  EXPECT_THAT(std::string(checkOf(outcome, "build tree")["found"]), HasSubstr("is damaged"));
  EXPECT_THAT(std::string(checkOf(outcome, "disk")["found"]), HasSubstr("_agentic' is no folder, TMPDIR is no folder"));
  expectOneError(
      runCommand({toolPath(), "calibrate", "--json"}, kPatience, {{"TMPDIR", (project_.root() / "gone").string()}}), 1,
      {"TMPDIR"});
}

TEST_F(Doctor, BundleHoldsNoKeyNoHomeAndNoSource) {
  const Outcome configured = project_.configure();
  ASSERT_EQ(configured.status, 0) << configured.all();
  const std::string bundle = (project_.root() / "bundle.tar.gz").string(), key = "planted-key-0123456789";
  const Outcome evaluated = project_.tool(
      {"optimize", "--kernel", "column_sums", "--max-iterations", "0", "--agent", "command:/bin/true " + key, "--yes"});
  const Environment environment{{"HOME", project_.root().string()}, {"OPENAI_API_KEY", key}};
  const Outcome outcome = doctor({"-B", project_.build().string(), "--bundle", bundle}, environment);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_THAT(outcome.err, HasSubstr("wrote " + bundle)) << evaluated.all();
  const Outcome unpacked = runCommand({"tar", "-xzOf", bundle});
  ASSERT_EQ(unpacked.status, 0) << unpacked.all();
  EXPECT_THAT(unpacked.out, HasSubstr(R"("kernel": "column_sums")"));
  EXPECT_THAT(unpacked.out, HasSubstr("\"~/build")) << "where the tree is, without whose it is";
  for (const std::string &gone : {key, project_.root().string(), std::string("for (std::size_t")})
    EXPECT_THAT(unpacked.out, Not(HasSubstr(gone)));
}

TEST_F(Doctor, BundleHoldsNoHomeOfTheAccount) {
  const passwd *account = ::getpwuid(::getuid());
  ASSERT_TRUE(account);
  const fs::path manifest = project_.build() / "_agentic/manifests/dot.json";
  const std::string home = account->pw_dir, source = home + "/src/dot.cpp";
  ASSERT_TRUE(writeFileAtomic(manifest, nlohmann::json({{"source", source}, {"arg", "-DA_TOKEN=planted"}}).dump()));
  const std::string bundle = (project_.root() / "bundle.tar.gz").string();
  const Outcome outcome = runCommand(
      {"env", "-u", "HOME", toolPath(), "doctor", "--offline", "-B", project_.build().string(), "--bundle", bundle});
  const Outcome unpacked = runCommand({"tar", "-xzOf", bundle});
  ASSERT_EQ(unpacked.status, 0) << outcome.all() << unpacked.all();
  EXPECT_THAT(unpacked.out, HasSubstr(R"({"arg":"-DA_TOKEN=[redacted]","source":"~/src/dot.cpp"})"));
}

TEST_F(Doctor, BundleThatCannotBeWrittenIsOneError) {
  const Outcome outcome = doctor({"--bundle", "/proc/bundle.tar.gz", "--json"});
  expectOneError(outcome, 1, {"/proc"});
  EXPECT_THAT(doctor({"--bundle", "/proc/bundle.tar.gz"}).out, HasSubstr("22 checks: "));
}

} // namespace
} // namespace agentic::e2e
