// Formats the rows of `verify`: exit status, text table, JSON, Markdown, SARIF 2.1.0 and JUnit. Pure.
#pragma once

#include "tool/model/verification.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace agentic {

bool allHold(const Verification &verification); ///< nothing fails; a variant that cannot be tried here does not count

/// {"machine","compiler","interrupted","holds","kernels":[{"kernel","level","family","file","standing","what","problem",
/// "next","recorded","measured","recorded_cpu","code_bytes","warnings","seconds"}]}
nlohmann::json verificationJson(const Verification &verification);

/// Returns an aligned table, then one line per problem with the next step. No colour.
std::string verificationText(const Verification &verification);
/// Returns a text for a change request: a GitHub table and a list of problems; foreign text is in code spans.
std::string verificationMarkdown(const Verification &verification);
/// Returns one result per failing variant, at its file relative to `root`; a variant that could not be tried is a note.
std::string verificationSarif(const Verification &verification, const std::string &root,
                              const std::string &toolVersion);
/// Returns one test case per variant: passed, failed or skipped.
std::string verificationJunit(const Verification &verification);

} // namespace agentic
