// The laboratory of strategies: what each reaches with the same number of calls, over simulated models. The numbers in
// tool/agent/README.md. Not a test; the same output on every machine.
//   strategies_cost [SEEDS]           the report, on the models that nothing was fitted to
//   strategies_cost --memory [SEEDS]  that of the memory alone: four related kernels, one after the other
//   strategies_cost --tune [SEEDS]    strategies with several numbers, on the models for fitting: what defaults are
//   from strategies_cost --fit [SEEDS]     which assumptions fit the conversations of the models for fitting
#include "tests/cost/strategies/laboratory.h"
#include "tests/cost/strategies/memory_laboratory.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string_view>

namespace agentic::cost {
namespace {

constexpr int kCalls = 50;

struct Named {
  const char *name;
  Assumptions assumptions;
};

Named named(const char *name, double Assumptions::*member, double value) {
  Named set{name, {}};
  set.assumptions.*member = value;
  return set;
}

/// The middle, and each assumption at two other values.
std::vector<Named> assumptionSets() {
  return {{"middle", {}},
          named("parents help seldom (0.2)", &Assumptions::parentHelps, 0.2),
          named("parents help mostly (0.9)", &Assumptions::parentHelps, 0.9),
          named("little headroom (0.05)", &Assumptions::headroom, 0.05),
          named("much headroom (0.8)", &Assumptions::headroom, 0.8),
          named("as in one conversation (0)", &Assumptions::newConversation, 0.0),
          named("each time a new one (1)", &Assumptions::newConversation, 1.0)};
}

std::vector<Named> memoryAssumptionSets() {
  return {{"middle", {}},
          named("kernels hardly related (0.2)", &Assumptions::related, 0.2),
          named("kernels much alike (0.8)", &Assumptions::related, 0.8),
          named("memory followed seldom (0.2)", &Assumptions::memoryIsFollowed, 0.2),
          named("memory followed mostly (0.8)", &Assumptions::memoryIsFollowed, 0.8)};
}

std::vector<FittedModel> modelsOf(bool isForFitting) {
  auto all = readFittedModels(AGENTIC_FITTED_MODELS);
  if (!all)
    throw std::runtime_error(all.error().message);
  std::erase_if(*all, [&](const FittedModel &model) { return model.isForFitting != isForFitting; });
  return std::move(*all);
}

std::vector<AskStrategy> strategiesNamed(const std::vector<std::string> &names) {
  std::vector<AskStrategy> strategies;
  for (const std::string &name : names) {
    auto strategy = parseAskStrategy(name);
    if (!strategy)
      throw std::runtime_error(strategy.error().message);
    strategies.push_back(std::move(*strategy));
  }
  return strategies;
}

void printRow(const std::string &what, const Estimate &value, const char *unit) {
  std::cout << fmt::format("{:<76}  {:.2f} {} [{:.2f}, {:.2f}]", what, value.mean, unit, value.low, value.high)
            << std::endl;
}

void report(const std::string &title, const std::vector<std::string> &names, const std::vector<FittedModel> &models,
            const Assumptions &assumptions, int seeds) {
  for (const StrategyResult &result :
       compareStrategies(strategiesNamed(names), names, models, assumptions, seeds, kCalls)) {
    const std::string row = title + ", " + result.strategy;
    printRow(row + ": speedup", result.speedup, "x");
    printRow(row + ": over linear", result.toLinear, "x");
    printRow(row + ": calls to 90 % of the best", result.calls, "calls");
  }
}

void reportMemory(const Named &set, const std::vector<std::string> &names, int seeds) {
  for (MemoryResult &result :
       compareMemory(strategiesNamed(names), names, modelsOf(false), set.assumptions, seeds, kCalls)) {
    const std::string row = fmt::format("memory, {}, {}", set.name, result.strategy);
    for (double *value : {&result.saved.mean, &result.saved.low, &result.saved.high})
      *value *= 100;
    printRow(row + ": calls saved on the fourth kernel", result.saved, "%");
    printRow(row + ": speedup on it over that without memory", result.speedup, "x");
  }
}

void fit(int seeds) {
  const std::vector<FittedModel> models = modelsOf(true), others = modelsOf(false);
  for (const double helps : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9})
    for (const double headroom : {0.1, 0.2, 0.4, 0.6, 0.8, 1.2}) {
      const Assumptions assumptions{.parentHelps = helps, .headroom = headroom};
      std::cout << fmt::format("parents help {}, headroom {}  {:.3f} (the other half: {:.3f})", helps, headroom,
                               misfit(models, assumptions, seeds), misfit(others, assumptions, seeds))
                << std::endl;
    }
}

std::vector<std::string> strategiesToTune() {
  std::vector<std::string> names = {"linear"};
  for (const int tries : {3, 6, 12, 24, 36})
    names.push_back(fmt::format("best-of={}", tries));
  for (const char *beam : {"2/2/1", "2/3/1", "3/2/1", "3/3/1", "3/4/1", "4/3/1", "3/3/2", "1/4/1"})
    names.push_back(fmt::format("beam={}", beam));
  for (const int random : {0, 10, 30})
    for (const int bonus : {0, 20, 50})
      names.push_back(fmt::format("tree={}/{}", random, bonus));
  for (const char *islands : {"2/3/5", "3/3/5", "3/3/10", "3/6/5", "2/10/5", "4/5/5"})
    names.push_back(fmt::format("islands={}", islands));
  return names;
}

std::vector<std::string> defaults() {
  std::vector<std::string> names;
  for (const AskStrategyRow *row : allAskStrategies())
    names.emplace_back(row->name);
  return names;
}

void run(int count, char **words) {
  const std::string_view what = count > 1 ? words[1] : "";
  const bool isOption = what.starts_with("--");
  const char *number = count > (isOption ? 2 : 1) ? words[count - 1] : nullptr;
  const int seeds = number ? std::max(2, std::atoi(number)) : 100;
  if (what == "--fit")
    return fit(seeds);
  if (what == "--tune")
    return report("for fitting, middle", strategiesToTune(), modelsOf(true), {}, seeds);
  if (isOption && what != "--memory")
    throw std::runtime_error("there is no " + std::string(what) + "; use --memory, --fit, --tune or a number of seeds");
  if (!isOption)
    for (const Named &set : assumptionSets())
      report(set.name, defaults(), modelsOf(false), set.assumptions, seeds);
  for (const Named &set : memoryAssumptionSets())
    reportMemory(set, {"linear", "best-of"}, seeds); // the default, and the one that gains most
}

} // namespace
} // namespace agentic::cost

int main(int count, char **words) {
  try {
    agentic::cost::run(count, words);
  } catch (const std::exception &error) {
    std::cerr << "strategies_cost: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
