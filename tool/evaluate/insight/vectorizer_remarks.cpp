#include "tool/evaluate/insight/vectorizer_remarks.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/compile.h"
#include "tool/build/manifests.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace agentic {
namespace {

/// Returns the compiler's words; gcc also reports straight-line code, which is no loop.
const char *remarkOf(Family family) {
  return family == Family::Clang ? "remark: vectorized loop" : "optimized: loop vectorized";
}

const char *optionOf(Family family) {
  return family == Family::Clang ? "-Rpass=loop-vectorize" : "-fopt-info-vec-optimized";
}

int innermostLoops(const std::vector<Loop> &loops) {
  int count = 0;
  for (std::size_t i = 0; i < loops.size(); ++i)
    count += i + 1 == loops.size() || loops[i + 1].depth <= loops[i].depth;
  return count;
}

} // namespace

int countVectorized(std::string_view diagnostics, Family family, std::string_view file, unsigned firstLine,
                    unsigned lastLine) {
  std::set<unsigned long> lines; // a loop is reported for each of its versions
  for (const std::string &remark : split(diagnostics, '\n')) {
    if (!remark.starts_with(file) || remark.find(remarkOf(family)) == std::string::npos)
      continue;
    const std::size_t colon = remark.find(':', file.size());
    const unsigned long line = colon == std::string::npos ? 0 : std::strtoul(remark.c_str() + colon + 1, nullptr, 10);
    if (line >= firstLine && line <= lastLine)
      lines.insert(line);
  }
  return int(lines.size());
}

Result<VectorizedLoops> askVectorizer(const KernelSpec &spec, const Manifest &manifest, const Compiler &compiler,
                                      const RunContext &context) {
  ScratchDirectory scratch = TRY(ScratchDirectory::create(context.scratchDirectory, "remarks-"));
  CompileCommand command = TRY(sourceCommand(manifest, manifest.buildDir));
  CompileRequest request;
  request.command = std::move(command);
  request.unitFile = spec.source;
  request.objectFile = (scratch.path() / "kernel.o").string();
  request.quoteDirectory = fs::path(spec.source).parent_path().string();
  request.command.arguments.push_back(optionOf(compiler.family));
  request.sandbox = context.sandbox;
  request.cancelled = context.cancelled;
  CompileOutcome compiled = TRY(compileUnit(request));
  if (!compiled.ok)
    return userError("the kernel's source does not compile on its own",
                     "look at the compile command of " + spec.source);
  const unsigned lastLine = spec.line + unsigned(std::ranges::count(spec.text, '\n'));
  VectorizedLoops result{.loops = innermostLoops(spec.loops)};
  result.vectorized =
      std::min(result.loops, countVectorized(compiled.diagnostics, compiler.family, spec.source, spec.line, lastLine));
  return result;
}

} // namespace agentic
