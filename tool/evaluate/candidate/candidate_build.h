// The stages check, compile and audit: make the shared object that the hook loads from a candidate's text.
#pragma once

#include "tool/base/error.h"
#include "tool/build/compile.h"
#include "tool/build/sandbox.h"
#include "tool/evaluate/candidate/precompiled_prefix.h"
#include "tool/model/candidate.h"
#include "tool/model/compile_command.h"
#include "tool/model/evaluation.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/level.h"
#include "tool/source/candidate/candidate_unit.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// The inputs that are the same for all candidates of a kernel. Must outlive the calls.
struct BuildContext {
  const KernelSpec *spec = nullptr;
  const Level *level = nullptr;
  const Compiler *compiler = nullptr;
  CompileCommand command; ///< command of the dispatch unit in the hook tree
  const Sandbox *sandbox = nullptr;
  std::string cacheDirectory;                ///< entry shims
  std::vector<std::string> allowedUndefined; ///< symbols that the baseline's object refers to, and the closure's
  bool isBaseline = false;                   ///< allows its object's symbols, since the object is the baseline's
  std::string checkProgram;  ///< runs the checks in a process of its own (isolated_check.h); empty = in this one
  double compileSeconds = 0; ///< time of the baseline's check and compile; bounds a candidate's. 0 = not known
  const std::atomic<bool> *cancelled = nullptr;
  const PrecompiledPrefix *prefix = nullptr; ///< for buildTrusted() alone; may be null
};

struct BuiltCandidate {
  std::string unitFile, objectFile, sharedObject; ///< sharedObject is empty until linked
  std::string objectHash;
  std::size_t codeBytes = 0;           ///< size of text and constants
  std::string diagnostics;             ///< warnings, for the feedback
  std::vector<Permission> permissions; ///< the spec's that it uses, with the spec's places
  CandidateUnit unit;                  ///< with `text` and `name`: maps positions for later diagnostics
  std::string text, name;
};

/// A rejection by a stage, as findings or text.
struct Refusal {
  Stage stage = Stage::Check;
  std::vector<Finding> findings;
  std::string detail;
};

struct BuildOutcome {
  std::optional<BuiltCandidate> built; ///< nullopt = refused
  Refusal refusal;
  std::vector<Finding> notes; ///< notes of the checks; they refuse nothing
  std::vector<StageTime> times;
};

/// Checks and compiles (at the same time), then audits and links, into `directory`. Errors are those of the machinery.
Result<BuildOutcome> buildCandidate(const BuildContext &context, const Candidate &candidate,
                                    const std::string &directory);

/// Runs the check stage alone: lexical rules, then the checks; Clang's own errors count as findings. Uses only spec,
/// level and compiler of `context`, and sandbox if there is a checkProgram.
Result<std::vector<Finding>> checkCandidate(const BuildContext &context, const Candidate &candidate,
                                            std::vector<Finding> *notes = nullptr);

/// Compiles and links only, for the baseline and the trap controls, which are ours. `objectHash` stays empty.
Result<BuildOutcome> buildTrusted(const BuildContext &context, const Candidate &candidate,
                                  const std::string &directory);

/// For the examination alone: compiles and links even a text that the rules refuse, as far as possible. `objectHash`
/// stays empty, and so does `sharedObject` if it does not link; a text that is no unit is refused.
Result<BuildOutcome> buildRefused(const BuildContext &context, const Candidate &candidate,
                                  const std::string &directory);

/// Compiles the built unit without the project's ISA flags, on its target region alone. Returns empty if that works,
/// else the reason: "needs avx512vnni, which is not in x86-64-v4". Empty at once if the project has no such flags.
Result<std::string> genericBuildProblem(const BuildContext &context, const BuiltCandidate &built,
                                        const std::atomic<bool> *cancelled);

} // namespace agentic
