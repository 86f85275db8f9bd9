// Test adequacy before a run: a warning that names what the tests would let pass, or an end before anything is spent.
#pragma once

#include "tool/run/target_options.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace agentic {

/// Search: the mutants are tried, in a share of the budget. One candidate: only what is known is said, unless
/// --require-adequate asks for it.
enum class AdequacyUse { Search, OneCandidate };

/// "22/24", for the journal; empty if nothing is known. Warns of survivors. Error (user): the tests notice fewer than
/// --require-adequate asks for, each survivor named; interrupted. `maxSeconds`: the run's budget, if it has one.
Result<std::string> checkAdequacy(Messages &messages, Evaluator &evaluator, const TargetOptions &options,
                                  AdequacyUse use, std::optional<double> maxSeconds = std::nullopt);

/// "the tests of kernel 'k' notice 22 of 24 mutants (92 %)", and what was left out.
std::string adequacyText(const Adequacy &adequacy);
/// "src/k.cpp:12:20"; below `root` the path is relative to it.
std::string placeText(const Adequacy &adequacy, const JudgedMutant &mutant, const std::string &root);
/// nullopt: there is no requirement, or it is met.
std::optional<Error> inadequate(const Adequacy &adequacy, const TargetOptions &options, const std::string &root);

nlohmann::json adequacyJson(const Adequacy &adequacy);

} // namespace agentic
