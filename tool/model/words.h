// The words of the small enums, each written once, for records and for people.
#pragma once

#include "tool/model/compile_command.h"
#include "tool/model/contract.h"
#include "tool/model/end_to_end.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/measurement.h"
#include "tool/model/stages.h"
#include "tool/model/verification.h"

#include <algorithm>
#include <array>

namespace agentic {

/// An enum value and its word; each enum has a table of them.
template <class E> struct Word {
  E value;
  const char *text;
};
inline constexpr Word<Family> kFamilies[] = {{Family::Clang, "clang"}, {Family::Gcc, "gcc"}};
inline constexpr Word<Language> kLanguages[] = {{Language::Cxx, "c++"}, {Language::C, "c"}};
inline constexpr Word<EndToEndOutcome> kEndToEndOutcomes[] = {{EndToEndOutcome::Faster, "faster"},
                                                              {EndToEndOutcome::NoChange, "no-change"},
                                                              {EndToEndOutcome::Slower, "slower"},
                                                              {EndToEndOutcome::Failed, "failed"},
                                                              {EndToEndOutcome::NotMeasured, "not-measured"}};
inline constexpr Word<Comparison> kComparisons[] = {{Comparison::Faster, "faster"},
                                                    {Comparison::Slower, "slower"},
                                                    {Comparison::Same, "same"},
                                                    {Comparison::TooNoisy, "too-noisy"}};
inline constexpr Word<Fragment::Kind> kFragmentKinds[] = {
    {Fragment::Kind::Function, "function"}, {Fragment::Kind::Type, "type"},   {Fragment::Kind::Constant, "constant"},
    {Fragment::Kind::Macro, "macro"},       {Fragment::Kind::Using, "using"}, {Fragment::Kind::Directive, "directive"}};
inline constexpr Word<Verdict> kVerdicts[] = {
    {Verdict::Accepted, "accepted"}, {Verdict::Rejected, "rejected"}, {Verdict::NotFaster, "not-faster"}};
inline constexpr auto kStageWords = [] {
  std::array<Word<Stage>, std::size(kStages)> words{};
  std::ranges::transform(kStages, words.begin(), [](const StageRow &row) { return Word<Stage>{row.stage, row.name}; });
  return words;
}();
inline constexpr Word<Standing> kStandings[] = {
    {Standing::Holds, "holds"}, {Standing::Fails, "fails"}, {Standing::NotTried, "not-tried"}};
inline constexpr Word<Direction> kDirections[] = {
    {Direction::In, "in"}, {Direction::Out, "out"}, {Direction::InOut, "inout"}};
inline constexpr Word<Tolerance::Kind> kToleranceKinds[] = {
    {Tolerance::Kind::Absolute, "absolute"}, {Tolerance::Kind::Relative, "relative"}, {Tolerance::Kind::Ulp, "ulp"}};
inline constexpr Word<FloatingPoint> kPolicies[] = {{FloatingPoint::Unspecified, "unspecified"},
                                                    {FloatingPoint::Strict, "strict"},
                                                    {FloatingPoint::Contract, "contract"},
                                                    {FloatingPoint::Reassociate, "reassociate"}};
constexpr const auto &words(Family) {
  return kFamilies;
}
constexpr const auto &words(Language) {
  return kLanguages;
}
constexpr const auto &words(EndToEndOutcome) {
  return kEndToEndOutcomes;
}
constexpr const auto &words(Comparison) {
  return kComparisons;
}
constexpr const auto &words(Fragment::Kind) {
  return kFragmentKinds;
}
constexpr const auto &words(Verdict) {
  return kVerdicts;
}
constexpr const auto &words(Stage) {
  return kStageWords;
}
constexpr const auto &words(Standing) {
  return kStandings;
}
constexpr const auto &words(Direction) {
  return kDirections;
}
constexpr const auto &words(Tolerance::Kind) {
  return kToleranceKinds;
}
constexpr const auto &words(FloatingPoint) {
  return kPolicies;
}

template <class E> constexpr const char *wordOf(E value) {
  for (const auto &word : words(value))
    if (word.value == value)
      return word.text;
  return "";
}

} // namespace agentic
