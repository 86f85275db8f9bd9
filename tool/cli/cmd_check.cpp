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
    common_.declare(app, false);
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
    if (auto done = checkAll(*manifests); !done)
      return console.fail(done.error(), common_.json, result());
    for (const Finding &finding : findings_)
      console.finding(finding);
    for (const Finding &note : notes_)
      console.remark(note);
    if (common_.json)
      console.json(result());
    else
      console.out(fmt::format("{} file{} checked, {} finding{}", files_.size(), files_.size() == 1 ? "" : "s",
                              findings_.size(), findings_.size() == 1 ? "" : "s"));
    return findings_.empty() ? 0 : static_cast<int>(ErrorKind::Rejected);
  }

private:
  nlohmann::json result() const { return {{"files", files_}, {"findings", findings_}, {"notes", notes_}}; }

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
      if (!checked)
        return std::unexpected(checked.error());
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
