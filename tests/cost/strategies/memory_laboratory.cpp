#include "tests/cost/strategies/memory_laboratory.h"

#include "tool/memory/change_words.h"
#include "tool/memory/recall.h"
#include "tool/model/kernel_features.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace agentic::cost {
namespace {

const char *const kBaseline = "void f(int n) { work(n); }\n";

/// What each approach adds, by the word that the tool has for it.
constexpr struct {
  const char *word, *source;
} kApproaches[kKinds] = {
    {"bit-counting", "popcount(n);"},          {"block-copies", "memcpy(a, b, n);"},
    {"fused-products", "fma(a, b, c);"},       {"lookup-table", "static const int t[4] = {1, 2, 3, 4};"},
    {"prefetching", "__builtin_prefetch(a);"}, {"restrict-pointers", "int *__restrict p;"},
    {"unrolling", "_Pragma(unroll)"},          {"vector-instructions", "_mm256_add_ps(a, b);"},
};

/// Related kernels share most words; each has one of its own.
std::vector<std::string> wordsOf(int kernel) {
  const auto all = featureWords();
  std::vector<std::string> words;
  for (const int at : {0, 1, 2, 3 + kernel})
    words.emplace_back(all[static_cast<std::size_t>(at)]);
  std::ranges::sort(words);
  return words;
}

template <typename T> T valueOf(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  return std::move(*result);
}

/// How many calls a kernel took with a memory and without, and what was reached.
struct Pair {
  Curve with, without;
};

Pair runSequence(const AskStrategy &strategy, const FittedModel &model, const Assumptions &assumptions,
                 std::uint64_t seed, int calls) {
  Draws draws(seed ^ 0x5eedu);
  SharedGains shared;
  for (double &gain : shared)
    gain = draws.normal();
  SimulatedMemory memory;
  Pair result;
  for (int kernel = 0; kernel < kRelatedKernels; ++kernel) {
    const std::uint64_t kernelSeed = seed * kRelatedKernels + std::uint64_t(kernel);
    const Advice advice = memory.begin();
    result.with = simulate(strategy, model, assumptions, kernelSeed, calls,
                           {.shared = &shared, .advice = &advice, .sees = [&](const Attempt &attempt, int approach) {
                              memory.saw(attempt, approach);
                            }});
    if (kernel + 1 == kRelatedKernels)
      result.without = simulate(strategy, model, assumptions, kernelSeed, calls, {.shared = &shared});
  }
  return result;
}

} // namespace

std::string sourceOf(int approach) {
  return kBaseline + std::string(kApproaches[approach].source) + "\n";
}

SimulatedMemory::SimulatedMemory() : store_(valueOf(MemoryStore::open(":memory:"))) {}

Advice SimulatedMemory::begin() {
  valueOf(store_.add(std::exchange(learned_, {})));
  const std::vector<std::string> words = wordsOf(kernels_++);
  experience_.emplace(LearningKernel{.kernel = "k" + std::to_string(kernels_),
                                     .level = "x86-64-v3",
                                     .family = "clang",
                                     .baseline = kBaseline,
                                     .words = words,
                                     .bounds = {"compute"}});
  const MemoryQuery query{
      .words = words, .bounds = {"compute"}, .level = "x86-64-v3", .family = "clang", .textScores = {}};
  Advice advice;
  for (const MemoryItem &item : chooseMemory(rankMemory(valueOf(store_.list()), query)))
    for (int approach = 0; approach < kKinds; ++approach)
      if (std::ranges::count(item.changes, kApproaches[approach].word) > 0)
        (item.isGain() ? advice.gains : advice.losses).insert(approach);
  std::erase_if(advice.losses, [&](int approach) { return advice.gains.contains(approach); });
  return advice;
}

void SimulatedMemory::saw(const Attempt &attempt, int approach) {
  Attempt seen = attempt;
  seen.agent = "simulated";
  seen.candidate.text = sourceOf(approach);
  experience_->take(seen);
  for (MemoryItem &item : experience_->endRound())
    learned_.push_back(std::move(item));
}

std::vector<MemoryResult> compareMemory(const std::vector<AskStrategy> &strategies,
                                        const std::vector<std::string> &names, const std::vector<FittedModel> &models,
                                        const Assumptions &assumptions, int seeds, int calls) {
  std::vector<MemoryResult> results;
  for (std::size_t s = 0; s < strategies.size(); ++s) {
    std::vector<double> saved, gains; // by seed
    for (int seed = 1; seed <= seeds; ++seed) {
      double with = 0, without = 0, gain = 0;
      for (std::size_t m = 0; m < models.size(); ++m) {
        const Pair pair = runSequence(strategies[s], models[m], assumptions, std::uint64_t(seed) * 1000 + m, calls);
        gain += (pair.with.back() - pair.without.back()) / double(models.size());
        const double best = std::max(pair.with.back(), pair.without.back());
        if (best <= 0)
          continue;
        with += callsUntil(pair.with, best + std::log(kReached));
        without += callsUntil(pair.without, best + std::log(kReached));
      }
      gains.push_back(gain);
      if (without > 0)
        saved.push_back(1 - with / without);
    }
    const Estimate gain = estimateOf(gains);
    results.push_back({names[s], estimateOf(saved), {std::exp(gain.mean), std::exp(gain.low), std::exp(gain.high)}});
  }
  return results;
}

} // namespace agentic::cost
