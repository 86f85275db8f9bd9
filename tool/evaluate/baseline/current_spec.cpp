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
  Result<Policy> policy = readPolicy(manifest.sourceDir);
  if (!policy)
    return std::unexpected(policy.error());
  if (Result<void> verified = checks::verifyPolicy(*policy); !verified)
    return std::unexpected(verified.error());
  Result<Extraction> extraction = extractKernel(extractRequestFor(manifest, command, compiler));
  if (extraction)
    extraction->spec.policy = std::move(*policy);
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
  const Result<CompileCommand> command = sourceCommand(manifest, manifest.buildDir);
  if (!command)
    return std::unexpected(command.error());
  const Result<Compiler> compiler = compilerOf(manifest);
  if (!compiler)
    return std::unexpected(compiler.error());
  if (auto cached = loadSpec(specFileOf(manifest), specKeyOf(manifest, *command, *compiler)))
    return std::move(*cached);
  Result<Extraction> extraction = extractCurrent(manifest, *command, *compiler);
  if (!extraction)
    return std::unexpected(extraction.error());
  return std::move(extraction->spec);
}

Result<CurrentKernel> currentKernel(const std::string &buildDir, const std::string &kernel, const std::string &config) {
  Result<Manifest> manifest = loadManifest(buildDir, kernel, config);
  if (!manifest)
    return std::unexpected(manifest.error());
  Result<KernelSpec> spec = currentSpec(*manifest);
  if (!spec)
    return std::unexpected(spec.error());
  return CurrentKernel{std::move(*manifest), std::move(*spec)};
}

} // namespace agentic
