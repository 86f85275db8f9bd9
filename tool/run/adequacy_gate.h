// Judges test adequacy before a run: warns and names the mutants that the tests would let pass, or ends before anything
// is spent.
#pragma once

#include "tool/run/target_options.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace agentic {

/// Search: tries the mutants, in a share of the budget. OneCandidate: reports only known outcomes, unless
/// --require-adequate asks for more.
enum class AdequacyUse { Search, OneCandidate };

/// Returns "22/24", for the journal; empty if nothing is known. Warns of survivors. Error (user): the tests notice
/// fewer than --require-adequate asks for, each survivor named; interrupted. `maxSeconds`: the run's budget, if it has
/// one.
Result<std::string> checkAdequacy(Messages &messages, Evaluator &evaluator, const TargetOptions &options,
                                  AdequacyUse use, std::optional<double> maxSeconds = std::nullopt);

/// Returns "the tests of kernel 'k' notice 22 of 24 mutants (92 %)", and the omissions.
std::string adequacyText(const Adequacy &adequacy);
/// Returns "src/k.cpp:12:20"; the path is relative to `root` if it is below it.
std::string placeText(const Adequacy &adequacy, const JudgedMutant &mutant, const std::string &root);
/// Returns nullopt if there is no requirement, or it is met.
std::optional<Error> inadequate(const Adequacy &adequacy, const TargetOptions &options, const std::string &root);

nlohmann::json adequacyJson(const Adequacy &adequacy);

} // namespace agentic
