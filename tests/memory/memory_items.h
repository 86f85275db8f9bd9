// Items for tests of the memory.
#pragma once

#include "tool/model/memory_item.h"

#include <string>
#include <utility>
#include <vector>

namespace agentic {

/// An item of a kernel with these words; its id is made.
inline MemoryItem itemWith(std::vector<std::string> words, double ratio, std::vector<std::string> changes = {},
                           std::string title = "a change") {
  MemoryItem item{.title = std::move(title),
                  .changes = std::move(changes),
                  .words = std::move(words),
                  .bounds = {"memory"},
                  .level = "x86-64-v3",
                  .family = "clang",
                  .agent = "openai:some-model",
                  .speedup = {.ratio = ratio, .low = ratio * 0.98, .high = ratio * 1.02, .isInterval = true}};
  item.id = kindOf(item);
  return item;
}

} // namespace agentic
