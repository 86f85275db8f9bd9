#include "tool/evaluate/baseline/current_spec.h"

#include "ast-checks/checks.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/facts.h"

namespace agentic {

ExtractRequest extractRequestFor(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler) {
  return {.kernel = manifest.kernel,
          .source = manifest.source,
          .function = manifest.function,
          .command = command,
          .compiler = compiler,
          .projectRoot = manifest.sourceDir};
}

Result<Extraction> extractCurrent(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler) {
  Policy policy = TRY(readPolicy(manifest.sourceDir));
  TRY(checks::verifyPolicy(policy));
  Result<Extraction> extraction = extractKernel(extractRequestFor(manifest, command, compiler));
  if (extraction)
    extraction->spec.policy = std::move(policy);
  return extraction;
}

std::string specKeyOf(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler) {
  HashBuilder key;
  key.add(toolIdentity()).add(textHash(manifest.source)).add(manifest.source).add(manifest.kernel);
  key.add(manifest.function).add(manifest.sourceDir).add(compiler.path).add(compiler.description);
  key.add(compiler.defaultStd).add(command.directory);
  key.add(textHash((fs::path(manifest.sourceDir) / kPolicyFile).string()));
  for (const std::string &argument : command.arguments)
    key.add(argument);
  return key.hex();
}

std::string specFileOf(const Manifest &manifest) {
  return manifest.buildDir + "/_agentic/cache/" + manifest.kernel + "/spec.json";
}

Result<KernelSpec> currentSpec(const Manifest &manifest) {
  const CompileCommand command = TRY(sourceCommand(manifest, manifest.buildDir));
  const Compiler compiler = TRY(compilerOf(manifest));
  if (auto cached = loadSpec(specFileOf(manifest), specKeyOf(manifest, command, compiler)))
    return std::move(*cached);
  Extraction extraction = TRY(extractCurrent(manifest, command, compiler));
  return std::move(extraction.spec);
}

Result<CurrentKernel> currentKernel(const std::string &buildDir, const std::string &kernel, const std::string &config) {
  Manifest manifest = TRY(loadManifest(buildDir, kernel, config));
  KernelSpec spec = TRY(currentSpec(manifest));
  return CurrentKernel{std::move(manifest), std::move(spec)};
}

} // namespace agentic
