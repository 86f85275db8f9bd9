// Simulated models that write simulated files: how often a file compiles and is correct, how often it repeats an
// earlier one, and how fast new ones are, is fitted to files of real models (fitted_models.tsv). What those data do not
// show is an assumption with a name. All random numbers follow from a seed, on every machine.
#pragma once

#include "tool/base/error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic::cost {

/// A row of fitted_models.tsv. Shares are of 1, speeds are logarithms of speedups over the baseline.
struct FittedModel {
  std::string name;
  bool isForFitting = false; ///< else for reports
  int files = 0;
  double compiles = 0, correct = 0;          ///< shares of all files
  double afterCorrect = 0, afterFailure = 0; ///< shares of correct ones, by what the conversation's last file was
  double again = 0;                          ///< share of correct files that are as fast as the last one
  double speed = 0, deviation = 0;           ///< mean and standard deviation, of new files
  double best8 = 0, best16 = 0, best = 0;    ///< largest speedup of the first files; 0: none was correct
};

Result<std::vector<FittedModel>> readFittedModels(const std::string &file);

/// Nothing that the models' files show. The middle of the first two is fitted (strategies_cost --fit).
struct Assumptions {
  /// Share of new files that are made of the one that the question is about; the others begin anew, whatever was shown.
  double parentHelps = 0.6;
  /// Mean of what can be gained over the first file of an approach, as a logarithm: no file of it gets beyond that.
  double headroom = 0.2;
  /// How far a question that is about another file begins a new conversation. At 0 a model fails again after a failure
  /// and repeats itself as it did in one conversation, at 1 it does not.
  double newConversation = 0.5;
  /// Of sequences of related kernels alone: the share of the variance of new files' speeds that is their approach's and
  /// the same on all kernels of a sequence. The rest is the file's own.
  double related = 0.5;
  /// Share of new files for which a model follows a memory that it is shown: takes one of the approaches that made
  /// kernels faster, or, where there is none, none of those that made them slower.
  double memoryIsFollowed = 0.5;
};

struct SimulatedFile {
  double speed = 0;   ///< logarithm of the speedup over the baseline
  double ceiling = 0; ///< of its approach
  int kind = 0;       ///< what its object code does: approaches are of kKinds, which need not differ
};

inline constexpr int kKinds = 8;

struct SimulatedAnswer {
  bool compiles = false;
  std::optional<SimulatedFile> correct; ///< nullopt: it does not compile, or is wrong
};

/// What each approach brings on all kernels of a sequence, in standard deviations of a model's new files.
using SharedGains = std::array<double, kKinds>;

/// What a memory shows of approaches: those that made some kernel faster, and those that only made some slower.
struct Advice {
  std::set<int> gains, losses;
};

/// What the model is asked.
struct Question {
  std::optional<SimulatedFile> parent; ///< the file that it is about; nullopt: the baseline
  bool isNewConversation = false;
  const Advice *advice = nullptr; ///< null: no memory
};

class SimulatedModel {
public:
  /// The n-th answers of two models with the same seed are made of the same random numbers. `shared`: null where the
  /// kernel is related to no other.
  SimulatedModel(const FittedModel &model, const Assumptions &assumptions, std::uint64_t seed,
                 const SharedGains *shared = nullptr)
      : model_(model), assumptions_(assumptions), shared_(shared), seed_(seed) {}

  SimulatedAnswer answer(const Question &question);

private:
  double shareOfCorrect(const Question &question) const;
  double speedAnew(int approach, double fresh) const;
  const FittedModel &model_;
  const Assumptions &assumptions_;
  const SharedGains *shared_;
  std::uint64_t seed_;
  std::uint64_t answers_ = 0;
  std::optional<bool> wasCorrect_;        ///< the last one
  std::optional<SimulatedFile> favorite_; ///< what it writes when nothing is shown to it
};

/// A stream of random numbers.
class Draws {
public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  double uniform();     ///< from 0 to below 1
  double normal();      ///< mean 0, standard deviation 1
  double exponential(); ///< mean 1

private:
  std::uint64_t state_;
};

} // namespace agentic::cost
