// Reads and checks a whole plan: for any bytes, the reader either returns a plan whose every number can be used as it
// stands, or says what is wrong. Memory: linear in the size of the file.
#pragma once

#include "tool/runner/glue_abi.h"
#include "tool/runner/wire.h"

#include <string>
#include <vector>

namespace agentic::runner {

struct PlannedArgument {
  wire::Argument header;
  const char *payload = nullptr;
};

/// Arguments whose recorded memory overlaps: they are placed together, at the same distances.
struct Group {
  std::vector<std::uint32_t> arguments;
  std::uint64_t address = 0; ///< lowest recorded address; 0: not known
  std::uint64_t bytes = 0;   ///< from the lowest address to the highest
};

struct PlannedCall {
  std::vector<PlannedArgument> arguments;
  std::vector<Group> groups; ///< groups of the arguments that have memory of their own
};

struct PlannedPatch {
  wire::Patch header;
  const char *bytes = nullptr;
};

struct PlannedStep {
  wire::Step header;
  std::vector<PlannedPatch> patches;
};

/// A plan; refers to the text that it was read from.
struct Plan {
  wire::PlanHeader header;
  std::vector<PlannedCall> calls;
  std::vector<PlannedStep> steps;
};

/// Reads a plan; returns "" or what is wrong, and where.
std::string readPlan(const char *text, std::size_t bytes, Plan &plan);

/// Checks that the kernel can be called with the plan's calls: number, roles and sizes of the arguments. Forms the
/// groups.
std::string fitPlan(Plan &plan, const agentic_glue &glue);

/// Returns whether the argument is memory behind a pointer, a reference or a range (else its value is passed).
bool hasMemory(const agentic_parameter &parameter, const PlannedArgument &argument);

} // namespace agentic::runner
