#include "tests/source/fuzz/fuzz_program.h"

#include "tests/source/fuzz/comparison.h"
#include "tool/base/files.h"
#include "tool/base/process.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace agentic::fuzz {
namespace {

std::string inNamespace(const std::string &name, const std::string &uses, const std::string &text) {
  return "namespace " + name + " {\n" + uses + "\n#line 1 \"" + name + "\"\n" + text + "\n}\n";
}

std::string nameOf(std::size_t subject, std::size_t variant) {
  return "v" + std::to_string(subject) + "_" + std::to_string(variant);
}

using Broken = std::map<std::pair<std::size_t, std::size_t>, std::string>;

std::string programOf(const std::vector<Subject> &subjects, const Broken &broken) {
  std::string text = kProgramHead, calls;
  for (std::size_t s = 0; s < subjects.size(); ++s) {
    const Kernel &kernel = subjects[s].kernel;
    const std::string original = "o" + std::to_string(s);
    text += kernel.tables.empty() ? "" : "namespace t" + std::to_string(s) + " {\n" + kernel.tables + "}\n";
    const std::string uses = kernel.tables.empty() ? "" : "using namespace t" + std::to_string(s) + ";";
    // Without optimization, because elements that it reads in vain count as touched, too.
    text += "#pragma clang optimize off\n" + inNamespace(original, uses, kernel.text) + "#pragma clang optimize on\n";
    calls += "  compare(" + std::to_string(s) + ", " + original + "::f, {";
    for (std::size_t v = 0; v < subjects[s].variants.size(); ++v) {
      if (broken.contains({s, v}))
        continue;
      text += inNamespace(nameOf(s, v), uses, subjects[s].variants[v].text);
      calls += "{" + std::to_string(v) + ", " + nameOf(s, v) + "::f}, ";
    }
    calls += "}, {" + std::to_string(kernel.largestTerm) + ", " + std::to_string(kernel.relative) + ", " +
             (kernel.mayOverlap ? "true" : "false") + "});\n";
  }
  return text + kComparison + "int main() {\n  prepare();\n" + calls + "  return finish();\n}\n";
}

/// Returns the variants that the compiler complains about.
Broken brokenIn(const std::string &errors) {
  static const std::regex kPattern("v([0-9]+)_([0-9]+):[0-9]+:[0-9]+: error: [^\n]*");
  Broken broken;
  for (std::sregex_iterator match(errors.begin(), errors.end(), kPattern), end; match != end; ++match)
    broken.emplace(std::pair{std::stoul((*match)[1]), std::stoul((*match)[2])}, match->str());
  return broken;
}

Result<ProcessResult> compile(const std::filesystem::path &folder) {
  ProcessSpec compile;
  compile.argv = {
      "clang++-19", "-std=c++20", "-O1", "-fsanitize=undefined", "-w", "-ferror-limit=0", "-ffp-contract=off",
      "all.cpp",    "-o",         "all"};
  if (*kLevel != 0)
    compile.argv.push_back(std::string("-march=") + kLevel);
  compile.workingDirectory = folder.string();
  compile.timeoutSeconds = 1800; // of several on a loaded machine
  return runProcess(compile);
}

/// Reads lines "finding <subject> <variant> <what>" and "compared <runs> <undefined>".
void readOutput(const std::string &output, Outcome &outcome) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "finding") {
      Finding finding;
      words >> finding.subject >> finding.variant;
      std::getline(words, finding.what);
      outcome.findings.push_back(finding);
    } else if (kind == "compared") {
      words >> outcome.compared >> outcome.undefined;
    }
  }
}

} // namespace

Outcome runProgram(const std::vector<Subject> &subjects) {
  Outcome outcome;
  const auto folder = ScratchDirectory::create(std::filesystem::temp_directory_path(), "agentic-fuzz-");
  if (!folder)
    return {.error = folder.error().message};
  Broken broken;
  for (int attempt = 0;; ++attempt) {
    if (!writeFileAtomic(folder->path() / "all.cpp", programOf(subjects, broken)))
      return {.error = "the program could not be written"};
    const auto compiled = compile(folder->path());
    if (!compiled)
      return {.error = compiled.error().message};
    if (compiled->ok())
      break;
    const Broken found = brokenIn(compiled->err);
    if (found.empty() || attempt == 2)
      return {.error = compiled->describe() + "\n" + compiled->err.substr(0, 4000)};
    broken.insert(found.begin(), found.end());
  }
  for (const auto &[which, what] : broken)
    outcome.findings.push_back({which.first, which.second, "does not compile: " + what});
  ProcessSpec start;
  start.argv = {(folder->path() / "all").string()};
  start.timeoutSeconds = 900;
  const auto result = runProcess(start);
  if (!result)
    return {.error = result.error().message};
  readOutput(result->out, outcome);
  if (!result->ok() && outcome.findings.empty())
    outcome.error = result->describe() + "\n" + result->out.substr(0, 2000) + result->err.substr(0, 4000);
  return outcome;
}

} // namespace agentic::fuzz
