#include "tests/lint/rules.h"
#include "tests/lint/source_text.h"
#include "tool/base/files.h"
#include "tool/base/text.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::lint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Lint, TheRepositoryKeepsItsOwnRules) {
  const std::vector<std::string> files = filesOfOurs(AGENTIC_REPOSITORY);
  for (const char *known : {"tool/base/process.cpp", "tool/build/audit.h", "ast-checks/checks.h", "tests/lint/rules.h"})
    EXPECT_TRUE(std::ranges::binary_search(files, known)) << known << " was not looked at";
  for (const std::string &finding : lintTree(AGENTIC_REPOSITORY))
    ADD_FAILURE() << finding;
}

// The kernel leaves features out of that file as it likes: what a CPU has is decided by tool/model/cpu.h alone.
TEST(Lint, NothingDecidesByCpuInfo) {
  std::vector<std::string> readers;
  for (const std::string &file : filesOfOurs(AGENTIC_REPOSITORY))
    if (const auto text = readFile(fs::path(AGENTIC_REPOSITORY) / file);
        file.starts_with("tool/") && text && text->find("proc/cpuinfo\"") != std::string::npos)
      readers.push_back(file);
  EXPECT_THAT(readers, ElementsAre("tool/build/host.cpp",                // the name of the model
                                   "tool/build/machine_fingerprint.cpp", // the microcode's number
                                   "tool/build/sandbox_landlock.cpp",    // what candidates may read
                                   "tool/doctor/cpu_check.cpp"           // shows that it disagrees
                                   ));
}

/// The names in a table of checks: the first literal of each row, `{{"name",`.
std::vector<std::string> checksIn(std::string_view table) {
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = table.find("{{\"", at)) != std::string_view::npos;) {
    at += 3;
    names.emplace_back(table.substr(at, table.find('"', at) - at));
  }
  return names;
}

/// Files that a check needs and `root` lacks.
std::vector<std::string> missingFilesOfCheck(const fs::path &root, const std::string &check) {
  const std::string name = replaceAll(check, "-", "_");
  std::vector<std::string> missing;
  for (const std::string &file : {"ast-checks/" + name + ".h", "ast-checks/" + name + ".cpp",
                                  "ast-checks/" + name + ".md", "tests/ast-checks/" + name + "_test.cpp"})
    if (!fs::exists(root / file))
      missing.push_back(file);
  return missing;
}

TEST(Lint, EveryCheckHasItsFourFiles) {
  const auto registry = readFile(fs::path(AGENTIC_REPOSITORY) / "ast-checks/registry.cpp");
  ASSERT_TRUE(registry) << registry.error().message;
  const std::vector<std::string> checks = checksIn(*registry);
  EXPECT_THAT(checks, testing::Contains("state-outlives-call"));
  for (const std::string &check : checks)
    EXPECT_THAT(missingFilesOfCheck(AGENTIC_REPOSITORY, check), IsEmpty());
  EXPECT_THAT(missingFilesOfCheck(AGENTIC_REPOSITORY, "no-such-check"), testing::SizeIs(4));
}

/// The fixtures: what must be found, and where.
struct Bad {
  const char *path;
  const char *text;
  const char *finding;
};

class LintFinds : public testing::TestWithParam<Bad> {};

TEST_P(LintFinds, TheViolation) {
  EXPECT_THAT(lintFile(GetParam().path, GetParam().text), ElementsAre(HasSubstr(GetParam().finding)));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, LintFinds,
    testing::Values(
        Bad{"tool/base/a.cpp", "#include \"tool/model/finding.h\"\n", "a.cpp:1: \"tool/model/finding.h\" stands right"},
        Bad{"tool/runner/a.cpp", "#include \"tool/model/finding.h\"\n", "stands right"},
        Bad{"tool/base/a.cpp", "#include \"tool/runner/wire.h\"\n", "stands right"},
        Bad{"tool/source/a.cpp", "\n#include \"ast-checks/checks.h\"\n", "a.cpp:2: \"ast-checks/checks.h\" stands"},
        Bad{"ast-checks/a.cpp", "#include \"tool/build/audit.h\"\n", "stands right"},
        Bad{"tool/build/a.cpp", "# include \"tool/evaluate/pipeline/evaluator.h\"\n", "stands right"},
        Bad{"tool/evaluate/candidate/a.cpp", "#include \"tool/evaluate/baseline/facts.h\"\n", "stands right"},
        Bad{"tool/source/nest/a.cpp", "#include \"tool/source/moves/move.h\"\n", "stands right"},
        Bad{"tool/search/a.cpp", "#include \"tool/agent/agent.h\"\n", "stands right"},
        Bad{"tool/report/a.cpp", "#include <tool/search/journal.h>\n", "stands right"},
        Bad{"tool/evaluate/a.cpp", "#include \"tool/cli/command.h\"\n", "stands right"},
        Bad{"tool/run/a.cpp", "#include \"tool/cli/console.h\"\n", "stands right"},
        Bad{"tool/variants/a.cpp", "#include \"tool/run/run_view.h\"\n", "stands right"},
        Bad{"tool/build/a.cpp", "#include <clang/AST/Decl.h>\n", "Clang headers only"},
        Bad{"tool/model/a.cpp", "#include \"llvm/Support/Error.h\"\n", "Clang headers only"},
        Bad{"tool/build/a.cpp", "#include \"audit.h\"\n", "not a path from the repository's root"},
        Bad{"tool/search/a.cpp", "#include <curl/curl.h>\n", "network only"},
        Bad{"tool/cli/a.cpp", "#include <microhttpd.h>\n", "a server only in"},
        Bad{"tool/build/a.cpp", "int x = std::system(\"ls\");\n", "'system'"},
        Bad{"tool/cli/a.cpp", "auto p = ::fork();\n", "'fork'"},
        Bad{"tool/base/files.cpp", "\n\n  return popen (\"ls\", \"r\");\n", "files.cpp:3: 'popen'"},
        Bad{"tool/source/a.cpp", "std::cout << 1;\n", "'cout'"},
        Bad{"tool/source/a.cpp", "llvm::x(); errs() << 1;\n", "'errs'"},
        Bad{"tool/agent/a.cpp", "printf(\"x\");\n", "'printf'"},
        Bad{"tool/agent/a.cpp", "auto key = std::getenv(\"KEY\");\n", "'getenv'"},
        Bad{"tool/evaluate/a.cpp", "for (char **e = environ; *e; ++e);\n", "'environ'"},
        Bad{"tool/report/a.cpp", "if (bad) exit(1);\n", "'exit'"},
        Bad{"tool/report/a.cpp", "if (bad) ::_exit(1);\n", "'_exit'"},
        Bad{"tests/base/a_test.cpp", "if (a(b) ||\n    c)\n  EXPECT_EQ(a, b);\n", "a_test.cpp:3: an assertion alone"},
        Bad{"tests/base/a_test.cpp", "if constexpr (a)\n  ASSERT_TRUE(b);\n", "a_test.cpp:2: an assertion alone"},
        Bad{"tool/report/a.h", "struct X {};\n", "without #pragma once"},
        Bad{"tests/base/a.h", "// #pragma once\n", "without #pragma once"}));

TEST(Lint, FindsALongFileEverywhere) {
  std::string text;
  for (int i = 0; i < 400; ++i)
    text += "int a" + std::to_string(i) + ";\n";
  EXPECT_THAT(lintFile("tests/x/a.cpp", text), IsEmpty());
  EXPECT_THAT(lintFile("tests/x/a.cpp", text + "int b;"), ElementsAre(HasSubstr("more than 400 lines")));
}

TEST(Lint, FindsALockThatIsDroppedAtOnce) {
  EXPECT_THAT(lintFile("tool/evaluate/a.cpp", "void f() {\n  g();\n  TRY(lockMeasuring(file, cancelled));\n}\n"),
              ElementsAre(HasSubstr("a.cpp:3: what TRY yields is dropped")));
  EXPECT_THAT(lintFile("tool/build/a.cpp", "void f() {\n  if (x)\n    TRY(LockFile::acquire(\n        file, 1));\n}\n"),
              ElementsAre(HasSubstr("a.cpp:3: ")));
  EXPECT_THAT(lintFile("tool/build/a.cpp",
                       "void f() {\n  const LockFile lock =\n      TRY(LockFile::acquire(file, 1));\n"
                       "  TRY(write(LockFile::acquire(file, 1)));\n  // TRY(lockMeasuring(x));\n}\n"),
              IsEmpty());
}

TEST(Lint, AllowsWhatTheOrderAllows) {
  EXPECT_THAT(lintFile("tool/cli/a.cpp", "#include \"tool/agent/agent.h\"\n#include \"tool/base/error.h\"\n"
                                         "int main() { std::cout << std::getenv(\"X\"); exit(1); }\n"),
              IsEmpty());
  EXPECT_THAT(
      lintFile("tool/runner/a.cpp", "#include \"tool/runner/wire.h\"\nint main() { getenv(\"X\"); _exit(1); }\n"),
      IsEmpty());
  EXPECT_THAT(lintFile("tool/llm/a.cpp", "#include <curl/curl.h>\n#include \"tool/base/error.h\"\n"), IsEmpty());
  EXPECT_THAT(lintFile("ast-checks/a.h", "#pragma once\n#include \"clang/AST/Decl.h\"\n"), IsEmpty());
  EXPECT_THAT(lintFile("tool/base/process.cpp", "pid_t p = ::fork(); _exit(1);\n"), IsEmpty());
  EXPECT_THAT(lintFile("tests/base/a.cpp", "#if defined(x)\n  EXPECT_TRUE(a);\n#endif\nif (a) {\n  "
                                           "EXPECT_TRUE(b);\n}\nif (a)\n  for (int i : b)\n    EXPECT_EQ(i, 1);\n"
                                           "if (a)\n  EXPECT_TRUE([] { return b; }());\nelse\n  EXPECT_TRUE(c);\n"),
              IsEmpty());
  EXPECT_THAT(lintFile("tests/base/a.cpp", "#include \"clang/AST/Decl.h\"\nint p = fork();\n"), IsEmpty());
}

TEST(Lint, SeesNothingInCommentsLiteralsAndMembers) {
  EXPECT_THAT(lintFile("tool/build/a.cpp", "// fork() and\n/* std::cout\n#include \"tool/cli/x.h\"\n */\n"
                                           "auto s = \"exit(1) \\\" getenv(\";\nchar c = '\"'; int n = 1'000;\n"
                                           "auto r = R\"x(printf(\"a\")\n#include <curl/curl.h>\n)x\";\n"
                                           "machine.exit(1); p->system(2); llvm::sys::fork(3); snprintf(b, 1, \"\");\n"
                                           "int exitCode(0); enum { exit };\n"),
              IsEmpty());
}

TEST(Lint, ReadsATreeButNotGeneratedFiles) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "lint-test-");
  ASSERT_TRUE(scratch);
  const fs::path root = scratch->path();
  for (const char *file : {"tool/build/bad.cpp", "kernels/k/generated/k.cpp", "kernels/build/x.cpp",
                           "kernels/build-gcc/x.cpp", "examples/e/x.cpp", "tool/notes.txt", "elsewhere/x.cpp"})
    ASSERT_TRUE(writeFileAtomic(root / file, "#include <curl/curl.h>\n"));
  EXPECT_THAT(filesOfOurs(root), ElementsAre("examples/e/x.cpp", "tool/build/bad.cpp"));
  EXPECT_THAT(lintTree(root), ElementsAre(HasSubstr("tool/build/bad.cpp:1: the network")));
}

} // namespace
} // namespace agentic::lint
