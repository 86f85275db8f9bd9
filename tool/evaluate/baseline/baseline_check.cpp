// Applies the rules to the kernel as the user wrote it, with SOURCE's own lines.
#include "tool/evaluate/baseline/baseline_check.h"

#include "ast-checks/checks.h"
#include "tool/base/files.h"
#include "tool/base/parallel.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/evaluate/baseline/facts.h"

#include <algorithm>

namespace agentic {
namespace {

std::size_t offsetOf(const std::string &text, unsigned line, unsigned column) {
  std::size_t offset = 0;
  for (unsigned current = 1; current < line && offset != std::string::npos; ++current)
    if ((offset = text.find('\n', offset)) != std::string::npos)
      ++offset;
  return offset == std::string::npos ? text.size() : offset + column - 1;
}

/// Returns the kernel and what it needs of SOURCE; the rest of the file is not checked.
std::vector<checks::OwnText> ownText(const KernelSpec &spec, const std::string &source) {
  std::vector<checks::OwnText> own;
  std::size_t kernel = offsetOf(source, spec.line, spec.column);
  if (source.compare(kernel, spec.written.text.size(), spec.written.text) != 0)
    kernel = source.find(spec.written.text);
  if (kernel != std::string::npos)
    own.push_back({kernel, kernel + spec.written.text.size()});
  for (const Fragment &fragment : spec.closure) {
    if (fragment.kind == Fragment::Kind::Macro || fragment.kind == Fragment::Kind::Directive)
      continue;
    if (std::size_t begin = source.find(fragment.text); begin != std::string::npos)
      own.push_back({begin, begin + fragment.text.size()});
  }
  std::ranges::sort(own, {}, &checks::OwnText::begin);
  return own;
}

} // namespace

Result<BaselineCheck> checkBaseline(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler) {
  Extraction extraction = TRY(extractCurrent(manifest, command, compiler));
  const std::string source = TRY(readFile(manifest.source));
  return checkExtraction(std::move(extraction), normalizeLineEnds(source));
}

Result<BaselineCheck> checkExtraction(Extraction extraction, const std::string &source) {
  BaselineCheck result{std::move(extraction.spec), std::move(extraction.findings)};
  checks::CheckRequest check;
  check.path = result.spec.source;
  check.text = source;
  check.arguments = result.spec.parseArguments;
  check.workingDirectory = result.spec.workingDirectory;
  check.own = ownText(result.spec, check.text);
  check.kernelFunction = result.spec.function;
  check.allowedFunctions = allowedFunctions(result.spec);
  check.policy = result.spec.policy;
  checks::CheckOutcome outcome = TRY(checks::runChecks(check));
  for (Finding finding : outcome.findings) {
    finding.file = result.spec.source;
    result.findings.push_back(std::move(finding));
  }
  result.spec.permissions = std::move(outcome.permissions);
  return result;
}

Result<BaselineCheck> checkBaselineOnce(const Manifest &manifest, const CompileCommand &command,
                                        const Compiler &compiler) {
  const std::string key = specKeyOf(manifest, command, compiler), file = specFileOf(manifest);
  if (std::optional<KernelSpec> cached = loadSpec(file, key))
    return BaselineCheck{std::move(*cached), {}};
  Result<BaselineCheck> check = checkBaseline(manifest, command, compiler);
  if (check && check->findings.empty())
    (void)saveSpec(file, key, check->spec); // a tree that cannot be written repeats the check
  return check;
}

std::vector<Result<BaselineCheck>> checkBaselines(const std::vector<Manifest> &manifests,
                                                  const std::atomic<bool> &cancelled) {
  std::vector<Result<BaselineCheck>> results(manifests.size(), interruptedError());
  if (manifests.empty())
    return results;
  // The compiler is asked before the threads start: each of them would ask it while no answer is cached.
  const Result<Compiler> compiler = compilerOf(manifests.front());
  inParallel(manifests.size(), [&](std::size_t i) {
    if (cancelled)
      return;
    const Result<CompileCommand> command = sourceCommand(manifests[i], manifests[i].buildDir);
    results[i] = !compiler  ? std::unexpected(compiler.error())
                 : !command ? std::unexpected(command.error())
                            : checkBaselineOnce(manifests[i], *command, *compiler);
  });
  return results;
}

} // namespace agentic
