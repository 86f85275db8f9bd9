// Which functions the samples are in.
#pragma once

#include "tool/hot/samples.h"
#include "tool/source/symbols/symbolizer.h"

#include <functional>
#include <string>
#include <vector>

namespace agentic {

struct HotFunction {
  std::string name;        ///< as people read it: "ns::sum(float const*, int)"; "" in code that no symbol names
  std::string linkageName; ///< as compilers write it
  std::string file;        ///< of its own text; empty: no debug information tells
  unsigned line = 0;       ///< of its name there; 0: unknown
  std::string module;      ///< the program or library that holds its code
  std::string holder;      ///< the function that all of its samples are inlined in; empty: it has code of its own
  double samples = 0;      ///< in it, and in what is inlined in it
  double own = 0;          ///< in its own text: in no function of the project that is inlined in it
  double share = 0;        ///< of all samples
};

struct Profile {
  double samples = 0;
  std::vector<HotFunction> functions; ///< most samples first; of equals, the most of their own
};

/// Names the code at an offset of a file, as Symbolizer does.
using FramesAt = std::function<std::vector<SymbolFrame>(const std::string &file, std::uint64_t offset)>;
/// Whether a source file is the project's.
using IsProjectFile = std::function<bool(const std::string &file)>;

/// Adds up the samples. One in inlined code counts for the function that holds it, and for each function of the project
/// that is inlined there: so shares add up to more than 1. Inlined functions of others (the standard library's) are a
/// part of what holds them. Pure, but for `framesAt`.
Profile profileOf(const std::vector<ProcessSamples> &processes, const FramesAt &framesAt,
                  const IsProjectFile &isProjectFile);

/// Returns a demangled name without return type, parameters and template arguments: "ns::sum" of
/// "void ns::sum<float>(float const*)". Pure.
std::string shortNameOf(const std::string &name);

/// Returns the largest possible ratio of times end to end, if a part with this share of the time took none (Amdahl);
/// infinite for 1.
double bestGain(double share);

/// Returns "1.25x"; "more than 100x" where the samples cannot tell.
std::string bestGainText(double share);

} // namespace agentic
