// agentic-kernel verify: checks that the variants of a build tree are what they claim to be, here and now.
#include "tool/base/files.h"
#include "tool/base/version.h"
#include "tool/build/host.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/number_checks.h"
#include "tool/report/verification_report.h"
#include "tool/variants/verification.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class VerifyCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    common_.declareThreshold(app);
    app.add_flag("!--no-benchmark", limits_.benchmark, "do not measure: fresh, clean and correct is enough");
    app.add_option("--min-speedup", limits_.minimumSpeedup, "what a variant must still reach: 1.2 = 20 % faster")
        ->check(number(1, 1e6));
    app.add_option("--max-code-bytes", limits_.codeBytes, "most bytes of code and constants of a variant");
    app.add_option("--max-levels", limits_.levels, "most levels of one kernel and compiler")->check(wholeNumber(0));
    app.add_option("--markdown", markdownFile_, "write the table there as Markdown");
    app.add_option("--sarif", sarifFile_, "write what fails there as SARIF, for code scanning");
    app.add_option("--junit", junitFile_, "write a test case per variant there");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
  }

  int run(Console &console) override {
    verification_.machine = cpuName();
    auto manifests = chosenManifests(common_.buildDir, common_.kernel, common_.config);
    if (!manifests)
      return console.fail(manifests.error(), common_.json, verificationJson(verification_));
    const Manifest &first = manifests->front();
    verification_.compiler = first.compilerId + " " + first.compilerVersion;
    root_ = first.sourceDir;
    if (auto written = writeFiles(); !written) // before anything is spent
      return console.fail(written.error(), common_.json, verificationJson(verification_));
    for (const Manifest &manifest : *manifests) {
      console.note(manifest.kernel + ": verifying");
      CommonOptions options = common_;
      options.kernel = manifest.kernel;
      auto rows = verifyKernel(options.evaluatorOptions(console), limits_);
      if (!rows)
        return fail(console, rows.error());
      verification_.rows.insert(verification_.rows.end(), rows->begin(), rows->end());
    }
    return report(console);
  }

private:
  /// Results of earlier kernels stay in the files.
  int fail(Console &console, const Error &error) {
    verification_.interrupted = true;
    if (auto written = writeFiles(); !written)
      console.warn(written.error().message);
    return console.fail(error, common_.json, verificationJson(verification_));
  }

  Result<void> writeFiles() const {
    const std::pair<const std::string &, std::string> files[] = {
        {markdownFile_, verificationMarkdown(verification_)},
        {sarifFile_, verificationSarif(verification_, root_, kVersion)},
        {junitFile_, verificationJunit(verification_)}};
    for (const auto &[file, text] : files)
      if (!file.empty())
        TRY(writeFileAtomic(file, text));
    return {};
  }

  int report(Console &console) {
    if (auto written = writeFiles(); !written)
      return console.fail(written.error(), common_.json, verificationJson(verification_));
    if (common_.json) {
      console.json(verificationJson(verification_));
    } else {
      std::string text = verificationText(verification_);
      text.pop_back(); // out() ends the line
      console.out(text);
    }
    return allHold(verification_) ? 0 : static_cast<int>(ErrorKind::Rejected);
  }

  CommonOptions common_;
  VerificationLimits limits_;
  Verification verification_;
  std::string root_, markdownFile_, sarifFile_, junitFile_;
};

} // namespace

extern const CommandRow kVerifyCommand = {
    .name = "verify",
    .summary = "prove that checked-in variants are fresh, correct and still faster",
    .example = "-B build",
    .make = makeCommand<VerifyCommand>,
};

} // namespace agentic
