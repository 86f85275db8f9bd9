// agentic-kernel adequacy: finds which deliberate faults in the kernel the project's tests notice.
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/number_checks.h"
#include "tool/run/adequacy_gate.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

class AdequacyCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    common_.declareRequirements(app);
    app.add_option("--mutants", most_, "try this many faulty versions of a kernel")
        ->capture_default_str()
        ->check(wholeNumber(1));
    app.add_flag("--timings", common_.timings, "show where the time goes");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
  }

  int run(Console &console) override {
    result_ = {{"kernels", nlohmann::json::array()}};
    auto kernels = chosen();
    if (!kernels)
      return console.fail(kernels.error(), common_.json, result_);
    std::optional<Error> failure;
    for (const std::string &kernel : *kernels)
      if (auto done = one(console, kernel); !done) {
        if (done.error().kind != ErrorKind::User)
          return console.fail(done.error(), common_.json, result_);
        if (failure)
          console.error(*failure);
        failure = done.error();
      }
    if (failure)
      return console.fail(*failure, common_.json, result_);
    if (common_.json)
      console.json(result_);
    return 0;
  }

private:
  Result<std::vector<std::string>> chosen() const {
    auto manifests = TRY(chosenManifests(common_.buildDir, common_.kernel, common_.config));
    std::vector<std::string> names;
    for (const Manifest &manifest : manifests)
      names.push_back(manifest.kernel);
    return names;
  }

  Result<void> one(Console &console, const std::string &kernel) {
    CommonOptions options = common_;
    options.kernel = kernel;
    console.note(kernel + ": preparing");
    auto evaluator = TRY(Evaluator::open(options.evaluatorOptions(console)));
    AdequacyRequest request{.mostMutants = most_};
    request.progress = [&](int tried, int total) {
      console.progress(fmt::format("  {}: {} of {} faulty versions tried", kernel, tried, total));
    };
    auto adequacy = evaluator->adequacy(request);
    console.endProgress();
    if (!adequacy)
      return std::unexpected(adequacy.error());
    if (common_.timings)
      printTimings(console, evaluator->preparationTimes());
    result_["kernels"].push_back(adequacyJson(*adequacy));
    const std::string &root = evaluator->manifest().sourceDir;
    if (!common_.json)
      print(console, *adequacy, root);
    if (auto error = inadequate(*adequacy, options, root))
      return std::unexpected(std::move(*error));
    return {};
  }

  static void print(Console &console, const Adequacy &adequacy, const std::string &root) {
    std::size_t placeWidth = 0;
    for (const JudgedMutant &mutant : adequacy.mutants)
      placeWidth = std::max(placeWidth, placeText(adequacy, mutant, root).size());
    std::vector<JudgedMutant> sorted = adequacy.mutants;
    std::ranges::sort(sorted, {}, [](const JudgedMutant &mutant) {
      return std::tie(mutant.killed, mutant.line, mutant.column, mutant.kind, mutant.change);
    });
    for (const JudgedMutant &mutant : sorted) {
      console.out(fmt::format("  {:<8} {:<{}}  {:<16} {}{}", mutant.killed ? "noticed" : "SURVIVES",
                              placeText(adequacy, mutant, root), placeWidth, mutant.kind, mutant.change,
                              mutant.killed ? "  by " + mutant.killedBy : ""));
      if (!mutant.killed)
        console.out(fmt::format("  {:<8} {:<{}}  {:<16} {}", "", "", placeWidth, "a test for it:", mutant.advice));
    }
    console.out(adequacyText(adequacy) +
                (adequacy.equivalent > 0
                     ? fmt::format("; {} more compile to code that was seen before", adequacy.equivalent)
                     : ""));
  }

  CommonOptions common_;
  int most_ = AdequacyRequest().mostMutants;
  nlohmann::json result_;
};

} // namespace

extern const CommandRow kAdequacyCommand = {
    .name = "adequacy",
    .summary = "try which deliberate faults in a kernel the project's tests notice",
    .example = "-B build -k gemm",
    .make = makeCommand<AdequacyCommand>,
};

} // namespace agentic
