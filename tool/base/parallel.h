// Runs the same work on many items, on as many threads as the machine has.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace agentic {

/// Calls work(0) … work(count - 1), each once, in any order and several at once; returns when all are done. `work` must
/// not throw. Store results in a vector that already has a place for each item.
inline void inParallel(std::size_t count, const std::function<void(std::size_t)> &work) {
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++)
      work(i);
  };
  std::vector<std::jthread> others;
  const std::size_t threads = std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), count);
  for (std::size_t i = 1; i < threads; ++i)
    others.emplace_back(take);
  take();
}

} // namespace agentic
