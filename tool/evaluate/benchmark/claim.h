// Decides which claims need more than one confirmation, and combines their results. Pure.
//
// A small gain may come from the place where the linker put the code: it must appear in other places too. A gain of ten
// times, or one above the machine's bandwidth, is more often a mistake or a trick than a discovery: it is measured
// again, and a person is asked to look at it.
#pragma once

#include "tool/evaluate/benchmark/roofline.h"
#include "tool/model/measurement.h"
#include "tool/model/policy.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace agentic {

/// Bytes of padding in front of the candidate's code and constants (LinkRequest::padding): its functions start at lines
/// of 64 bytes, so that only whole lines move them. Two places in a page far from the first.
inline constexpr std::size_t kOtherLayouts[] = {17 * 64, 38 * 64};

/// The traffic that a call cannot avoid: every byte of its inputs read once and of its outputs written once.
struct CompulsoryTraffic {
  double bytes = 0; ///< per call of the benchmark
  double ns = 0;    ///< the candidate's time for it
};

struct ClaimNeeds {
  bool otherLayouts = false;       ///< confirm with each of kOtherLayouts as well
  bool secondConfirmation = false; ///< confirm again with fresh pairs
  /// Why a person should look at it; empty = nothing special. Lower case, no full stop: "claim above 10x".
  std::vector<std::string> review;
};

/// Returns the needs of `confirmed`, the claim against the baseline. `traffic` and `roofline` may be missing: then the
/// bandwidth is not checked.
ClaimNeeds claimNeeds(const Measurement &confirmed, std::span<const CompulsoryTraffic> traffic = {},
                      const Roofline *roofline = nullptr);

/// A further confirmation and its purpose: "with 1088 bytes in front of it", "a second time".
struct FurtherConfirmation {
  std::string what;
  std::optional<Measurement> measurement; ///< nullopt: it ended without one
  std::string problem;                    ///< the reason if it ended without a measurement
};

/// Returns empty if every further confirmation found the candidate faster; else the reason to reject the claim.
std::string claimProblem(std::span<const FurtherConfirmation> confirmations);

/// Returns the result if all of them agree: the measurement with the smallest speedup.
Measurement weakest(const Measurement &confirmed, std::span<const FurtherConfirmation> confirmations);

/// Returns why a speedup is not enough for the project's limits.min_speedup; empty if it is.
std::string belowLimit(const PolicyLimits &limits, const Speedup &speedup);

/// Returns notes for the report, the journal and the variant's header: "claim above 10x: confirmed twice"; one line per
/// reason, none if nothing needs a review.
std::vector<std::string> reviewNotes(const ClaimNeeds &needs);

} // namespace agentic
