// The words of the small enums, and a candidate's name.
#include "tool/base/hash.h"
#include "tool/model/candidate.h"
#include "tool/model/compile_command.h"
#include "tool/model/evaluation.h"
#include "tool/model/verification.h"

#include <utility>

namespace agentic {

const char *familyName(Family family) {
  return family == Family::Clang ? "clang" : "gcc";
}

Family familyNamed(std::string_view name) {
  return name == familyName(Family::Clang) ? Family::Clang : Family::Gcc;
}

const char *stageName(Stage stage) {
  switch (stage) {
  case Stage::Check:
    return "check";
  case Stage::Compile:
    return "compile";
  case Stage::Audit:
    return "audit";
  case Stage::Test:
    return "test";
  case Stage::Differential:
    return "differential";
  case Stage::Benchmark:
    return "benchmark";
  case Stage::Confirm:
    return "confirm";
  case Stage::Sanitize:
    return "sanitize";
  }
  return "";
}

const char *verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Accepted:
    return "accepted";
  case Verdict::Rejected:
    return "rejected";
  case Verdict::NotFaster:
    return "not-faster";
  }
  return "";
}

Candidate makeCandidate(std::string text, std::string origin, std::string parent) {
  std::string id = "c" + sha256(text).substr(0, 10);
  return {std::move(id), std::move(text), std::move(origin), std::move(parent)};
}

const char *standingName(Standing standing) {
  switch (standing) {
  case Standing::Holds:
    return "holds";
  case Standing::Fails:
    return "fails";
  case Standing::NotTried:
    return "not-tried";
  }
  return "";
}

} // namespace agentic
