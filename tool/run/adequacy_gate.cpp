#include "tool/run/adequacy_gate.h"

#include "tool/base/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

constexpr double kShare = 0.15, kMostSeconds = 120; ///< share of a run's budget; limit without a budget
constexpr std::size_t kNamedInWarning = 4;

std::string survivorLines(const Adequacy &adequacy, const std::string &root, std::size_t most) {
  std::string text;
  const std::vector<JudgedMutant> survivors = adequacy.survivors();
  for (std::size_t i = 0; i < survivors.size() && i < most; ++i)
    text += fmt::format("\n  {}: {}: {}", placeText(adequacy, survivors[i], root), survivors[i].change,
                        survivors[i].advice);
  return text;
}

std::string listCommand(const Adequacy &adequacy, const TargetOptions &options) {
  return fmt::format("agentic-kernel adequacy -B {} -k {}", options.buildDir, adequacy.kernel);
}

AdequacyRequest requestFor(Messages &messages, const TargetOptions &options, AdequacyUse use,
                           std::optional<double> maxSeconds) {
  AdequacyRequest request;
  request.onlyKnown = use == AdequacyUse::OneCandidate && !options.requireAdequate;
  request.secondsLimit = maxSeconds.value_or(0) > 0 ? kShare * *maxSeconds : kMostSeconds;
  request.progress = [&messages](int tried, int total) {
    messages.progress(
        fmt::format("  giving the tests faulty versions of the unchanged kernel: {} of {}", tried, total));
  };
  return request;
}

} // namespace

std::string placeText(const Adequacy &adequacy, const JudgedMutant &mutant, const std::string &root) {
  const std::string prefix = root + "/";
  const std::string file =
      adequacy.source.starts_with(prefix) ? adequacy.source.substr(prefix.size()) : adequacy.source;
  return fmt::format("{}:{}:{}", file, mutant.line, mutant.column);
}

std::string adequacyText(const Adequacy &adequacy) {
  if (adequacy.total() == 0)
    return "no faulty version of kernel '" + adequacy.kernel + "' could be tried" +
           (adequacy.notTried > 0 ? " in the time there was" : "");
  return fmt::format("the tests of kernel '{}' notice {} of {} faulty versions of it ({:.0f} %){}", adequacy.kernel,
                     adequacy.killed(), adequacy.total(), adequacy.percent(),
                     adequacy.notTried > 0 ? fmt::format("; {} were not tried for want of time", adequacy.notTried)
                                           : "");
}

std::optional<Error> inadequate(const Adequacy &adequacy, const TargetOptions &options, const std::string &root) {
  if (!options.requireAdequate || (adequacy.percent() >= *options.requireAdequate && adequacy.total() > 0))
    return std::nullopt;
  return Error{ErrorKind::User,
               fmt::format("{}; --require-adequate asks for {:g} %{}", adequacyText(adequacy), *options.requireAdequate,
                           survivorLines(adequacy, root, adequacy.mutants.size())),
               adequacy.total() == 0 ? "give it more time: '" + listCommand(adequacy, options) + "'"
                                     : "add such tests; '" + listCommand(adequacy, options) + "' tries again"};
}

nlohmann::json adequacyJson(const Adequacy &adequacy) {
  nlohmann::json mutants = nlohmann::json::array();
  for (const JudgedMutant &mutant : adequacy.mutants)
    mutants.push_back({{"kind", mutant.kind},
                       {"file", adequacy.source},
                       {"line", mutant.line},
                       {"column", mutant.column},
                       {"change", mutant.change},
                       {"killed", mutant.killed},
                       {"killed_by", mutant.killedBy},
                       {"suggestion", mutant.killed ? "" : mutant.advice}});
  return {{"kernel", adequacy.kernel},
          {"killed", adequacy.killed()},
          {"total", adequacy.total()},
          {"percent", adequacy.percent()},
          {"same_code", adequacy.equivalent},
          {"not_tried", adequacy.notTried},
          {"mutants", mutants}};
}

Result<std::string> checkAdequacy(Messages &messages, Evaluator &evaluator, const TargetOptions &options,
                                  AdequacyUse use, std::optional<double> maxSeconds) {
  auto adequacy = evaluator.adequacy(requestFor(messages, options, use, maxSeconds));
  messages.endProgress();
  if (!adequacy) {
    if (options.requireAdequate || adequacy.error().kind != ErrorKind::User)
      return std::unexpected(adequacy.error());
    messages.warn("what the tests notice is not known: " + adequacy.error().message);
    return std::string();
  }
  const std::string &root = evaluator.manifest().sourceDir;
  if (auto error = inadequate(*adequacy, options, root))
    return std::unexpected(std::move(*error));
  const std::size_t survivors = adequacy->survivors().size();
  if (survivors > 0)
    messages.warn(adequacyText(*adequacy) + "; these would pass:" + survivorLines(*adequacy, root, kNamedInWarning) +
                  (survivors > kNamedInWarning
                       ? fmt::format("\n  and {} more: '{}' lists all", survivors - kNamedInWarning,
                                     listCommand(*adequacy, options))
                       : ""));
  return adequacy->total() == 0 ? std::string() : fmt::format("{}/{}", adequacy->killed(), adequacy->total());
}

} // namespace agentic
