#include "tool/evaluate/candidate/candidate_link.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/source/emit/emit.h"
#include "tool/source/emit/emit_glue.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr double kCompileSeconds = 8, kSlowestCompile = 20,
                 kMostCompile = 60; // a text can make a compile endless

/// Returns a key of everything that glue and entry depend on: they name types of the project's headers.
std::string includedKey(const BuildContext &context) {
  HashBuilder key;
  key.add(context.compiler->path).add(context.compiler->version);
  for (const std::string &header : context.spec->projectHeaders)
    key.add(header).add(textHash(header));
  return key.hex();
}

GlueRequest glueRequest(const BuildContext &context, std::string text) {
  GlueRequest request;
  request.kernel = context.spec->kernel;
  request.text = std::move(text);
  request.compile = candidateCompile(context, "", "", context.cancelled);
  request.needsCxxLibrary = context.spec->language == Language::C;
  if (request.needsCxxLibrary) // glue and entry are C++ all the same
    request.compile.command = commandInCxx(context.command);
  request.compile.timeoutSeconds = kMostCompile; // our own text, whatever the candidates' limit
  request.directory = context.cacheDirectory;
  request.cacheKey = includedKey(context);
  return request;
}

/// Returns the unit with the signature's types and no body.
CandidateUnit signatureUnit(const BuildContext &context) {
  return buildCandidateUnit({*context.spec, *context.level, context.compiler->family, "signature"},
                            signatureCandidate(*context.spec));
}

} // namespace

CompileRequest candidateCompile(const BuildContext &context, const std::string &unitFile, const std::string &objectFile,
                                const std::atomic<bool> *cancelled) {
  CompileRequest request;
  request.unitFile = unitFile;
  request.objectFile = objectFile;
  request.quoteDirectory = fs::path(context.spec->source).parent_path().string();
  request.command = context.command;
  request.sandbox = context.sandbox;
  request.cancelled = cancelled;
  if (context.compileSeconds > 0)
    request.timeoutSeconds = std::clamp(kSlowestCompile * context.compileSeconds, kCompileSeconds, kMostCompile);
  return request;
}

std::optional<CompileRequest> genericCompile(const BuildContext &context, const std::string &unitFile,
                                             const std::string &objectFile, const std::atomic<bool> *cancelled) {
  CompileRequest request = candidateCompile(context, unitFile, objectFile, cancelled);
  const std::vector<std::string> usual = compileArguments(request);
  request.withoutIsaFlags = true;
  if (compileArguments(request) == usual)
    return std::nullopt;
  return request;
}

Result<CompileOutcome> linkCandidateObject(const BuildContext &context, const std::string &objectFile,
                                           const std::string &symbol, const std::string &sharedObject,
                                           std::size_t padding) {
  std::string entry = TRY(kernelEntry(context));
  LinkRequest request;
  request.entryObject = std::move(entry);
  request.objectFile = objectFile;
  request.sharedObject = sharedObject;
  request.kernel = context.spec->kernel;
  request.entryShim = emitEntryShim(context.spec->kernel, symbol);
  request.cacheDir = context.cacheDirectory;
  request.compiler = context.compiler->path;
  request.needsCxxLibrary = context.spec->language == Language::C;
  request.target = targetOptions(context.command);
  request.sandbox = context.sandbox;
  request.cancelled = context.cancelled;
  request.padding = padding;
  return linkCandidate(request);
}

Result<std::string> kernelEntry(const BuildContext &context) {
  const CandidateUnit unit = signatureUnit(context);
  if (!unit.findings.empty())
    return std::string();
  return buildEntry(glueRequest(context, emitEntry(*context.spec, unit)));
}

Result<BuiltGlue> buildKernelGlue(const BuildContext &context, const std::vector<std::string> &flags) {
  const CandidateUnit unit = signatureUnit(context);
  if (!unit.findings.empty())
    return BuiltGlue{{}, unit.findings.front().message};
  GlueRequest request = glueRequest(context, emitGlue(*context.spec, unit));
  request.compile.more = flags;
  return buildGlue(request);
}

} // namespace agentic
