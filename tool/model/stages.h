// The stages of an evaluation, a row each. A new stage needs a value of Stage, its row here, and the step that runs it
// in evaluate/pipeline.
#pragma once

#include "tool/model/evaluation.h"

#include <algorithm>
#include <iterator>

namespace agentic {

struct StageRow {
  Stage stage;
  const char *name;     ///< in records and reports
  const char *rejected; ///< predicate of a refused candidate for a model, after "It"
  const char *next;     ///< the next step for a person
};

inline constexpr StageRow kStages[] = {
    {Stage::Check, "check", "breaks rules",
     "write what the finding allows instead; 'agentic-kernel explain <check>' says why it is banned"},
    {Stage::Compile, "compile", "does not compile",
     "mend what the compiler says; it is compiled with the project's own flags"},
    {Stage::Audit, "audit", "was rejected for what its object code holds",
     "leave out what the finding names: the object may hold one function and its constants, for its level"},
    {Stage::Test, "test", "fails the tests",
     "compare with the kernel as written: the project's tests are the specification"},
    {Stage::Differential, "differential", "computes something else than the baseline",
     "compute what the contract allows: its tolerance and AGENTIC_REQUIRES decide, for any input that they allow"},
    {Stage::Benchmark, "benchmark", "was rejected by the benchmark",
     "look at the hot loop with 'agentic-kernel insight', and try something else"},
    {Stage::Confirm, "confirm", "was not confirmed",
     "look at what was refused in fresh pairs and held-out calls; the next best candidate was tried instead"},
    {Stage::Sanitize, "sanitize", "was rejected by sanitizers",
     "mend what the sanitizers say; it is in the tree built with them"},
    {Stage::Coverage, "coverage", "has code that no instrument saw",
     "leave out the code that never ran, or add a test that reaches it"},
};

constexpr const StageRow &rowOf(Stage stage) {
  return *std::ranges::find(kStages, stage, &StageRow::stage);
}

} // namespace agentic
