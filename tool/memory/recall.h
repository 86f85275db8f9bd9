// Chooses what a model is told of earlier runs, and words it. Pure: the same items and question give the same text.
#pragma once

#include "tool/model/memory_item.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace agentic {

/// What the kernel is that items are wanted for.
struct MemoryQuery {
  std::vector<std::string> words, bounds; ///< KernelFeatures
  std::string level, family;
  std::map<std::string, double> textScores; ///< MemoryStore::textScores of its names, by id
};

struct RankedMemory {
  MemoryItem item;
  double score = 0;
};

inline constexpr std::size_t kMostRecalled = 16, kRecalledBytes = 12u << 10;

/// Returns the items that fit, best first, each id once. Words of the kernel that they share count by their rarity
/// among the items, against all words of both; words of texts count less; then factors for bound, level, family and for
/// how much was gained. What shares next to nothing is left out.
std::vector<RankedMemory> rankMemory(const std::vector<MemoryItem> &items, const MemoryQuery &query);

/// Returns at most 16 of the ranked items for a prompt; a third of them at most tells what made kernels slower.
std::vector<MemoryItem> chooseMemory(const std::vector<RankedMemory> &ranked);

/// Returns the part of a prompt, at most 12 KiB; empty without items. Source is fenced so that nothing in it ends the
/// fence; it is shown for the first items alone. `isBlind`: nothing is said of levels and compilers.
std::string memoryForPrompt(const std::vector<MemoryItem> &items, bool isBlind = false);

/// Returns an item in a few lines for a person.
std::string memoryText(const MemoryItem &item);

/// Returns the item as another project may read it: in words of ours, without source, names and words of models.
MemoryItem withoutSource(const MemoryItem &item);

} // namespace agentic
