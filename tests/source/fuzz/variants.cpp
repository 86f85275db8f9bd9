#include "tests/source/fuzz/variants.h"

#include "tests/source/transform_fixture.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <string_view>

namespace agentic::fuzz {
namespace {

const std::string kPrelude =
    "namespace std {\ntemplate <class T> const T &min(const T &a, const T &b) { return b < a ? b : a; }\n"
    "template <class T> const T &max(const T &a, const T &b) { return a < b ? b : a; }\ntemplate <class T> void sort(T "
    "first, T last);\n"
    "template <class T> void nth_element(T first, T nth, T last);\ntemplate <class T> void partial_sort(T first, T "
    "middle, T last);\n"
    "template <class T> void swap(T &a, T &b);\nfloat exp(float);\ninline "
    "float fabs(float x) { return __builtin_fabsf(x); }\n}\n"
    "double exp(double);";

class Harvester {
public:
  explicit Harvester(unsigned seed) : random_(seed) {
    harvest_.subject.seed = seed;
    harvest_.subject.kernel = kernelOf(seed);
  }

  Harvest run() {
    const unsigned seed = harvest_.subject.seed;
    const Kernel &kernel = harvest_.subject.kernel;
    KernelSpec spec = kernelSpec(kernel.text, {kPrelude, kernel.tables});
    spec.contract = kernel.contract;
    TransformOptions options;
    options.level = seed % 2 == 0 ? "" : kLevel;
    options.mayReassociate = kernel.mayReassociate;
    options.hasTolerance = kernel.contract.tolerance.has_value();
    options.observed = kernel.observed;
    auto transformer = Transformer::create(spec, options);
    if (!transformer) {
      harvest_.problems.push_back(transformer.error().message);
      return std::move(harvest_);
    }
    transformer_ = std::move(*transformer);
    const auto offers = transformer_->offers({});
    if (!offers) {
      harvest_.problems.push_back(offers.error().message);
      return std::move(harvest_);
    }
    for (const MoveOffer &offer : *offers)
      add({stepOf(offer, random_() % 3 == 0)}, false);
    for (int recipes = 0; recipes < kRecipes && !offers->empty(); ++recipes)
      addChain(*offers);
    return std::move(harvest_);
  }

private:
  MoveStep stepOf(const MoveOffer &offer, bool isBestGuess) {
    MoveStep step{offer.move, offer.target, {}};
    for (const auto &[parameter, values] : offer.parameters)
      step.parameters[parameter] = values[isBestGuess ? 0 : random_() % values.size()];
    return step;
  }

  /// Chooses an offer, and prefers rewriting moves.
  const MoveOffer &chosenFrom(const std::vector<MoveOffer> &offers) {
    for (int attempt = 0; attempt < 4; ++attempt)
      if (const MoveOffer &offer = offers[random_() % offers.size()]; isRewriting({{offer.move, "", {}}}))
        return offer;
    return offers[random_() % offers.size()];
  }

  void addChain(std::vector<MoveOffer> offers) {
    Recipe recipe;
    for (int steps = 2 + static_cast<int>(random_() % 3); steps > 0 && !offers.empty(); --steps) {
      recipe.push_back(stepOf(chosenFrom(offers), random_() % 2 == 0));
      const auto next = transformer_->offers(recipe);
      if (!next) {
        note(recipe, next.error().message);
        recipe.pop_back();
        break;
      }
      offers = *next;
    }
    if (recipe.size() > 1)
      add(recipe, true);
  }

  /// Returns the text that the last step starts from.
  std::string textBefore(const Recipe &recipe) {
    const auto text = transformer_->apply(Recipe(recipe.begin(), recipe.end() - 1));
    return text ? *text : text.error().message;
  }

  void note(const Recipe &recipe, const std::string &message) {
    if (message.find("does not apply") != std::string::npos)
      ++harvest_.refused;
    else
      harvest_.problems.push_back(recipeText(recipe) + ": " + message + "\n" + textBefore(recipe));
  }

  void add(const Recipe &recipe, bool isChain) {
    auto text = transformer_->apply(recipe);
    if (!text)
      return note(recipe, text.error().message);
    if (isChain || texts_.insert(withoutComment(*text)).second)
      harvest_.subject.variants.push_back({recipe, std::move(*text)});
  }

  static constexpr int kRecipes = 2;
  std::mt19937 random_;
  std::unique_ptr<Transformer> transformer_;
  std::set<std::string> texts_;
  Harvest harvest_;
};

} // namespace

Kernel kernelOf(unsigned seed) {
  struct Family {
    std::string_view name;
    Kernel (*make)(unsigned seed);
  };
  constexpr Family kFamilies[] = {{"deep nest", deepNest}, {"reduction", reduction}, {"neighbours", neighbours},
                                  {"control", control},    {"memory", memory},       {"bytes", bytes},
                                  {"walking", walking},    {"helpers", helpers}};
  constexpr unsigned kCount = sizeof kFamilies / sizeof *kFamilies;
  if (const char *only = std::getenv("AGENTIC_FUZZ_FAMILY"))
    for (const Family &family : kFamilies)
      if (family.name == only)
        return family.make(seed * 7919 + 1);
  return kFamilies[seed % kCount].make(seed / kCount * 7919 + 1);
}

Harvest harvest(unsigned seed) {
  return Harvester(seed).run();
}

bool isRewriting(const Recipe &recipe) {
  return std::ranges::any_of(recipe, [](const MoveStep &step) {
    return step.move != "loop-pragma" && step.move != "vector-width" && step.move != "restrict" &&
           step.move != "specialise";
  });
}

void keepRarest(Subject &subject, std::size_t most, std::map<std::string, int> &counts) {
  const auto rarity = [&](const Variant &variant) {
    int least = std::numeric_limits<int>::max();
    for (const MoveStep &step : variant.recipe)
      least = std::min(least, counts[step.move] + (isRewriting({step}) ? 0 : 40));
    return least;
  };
  std::vector<Variant> kept;
  while (kept.size() < most && !subject.variants.empty()) {
    const auto rarest = std::ranges::min_element(subject.variants, {}, rarity);
    for (const MoveStep &step : rarest->recipe)
      ++counts[step.move];
    kept.push_back(std::move(*rarest));
    subject.variants.erase(rarest);
  }
  subject.variants = std::move(kept);
}

} // namespace agentic::fuzz
