// The stage sanitize: candidates compiled with AddressSanitizer and UndefinedBehaviorSanitizer do the recorded and
// generated calls, and the project's tests. The candidate alone is instrumented; the compiler's own runtime is
// preloaded into the runner and the test programs.
//
// A check that the unchanged kernel itself fails is off for candidates, too, and a remark says so. Where the runtime is
// not installed, or the baseline does not pass, a remark says what did not run.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/instruments/instrumented_build.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// The compiler's flags for both sanitizers.
std::vector<std::string> sanitizerFlags(const Compiler &compiler);

/// The behaviour of the baseline under the sanitizers: learnt once per kernel and run.
struct SanitizeFacts {
  std::vector<std::string> flags;    ///< for the compiler
  std::vector<std::string> runtimes; ///< libraries to preload; empty: the stage cannot run
  bool runsCalls = false, runsTests = false;
  double callSeconds = 0, testSeconds = 0; ///< times of the baseline
  std::vector<std::string> remarks;        ///< for the report
};

/// Cost: the baseline compiled with sanitizers, its calls (about three times the usual time) and the tests; again for
/// every kind of error that it has (at most 8). Errors: those of the machinery.
Result<SanitizeFacts> learnSanitize(const InstrumentedContext &context);

/// Saves the facts of the calls alone, as JSON. `key` as in facts.h: facts with another one count as absent.
Result<void> saveSanitizeFacts(const std::string &file, const std::string &key, const SanitizeFacts &facts);
std::optional<SanitizeFacts> loadSanitizeFacts(const std::string &file, const std::string &key);

/// Loads the facts, or learns and saves them.
Result<SanitizeFacts> keptSanitizeFacts(const InstrumentedContext &context, const std::string &file,
                                        const std::string &key);

struct SanitizeOutcome {
  bool passed = true; ///< also where nothing could run: then `remarks` say so
  bool ranCalls = false, ranTests = false;
  std::string detail; ///< why it failed; one line with the candidate's own position, fit to be shown to an agent
  /// Why nothing is known although the unchanged kernel passes: it blocks like uncovered code, because it would else be
  /// a way to hide an error.
  std::string unmeasured;
  std::vector<std::string> remarks;
  double seconds = 0;
};

/// Cost: as learnSanitize, once. `directory` of the context is used again.
Result<SanitizeOutcome> sanitize(const InstrumentedContext &context, const SanitizeFacts &facts,
                                 const BuiltCandidate &candidate);

} // namespace agentic
