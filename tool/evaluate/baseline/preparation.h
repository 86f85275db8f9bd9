// Everything that is known before the first candidate: manifest, specification, hook tree, baseline facts. What depends
// only on the baseline is cached by content; a second process gets here in about 0.15 s.
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

#include <string>
#include <vector>

namespace agentic {

struct Prepared {
  Manifest manifest;
  Compiler compiler;
  CompileCommand command; ///< of SOURCE in the user's tree
  const Level *level = nullptr;
  bool isTimed = true; ///< false: the level is only emulated here, and nothing is measured or replayed
  KernelSpec spec;
  std::string specKey; ///< of everything that extraction depended on, headers excepted
  std::string sourceHash;
  Sandbox sandbox = Sandbox::none();
  ShadowTree shadow;
  BaselineFacts facts;
  std::string factsKey; ///< of everything that the facts depend on
  std::string cacheDirectory, workRoot;
  Expectation expectation;            ///< of the stage differential; no steps if calls cannot be captured
  std::string glueLibrary, callsFile; ///< empty when calls cannot be captured; facts.recording says why
  std::string baselineLibrary;        ///< the baseline as a candidate's shared object
  JudgingFiles judging;               ///< what must stay as it is until the end of the run
  std::vector<StageTime> times;
  std::vector<std::string> warnings;

  RunContext runContext(const EvaluatorOptions &options, const std::string &scratch) const;
  BuildContext buildContext(const EvaluatorOptions &options) const; ///< refers to this object
};

/// Errors: whatever is wrong with the project before any candidate is, each in one message.
Result<Prepared> prepare(const EvaluatorOptions &options);

/// Fails if anything that the facts depend on changed since: nothing measured before says anything about the new state.
Result<void> recheck(Prepared &prepared, const EvaluatorOptions &options);

} // namespace agentic
