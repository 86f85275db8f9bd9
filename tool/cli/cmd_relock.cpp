// agentic-kernel relock: proves and locks the same variants again after an edit of comments.
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/variants/relock.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class RelockCommand : public Command {
public:
  void declare(CLI::App &app) override { common_.declare(app, CommonOptions::Kernels::All); }

  int run(Console &console) override {
    nlohmann::json result = {{"kernels", nlohmann::json::array()}};
    auto manifests = chosenManifests(common_.buildDir, common_.kernel, common_.config);
    if (!manifests)
      return console.fail(manifests.error(), common_.json, result);
    for (const Manifest &manifest : *manifests) {
      if (common_.kernel.empty() && manifest.state == "baseline")
        continue; // it has no variants
      CommonOptions options = common_;
      options.kernel = manifest.kernel;
      auto done = relock(options.evaluatorOptions(console));
      if (!done)
        return console.fail(done.error(), common_.json, result);
      result["kernels"].push_back({{"kernel", manifest.kernel},
                                   {"relocked", !done->reason.empty()},
                                   {"reason", done->reason},
                                   {"verified", done->verified},
                                   {"files", done->files}});
      for (const std::string &warning : done->warnings)
        console.warn(warning);
      if (!common_.json)
        print(console, manifest.kernel, *done);
    }
    if (common_.json)
      console.json(result);
    return 0;
  }

private:
  static void print(Console &console, const std::string &kernel, const Relocked &done) {
    if (done.reason.empty())
      return console.out(kernel + ": fresh, nothing to do");
    console.out(kernel + ": locked again (" + done.reason + ")");
    for (const std::string &variant : done.verified)
      console.out("  verified " + variant);
    for (const std::string &file : done.files)
      console.out("  written " + file);
  }

  CommonOptions common_;
};

} // namespace

extern const CommandRow kRelockCommand = {
    .name = "relock",
    .summary = "after an edit of comments: prove the variants again and renew their lock",
    .example = "-B build",
    .make = makeCommand<RelockCommand>,
};

} // namespace agentic
