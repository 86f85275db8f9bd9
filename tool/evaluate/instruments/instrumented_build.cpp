#include "tool/evaluate/instruments/instrumented_build.h"

#include "tool/base/files.h"
#include "tool/source/emit/emit.h"

namespace agentic {
namespace {

constexpr double kSeconds = 120; // time limit of a compile, once per winner

} // namespace

Result<InstrumentedBuild> buildInstrumented(const BuildContext &context, const CandidateUnit &unit,
                                            const std::vector<std::string> &flags, const std::string &directory) {
  TRY(createDirectories(directory));
  InstrumentedBuild build;
  build.unitFile = directory + "/unit" + fileEnding(context.spec->language);
  TRY(writeFileAtomic(build.unitFile, unit.text));
  CompileRequest compile;
  compile.unitFile = build.unitFile;
  compile.objectFile = directory + "/unit.o";
  compile.quoteDirectory = fs::path(context.spec->source).parent_path().string();
  compile.command = context.command;
  compile.more = flags;
  compile.sandbox = context.sandbox;
  compile.timeoutSeconds = kSeconds;
  compile.cancelled = context.cancelled;
  CompileOutcome compiled = TRY(compileUnit(compile));
  build.diagnostics = std::move(compiled.diagnostics);
  if (!compiled.ok)
    return build;

  LinkRequest link;
  link.objectFile = compile.objectFile;
  link.sharedObject = directory + "/candidate.so";
  link.kernel = context.spec->kernel;
  link.entryShim = emitEntryShim(context.spec->kernel, unit.symbol);
  link.cacheDir = context.cacheDirectory;
  link.compiler = context.compiler->path;
  link.sandbox = context.sandbox;
  link.cancelled = context.cancelled;
  CompileOutcome linked = TRY(linkCandidate(link));
  build.ok = linked.ok;
  build.diagnostics += linked.diagnostics;
  build.sharedObject = link.sharedObject;
  return build;
}

} // namespace agentic
