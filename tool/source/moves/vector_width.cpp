// vector-width(matmul, bits=512): lets Clang use registers wider than its tuning for the processor prefers.
//
//   void matmul(…)   →   __attribute__((min_vector_width(512))) void matmul(…)
//
// Precondition: none; the attribute changes no meaning. g++ has `target("prefer-vector-width=512")`, but Clang, which
// checks every candidate, ignores that one, so it is not offered there.
#include "tool/source/moves/move.h"

namespace agentic::moves {
namespace {

std::string whyNot(const MoveContext &context, const Schedule &schedule) {
  if (context.forGcc)
    return "GCC's attribute for it is unknown to Clang, which checks candidates";
  return schedule.vectorWidth > 0 ? "it is set already" : "";
}

void offer(const MoveContext &context, const Schedule &schedule, MoveOffers &result) {
  if (const std::string reason = whyNot(context, schedule); !reason.empty())
    result.refusals.push_back({"vector-width", context.function, reason});
  else
    result.offers.push_back({"vector-width", context.function, {{"bits", {512, 256}}}});
}

Result<void> apply(const MoveContext &context, const MoveStep &step, Schedule &schedule) {
  if (const std::string reason = whyNot(context, schedule); !reason.empty())
    return illegalStep(step, reason);
  const auto bits = parameterOf(step, "bits", 128, 1024);
  if (!bits)
    return std::unexpected(bits.error());
  schedule.vectorWidth = *bits;
  return {};
}

} // namespace

const Move kVectorWidth = {"vector-width", offer, apply};

} // namespace agentic::moves
