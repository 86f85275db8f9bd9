// Prepares everything before the first candidate: manifest, specification, hook tree, baseline facts. The parts that
// depend only on the baseline are cached by content; a second process is ready in about 0.15 s.
#pragma once

#include "tool/base/error.h"
#include "tool/build/sandbox.h"
#include "tool/build/shadow.h"
#include "tool/evaluate/baseline/evaluator_options.h"
#include "tool/evaluate/baseline/facts.h"
#include "tool/evaluate/baseline/judging_files.h"
#include "tool/evaluate/candidate/candidate_build.h"
#include "tool/evaluate/differential/expectation.h"
#include "tool/evaluate/programs/program_run.h"
#include "tool/evaluate/remote/program_hosts.h"

#include <memory>
#include <string>
#include <vector>

namespace agentic {

struct Prepared {
  Manifest manifest;
  Compiler compiler;
  CompileCommand command; ///< command of SOURCE in the user's tree
  const Level *level = nullptr;
  bool isTimed = true; ///< false: the level is only emulated here, and nothing is measured or replayed
  KernelSpec spec;
  std::string specKey; ///< key of everything that extraction depended on, headers excepted
  std::string sourceHash;
  Sandbox sandbox = Sandbox::none();          ///< of compilers and checks
  Sandbox programs = Sandbox::none();         ///< of whatever runs code of the kernel
  std::shared_ptr<ProgramHosts> programHosts; ///< nullptr: programs run here
  ShadowTree shadow;
  BaselineFacts facts;
  std::string factsKey; ///< key of everything that the facts depend on
  std::string cacheDirectory, workRoot;
  Expectation expectation;            ///< expectation of the stage differential; no steps if calls cannot be captured
  std::string glueLibrary, callsFile; ///< empty when calls cannot be captured; facts.recording says why
  std::string baselineLibrary;        ///< the baseline as a candidate's shared object
  JudgingFiles judging;               ///< the files that must not change until the end of the run
  std::vector<StageTime> times;
  std::vector<std::string> warnings;

  const Cpu &cpu(const EvaluatorOptions &options) const { return programHosts ? programHosts->cpu() : options.cpu; }
  RunContext runContext(const EvaluatorOptions &options, const std::string &scratch) const;
  BuildContext buildContext(const EvaluatorOptions &options) const; ///< refers to this object
};

/// Prepares a kernel. Errors: every problem of the project that exists before any candidate, each in one message.
Result<Prepared> prepare(const EvaluatorOptions &options);

/// Fails if anything that the facts depend on has changed: earlier measurements say nothing about the new state.
Result<void> recheck(Prepared &prepared, const EvaluatorOptions &options);

} // namespace agentic
