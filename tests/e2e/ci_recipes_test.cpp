// Executes the recipes of examples/ci: the scripts, and the workflows' steps that do more than call one.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

fs::path recipe(const std::string &name) {
  return fs::path(sourceRoot()) / "examples" / "ci" / name;
}

/// The lines of the block that follows `key: |` and hold `word`, without their indentation.
std::string blockWith(const std::string &file, const std::string &word) {
  std::string block;
  std::size_t indent = 0;
  for (const std::string &line : split(readFile(recipe(file)).value_or(""), '\n')) {
    const std::size_t start = line.find_first_not_of(' ');
    if (indent > 0 && start != std::string::npos && start >= indent) {
      block += line.substr(indent) + "\n";
      continue;
    }
    if (indent > 0 && block.find(word) != std::string::npos)
      return block;
    indent = 0;
    if (line.ends_with(": |") || line.ends_with("- |")) {
      indent = line.find("- ") + 2;
      block.clear();
    }
  }
  return block;
}

class Recipes : public testing::Test {
protected:
  static void SetUpTestSuite() {
    project_ = new Project("examples/quickstart");
    remote_ = project_->root() / "remote.git";
    fs::create_directory(project_->source() / "ci");
    for (const char *name : {"consumer.sh", "verify.sh", "tune.sh"})
      fs::copy(recipe(name), project_->source() / "ci" / name);
    shell("git init --quiet --bare --initial-branch=main '" + remote_.string() +
          "'"
          " && git -C '" +
          remote_.string() +
          "' config receive.advertisePushOptions true"
          " && git init --quiet --initial-branch=main && git config user.name a && git config user.email a@example.com"
          " && git remote add origin '" +
          remote_.string() +
          "'"
          " && git add --all && git commit --quiet -m first && git push --quiet origin main");
    // Replaces the program that opens a change on the hosting side: it notes its arguments.
    fs::create_directory(project_->root() / "bin");
    putProgram("gh", "printf '%s\\n' \"$@\" >\"$GH_ASKED\"\n");
    // Runs the tool with few candidates.
    putProgram("agentic-kernel",
               "[ \"$1\" != optimize ] || set -- \"$@\" --max-iterations 4\nexec '" + toolPath() + "' \"$@\"\n");
    tuned_ = shell(tuning("github-workflow.yml"));
  }
  static void TearDownTestSuite() { delete project_; }

  static void putProgram(const std::string &name, const std::string &text) {
    const fs::path program = project_->root() / "bin" / name;
    if (!writeFileAtomic(program, "#!/bin/sh\n" + text))
      throw std::runtime_error("cannot write " + program.string());
    fs::permissions(program, fs::perms::owner_all);
  }

  /// Returns the step that tunes, as a runner's shell executes it.
  static std::string tuning(const std::string &file) { return "set -e\n" + blockWith(file, "tune.sh"); }

  /// Runs in SOURCE, with a runner's environment.
  static Outcome shell(const std::string &commands, Environment environment = {}) {
    environment.insert(environment.end(), {{"PATH", (project_->root() / "bin").string() + ":" + std::getenv("PATH")},
                                           {"CXX", compilerPath()},
                                           {"CMAKE_PREFIX_PATH", installPrefix()},
                                           {"RUNNER_TEMP", project_->root().string()},
                                           {"CI_BUILDS_DIR", project_->root().string()},
                                           {"CI_JOB_ID", "7"},
                                           {"PUSH_URL", "origin"},
                                           {"GH_ASKED", (project_->root() / "asked").string()},
                                           {"BRANCH", "tuned"}});
    return runCommand({"sh", "-c", commands}, kPatience, environment, project_->source().string());
  }

  static std::string output(const std::string &commands) {
    const Outcome outcome = shell(commands);
    EXPECT_EQ(outcome.status, 0) << commands << "\n" << outcome.all();
    return outcome.out;
  }

  static Project *project_;
  static fs::path remote_;
  static Outcome tuned_;
};
Project *Recipes::project_ = nullptr;
fs::path Recipes::remote_;
Outcome Recipes::tuned_;

TEST_F(Recipes, TuningOpensAChangeThatHoldsGeneratedFilesAlone) {
  ASSERT_EQ(tuned_.status, 0) << tuned_.all();
  for (const std::string &file : split(output("git diff --name-only origin/main tuned"), '\n')) {
    if (!file.empty()) {
      EXPECT_TRUE(file.starts_with("generated/column_sums.")) << file;
    }
  }
  EXPECT_NE(output("git ls-tree -r --name-only tuned").find("generated/column_sums.lock.json"), std::string::npos);
  EXPECT_NE(output("git log -1 --format=%B tuned").find("column_sums"), std::string::npos);
  EXPECT_EQ(output("git rev-parse tuned"), output("git -C '" + remote_.string() + "' rev-parse tuned"));
  const std::string asked = readFile(project_->root() / "asked").value_or("");
  EXPECT_NE(asked.find("create\n--head\ntuned\n"), std::string::npos) << asked;
  const std::string body = split(asked, '\n').at(7);
  EXPECT_NE(readFile(body).value_or("").find("column_sums"), std::string::npos) << body;
}

TEST_F(Recipes, TheOtherHostTakesAPush) {
  ASSERT_EQ(tuned_.status, 0) << tuned_.all();
  const Outcome again = shell("git switch --quiet main\nexport BRANCH=other\n" + tuning("gitlab-ci.yml"));
  EXPECT_EQ(again.status, 0) << again.all();
  EXPECT_NE(output("git -C '" + remote_.string() + "' branch").find("other"), std::string::npos) << again.all();
}

TEST_F(Recipes, UncommittedChangesAreNotSweptIntoAChange) {
  const Outcome refused = shell("echo // >>column_sums.cpp; ci/tune.sh . ../elsewhere 60 third");
  EXPECT_EQ(refused.status, 1) << refused.all();
  EXPECT_NE(refused.err.find("not committed"), std::string::npos) << refused.err;
  shell("git checkout --quiet column_sums.cpp");
  const Outcome inside = shell("ci/tune.sh . inside 60 third; status=$?; rm -rf inside; exit $status");
  EXPECT_EQ(inside.status, 1) << inside.all();
  EXPECT_NE(inside.err.find("outside of"), std::string::npos) << inside.err;
}

TEST_F(Recipes, AConsumerBuildsWithoutTheToolUntilAVariantIsStale) {
  ASSERT_EQ(tuned_.status, 0) << tuned_.all();
  output("git switch --quiet --force tuned");
  const Outcome fresh = shell("ci/consumer.sh . ../consumer -G Ninja");
  EXPECT_EQ(fresh.status, 0) << fresh.all();
  EXPECT_NE(fresh.out.find("agentic-kernel.column_sums."), std::string::npos) << fresh.out;
  const Outcome stale =
      shell("sed -i 's/sums.c. = sum;/sums[c] = sum + 0.0f;/' column_sums.cpp; ci/consumer.sh . ../consumer -G Ninja");
  EXPECT_NE(stale.status, 0) << stale.all();
  EXPECT_NE(stale.err.find("are stale"), std::string::npos) << stale.err;
  shell("git checkout --quiet column_sums.cpp");
}

TEST_F(Recipes, VerifyLeavesReportsWhetherVariantsHoldOrNot) {
  ASSERT_EQ(tuned_.status, 0) << tuned_.all();
  output("git switch --quiet --force tuned");
  const std::string summary = (project_->root() / "summary.md").string();
  const Environment environment = {{"GITHUB_STEP_SUMMARY", summary}};
  const Outcome holds = shell("ci/verify.sh . ../verify", environment);
  EXPECT_EQ(holds.status, 0) << holds.all();
  const Outcome fails =
      shell("VERIFY_OPTIONS='--no-benchmark --max-code-bytes 1' ci/verify.sh . ../verify", environment);
  EXPECT_EQ(fails.status, 3) << fails.all();
  for (const char *name : {"verify.md", "verify.xml", "verify.sarif"})
    EXPECT_TRUE(fs::exists(project_->root() / "verify" / name)) << name;
  EXPECT_NE(readFile(summary).value_or("").find("limit"), std::string::npos) << readFile(summary).value_or("");
}

// Every script that a workflow names is one of ours, and each of ours is named.
TEST_F(Recipes, WorkflowsCallTheScripts) {
  for (const char *workflow : {"github-workflow.yml", "gitlab-ci.yml"}) {
    const std::string text = readFile(recipe(workflow)).value_or("");
    for (const char *script : {"ci/consumer.sh . build\n", "ci/verify.sh . build\n", "ci/tune.sh . "})
      EXPECT_NE(text.find(script), std::string::npos) << workflow << ": " << script;
  }
}

} // namespace
} // namespace agentic::e2e
