// Words for what one iteration hands to the next.
#include "tool/source/features/rules.h"

#include "tool/base/text.h"

#include <algorithm>

namespace agentic::features {
namespace {

using Kind = Expression::Kind;
using Role = Occurrence::Role;

/// Whether an update is one of a sum over data (or a count of data): of a variable that lives on outside the loop.
bool isReduction(const Scene &scene, const SceneUpdate &update) {
  const int loop = update.place->loop;
  if (loop < 0)
    return false;
  const Expression &target = bare(*update.target);
  const bool isExtreme = update.op == "min" || update.op == "max";
  if (!isExtreme && !isOneOf(update.op, {"+", "-", "*", "&", "|", "^"}))
    return false;
  bool isData = update.value && scene.isData(*update.value);
  if (!update.value || !isData) { // a count
    isData = scene.isUnderData(*update.place);
    const Node &around = *scene.loops[static_cast<std::size_t>(loop)].node;
    isData |= !around.variable && around.value && scene.isData(*around.value);
  }
  if (!isData)
    return false;
  if (const auto name = Scene::named(target)) {
    const bool isPlace = std::ranges::any_of(scene.accesses, [&](const SceneAccess &access) {
      return scene.namesIn(access, *name) && (!update.value || update.value->value);
    });
    return scene.isCarried(*name, loop) && scene.variable(*name).kind == moves::Variable::Kind::Scalar && !isPlace;
  }
  // The same element in every iteration.
  return std::ranges::any_of(scene.accesses, [&](const SceneAccess &access) {
    return access.element == &target && !access.isIndexedByData && !scene.movesWith(access, loop);
  });
}

/// The variables that each variable of a loop is computed from in it.
std::map<VariableId, std::set<VariableId>> dependencesOf(const Scene &scene, int loop) {
  std::map<VariableId, std::set<VariableId>> from;
  const auto add = [&](VariableId target, const Expression &value) {
    moves::forEachExpression(value, [&](const Expression &part) {
      if (part.variable)
        from[target].insert(*part.variable);
      return true;
    });
  };
  for (const Occurrence &place : scene.occurrences)
    if (place.role == Role::Value && place.node->variable && place.loop == loop)
      add(*place.node->variable, *place.root);
  for (const SceneAssignment &assignment : scene.assignments)
    if (const auto name = Scene::named(*assignment.target); name && assignment.place->loop == loop) {
      add(*name, *assignment.value);
      if (assignment.op != "=")
        from[*name].insert(*name);
    }
  return from;
}

bool reaches(const std::map<VariableId, std::set<VariableId>> &from, VariableId start, VariableId end) {
  std::set<VariableId> seen;
  std::vector<VariableId> open = {start};
  while (!open.empty()) {
    const VariableId next = open.back();
    open.pop_back();
    const auto found = from.find(next);
    if (found == from.end())
      continue;
    for (const VariableId source : found->second) {
      if (source == end)
        return true;
      if (seen.insert(source).second)
        open.push_back(source);
    }
  }
  return false;
}

/// Scalars that are computed from themselves by more than a sum, and elements from their neighbours.
void addRecurrences(const Scene &scene, Words &words) {
  std::map<std::pair<VariableId, int>, std::set<std::string>> sums; // with their operators
  for (const SceneUpdate &update : scene.updates)
    if (const auto name = Scene::named(*update.target); name && !isOneOf(update.op, {"<<", ">>"}))
      if (!update.value || !moves::mentions(*update.value, *name))
        sums[{*name, update.place->loop}].insert(update.op == "-" ? "+" : update.op);
  for (std::size_t loop = 0; loop < scene.loops.size(); ++loop) {
    const auto from = dependencesOf(scene, static_cast<int>(loop));
    for (const auto &[variable, sources] : from) {
      const auto sum = sums.find({variable, static_cast<int>(loop)});
      const bool isPlain = (sum != sums.end() && sum->second.size() == 1) ||
                           scene.variable(variable).kind == moves::Variable::Kind::Pointer ||
                           scene.loops[loop].walk.contains(variable);
      if (!scene.isCarried(variable, static_cast<int>(loop)) || isPlain)
        continue;
      const bool feedsItself = reaches(from, variable, variable);
      if (!feedsItself)
        continue;
      words.insert("recurrence");
      const bool isLookup = std::ranges::any_of(scene.values(variable), [&](const Expression *value) {
        return hasPart(*value, [&](const Expression &part) {
          return part.kind == Kind::Element && part.operands.size() == 2 &&
                 (moves::mentions(part.operands[0], variable) || moves::mentions(part.operands[1], variable)) &&
                 part.isInteger && bare(*value).kind == Kind::Element;
        });
      });
      if (isLookup && words.contains("table-lookup"))
        words.insert("state-machine");
      else if (isLookup)
        words.insert("pointer-chasing");
    }
  }
  for (const Occurrence &place : scene.occurrences)
    if (place.role == Role::Condition && place.node->kind == Node::Kind::Switch && place.loop >= 0)
      if (const auto name = Scene::named(*place.root); name && scene.isCarried(*name, place.loop))
        words.insert("state-machine");
  for (const SceneAccess &write : scene.accesses)
    for (const SceneAccess &read : scene.accesses) {
      if (!write.writes || !read.reads || write.isUpdate || write.array != read.array || !write.subscript ||
          !read.subscript || write.place->loop < 0 || write.place->loop != read.place->loop || read.isIndex ||
          !scene.movesWith(write, write.place->loop))
        continue;
      const auto distance = moves::Polynomial::subtract(*write.subscript, *read.subscript);
      if (distance && distance->asConstant().value_or(0) > 0)
        words.insert("recurrence");
    }
}

/// States by name: what is only ever set to constants, or turned over, where data decide, and decides itself.
void addFlags(const Scene &scene, Words &words) {
  for (const SceneAssignment &assignment : scene.assignments) {
    const auto name = Scene::named(*assignment.target);
    const int loop = assignment.place->loop;
    if (!name || assignment.op != "=" || !scene.isUnderData(*assignment.place) || !scene.isCarried(*name, loop) ||
        scene.isLoopVariable(*name))
      continue;
    const bool isState = std::ranges::all_of(scene.values(*name), [&](const Expression *value) {
      const Expression &plain = bare(*value);
      return plain.value || plain.kind == Kind::Literal ||
             (plain.kind == Kind::Unary && plain.op == "!" && Scene::named(plain.operands[0]) == name);
    });
    const bool isTested = std::ranges::any_of(scene.occurrences, [&](const Occurrence &place) {
      return place.role == Role::Condition && place.loop == loop && moves::mentions(*place.root, *name);
    });
    if (isState && isTested)
      words.insert("state-machine");
  }
}

/// Generators: x ^= x << 13, or x = x * 1664525 + 1013904223, of nothing that is read in the loop.
void addRandomNumbers(const Scene &scene, Words &words) {
  for (const SceneAssignment &assignment : scene.assignments) {
    const auto name = Scene::named(*assignment.target);
    if (!name || !scene.isCarried(*name, assignment.place->loop) || !assignment.value->isInteger ||
        hasPart(*assignment.value, [&](const Expression &part) {
          return part.kind == Kind::Element ||
                 (part.variable && *part.variable != *name && scene.isData(*part.variable));
        }))
      continue;
    const auto isShifted = [&](const Expression &part) {
      return isBinary(bare(part), {"<<", ">>"}) && Scene::named(bare(part).operands[0]) == name &&
             bare(bare(part).operands[1]).value;
    };
    const Expression &value = bare(*assignment.value);
    const bool isXorShift =
        (assignment.op == "^=" && isShifted(value)) ||
        (isBinary(value, {"^"}) && ((Scene::named(value.operands[0]) == name && isShifted(value.operands[1])) ||
                                    (Scene::named(value.operands[1]) == name && isShifted(value.operands[0]))));
    const bool isCongruential =
        assignment.op == "=" && hasPart(value, [&](const Expression &part) {
          return isBinary(part, {"+"}) && std::ranges::any_of(part.operands, [&](const Expression &product) {
                   return isBinary(bare(product), {"*"}) && moves::mentions(product, *name) &&
                          std::ranges::any_of(bare(product).operands,
                                              [](const Expression &factor) { return isLargeNumber(factor, 1 << 10); });
                 });
        });
    if (isXorShift || isCongruential)
      words.insert("random-numbers");
  }
}

void addChasing(const Scene &scene, Words &words) {
  for (const SceneAssignment &assignment : scene.assignments) {
    const auto name = Scene::named(*assignment.target);
    if (!name || assignment.op != "=" || assignment.place->loop < 0)
      continue;
    const Expression &value = bare(*assignment.value);
    if (value.kind == Kind::Field && scene.variable(*name).kind == moves::Variable::Kind::Pointer &&
        moves::mentions(value, *name))
      words.insert("pointer-chasing");
  }
}

/// A running sum that is stored in every iteration.
void addScans(const Scene &scene, Words &words) {
  for (const SceneUpdate &update : scene.updates) {
    const auto name = Scene::named(*update.target);
    if (!name || !update.value || !scene.isData(*update.value) || !scene.isCarried(*name, update.place->loop) ||
        !update.place->inside.empty())
      continue;
    for (const SceneAssignment &store : scene.assignments)
      if (bare(*store.target).kind == Kind::Element && store.place->loop == update.place->loop && store.op == "=" &&
          moves::mentions(*store.value, *name))
        for (const SceneAccess &access : scene.accesses)
          if (access.element == store.target && scene.stride(access, store.place->loop).value_or(0) != 0)
            words.insert("prefix-scan");
  }
  for (const char *name : {"partial_sum", "inclusive_scan", "exclusive_scan"})
    if (scene.tree.calls.contains(name))
      words.insert("prefix-scan");
}

/// Bits of a word that are counted one by one.
void addBitCounts(const Scene &scene, Words &words) {
  for (const SceneUpdate &update : scene.updates) {
    const auto name = Scene::named(*update.target);
    // x &= x - 1
    if (name && update.op == "&" && update.value && isBinary(bare(*update.value), {"-"}) &&
        Scene::named(bare(*update.value).operands[0]) == name && update.place->loop >= 0)
      words.insert("bit-count");
    // n += x & 1; x >>= 1
    if (name && update.op == "+" && update.value && isBinary(bare(*update.value), {"&"}) &&
        bare(bare(*update.value).operands[1]).value == 1 && scene.isData(*update.value))
      for (const SceneUpdate &shift : scene.updates)
        if (shift.op == ">>" && shift.place->loop == update.place->loop)
          words.insert("bit-count");
  }
}

/// h = (h ^ x) * prime, and its relatives; sums modulo a number; tables indexed by the running value.
void addHashes(const Scene &scene, Words &words) {
  for (std::size_t loop = 0; loop < scene.loops.size(); ++loop)
    for (const VariableId variable : scene.loops[loop].assigned) {
      if (!scene.isCarried(variable, static_cast<int>(loop)) || scene.isLoopVariable(variable) ||
          scene.variable(variable).isFloating)
        continue;
      bool multiplies = false, mixes = false, isTable = false, divides = false, adds = false, shifts = false;
      for (const Expression *value : scene.values(variable)) {
        const bool isStored = value->kind == Kind::Assign;
        if (!scene.isData(*value) && !moves::mentions(*value, variable) && !isStored)
          continue;
        moves::forEachExpression(*value, [&](const Expression &part) {
          const std::string op = part.kind == Kind::Assign ? part.op.substr(0, part.op.size() - 1) : part.op;
          if (part.kind != Kind::Binary && part.kind != Kind::Assign)
            return true;
          const bool isBig = part.operands.size() == 2 && (bare(part.operands[1]).value.value_or(0) > 30 ||
                                                           bare(part.operands[0]).value.value_or(0) > 30 ||
                                                           bare(part.operands[1]).value.value_or(0) < 0);
          multiplies |= op == "*" && isBig && part.isInteger;
          mixes |= op == "^";
          divides |= op == "%" && isBig;
          adds |= op == "+";
          shifts |= op == ">>" || op == "<<";
          return true;
        });
        isTable |= hasPart(*value, [&](const Expression &part) {
          return part.kind == Kind::Element && part.isInteger && part.bits >= 16 && moves::mentions(part, variable);
        });
      }
      if (multiplies && (mixes || scene.isData(variable)) && !divides && scene.isData(variable))
        words.insert("hashing");
      if ((divides && adds) || (mixes && shifts && isTable))
        words.insert("checksum");
      if (divides && adds)
        words.insert("modulo");
    }
  // Keys that are spread by a large odd number.
  forEachPart(scene, [&](const Occurrence &place, const Expression &part) {
    if (place.loop >= 0 && isBinary(part, {"*"}) && part.isInteger && scene.isData(part) &&
        std::ranges::any_of(part.operands, [](const Expression &factor) { return isLargeNumber(factor, 1 << 24); }))
      words.insert("hashing");
  });
  if (scene.tree.calls.contains("rotl") || scene.tree.calls.contains("rotr"))
    words.insert("hashing");
  // A CRC bit by bit: shifted, and a polynomial xored in where a bit fell out.
  for (const SceneUpdate &update : scene.updates) {
    const auto name = Scene::named(*update.target);
    if (!name || update.place->loop < 0 || !scene.isData(*name))
      continue;
    for (const Expression *value : scene.values(*name)) {
      const bool shifts = hasPart(*value, [&](const Expression &part) {
        return isOperation(part, {">>", "<<"}) && moves::mentions(part, *name);
      });
      const bool xors = hasPart(*value, [&](const Expression &part) {
        return (isBinary(part, {"^"}) || isBinary(part, {"&"})) &&
               std::ranges::any_of(part.operands, [](const Expression &operand) {
                 return isLargeNumber(operand, 255) ||
                        (bare(operand).kind == Kind::Conditional && // (crc & 1 ? polynomial : 0)
                         std::ranges::any_of(bare(operand).operands,
                                             [](const Expression &choice) { return isLargeNumber(choice, 255); }));
               });
      });
      if (shifts && xors && update.op == "^")
        words.insert("checksum");
    }
  }
}

} // namespace

void addCarriedWords(const Scene &scene, Words &words) {
  for (const SceneUpdate &update : scene.updates)
    if (isReduction(scene, update)) {
      words.insert("reduction");
      if (!Scene::named(bare(*update.target)))
        words.insert("memory-reduction");
    }
  addScans(scene, words);
  addBitCounts(scene, words);
  addHashes(scene, words);
  addRecurrences(scene, words);
  addChasing(scene, words);
  addFlags(scene, words);
  addRandomNumbers(scene, words);
}

} // namespace agentic::features
