// agentic-kernel check: runs only the checks, on candidates or on the project's own kernels.
#include "ast-checks/checks.h"
#include "tool/base/files.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/evaluate/baseline/baseline_check.h"
#include "tool/evaluate/baseline/project_level.h"
#include "tool/evaluate/candidate/candidate_build.h"
#include "tool/model/json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace agentic {
namespace {

class CheckCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    app.add_option("files", files_, "candidates, or sources of kernels; none = every kernel of the build tree");
    app.add_flag("--list", list_, "list the checks and exit");
  }

  int run(Console &console) override {
    if (list_) {
      for (const checks::CheckInfo &check : checks::allChecks())
        console.out(fmt::format("{:<24} {}", check.name, check.summary));
      return 0;
    }
    auto manifests = chosenManifests(common_.buildDir, common_.kernel, common_.config);
    if (!manifests)
      return console.fail(manifests.error(), common_.json, result());
    if (files_.empty())
      for (const Manifest &manifest : *manifests)
        if (std::ranges::count(files_, manifest.source) == 0)
          files_.push_back(manifest.source);
    const Result<void> done = checkAll(*manifests);
    if (!done && done.error().kind == ErrorKind::Interrupted)
      return console.fail(done.error(), common_.json, result());
    if (!done)
      noteError(done.error());
    for (const Error &error : errors_)
      console.error(error);
    for (const Finding &finding : findings_)
      console.finding(finding);
    for (const Finding &note : notes_)
      console.remark(note);
    if (common_.json)
      console.json(result());
    else
      console.out(fmt::format("{} file{} checked, {} finding{}{}", files_.size(), files_.size() == 1 ? "" : "s",
                              findings_.size(), findings_.size() == 1 ? "" : "s", uncheckedText()));
    return status();
  }

private:
  nlohmann::json result() const {
    nlohmann::json object = {{"files", files_}, {"findings", findings_}, {"notes", notes_}};
    for (const Error &error : errors_)
      object["errors"].push_back({{"message", error.message}, {"next", error.next}});
    if (!errors_.empty())
      object["error"] = object["errors"][0];
    return object;
  }

  /// What could not be checked outweighs findings: their list may not be complete.
  int status() const {
    ErrorKind worst = findings_.empty() ? ErrorKind{} : ErrorKind::Rejected;
    if (!errors_.empty())
      worst = std::ranges::any_of(errors_, [](const Error &error) { return error.kind == ErrorKind::Bug; })
                  ? ErrorKind::Bug
                  : errors_.front().kind;
    return static_cast<int>(worst);
  }

  std::string uncheckedText() const {
    return errors_.empty() ? std::string() : fmt::format(", {} could not be checked", errors_.size());
  }

  /// Keeps each message once: a broken policy is in the way of every kernel.
  void noteError(const Error &error) {
    if (std::ranges::find(errors_, error.message, &Error::message) == errors_.end())
      errors_.push_back(error);
  }

  Result<void> checkAll(const std::vector<Manifest> &manifests) {
    std::vector<Manifest> kernels;
    std::vector<std::string> candidates;
    std::error_code ignored;
    for (const std::string &file : files_) {
      const std::size_t before = kernels.size();
      for (const Manifest &manifest : manifests)
        if (fs::weakly_canonical(manifest.source, ignored) == fs::weakly_canonical(file, ignored))
          kernels.push_back(manifest);
      if (kernels.size() == before)
        candidates.push_back(file);
    }
    for (Result<BaselineCheck> &checked : checkBaselines(kernels, interrupted())) {
      if (!checked && interrupted())
        return std::unexpected(checked.error());
      if (!checked) { // the other kernels have findings of their own
        noteError(checked.error());
        continue;
      }
      std::ranges::move(checked->findings, std::back_inserter(findings_));
      std::ranges::move(permissionNotes(checked->spec), std::back_inserter(notes_));
    }
    for (const std::string &file : candidates)
      TRY(checkOne(file));
    return {};
  }

  /// Says what is no finding in a kernel because its candidates may do the same.
  static std::vector<Finding> permissionNotes(const KernelSpec &spec) {
    std::vector<Finding> notes;
    for (const Permission &permission : spec.permissions)
      notes.push_back({permission.check, spec.source, permission.line, permission.column,
                       "candidates of kernel '" + spec.kernel + "' may do the same: '" + permission.text + "'"});
    return notes;
  }

  Result<void> checkOne(const std::string &file) {
    TRY(readSettledCandidate(file, OpenConstants::First)); // an unreadable file is told before a kernel is looked for
    auto manifest = TRY(loadManifest(common_.buildDir, common_.kernel, common_.config));
    auto compiler = TRY(compilerOf(manifest));
    auto command = TRY(sourceCommand(manifest, manifest.buildDir));
    auto checked = TRY(checkBaselineOnce(manifest, command, compiler));
    auto candidate = TRY(readSettledCandidate(file, OpenConstants::First, checked.spec.language));
    auto level = TRY(chosenLevel(manifest, ""));
    const Sandbox sandbox = Sandbox::probe();
    BuildContext context;
    context.sandbox = &sandbox;
    context.checkProgram = programPath();
    context.cancelled = &interrupted();
    context.spec = &checked.spec;
    context.level = level;
    context.compiler = &compiler;
    std::vector<Finding> notes;
    auto found = TRY(checkCandidate(context, candidate, &notes));
    for (Finding &note : notes) {
      note.file = file;
      notes_.push_back(std::move(note));
    }
    for (Finding &finding : found) {
      finding.file = file;
      findings_.push_back(finding);
    }
    return {};
  }

  CommonOptions common_;
  std::vector<std::string> files_;
  std::vector<Finding> findings_, notes_;
  std::vector<Error> errors_; ///< why kernels could not be checked
  bool list_ = false;
};

} // namespace

extern const CommandRow kCheckCommand = {
    .name = "check",
    .summary = "report banned constructs in candidates or in the project's kernels",
    .example = "-B build",
    .make = makeCommand<CheckCommand>,
};

} // namespace agentic
