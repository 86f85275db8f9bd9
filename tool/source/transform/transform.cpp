#include "tool/source/transform/transform.h"

#include "tool/base/text.h"
#include "tool/source/candidate/candidate_parse.h"
#include "tool/source/dependence/legality.h"
#include "tool/source/moves/move.h"
#include "tool/source/nest/parse.h"
#include "tool/source/parse/preambles.h"
#include "tool/source/schedule/estimate.h"
#include "tool/source/schedule/generate.h"
#include "tool/source/transform/format.h"
#include "tool/source/transform/spelled_in_c.h"

#include <algorithm>
#include <map>
#include <set>

namespace agentic {
namespace {

/// The state after a recipe: a parsed text, and the schedule that the generator still has to apply to it.
struct State {
  std::shared_ptr<const moves::Nest> nest;
  moves::Schedule schedule;
  std::vector<std::string> why;    ///< reasons of the rewrites
  std::vector<AliasPair> disjoint; ///< parameters that a guard in the text keeps from overlapping
};

class NestTransformer : public Transformer {
public:
  NestTransformer(const KernelSpec &spec, const TransformOptions &options, std::shared_ptr<const moves::Nest> nest)
      : spec_(spec), options_(options), base_{std::move(nest), {}, {}, {}} {}

  Result<std::vector<MoveOffer>> offers(const Recipe &prefix) override {
    const auto state = TRY(stateOf(prefix));
    std::vector<MoveOffer> found;
    refusals_.clear();
    moves::MoveOffers result{found, refusals_};
    const auto offersOf = [&](const moves::Move &move, const State &from) {
      const std::size_t before = found.size(), refused = refusals_.size();
      move.offer(contextOf(from), from.schedule, result);
      if (!isInReach(move) && (found.size() > before || refusals_.size() > refused)) {
        found.resize(before);
        refusals_.resize(refused);
        refusals_.push_back({std::string(move.name), spec_.identifier, kNoC});
      }
      for (std::size_t i = before; i < found.size(); ++i)
        found[i].role = found[i].isForm ? MoveRole::Form : move.role;
    };
    for (const moves::Move &move : moves::allMoves())
      if (!move.rewrite)
        offersOf(move, state);
    const auto plain = materialised(prefix, state);
    if (!plain)
      return found; // a generated text that does not parse again: no rewrite starts from it
    for (const moves::Move &move : moves::allMoves())
      if (move.rewrite)
        offersOf(move, *plain);
    return found;
  }

  const std::vector<MoveRefusal> &refusals() const override { return refusals_; }

  Result<double> estimate(const Recipe &recipe) override {
    Recipe visible; // 'specialise' moves the loops into a function that the nest does not show
    std::ranges::remove_copy(recipe, std::back_inserter(visible), "specialise", &MoveStep::move);
    const auto state = TRY(stateOf(visible));
    const auto plain = TRY(materialised(visible, state));
    moves::Machine machine = moves::machineOf(options_.level);
    machine.compilerSeesSigns = options_.family == Family::Clang;
    return moves::estimatedCycles(*plain.nest, machine, options_.observed);
  }

  Result<std::string> apply(const Recipe &recipe) override {
    const auto state = TRY(stateOf(recipe));
    if (recipe.empty())
      return state.nest->text;
    return formatted(inLanguage(commentFor(recipe, state) +
                                moves::generate(*state.nest, state.schedule, {}, options_.family == Family::Gcc)),
                     spec_.source);
  }

private:
  moves::MoveContext contextOf(const State &state) const {
    return {.nest = *state.nest,
            .function = spec_.identifier,
            .forGcc = options_.family == Family::Gcc,
            .mayReassociate = options_.mayReassociate,
            .hasTolerance = options_.hasTolerance,
            .level = options_.level,
            .observed = options_.observed,
            .contract = &spec_.contract};
  }

  bool isInReach(const moves::Move &move) const { return !move.needsCxx || spec_.language == Language::Cxx; }

  /// Returns what a move wrote, in the kernel's language.
  std::string inLanguage(std::string text) const {
    const bool hasBool = std::ranges::count(spec_.includes, "<stdbool.h>") > 0;
    return spec_.language == Language::C ? spelledInC(text, hasBool) : text;
  }

  /// Recipes share their beginnings, so each beginning is parsed once.
  Result<State> stateOf(const Recipe &recipe) {
    if (recipe.empty())
      return base_;
    const std::string key = recipeText(recipe);
    if (const auto known = states_.find(key); known != states_.end())
      return known->second;
    const Recipe prefix(recipe.begin(), recipe.end() - 1);
    auto before = TRY(stateOf(prefix));
    auto after = stepped(prefix, std::move(before), recipe.back());
    if (after && states_.size() >= kMostStates)
      states_.clear();
    if (after)
      states_.emplace(key, *after);
    return after;
  }

  Result<State> stepped(const Recipe &prefix, State state, const MoveStep &step) {
    const auto moves = moves::allMoves();
    const auto move = std::ranges::find(moves, step.move, &moves::Move::name);
    if (move == moves.end())
      return userError("there is no move '" + step.move + "'", "use a move that the transformer offers");
    if (!isInReach(*move))
      return userError("'" + step.move + "': " + kNoC, "use a move that the transformer offers");
    if (!move->rewrite) {
      TRY(move->apply(contextOf(state), step, state.schedule));
      return state;
    }
    auto plain = TRY(materialised(prefix, state));
    auto rewrite = TRY(move->rewrite(contextOf(plain), step));
    std::ranges::sort(rewrite.edits, {}, [](const moves::Edit &edit) { return edit.range.begin; });
    const std::string &text = plain.nest->text;
    std::vector<AliasPair> disjoint = std::move(plain.disjoint);
    disjoint.insert(disjoint.end(), rewrite.disjoint.begin(), rewrite.disjoint.end());
    auto next = TRY(parsed(moves::applyEdits(text, {0, text.size()}, rewrite.edits), std::move(disjoint)));
    next.why = std::move(plain.why);
    if (std::ranges::search(next.why, rewrite.why).empty()) // a move that is made twice gives its reason once
      next.why.insert(next.why.end(), rewrite.why.begin(), rewrite.why.end());
    return next;
  }

  /// Returns the state with its schedule written out.
  Result<State> materialised(const Recipe &recipe, const State &state) {
    if (state.schedule.isEmpty())
      return state;
    const std::string key = recipeText(recipe) + " written out";
    if (const auto known = states_.find(key); known != states_.end())
      return known->second;
    auto next =
        TRY(parsed(moves::generate(*state.nest, state.schedule, {}, options_.family == Family::Gcc), state.disjoint));
    next.why = state.why;
    const std::vector<std::string> more = whyBlocks(state);
    next.why.insert(next.why.end(), more.begin(), more.end());
    states_.emplace(key, next);
    return next;
  }

  Result<State> parsed(const std::string &text, std::vector<AliasPair> disjoint) {
    auto nest = TRY(parseLoopNest(spec_, inLanguage(text), &preambles_));
    std::erase_if(nest->mayAlias, [&](const auto &pair) {
      return std::ranges::any_of(disjoint, [&](const AliasPair &guarded) {
        return guarded.first == pair.first && guarded.second == pair.second;
      });
    });
    return State{std::move(nest), {}, {}, std::move(disjoint)};
  }

  static std::vector<std::string> whyBlocks(const State &state) {
    std::vector<std::string> loops;
    std::set<std::string> arrays;
    for (const moves::Block &block : state.schedule.blocks) {
      loops.push_back("'" + block.loop->name + "'");
      for (const std::string &array : moves::writtenArrays(*state.nest, *block.loop))
        arrays.insert("'" + array + "'");
    }
    if (loops.empty())
      return {};
    return {"Each iteration of " + join(loops, " and ") + " writes elements of its own" +
                (arrays.empty() ? "" : " in " + join(std::vector<std::string>(arrays.begin(), arrays.end()), ", ")) +
                " and reads none that another one writes,",
            "given that pointer arguments do not overlap; each element is computed in the original order."};
  }

  /// Describes the steps and why they are legal.
  static std::string commentFor(const Recipe &recipe, const State &state) {
    std::string comment = "// Moves: " + recipeText(recipe) + ".\n";
    std::vector<std::string> lines = state.why, blocks = whyBlocks(state);
    lines.insert(lines.end(), blocks.begin(), blocks.end());
    for (const std::string &line : lines)
      comment += "// " + line + "\n";
    return comment;
  }

  static constexpr const char *kNoC = "it writes what C cannot say";
  static constexpr std::size_t kMostStates = 1000; // some 50 KB each
  KernelSpec spec_;
  TransformOptions options_;
  State base_;
  std::map<std::string, State> states_;
  Preambles preambles_;
  std::vector<MoveRefusal> refusals_;
};

} // namespace

Result<std::unique_ptr<Transformer>> Transformer::create(const KernelSpec &spec, const TransformOptions &options) {
  KernelSpec known = spec;
  known.contract = contractWithOverlaps(spec);
  // The specification has the contract's declarations; in the text they would only disturb a candidate's reader.
  auto nest = TRY(parseAuthorsLoopNest(known, withoutContractMacros(options.seed.empty() ? spec.text : options.seed)));
  return std::make_unique<NestTransformer>(known, options, std::move(nest));
}

} // namespace agentic
