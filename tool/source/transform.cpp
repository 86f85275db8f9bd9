#include "tool/source/transform.h"

#include "tool/base/text.h"
#include "tool/source/moves/generate.h"
#include "tool/source/moves/legality.h"
#include "tool/source/moves/move.h"
#include "tool/source/transform_parse.h"

#include <algorithm>
#include <set>

namespace agentic {
namespace {

class NestTransformer : public Transformer {
public:
  NestTransformer(const KernelSpec &spec, Family family, std::unique_ptr<moves::Nest> nest)
      : identifier_(spec.identifier), nest_(std::move(nest)), forGcc_(family == Family::Gcc) {}

  Result<std::vector<MoveOffer>> offers(const Recipe &prefix) override {
    const auto schedule = scheduleOf(prefix);
    if (!schedule)
      return std::unexpected(schedule.error());
    std::vector<MoveOffer> found;
    refusals_.clear();
    moves::MoveOffers result{found, refusals_};
    for (const moves::Move &move : moves::allMoves())
      move.offer(context(), *schedule, result);
    return found;
  }

  const std::vector<MoveRefusal> &refusals() const override { return refusals_; }

  Result<std::string> apply(const Recipe &recipe) override {
    if (recipe.empty())
      return nest_->text;
    const auto schedule = scheduleOf(recipe);
    if (!schedule)
      return std::unexpected(schedule.error());
    return moves::generate(*nest_, *schedule, commentFor(recipe, *schedule), forGcc_);
  }

private:
  moves::MoveContext context() const { return {*nest_, identifier_, forGcc_}; }

  Result<moves::Schedule> scheduleOf(const Recipe &recipe) const {
    moves::Schedule schedule;
    for (const MoveStep &step : recipe) {
      const auto moves = moves::allMoves();
      const auto move = std::ranges::find(moves, step.move, &moves::Move::name);
      if (move == moves.end())
        return userError("there is no move '" + step.move + "'", "use a move that the transformer offers");
      if (const auto applied = move->apply(context(), step, schedule); !applied)
        return std::unexpected(applied.error());
    }
    return schedule;
  }

  /// What was done and why it may be done.
  std::vector<std::string> commentFor(const Recipe &recipe, const moves::Schedule &schedule) const {
    std::vector<std::string> lines = {"Moves: " + recipeText(recipe) + "."};
    std::vector<std::string> loops;
    std::set<std::string> arrays;
    for (const moves::Block &block : schedule.blocks) {
      loops.push_back("'" + block.loop->name + "'");
      for (const std::string &array : moves::writtenArrays(*nest_, *block.loop))
        arrays.insert("'" + array + "'");
    }
    if (loops.empty())
      return lines;
    lines.push_back(
        "Each iteration of " + join(loops, " and ") + " writes elements of its own" +
        (arrays.empty() ? "" : " in " + join(std::vector<std::string>(arrays.begin(), arrays.end()), ", ")) +
        " and reads none that another one writes,");
    lines.push_back("given that pointer arguments do not overlap; each element is computed in the original order.");
    return lines;
  }

  std::string identifier_;
  std::unique_ptr<moves::Nest> nest_;
  bool forGcc_;
  std::vector<MoveRefusal> refusals_;
};

} // namespace

Result<std::unique_ptr<Transformer>> Transformer::create(const KernelSpec &spec, Family family) {
  auto nest = parseLoopNest(spec);
  if (!nest)
    return std::unexpected(std::move(nest.error()));
  return std::make_unique<NestTransformer>(spec, family, std::move(*nest));
}

} // namespace agentic
