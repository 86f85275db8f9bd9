#include "tool/evaluate/candidate/candidate_build.h"

#include "ast-checks/checks.h"
#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/audit.h"
#include "tool/evaluate/candidate/candidate_link.h"
#include "tool/evaluate/candidate/isolated_check.h"
#include "tool/source/parse/parse_arguments.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <iterator>

namespace agentic {
namespace {

constexpr std::size_t kMostShown = 20;
constexpr std::size_t kMostText = 256u << 10; // far above any kernel

/// Returns the candidate's name in findings: its file's name if it came from one.
std::string displayName(const Candidate &candidate, Language language) {
  constexpr std::string_view kFile = "file: ";
  return candidate.origin.starts_with(kFile) ? candidate.origin.substr(kFile.size())
                                             : candidate.id + fileEnding(language);
}

/// Returns the compiler's output with the candidate's own lines.
std::string mappedDiagnostics(const std::string &output, const std::string &unitFile, const CandidateUnit &unit,
                              const std::string &name) {
  // Offsets of the unit's lines, computed once: every diagnostic needs the map.
  std::vector<std::size_t> lines{0};
  for (std::size_t at = unit.text.find('\n'); at != std::string::npos; at = unit.text.find('\n', at + 1))
    lines.push_back(at + 1);
  PositionMap map = [&](unsigned line, unsigned column) {
    if (line == 0 || line > lines.size())
      return LineColumn{0, 0};
    CandidatePosition position = candidatePosition(unit, lines[line - 1] + (column ? column - 1 : 0));
    return LineColumn{position.line, position.column};
  };
  return filterDiagnostics(output, unitFile, name, map);
}

CandidateUnit unitOf(const BuildContext &context, const Candidate &candidate, bool evenIfRefused = false) {
  const std::string name = displayName(candidate, context.spec->language);
  if (candidate.text.size() <= kMostText)
    return buildCandidateUnit({*context.spec, *context.level, context.compiler->family, name, evenIfRefused},
                              candidate.text);
  CandidateUnit unit;
  unit.findings = {{"candidate-size", name, 0, 0, "the candidate is larger than 256 KiB; make it smaller"}};
  return unit;
}

class Build {
public:
  Build(const BuildContext &context, const Candidate &candidate, const std::string &directory,
        bool evenIfRefused = false)
      : context_(context), candidate_(candidate), name_(displayName(candidate, context.spec->language)),
        unit_(unitOf(context, candidate, evenIfRefused)) {
    built_.unitFile = directory + "/unit" + fileEnding(context.spec->language);
    built_.objectFile = directory + "/unit.o";
    sharedObject_ = directory + "/candidate.so";
  }

  Result<BuildOutcome> checked();
  Result<BuildOutcome> trusted();
  Result<BuildOutcome> refused();
  Result<std::vector<Finding>> findings(std::vector<Finding> *notes) const;

private:
  struct Compiled {
    Result<CompileOutcome> outcome;
    double seconds = 0;
  };

  Result<BuildOutcome> refuse(Stage stage, std::vector<Finding> findings, std::string detail = {});
  Result<void> writeUnit();
  Compiled compile(const std::atomic<bool> *cancelled) const;
  Compiled compileTrusted();
  Result<checks::CheckOutcome> check() const;
  Result<BuildOutcome> afterCheck(const checks::CheckOutcome &checked, const CompileOutcome &compiled);
  Result<BuildOutcome> auditAndLink();
  Result<CompileOutcome> linkSharedObject() const;
  Result<void> link();
  std::vector<Finding> ownFindings(const std::vector<Finding> &findings, const std::vector<std::size_t> &offsets) const;
  std::vector<Finding> notesOf(const checks::CheckOutcome &checked) const;
  std::string diagnostics(const std::string &output) const;

  const BuildContext &context_;
  const Candidate &candidate_;
  std::string name_, sharedObject_;
  CandidateUnit unit_;
  BuiltCandidate built_;
  BuildOutcome outcome_;
};

Result<BuildOutcome> Build::refuse(Stage stage, std::vector<Finding> findings, std::string detail) {
  if (findings.size() > kMostShown)
    findings.resize(kMostShown);
  outcome_.refusal = {stage, std::move(findings), std::move(detail)};
  return std::move(outcome_);
}

Result<void> Build::writeUnit() {
  return writeFileAtomic(built_.unitFile, unit_.text, Flush::Later); // of this process alone
}

Build::Compiled Build::compile(const std::atomic<bool> *cancelled) const {
  double start = steadySeconds();
  Result<CompileOutcome> outcome =
      compileUnit(candidateCompile(context_, built_.unitFile, built_.objectFile, cancelled));
  return {std::move(outcome), steadySeconds() - start};
}

Result<checks::CheckOutcome> Build::check() const {
  checks::CheckRequest request;
  // The path is beside SOURCE, so that "x.h" is found where SOURCE finds it.
  const std::string file = context_.spec->kernel + ".candidate" + fileEnding(context_.spec->language);
  request.path = (fs::path(context_.spec->source).parent_path() / file).string();
  request.text = unit_.text;
  request.arguments = withoutPrecompiledHeader(context_.spec->parseArguments);
  request.workingDirectory = context_.spec->workingDirectory;
  for (const TextSpan &span : unit_.own)
    request.own.push_back({span.begin, span.end});
  request.kernelSymbol = unit_.symbol;
  request.kernelFunction = context_.spec->function;
  request.canonicalType = context_.spec->canonicalType;
  request.allowedFunctions = allowedFunctions(*context_.spec);
  request.policy = context_.spec->policy;
  request.baseline = textWithClosure(*context_.spec);
  request.permissions = context_.spec->permissions;
  if (context_.checkProgram.empty() || !context_.sandbox)
    return checks::runChecks(request);
  CheckProcess process;
  process.program = context_.checkProgram;
  process.sandbox = context_.sandbox;
  process.compiler = context_.compiler->path;
  process.cancelled = context_.cancelled;
  return runChecksApart(process, request);
}

/// Returns the findings in the unit, at the candidate's own lines.
std::vector<Finding> Build::ownFindings(const std::vector<Finding> &findings,
                                        const std::vector<std::size_t> &offsets) const {
  std::vector<Finding> result;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Finding finding = findings[i];
    CandidatePosition position;
    if (i < offsets.size() && offsets[i] != std::string::npos)
      position = candidatePosition(unit_, offsets[i]);
    finding.file = name_;
    finding.line = position.line;
    finding.column = position.column;
    result.push_back(std::move(finding));
  }
  return result;
}

/// Returns the checks' notes, the permissions that are used, and what was repaired.
std::vector<Finding> Build::notesOf(const checks::CheckOutcome &checked) const {
  std::vector<Finding> notes = ownFindings(checked.notes, checked.noteOffsets), permitted;
  for (const Permission &permission : checked.permissions)
    permitted.push_back(
        {permission.check, name_, 0, 0, "permitted, since the original does the same: '" + permission.text + "'"});
  std::ranges::move(ownFindings(permitted, checked.permissionOffsets), std::back_inserter(notes));
  for (const std::string &repair : unit_.repairs)
    notes.push_back({"candidate-form", name_, 0, 0, "repaired: " + repair});
  return notes;
}

std::string Build::diagnostics(const std::string &output) const {
  return mappedDiagnostics(output, built_.unitFile, unit_, name_);
}

Result<CompileOutcome> Build::linkSharedObject() const {
  return linkCandidateObject(context_, built_.objectFile, unit_.symbol, sharedObject_);
}

Result<void> Build::link() {
  CompileOutcome linked = TRY(linkSharedObject());
  if (!linked.ok)
    return bugError("the shared object does not link: " + linked.diagnostics);
  built_.sharedObject = sharedObject_;
  return {};
}

Result<BuildOutcome> Build::auditAndLink() {
  double start = steadySeconds();
  AuditRequest request;
  request.objectFile = built_.objectFile;
  request.symbol = unit_.symbol;
  request.allowedUndefined = context_.allowedUndefined;
  if (context_.isBaseline) {
    request.allowedUndefined = TRY(undefinedSymbols(built_.objectFile));
  }
  request.allowedFunctions = context_.spec->policy.allow.functions;
  request.mostCodeBytes = context_.spec->policy.limits.maxCodeBytes;
  request.candidateName = name_;
  // With the project's own ISA flags, the object built without them is compared: genericBuildProblem.
  if (!genericCompile(context_, built_.unitFile, built_.objectFile, context_.cancelled))
    request.level = context_.level;
  AuditOutcome audit = TRY(auditObject(request));
  if (!audit.findings.empty()) {
    outcome_.times.push_back({"audit", steadySeconds() - start});
    return refuse(Stage::Audit, std::move(audit.findings));
  }
  built_.objectHash = audit.codeHash;
  built_.codeBytes = audit.codeBytes;
  TRY(link());
  outcome_.times.push_back({"audit", steadySeconds() - start});
  built_.unit = unit_;
  built_.text = candidate_.text;
  built_.name = name_;
  outcome_.built = std::move(built_);
  return std::move(outcome_);
}

Result<BuildOutcome> Build::afterCheck(const checks::CheckOutcome &checked, const CompileOutcome &compiled) {
  if (!compiled.ok)
    return refuse(Stage::Compile, {}, diagnostics(compiled.diagnostics));
  // Clang could not parse a text that the project's compiler took: then nothing is known about it.
  if (!checked.errors.empty())
    return refuse(Stage::Check, ownFindings(checked.errors, checked.errorOffsets));
  built_.diagnostics = diagnostics(compiled.diagnostics);
  for (const Permission &permission : context_.spec->permissions)
    if (std::ranges::any_of(checked.permissions, [&](const Permission &used) {
          return used.check == permission.check && used.form == permission.form;
        }))
      built_.permissions.push_back(permission);
  return auditAndLink();
}

Result<BuildOutcome> Build::checked() {
  if (!unit_.findings.empty())
    return refuse(Stage::Check, unit_.findings);
  TRY(writeUnit());
  std::atomic<bool> stop = false;
  std::future<Compiled> compiling = std::async(std::launch::async, [&] { return compile(&stop); });
  double start = steadySeconds();
  Result<checks::CheckOutcome> checked = check();
  outcome_.times.push_back({"check", steadySeconds() - start});
  bool refused = checked && !checked->findings.empty();
  stop = refused || !checked;
  while (compiling.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready)
    if (context_.cancelled && *context_.cancelled)
      stop = true;
  Compiled compiled = compiling.get();
  if (!checked)
    return std::unexpected(checked.error());
  outcome_.notes = notesOf(*checked);
  if (refused)
    return refuse(Stage::Check, ownFindings(checked->findings, checked->offsets));
  if (!compiled.outcome)
    return std::unexpected(compiled.outcome.error());
  outcome_.times.push_back({"compile", compiled.seconds});
  return afterCheck(*checked, *compiled.outcome);
}

Build::Compiled Build::compileTrusted() {
  const double start = steadySeconds();
  if (context_.prefix) {
    Result<CompileOutcome> outcome = compileBehindPrefix(
        *context_.prefix, candidateCompile(context_, built_.unitFile, built_.objectFile, context_.cancelled),
        unit_.text);
    if (!outcome || outcome->ok)
      return {std::move(outcome), steadySeconds() - start};
  }
  if (Result<void> written = writeUnit(); !written)
    return {std::unexpected(written.error()), 0};
  return compile(context_.cancelled);
}

Result<BuildOutcome> Build::trusted() {
  if (!unit_.findings.empty())
    return refuse(Stage::Check, unit_.findings);
  Compiled compiled = compileTrusted();
  if (!compiled.outcome)
    return std::unexpected(compiled.outcome.error());
  outcome_.times.push_back({"compile", compiled.seconds});
  if (!compiled.outcome->ok)
    return refuse(Stage::Compile, {}, diagnostics(compiled.outcome->diagnostics));
  TRY(link());
  outcome_.built = std::move(built_);
  return std::move(outcome_);
}

Result<BuildOutcome> Build::refused() {
  if (unit_.text.empty())
    return refuse(Stage::Check, unit_.findings, "there is no unit to compile");
  TRY(writeUnit());
  Compiled compiled = compile(context_.cancelled);
  if (!compiled.outcome)
    return std::unexpected(compiled.outcome.error());
  if (!compiled.outcome->ok)
    return refuse(Stage::Compile, {}, diagnostics(compiled.outcome->diagnostics));
  CompileOutcome linked = TRY(linkSharedObject());
  if (linked.ok)
    built_.sharedObject = sharedObject_;
  built_.diagnostics = linked.diagnostics;
  built_.unit = unit_;
  built_.text = candidate_.text;
  built_.name = name_;
  outcome_.built = std::move(built_);
  return std::move(outcome_);
}

Result<std::vector<Finding>> Build::findings(std::vector<Finding> *notes) const {
  if (!unit_.findings.empty())
    return unit_.findings;
  checks::CheckOutcome checked = TRY(check());
  if (notes)
    *notes = notesOf(checked);
  return checked.findings.empty() ? ownFindings(checked.errors, checked.errorOffsets)
                                  : ownFindings(checked.findings, checked.offsets);
}

} // namespace

Result<std::vector<Finding>> checkCandidate(const BuildContext &context, const Candidate &candidate,
                                            std::vector<Finding> *notes) {
  return Build(context, candidate, "").findings(notes);
}

Result<BuildOutcome> buildCandidate(const BuildContext &context, const Candidate &candidate,
                                    const std::string &directory) {
  return Build(context, candidate, directory).checked();
}

Result<BuildOutcome> buildTrusted(const BuildContext &context, const Candidate &candidate,
                                  const std::string &directory) {
  return Build(context, candidate, directory).trusted();
}

Result<BuildOutcome> buildRefused(const BuildContext &context, const Candidate &candidate,
                                  const std::string &directory) {
  return Build(context, candidate, directory, true).refused();
}

Result<std::string> genericBuildProblem(const BuildContext &context, const BuiltCandidate &built,
                                        const std::atomic<bool> *cancelled) {
  const std::string object = built.objectFile + ".generic.o";
  const std::optional<CompileRequest> request = genericCompile(context, built.unitFile, object, cancelled);
  if (!request)
    return std::string();
  CompileOutcome compiled = TRY(compileUnit(*request));
  std::string level(context.level->name);
  if (compiled.isBeyondLimits)
    return "without the project's own -march flags, too, it has to compile: " +
           mappedDiagnostics(compiled.diagnostics, built.unitFile, built.unit, built.name);
  if (!compiled.ok)
    return "the candidate compiles only with the project's own -march flags: it needs instructions that are not in " +
           level + ", and builds without those flags would break. " +
           mappedDiagnostics(compiled.diagnostics, built.unitFile, built.unit, built.name);
  AuditRequest audit;
  audit.objectFile = object;
  audit.symbol = built.unit.symbol;
  audit.level = context.level;
  AuditOutcome audited = TRY(auditObject(audit));
  for (const Finding &finding : audited.findings)
    if (finding.check == "object-level")
      return finding.message;
  return std::string();
}

} // namespace agentic
