// What a kernel is made of, in a form that patterns, memory, strategies and reports compare: computed from its syntax
// tree and its loop nest (source/features), never asked of anybody.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// How a loop walks through one array, per iteration of its own variable.
struct ArrayUse {
  std::string array;                  ///< as the kernel names it
  std::string elementType;            ///< canonical: "float"
  bool reads = false, writes = false; ///< of its elements
  std::optional<std::int64_t> stride; ///< in elements; 0: the same element each time; nullopt: not a constant
  bool isIndexedByData = false;       ///< the subscript is computed from what was read from memory
};

struct LoopFeatures {
  std::string name; ///< its variable's, else "while", "for", "do"
  int depth = 0;    ///< 0 = outermost
  bool isInnermost = false, isCounted = false;
  std::optional<std::int64_t> trips;   ///< if it is a constant
  bool mayEndEarly = false;            ///< break, return or goto
  std::vector<std::string> reductions; ///< "sum of 'sum' (float)"
  std::string carried;                 ///< why its iterations depend on each other; empty if they are independent
  std::vector<ArrayUse> arrays;        ///< of its own statements, without those of inner loops
  double bytes = 0, operations = 0;    ///< of one iteration, without inner loops
};

struct TableUse {
  std::string name;
  std::int64_t bytes = 0;
};

struct KernelFeatures {
  std::vector<std::string> elementTypes; ///< of the arrays, canonical, sorted
  std::vector<LoopFeatures> loops;       ///< in order of the text
  std::vector<std::string> calls;        ///< functions that it calls, sorted: "exp", "halfToFloat"
  std::vector<TableUse> tables;          ///< constant arrays that it looks up
  int dataBranches = 0;                  ///< branches that depend on what was read from memory
  int earlyExits = 0;                    ///< ways out of a loop besides its condition
  /// What limits the loop in which the time is spent, as its form suggests: words of boundWords(), likeliest first.
  std::vector<std::string> likelyBounds;
  std::vector<std::string> measuredBounds; ///< the same by object code and roofline; empty: not measured
  std::vector<std::string> words;          ///< of featureWords(), sorted

  bool has(std::string_view word) const;
  /// The bounds to go by: the measured ones if there are any.
  const std::vector<std::string> &bounds() const { return measuredBounds.empty() ? likelyBounds : measuredBounds; }
};

/// The closed list of words for kernels; patterns use no others.
std::span<const std::string_view> featureWords();
/// memory, latency, compute, branches, calls.
std::span<const std::string_view> boundWords();
bool isFeatureWord(std::string_view word);
bool isBoundWord(std::string_view word);

void to_json(nlohmann::json &json, const KernelFeatures &features);
void from_json(const nlohmann::json &json, KernelFeatures &features);

/// Returns a few lines for a person.
std::string featuresText(const KernelFeatures &features);

} // namespace agentic
