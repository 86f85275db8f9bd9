#include "tests/cost/strategies/landscape.h"

#include "tool/base/files.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace agentic::cost {
namespace {

const double kFastest = std::log(64.0); ///< no file is faster; the fastest of the real ones was at 43.8
const double kSlowest = std::log(0.3);
constexpr double kBetter = 0.5;     ///< share of the files made of another that are faster than it
constexpr double kLoss = 0.4;       ///< mean loss of the others
constexpr double kSameSpeed = 0.01; ///< deviation among files that repeat one

/// Returns the approach of a file whose author follows a memory. `part`: which of the gains, from 0 to below 1.
int followed(const Advice &advice, int approach, double part) {
  if (!advice.gains.empty())
    return *std::next(advice.gains.begin(), static_cast<long>(part * double(advice.gains.size())));
  for (int tries = 0; tries < kKinds && advice.losses.contains(approach); ++tries)
    approach = (approach + 1) % kKinds;
  return approach;
}

} // namespace

double Draws::uniform() { // SplitMix64
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t bits = state_;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  bits ^= bits >> 31;
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

double Draws::normal() { // Box and Muller
  const double radius = std::sqrt(2 * exponential());
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

double Draws::exponential() {
  return -std::log(1 - uniform());
}

double SimulatedModel::shareOfCorrect(const Question &question) const {
  const double inOne = !wasCorrect_ ? model_.correct : *wasCorrect_ ? model_.afterCorrect : model_.afterFailure;
  if (!question.isNewConversation)
    return inOne;
  const double inNew = question.parent ? model_.afterCorrect : model_.correct;
  return inOne + assumptions_.newConversation * (inNew - inOne);
}

double SimulatedModel::speedAnew(int approach, double fresh) const {
  const double related = shared_ ? assumptions_.related : 0,
               luck = related > 0 ? std::sqrt(related) * shared_->at(static_cast<std::size_t>(approach)) +
                                        std::sqrt(1 - related) * fresh
                                  : fresh;
  return std::clamp(model_.speed + model_.deviation * luck, kSlowest, kFastest);
}

SimulatedAnswer SimulatedModel::answer(const Question &question) {
  Draws draws((seed_ << 20) + answers_++);
  // Always the same number of draws, so that strategies are compared on the same luck.
  const double success = draws.uniform(), repeats = draws.uniform(), builds = draws.uniform(),
               isBetter = draws.uniform(), part = draws.uniform(), loss = draws.exponential(),
               room = draws.exponential(), fresh = draws.normal(), noise = draws.normal(), reason = draws.uniform(),
               kind = draws.uniform(), follows = draws.uniform(), which = draws.uniform();
  const bool isCorrect = success < shareOfCorrect(question);
  wasCorrect_ = isCorrect;
  if (!isCorrect) {
    const double wrong = model_.correct < 1 ? (model_.compiles - model_.correct) / (1 - model_.correct) : 0;
    return {.compiles = reason < wrong, .correct = std::nullopt};
  }
  int approach = static_cast<int>(kind * kKinds);
  if (question.advice && follows < assumptions_.memoryIsFollowed)
    approach = followed(*question.advice, approach, which);
  const double anew = speedAnew(approach, fresh);
  SimulatedFile file{
      .speed = anew, .ceiling = std::min(kFastest, anew + assumptions_.headroom * room), .kind = approach};
  const double again = question.parent              ? model_.again
                       : question.isNewConversation ? model_.again * (1 - assumptions_.newConversation)
                                                    : 0;
  const std::optional<SimulatedFile> repeated = question.parent ? question.parent : favorite_;
  if (repeated && repeats < again) {
    file = *repeated;
    file.speed = std::min(file.ceiling, file.speed + kSameSpeed * noise);
  } else if (question.parent && builds < assumptions_.parentHelps) {
    const SimulatedFile &from = *question.parent;
    file.ceiling = std::max(from.ceiling, from.speed);
    file.kind = from.kind;
    file.speed = isBetter < kBetter ? from.speed + (file.ceiling - from.speed) * part
                                    : std::max(kSlowest, from.speed - kLoss * loss);
  }
  if (!question.parent && !favorite_)
    favorite_ = file;
  return {.compiles = true, .correct = file};
}

Result<std::vector<FittedModel>> readFittedModels(const std::string &file) {
  std::istringstream lines(TRY(readFile(file)));
  std::vector<FittedModel> models;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with("#"))
      continue;
    std::istringstream fields(line);
    FittedModel model;
    std::string half;
    fields >> model.name >> half >> model.files >> model.compiles >> model.correct >> model.afterCorrect >>
        model.afterFailure >> model.again >> model.speed >> model.deviation >> model.best8 >> model.best16 >>
        model.best;
    if (!fields)
      return userError("a line of " + file + " is no fitted model: " + line, "make it with fit_models.awk");
    model.isForFitting = half == "fit";
    models.push_back(std::move(model));
  }
  return models;
}

} // namespace agentic::cost
