// Random kernels through every applicable move: the result must parse, compile, do nothing undefined that the original
// does not do, and compute the same: bit for bit, or within the bound of another order where it is permitted.
//
// AGENTIC_FUZZ_SEED is the first kernel's number, AGENTIC_FUZZ_NESTS how many follow: a failure prints the number that
// repeats it alone, with all variants. Longer runs: AGENTIC_FUZZ_SEED=100000 AGENTIC_FUZZ_NESTS=20000.
// AGENTIC_FUZZ_FAMILY=walking makes kernels of one family only.
#include "tests/source/fuzz/variants.h"
#include "tool/base/process.h"
#include "tool/source/moves/move.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

namespace agentic::fuzz {
namespace {

constexpr unsigned kNests = 2004; // eight families
constexpr unsigned kNestsOfProgram = 167;
constexpr std::size_t kVariants = 2; // compiled variants of a nest
constexpr std::size_t kFailuresShown = 60;
constexpr int kLeast = 10; // variants of every move

unsigned numberFrom(const char *name, unsigned otherwise) {
  const char *text = std::getenv(name);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
}

struct Totals {
  std::mutex mutex;
  std::map<std::string, int> made, run; ///< variants that apply a move
  std::map<std::string, int> nests;     ///< nests of a family for which some move rewrites something
  std::vector<std::string> failures;
  int variantsMade = 0, variantsRun = 0, refused = 0, compared = 0, undefined = 0;

  void count(const Subject &subject, std::map<std::string, int> &moves, int &variants) {
    for (const Variant &variant : subject.variants) {
      ++variants;
      std::set<std::string> names;
      for (const MoveStep &step : variant.recipe)
        names.insert(step.move);
      for (const std::string &name : names)
        ++moves[name];
    }
  }
};

std::string describe(const Subject &subject, const std::string &what) {
  return "AGENTIC_FUZZ_SEED=" + std::to_string(subject.seed) + " AGENTIC_FUZZ_NESTS=1 (" + subject.kernel.family +
         "): " + what + "\n" + subject.kernel.text;
}

void runBatch(unsigned first, unsigned count, bool areAllRun, Totals &totals) {
  std::vector<Subject> subjects;
  std::map<std::string, int> counts;
  for (unsigned seed = first; seed < first + count; ++seed) {
    Harvest harvested = harvest(seed);
    {
      const std::lock_guard lock(totals.mutex);
      totals.refused += harvested.refused;
      totals.count(harvested.subject, totals.made, totals.variantsMade);
      for (const std::string &problem : harvested.problems)
        totals.failures.push_back(describe(harvested.subject, problem));
    }
    if (std::ranges::none_of(harvested.subject.variants, [](const Variant &v) { return isRewriting(v.recipe); }))
      harvested.subject.variants.resize(std::min<std::size_t>(1, harvested.subject.variants.size()));
    else if (!areAllRun)
      keepRarest(harvested.subject, kVariants, counts);
    if (!harvested.subject.variants.empty())
      subjects.push_back(std::move(harvested.subject));
  }
  const Outcome outcome = runProgram(subjects);
  const std::lock_guard lock(totals.mutex);
  totals.compared += outcome.compared, totals.undefined += outcome.undefined;
  if (!outcome.error.empty())
    totals.failures.push_back("nests from " + std::to_string(first) + ": " + outcome.error);
  for (const Subject &subject : subjects) {
    totals.count(subject, totals.run, totals.variantsRun);
    totals.nests[subject.kernel.family] += 1;
  }
  for (const Finding &finding : outcome.findings) {
    const Subject &subject = subjects[finding.subject];
    const std::string what = finding.variant < subject.variants.size()
                                 ? recipeText(subject.variants[finding.variant].recipe) + finding.what + "\n" +
                                       subject.variants[finding.variant].text
                                 : "the original" + finding.what;
    totals.failures.push_back(describe(subject, what));
  }
}

TEST(MovesFuzz, RandomKernels) {
  if (!findProgram("clang++-19"))
    GTEST_SKIP() << "clang++-19 is not installed";
  const unsigned first = numberFrom("AGENTIC_FUZZ_SEED", 0), nests = numberFrom("AGENTIC_FUZZ_NESTS", kNests);
  Totals totals;
  std::atomic<unsigned> next = 0;
  const auto work = [&] {
    for (unsigned at; (at = next.fetch_add(kNestsOfProgram)) < nests;)
      runBatch(first + at, std::min(kNestsOfProgram, nests - at), nests == 1, totals);
  };
  std::vector<std::thread> threads;
  for (unsigned i = std::max(1U, std::thread::hardware_concurrency()); i > 0; --i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  for (std::size_t i = 0; i < totals.failures.size() && i < kFailuresShown; ++i)
    ADD_FAILURE() << totals.failures[i];
  EXPECT_EQ(totals.failures.size(), 0U);
  std::printf("%u nests, %d variants made (%d refused in the end), %d compiled and run, %d comparisons; %d nests are "
              "undefined for some inputs\n",
              nests, totals.variantsMade, totals.refused, totals.variantsRun, totals.compared, totals.undefined);
  for (const auto &[family, count] : totals.nests)
    std::printf("  %-12s %4d nests with variants that ran\n", family.c_str(), count);
  for (const moves::Move &move : moves::allMoves()) {
    const std::string name(move.name);
    std::printf("  %-16s in %5d variants, %4d of them run\n", name.c_str(), totals.made[name], totals.run[name]);
    if (nests >= kNests && !std::getenv("AGENTIC_FUZZ_FAMILY")) {
      EXPECT_GE(totals.run[name], kLeast) << name << " is hardly tested: add kernels that it applies to";
    }
  }
}

} // namespace
} // namespace agentic::fuzz
