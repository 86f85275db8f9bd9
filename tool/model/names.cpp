// Implements the names that other modules ask for, and a candidate's id.
#include "tool/base/hash.h"
#include "tool/model/candidate.h"
#include "tool/model/compile_command.h"
#include "tool/model/evaluation.h"
#include "tool/model/verification.h"
#include "tool/model/words.h"

#include <utility>

namespace agentic {

const char *familyName(Family family) {
  return wordOf(family);
}

Family familyNamed(std::string_view name) {
  return name == familyName(Family::Clang) ? Family::Clang : Family::Gcc;
}

const char *stageName(Stage stage) {
  return wordOf(stage);
}

const char *verdictName(Verdict verdict) {
  return wordOf(verdict);
}

Candidate makeCandidate(std::string text, std::string origin, std::string parent) {
  std::string id = "c" + sha256(text).substr(0, 10);
  return {std::move(id), std::move(text), std::move(origin), std::move(parent)};
}

const char *standingName(Standing standing) {
  return wordOf(standing);
}

} // namespace agentic
