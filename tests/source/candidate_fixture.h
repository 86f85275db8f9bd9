// Makes candidate units from a SOURCE text, and compiles them with the two real compilers.
#pragma once

#include "tests/source/extract_fixture.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/source/candidate/candidate_unit.h"

namespace agentic {

inline const Level &testLevel() {
  return *findLevel("x86-64-v3");
}

inline CandidateUnit unitOf(const KernelSpec &spec, std::string_view candidate, Family family = Family::Clang) {
  return buildCandidateUnit({spec, testLevel(), family, "fast.cpp"}, candidate);
}

inline std::string findingText(const CandidateUnit &unit) {
  std::string text;
  for (const Finding &finding : unit.findings)
    text += finding.check + " " + std::to_string(finding.line) + ":" + std::to_string(finding.column) + " " +
            finding.message + "\n";
  return text;
}

/// Every own span must be in the unit as it is in the candidate.
inline void expectSpansExact(const CandidateUnit &unit) {
  const std::string &text = unit.candidate;
  std::size_t last = 0;
  for (const TextSpan &span : unit.own) {
    ASSERT_LE(last, span.begin);
    ASSERT_LT(span.begin, span.end);
    ASSERT_LE(span.end, unit.text.size());
    ASSERT_LE(span.origin + (span.end - span.begin), text.size());
    EXPECT_EQ(unit.text.substr(span.begin, span.end - span.begin), text.substr(span.origin, span.end - span.begin));
    last = span.end;
  }
}

/// Compiles `unit` as the build module does and lists the object's defined external symbols, weak ones apart.
inline std::vector<std::string> externalSymbols(const ScratchProject &project, const std::string &unit,
                                                const std::string &compiler, const std::string &standard,
                                                const std::vector<std::string> &more = {}) {
  const std::string file = project.path("out/unit.cpp"), object = project.path("out/unit.o");
  if (!writeFileAtomic(file, unit))
    return {"cannot write"};
  ProcessSpec compile;
  compile.argv = {compiler, standard, "-O1", "-w", "-fPIC", "-iquote", project.path("src"), "-c", file, "-o", object};
  compile.argv.insert(compile.argv.end(), more.begin(), more.end());
  const Result<ProcessResult> compiled = runProcess(compile);
  if (!compiled || !compiled->ok())
    return {compiled ? compiled->err : compiled.error().message};
  ProcessSpec list;
  list.argv = {"nm", "--defined-only", "--extern-only", object};
  const Result<ProcessResult> listed = runProcess(list);
  std::vector<std::string> symbols;
  if (listed)
    for (const std::string &line : split(listed->out, '\n')) {
      const std::vector<std::string> words = split(line, ' ');
      if (words.size() == 3 && words[1] != "W" && words[1] != "V" && words[1] != "u")
        symbols.push_back(words[2]);
    }
  return symbols;
}

} // namespace agentic
