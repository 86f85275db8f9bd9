// Counts the instructions of a loop by kind, and the work and memory traffic of one pass. x86-64 in AT&T syntax;
// elsewhere nothing is recognised. Pure and linear.
#pragma once

#include "tool/evaluate/insight/hot_loop.h"

#include <span>
#include <string>
#include <vector>

namespace agentic {

struct InstructionMix {
  int instructions = 0, vector = 0, scalarFloat = 0, loads = 0, stores = 0, branches = 0, calls = 0, divisions = 0,
      shuffles = 0;
  int spillLoads = 0, spillStores = 0; ///< on the stack: part of loads and stores
  int widestVector = 0;                ///< bytes; 0 = none
  double flops = 0;                    ///< operations of one pass; a multiply-add counts as two
  double bytes = 0;                    ///< loaded and stored in one pass, the stack excepted
};

InstructionMix mixOf(std::span<const AssemblyLine> lines);
std::string mixText(const InstructionMix &mix);

/// Returns whether it is a float instruction that works on a single element.
bool isScalarFloat(const AssemblyLine &line);

/// Returns the remarks on an instruction for readers: "spill", "division", "scalar float".
std::vector<std::string> remarksOn(const AssemblyLine &line);

} // namespace agentic
