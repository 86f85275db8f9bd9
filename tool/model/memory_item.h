// What a run learned from one measured change of a kernel, for later runs on kernels like it (tool/memory).
#pragma once

#include "tool/model/measurement.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct MemoryItem {
  std::string id;                   ///< "m" + 10 hex digits of what makes two items near-duplicates: kindOf()
  std::string title;                ///< one line
  std::string change, reason;       ///< what changed; why it helped or did not. One line each; may be empty
  std::string before, after;        ///< the lines that differ, of a project's own memory alone; may be empty
  std::vector<std::string> changes; ///< what changed, in words of changeWords() and names of moves, sorted
  std::vector<std::string> words;   ///< of the kernel: featureWords(), sorted
  std::vector<std::string> bounds;  ///< of the kernel: boundWords(), likeliest first
  std::string kernel;               ///< its name, of a project's own memory alone
  std::string level, family;
  std::string agent; ///< who proposed it
  Speedup speedup;   ///< over what it was made from; below 1: it was slower
  int seen = 1;      ///< times that it was measured: near-duplicates are one item
  int uses = 0;      ///< times that it was shown to a model

  bool isGain() const { return speedup.ratio > 1; }
};

/// Returns the id that near-duplicates share: same kind of kernel, same change, same direction, level and family.
std::string kindOf(const MemoryItem &item);

/// Returns why it is no item that may be kept or shown; empty if it is one. Sizes are bounded, words are of the closed
/// lists, ratios are numbers above 0.
std::string whyNoItem(const MemoryItem &item);

/// Makes one line of a text of anybody's that an item may hold.
std::string memoryLine(std::string_view text);

/// Makes text of source that an item may hold: whole lines.
std::string memorySource(std::string_view text);

inline constexpr std::size_t kMemoryNameBytes = 120;    ///< of kernel and agent each
inline constexpr std::size_t kMemoryLineBytes = 400;    ///< of title, change and reason each
inline constexpr std::size_t kMemorySourceBytes = 1536; ///< of before and after each

void to_json(nlohmann::json &json, const MemoryItem &item);
/// Throws where the JSON is none of an item. Unknown fields are ignored.
void from_json(const nlohmann::json &json, MemoryItem &item);

} // namespace agentic
