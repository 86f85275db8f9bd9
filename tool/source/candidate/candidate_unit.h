// The candidate unit: the one text that is checked, compiled and, if it wins, emitted byte for byte (design §6).
//
//   prelude        SOURCE's directives outside declarations, then the candidate's own includes
//   target region  `#pragma GCC target` / `#pragma clang attribute push` of the level
//   namespaces     signature types of SOURCE in their own namespaces; then, inside the kernel's namespaces and one
//                  unique inner namespace: the closure's unit-local declarations and the candidate's helpers, internal
//   kernel         `extern "C"` + hidden, under its one external symbol
//
// In C there are no namespaces (candidate_unit_c.h): declarations get internal linkage by `static`, and what would hide
// a name in C++ is renamed by a macro.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/finding.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/level.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The unit's text `begin..end` comes from `origin` in the candidate's file.
struct TextSpan {
  std::size_t begin = 0, end = 0, origin = 0;
};

struct CandidateUnit {
  std::string text;
  std::string symbol;               ///< "agentic_kernel_binary_gemm__x86_64_v4__clang"
  std::string scope;                ///< namespaces that declare it: "bmm::agentic_binary_gemm_x86_64_v4_clang"; "" in C
  std::string candidate;            ///< the candidate's text that this was made of: LF, its form repaired
  std::vector<std::string> repairs; ///< what was (candidate_form.h), in words
  std::vector<TextSpan> own;        ///< the candidate's own text; everything else is ours or SOURCE's
  std::vector<Finding> findings;    ///< non-empty = rejected by the lexical rules: no kernel function, two of them,
                                    ///< a directive or include outside the allow-list, a name outside the kernel's
                                    ///< namespaces, control or non-ASCII characters, unbalanced braces
};

struct UnitRequest {
  const KernelSpec &spec;
  const Level &level;
  Family family;
  std::string candidateName;  ///< for findings: "fast.cpp"
  bool evenIfRefused = false; ///< for the examination: build as much as possible of a text that has findings
};

/// Pure text work with Clang's raw lexer; < 5 ms. `candidate` may be written unqualified, qualified or inside the
/// kernel's namespaces, with or without the marker, with LF or CRLF; its form is repaired first.
CandidateUnit buildCandidateUnit(const UnitRequest &request, std::string_view candidate);

std::string variantSymbol(std::string_view kernel, const Level &level, Family family);

/// Returns the baseline as a candidate's text (`spec.text`).
std::string baselineCandidate(const KernelSpec &spec);

/// Maps an offset in the unit to the candidate's file; line 0 if the offset is not the candidate's own text. Columns
/// are those of the repaired text.
struct CandidatePosition {
  unsigned line = 0, column = 0;
};
CandidatePosition candidatePosition(const CandidateUnit &unit, std::size_t unitOffset);

} // namespace agentic
