// agentic-kernel check-baseline: AgenticKernel.cmake calls it at configure time and at build time for one kernel.
//
// Exit 0: fine ("warning: …" on stderr if Clang cannot parse what the project's compiler accepts); 3: findings; 1: a
// user error. Except for a user error, the stamp lists the files the result depends on, so that CMake can skip the call
// next time.
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/evaluate/baseline/baseline_check.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <optional>

namespace agentic {
namespace {

class CheckBaselineCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("--kernel", manifest_.kernel)->required();
    app.add_option("--source", manifest_.source)->required();
    app.add_option("--function", manifest_.function);
    app.add_option("--compile-commands", compileCommands_, "compile_commands.json that compiles SOURCE or its unit")
        ->required();
    app.add_option("--unit", manifest_.compiledSource, "the dispatch unit, if it replaces SOURCE");
    app.add_option("--compiler", manifest_.compiler)->required();
    app.add_option("--compiler-id", manifest_.compilerId);
    app.add_option("--project-root", manifest_.sourceDir)->required();
    app.add_option("--cache-dir", cacheDir_)->required();
    app.add_option("--stamp", stamp_)->required();
  }

  int run(Console &console) override {
    std::error_code ignored;
    fs::remove(stamp_, ignored);
    auto outcome = check();
    if (!outcome && outcome.error().message.find("unparsable") != std::string::npos) {
      // The project's compiler accepts the file, so the build must go on; only the kernel is not tuned.
      const std::string message = "kernel '" + manifest_.kernel + "' is not checked: " + outcome.error().message;
      console.warn(message);
      return writeStamp(console, {manifest_.source}, message).value_or(0);
    }
    if (!outcome) {
      console.error(outcome.error());
      return static_cast<int>(outcome.error().kind);
    }
    for (const Finding &finding : outcome->findings)
      console.finding(finding);
    std::vector<std::string> files = {manifest_.source};
    files.insert(files.end(), outcome->spec.projectHeaders.begin(), outcome->spec.projectHeaders.end());
    const int status = outcome->findings.empty() ? 0 : static_cast<int>(ErrorKind::Rejected);
    return writeStamp(console, files, "").value_or(status);
  }

private:
  Result<BaselineCheck> check() {
    const std::string directory = fs::path(compileCommands_).parent_path().string();
    CompileCommand command = TRY(sourceCommand(manifest_, directory));
    auto compiler = TRY(identifyCompiler(manifest_.compiler, cacheDir_));
    return checkBaseline(manifest_, command, compiler);
  }

  /// Returns the exit status if it cannot be written.
  std::optional<int> writeStamp(Console &console, const std::vector<std::string> &files, const std::string &message) {
    nlohmann::json list = nlohmann::json::array();
    for (const std::string &file : files)
      if (auto text = readFile(file))
        list.push_back({{"path", file}, {"sha256", sha256(normalizeLineEnds(*text))}});
    const nlohmann::json stamp = {{"schema", 1}, {"message", message}, {"files", list}};
    if (auto done = writeFileAtomic(stamp_, stamp.dump(1) + "\n"); !done) {
      console.error(done.error());
      return static_cast<int>(done.error().kind);
    }
    return std::nullopt;
  }

  Manifest manifest_;
  std::string compileCommands_, cacheDir_, stamp_;
};

} // namespace

extern const CommandRow kCheckBaselineCommand = {
    .name = "check-baseline",
    .summary = "configure-time check of one kernel (called by CMake)",
    .make = makeCommand<CheckBaselineCommand>,
    .hidden = true,
};

} // namespace agentic
