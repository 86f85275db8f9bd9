// The rows of `verify` → exit status, text table, JSON, Markdown, SARIF 2.1.0 and JUnit. Pure.
#pragma once

#include "tool/model/verification.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace agentic {

bool allHold(const Verification &verification); ///< nothing fails; what could not be tried here does not count

/// {"machine","compiler","interrupted","holds","kernels":[{"kernel","level","family","file","standing","what","problem",
/// "next","recorded","measured","recorded_cpu","code_bytes","warnings","seconds"}]}
nlohmann::json verificationJson(const Verification &verification);

/// Aligned table, then one line per problem with the next step. No colour.
std::string verificationText(const Verification &verification);
/// For a change request: a GitHub table and a list of problems; foreign text stands in code spans.
std::string verificationMarkdown(const Verification &verification);
/// One result per failing variant, at its file relative to `root`; what could not be tried is a note.
std::string verificationSarif(const Verification &verification, const std::string &root,
                              const std::string &toolVersion);
/// One test case per variant: passed, failed or skipped.
std::string verificationJunit(const Verification &verification);

} // namespace agentic
