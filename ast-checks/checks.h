// Banned constructs: runs every check of the table on one translation unit and returns findings as values.
//
// The rules apply to a unit's `own` text, decided by FileID and spelling location, never by presumed location: a GNU
// line marker hides code from "main file" and "system header" tests. They see instantiated code, after preprocessing.
// Nothing inside the text can suppress a finding.
#pragma once

#include "tool/base/error.h"
#include "tool/model/finding.h"
#include "tool/model/permission.h"
#include "tool/model/policy.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic::checks {

struct OwnText {
  std::size_t begin = 0, end = 0; ///< byte range in `text`
};

struct CheckRequest {
  std::string path; ///< main file's name for Clang; need not exist, its folder is where "x.h" is sought
  std::string text; ///< the whole unit, LF
  std::vector<std::string> arguments; ///< Clang arguments: no program, no input file
  std::string workingDirectory;
  std::vector<OwnText> own;   ///< the ranges that the rules apply to; empty = the whole main file
  std::string kernelSymbol;   ///< extern "C" name of the kernel in a candidate unit; empty = the function that
                              ///< carries annotate("agentic_kernel") and has the qualified name below
  std::string kernelFunction; ///< qualified name of the original: calling it is a finding
  std::string canonicalType;  ///< required type of the kernel; empty = not compared
  std::vector<std::string> allowedFunctions; ///< qualified names of the closure's and the baseline's own callees
  Policy policy;                             ///< the project's policy; verified
  std::string baseline;                      ///< kernel and closure as the user wrote them, for notes; may be empty
  std::vector<Permission> permissions;       ///< of the baseline's check: what a candidate may do all the same
};

struct CheckOutcome {
  std::vector<Finding> findings;    ///< line and column refer to `text`; ordered by position; `offset` beside them
  std::vector<std::size_t> offsets; ///< byte offset of findings[i] in `text`
  std::vector<Finding> notes;       ///< as findings, but they reject nothing
  std::vector<std::size_t> noteOffsets;
  std::vector<Finding> errors;           ///< Clang's own errors (check = "clang"), first 20, in own text or not
  std::vector<std::size_t> errorOffsets; ///< in `text`; npos if in another file
  /// Of a baseline: what it does in its own body that is a finding elsewhere (address_forms.h); of a candidate: the
  /// permissions that it uses. One per check and form, at the first place in `text`.
  std::vector<Permission> permissions;
  std::vector<std::size_t> permissionOffsets;
};

/// Parses once and runs all checks. Takes 2 ms plus the time for the headers (<immintrin.h>: 80 ms). Error only for a
/// broken request (bad arguments).
///
/// Without a kernelSymbol the text is a baseline: its author may use directives, includes, characters and declarations
/// as they like. If a candidate would open a file that no list names, it is not parsed; if Clang reports errors, the
/// findings are those of the text, tokens and pragmas alone. Deep nesting and runaway expansion end in an error; a text
/// can still make Clang slow, so hostile text belongs in a process with a time limit.
Result<CheckOutcome> runChecks(const CheckRequest &request);

enum class CheckKind {
  Always,        ///< a finding rejects a candidate in every project
  UnlessAllowed, ///< a project's policy may switch it off
  Note           ///< a finding rejects nothing, unless a policy forbids it
};

struct CheckInfo {
  std::string_view name;    ///< "state-outlives-call"
  std::string_view summary; ///< one line
  CheckKind kind = CheckKind::Always;
};
std::span<const CheckInfo> allChecks();

/// Verifies that the names in a policy exist and may be allowed: no policy can permit a candidate's state, threads,
/// system calls, own assembly and the like. The error names the entry, the reason and the nearest name.
Result<void> verifyPolicy(const Policy &policy);

} // namespace agentic::checks
