#include "tool/source/schedule/schedule.h"

#include "tool/source/dependence/legality.h"

#include <algorithm>
#include <set>

namespace agentic::moves {

const Block *Schedule::blockOf(const Loop &loop) const {
  const auto found = std::ranges::find(blocks, &loop, &Block::loop);
  return found == blocks.end() ? nullptr : &*found;
}

bool Schedule::isBlockedInside(const Loop &loop) const {
  bool result = false;
  forEachStatement(
      loop.body, [&](const Statement &statement) { result |= statement.loop && blockOf(*statement.loop) != nullptr; });
  return result;
}

bool Schedule::touches(const Loop &loop) const {
  return blockOf(loop) || isBlockedInside(loop);
}

LaneAnalysis::LaneAnalysis(const Nest &nest, const Schedule &schedule)
    : schedule_(schedule), variables_(nest.variables.size(), 0) {
  for (std::size_t i = 0; i < schedule.blocks.size(); ++i)
    variables_[static_cast<std::size_t>(schedule.blocks[i].loop->variable)] = Lanes{1} << i;
  for (bool changed = true; changed;) {
    changed = false;
    forEachStatement(nest.statements, [&](const Statement &statement) {
      const Lanes lanes = of(statement);
      for (const Reference &reference : statement.references) {
        Lanes &target = variables_[static_cast<std::size_t>(reference.variable)];
        if (reference.writes && (target | lanes) != target) {
          target |= lanes;
          changed = true;
        }
      }
    });
  }
}

Lanes LaneAnalysis::of(const Statement &statement) const {
  return ofReferences(statement.references);
}
Lanes LaneAnalysis::ofBounds(const Loop &loop) const {
  return ofReferences(loop.boundReferences);
}
Lanes LaneAnalysis::ofVariable(VariableId variable) const {
  return variables_[static_cast<std::size_t>(variable)];
}

Lanes LaneAnalysis::ofReferences(const std::vector<Reference> &references) const {
  Lanes lanes = 0;
  for (const Reference &reference : references)
    if (!isSameInAllLanes(reference))
      lanes |= ofVariable(reference.variable);
  return lanes;
}

int LaneAnalysis::blockOfVariable(VariableId variable) const {
  for (std::size_t i = 0; i < schedule_.blocks.size(); ++i)
    if (schedule_.blocks[i].loop->variable == variable)
      return static_cast<int>(i);
  return -1;
}

bool LaneAnalysis::isSameInAllLanes(const Reference &reference) const {
  const int block = blockOfVariable(reference.variable);
  return block >= 0 && reference.divisor > 0 &&
         reference.divisor % schedule_.blocks[static_cast<std::size_t>(block)].size == 0;
}

namespace {

/// A variable that becomes an array is declared in front of its group: no other variable of that name may be used
/// there.
std::string whyNamesClash(const Nest &nest, const std::vector<Statement> &body) {
  const auto nameOf = [&](VariableId id) -> const std::string & { return nest.variable(id).name; };
  std::map<std::string, std::set<VariableId>> seen;
  const auto see = [&](const std::vector<Reference> &references) {
    for (const Reference &reference : references)
      seen[nameOf(reference.variable)].insert(reference.variable);
  };
  for (const Statement &statement : body) {
    see(statement.references);
    if (statement.declares && seen[nameOf(*statement.declares)].size() > 1)
      return "two variables are called '" + nameOf(*statement.declares) + "'";
    if (!statement.loop)
      continue;
    see(statement.loop->boundReferences);
    forEachStatement(statement.loop->body, [&](const Statement &inner) {
      see(inner.references);
      if (inner.loop)
        see(inner.loop->boundReferences);
    });
    if (std::string reason = whyNamesClash(nest, statement.loop->body); !reason.empty())
      return reason;
  }
  return {};
}

std::string whyBodyDoesNotFit(const Nest &nest, const Loop &loop) {
  std::string reason = whyNamesClash(nest, loop.body);
  forEachStatement(loop.body, [&](const Statement &statement) {
    if (!reason.empty())
      return;
    if (statement.declares) {
      const Variable &variable = nest.variable(*statement.declares);
      if (variable.kind == Variable::Kind::Other)
        reason = "'" + variable.name + "' is a local array or object";
    }
    if (statement.loop && statement.loop->header.end == 0)
      reason = statement.loop->problem;
  });
  return reason;
}

} // namespace

std::string whyNotBlockable(const Nest &nest, const Schedule &schedule, const Block &block) {
  const Loop &loop = *block.loop;
  if (schedule.blockOf(loop))
    return "the loop '" + loop.name + "' is already blocked";
  if (std::string reason = whyNotParallel(nest, loop); !reason.empty())
    return reason;
  if (!containsLoop(loop))
    return "the loop '" + loop.name + "' has no loop inside that could go outside of its lanes";
  if (loop.lowerConstant != 0)
    return "the loop '" + loop.name + "' does not start at 0";
  if (std::string reason = whyBodyDoesNotFit(nest, loop); !reason.empty())
    return reason;
  Schedule next = schedule;
  next.blocks.push_back(block);
  const LaneAnalysis lanes(nest, next);
  std::string reason;
  for (const Loop *inner : nest.loops)
    if (const bool isInside =
            inner != &loop && inner->range.begin >= loop.range.begin && inner->range.end <= loop.range.end;
        isInside && lanes.ofBounds(*inner) != 0 && reason.empty())
      reason = "the bounds of the loop '" + inner->name + "' differ between iterations of '" + loop.name + "'";
  return reason;
}

} // namespace agentic::moves
