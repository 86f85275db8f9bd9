// agentic-kernel wrap: writes the wrapper for a marked function that cannot be a kernel itself.
#include "tool/base/files.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/source/extract/wrap.h"
#include "tool/variants/patch.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class WrapCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::One);
    app.add_flag("--write", write_, "change SOURCE (default: show the change as a patch)");
  }

  int run(Console &console) override {
    nlohmann::json result = {{"kernel", common_.kernel}, {"function", nullptr}, {"patch", nullptr}, {"written", false}};
    const Result<void> done = wrap(console, result);
    if (!done)
      return console.fail(done.error(), common_.json, result);
    if (common_.json)
      console.json(result);
    return 0;
  }

private:
  Result<void> wrap(Console &console, nlohmann::json &result) const {
    const Manifest manifest = TRY(loadManifest(common_.buildDir, common_.kernel, common_.config));
    const CompileCommand command = TRY(sourceCommand(manifest, manifest.buildDir));
    const Compiler compiler = TRY(compilerOf(manifest));
    const Wrapping wrapping = TRY(wrapKernel(extractRequestFor(manifest, command, compiler)));
    const fs::path source = manifest.source;
    const std::vector<GeneratedFile> files = {{source.filename().string(), wrapping.source}};
    const std::string patch =
        TRY(makePatch(source.parent_path().string(), manifest.sourceDir, files, manifest.buildDir + "/_agentic"));
    result["function"] = wrapping.function;
    result["patch"] = patch;
    if (!common_.json)
      console.out(patch);
    if (write_) {
      TRY(writeFileAtomic(source, wrapping.source));
      result["written"] = true;
      console.note("written: " + manifest.source);
    }
    if (!wrapping.note.empty())
      console.note(wrapping.note);
    if (!manifest.function.empty())
      console.note("FUNCTION of add_agentic_kernel(" + manifest.kernel + ") is now '" + wrapping.function + "'");
    return {};
  }

  CommonOptions common_;
  bool write_ = false;
};

} // namespace

extern const CommandRow kWrapCommand = {
    .name = "wrap",
    .summary = "for a member, template or inline function: move its loops into a free function that can be a kernel",
    .example = "-B build -k gemm",
    .make = makeCommand<WrapCommand>,
};

} // namespace agentic
