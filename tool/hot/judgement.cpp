#include "tool/hot/judgement.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/baseline_check.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/hot/paste_lines.h"
#include "tool/model/policy.h"
#include "tool/source/extract/prospect.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace agentic {
namespace {

constexpr std::array<const char *, 7> kNames = {"kernel",    "wrapper",     "findings", "refused",
                                                "is-kernel", "not-project", "unknown"};

Judgement unknown(const Error &error) {
  Judgement judgement;
  judgement.reason = error.message;
  judgement.next = error.next;
  return judgement;
}

/// A kernel's manifest for a function that is in none yet, for what takes one.
Manifest manifestFor(const HotProject &project, const std::string &file, const std::string &target,
                     const std::string &kernel) {
  Manifest manifest;
  manifest.kernel = kernel;
  manifest.source = file;
  manifest.sourceDir = project.sourceDir;
  manifest.buildDir = project.buildDir;
  manifest.config = project.config.empty() ? project.buildType : project.config;
  manifest.targets = {target};
  for (const Manifest &known : project.manifests) // the build compiles the dispatch unit in its place
    if (isSameFile(known.source, file))
      manifest.compiledSource = known.compiledSource;
  return manifest;
}

/// Returns the extraction's findings and those of the checks, or why that is not possible.
Result<std::vector<Finding>> findingsOf(const HotProject &project, Prospect &prospect) {
  prospect.extraction->spec.policy = TRY(readPolicy(project.sourceDir));
  BaselineCheck check = TRY(checkExtraction(std::move(*prospect.extraction), prospect.marked));
  return std::move(check.findings);
}

void addFindings(const std::vector<Finding> &findings, Judgement &judgement) {
  judgement.kind = Judgement::Kind::Findings;
  const Finding &first = findings.front();
  judgement.reason = first.file + ":" + std::to_string(first.line) + ": " + first.message + " [" + first.check + "]";
  if (findings.size() > 1)
    judgement.reason += ", and " + std::to_string(findings.size() - 1) + " more";
  judgement.next =
      "move what the loops do not need out of the function, or mark it and let 'agentic-kernel check' list "
      "all that is in the way";
}

} // namespace

const char *judgementName(Judgement::Kind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

std::string judgementText(const Judgement &judgement) {
  switch (judgement.kind) {
  case Judgement::Kind::Kernel:
    return "can be a kernel";
  case Judgement::Kind::Wrapper:
    return "needs a wrapper";
  case Judgement::Kind::Findings:
    return "can be a kernel once findings are mended";
  case Judgement::Kind::Refused:
    return "cannot be a kernel";
  case Judgement::Kind::IsKernel:
    return "is kernel '" + judgement.kernel + "'";
  case Judgement::Kind::NotProject:
    return "not this project's source";
  case Judgement::Kind::Unknown:
    break;
  }
  return "unknown";
}

std::string kernelNameOf(const std::string &function) {
  std::string name;
  const std::size_t colons = function.rfind("::");
  unsigned char before = 0;
  for (const char c : colons == std::string::npos ? function : function.substr(colons + 2)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isupper(byte) && std::islower(before)) // camelCase
      name += '_';
    if (std::isalnum(byte) || c == '_')
      name += static_cast<char>(std::tolower(byte));
    before = byte;
  }
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name.front())))
    name = "hot" + name;
  return name;
}

std::string Judge::freshName(const std::string &function) {
  const std::string base = kernelNameOf(function);
  std::string name = base;
  const auto isTaken = [&] {
    return std::ranges::find(names_, name) != names_.end() ||
           std::ranges::find(project_.manifests, name, &Manifest::kernel) != project_.manifests.end();
  };
  for (int i = 2; isTaken(); ++i)
    name = base + "_" + std::to_string(i);
  names_.push_back(name);
  return name;
}

std::string Judge::fileOf(const HotFunction &function) {
  if (!function.file.empty() || function.linkageName.empty() || !project_.isProjectModule(function.module))
    return function.file;
  return objects_.sourceOf(function.linkageName);
}

Judgement Judge::judge(const HotFunction &function) {
  const std::string file = fileOf(function);
  Judgement judgement;
  if (!file.empty() && project_.isProjectFile(file)) {
    judgement = judgeIn(file, function);
  } else if (!file.empty() || !project_.isProjectModule(function.module)) {
    judgement.kind = Judgement::Kind::NotProject;
    const bool isOurModule = project_.isProjectModule(function.module);
    judgement.reason = "it is of " + (isOurModule ? file : function.module.empty() ? "no file" : function.module);
    judgement.next = "mark the function that calls it, if that has the loops";
  } else if (function.linkageName.empty()) {
    judgement.reason = "the program has no symbols";
    judgement.next = "link it without -s and without strip";
  } else {
    judgement.reason = project_.commands.empty()
                           ? "the build tree has no compile_commands.json"
                           : "neither debug information nor an object of the build tree tells its file";
    judgement.next = "configure again with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, for C++ with -DCMAKE_CXX_FLAGS=-g, and "
                     "build";
  }
  judgement.file = file;
  if (function.line > 0)
    judgement.line = function.line;
  return judgement;
}

Judgement Judge::judgeIn(const std::string &file, const HotFunction &function) {
  Judgement judgement;
  for (const Manifest &manifest : project_.manifests)
    if (isSameFile(fs::path(file).parent_path().string(), manifest.variantDir)) {
      judgement.kind = Judgement::Kind::IsKernel;
      judgement.kernel = manifest.kernel;
      return judgement;
    }
  const std::string target = project_.targetFor(file, function.module);
  const std::string proposed = kernelNameOf(shortNameOf(function.name));
  const Manifest manifest = manifestFor(project_, file, target, proposed);
  if (project_.commands.empty())
    return unknown({.message = "the build tree has no compile_commands.json",
                    .next = "configure again with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"});
  const Result<CompileCommand> command = sourceCommand(manifest, project_.buildDir);
  if (!command) {
    judgement.kind = Judgement::Kind::Refused;
    judgement.reason = kInHeader;
    judgement.next = kOutOfHeader;
    return judgement;
  }
  const Result<Compiler> compiler = identifyCompiler(command->arguments.front(), project_.buildDir + "/_agentic/cache");
  if (!compiler)
    return unknown(compiler.error());
  Result<Prospect> prospect = prospectOf(extractRequestFor(manifest, *command, *compiler),
                                         {.linkageName = function.linkageName, .file = file, .line = function.line});
  if (!prospect)
    return unknown(prospect.error());
  judgement.reason = prospect->reason;
  judgement.next = prospect->next;
  if (prospect->kind == Prospect::Kind::Marked) {
    judgement.kind = Judgement::Kind::IsKernel;
    for (const Manifest &kernel : project_.manifests)
      if (isSameFile(kernel.source, file) && (kernel.function.empty() || kernel.function == prospect->function))
        judgement.kernel = kernel.kernel;
    return judgement;
  }
  if (prospect->kind == Prospect::Kind::Refused) {
    judgement.kind = Judgement::Kind::Refused;
    return judgement;
  }
  return propose(*prospect, file, target);
}

Judgement Judge::propose(Prospect &prospect, const std::string &file, const std::string &target) {
  Judgement judgement;
  judgement.kind = prospect.kind == Prospect::Kind::Kernel ? Judgement::Kind::Kernel : Judgement::Kind::Wrapper;
  judgement.line = prospect.line;
  judgement.reason = prospect.reason;
  judgement.kernel = freshName(prospect.function);
  judgement.paste = pasteLines(project_, prospect, judgement.kernel, file, target);
  if (prospect.kind == Prospect::Kind::Wrapper)
    judgement.next = "paste the lines, configure, then: " + judgement.paste.command;
  if (prospect.extraction) {
    const Result<std::vector<Finding>> findings = findingsOf(project_, prospect);
    if (!findings)
      return unknown(findings.error());
    if (!findings->empty())
      addFindings(*findings, judgement);
  }
  return judgement;
}

} // namespace agentic
