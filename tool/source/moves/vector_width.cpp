// vector-width(matmul, bits=512): lets the compiler use registers wider than its tuning for the processor prefers.
//
//   void matmul(…)   →   __attribute__((min_vector_width(512))) void matmul(…)                  Clang
//                        __attribute__((target("prefer-vector-width=512"))) void matmul(…)      GCC
//
// Precondition: none; the attributes change no meaning.
#include "tool/source/moves/move.h"

namespace agentic::moves {
namespace {

constexpr std::string_view kAlreadySet = "it is set already";

/// By an earlier step, or in the text, where a later rewrite or the author wrote it.
bool isSet(const MoveContext &context, const Schedule &schedule) {
  return schedule.vectorWidth > 0 || context.nest.text.find("vector_width(") != std::string::npos ||
         context.nest.text.find("prefer-vector-width=") != std::string::npos;
}

void offerVectorWidth(const MoveContext &context, const Schedule &schedule, MoveOffers &result) {
  if (isSet(context, schedule))
    result.refusals.push_back({"vector-width", context.function, std::string(kAlreadySet)});
  else
    result.offers.push_back({"vector-width", context.function, {{"bits", {512, 256}}}});
}

Result<void> applyVectorWidth(const MoveContext &context, const MoveStep &step, Schedule &schedule) {
  if (isSet(context, schedule))
    return illegalStep(step, std::string(kAlreadySet));
  if (const auto bits = step.parameters.find("bits");
      bits == step.parameters.end() || (bits->second != 128 && bits->second != 256 && bits->second != 512))
    return illegalStep(step, "'bits' must be 128, 256 or 512");
  schedule.vectorWidth = step.parameters.at("bits");
  return {};
}

} // namespace

const Move kVectorWidth = {"vector-width", offerVectorWidth, applyVectorWidth, nullptr, MoveRole::Hint};

} // namespace agentic::moves
