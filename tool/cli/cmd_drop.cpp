// agentic-kernel drop: removes checked-in variants of a kernel.
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/option_values.h"
#include "tool/variants/drop_variants.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class DropCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::One);
    app.add_option("--level", level_, "this level only (default: every one of the project)");
    app.add_option("--family", family_, "this compiler family only (default: every one of the kernel)")
        ->check(oneOf({"clang", "gcc"}));
  }

  int run(Console &console) override {
    nlohmann::json result = {{"kernel", common_.kernel}, {"dropped", nullptr}, {"removed", nullptr}};
    auto manifest = loadManifest(common_.buildDir, common_.kernel, common_.config);
    if (!manifest)
      return console.fail(manifest.error(), common_.json, result);
    auto dropped = dropVariants(*manifest, level_, family_);
    if (!dropped)
      return console.fail(dropped.error(), common_.json, result);
    result["dropped"] = dropped->variants;
    result["removed"] = dropped->files;
    if (common_.json)
      console.json(result);
    else {
      for (const std::string &variant : dropped->variants)
        console.out(common_.kernel + ": dropped " + variant);
      for (const std::string &file : dropped->files)
        console.out("  removed " + file);
    }
    return 0;
  }

private:
  CommonOptions common_;
  std::string level_, family_;
};

} // namespace

extern const CommandRow kDropCommand = {
    .name = "drop",
    .summary = "remove checked-in variants of a kernel",
    .example = "-B build -k gemm",
    .make = makeCommand<DropCommand>,
};

} // namespace agentic
