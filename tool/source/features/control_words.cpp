// Words for branches, exits and what is written under conditions.
#include "tool/source/features/rules.h"

#include <algorithm>
#include <cstdint>

namespace agentic::features {
namespace {

using Kind = Expression::Kind;
using Role = Occurrence::Role;

bool isChoiceOfOrder(const Scene &scene, const Node &branch) {
  const std::vector<SceneUpdate> &updates = scene.updates;
  return std::ranges::any_of(updates, [&](const SceneUpdate &update) {
    return (update.op == "min" || update.op == "max") && update.place->branch() == &branch;
  });
}

void addBranches(const Scene &scene, Words &words) {
  for (const Occurrence &place : scene.occurrences) {
    if (place.role != Role::Condition || place.loop < 0 || !scene.isDataBranch(*place.node))
      continue;
    const bool onlyLeaves = !place.node->body.empty() && place.node->otherwise.empty() &&
                            std::ranges::all_of(place.node->body, [](const Node &inner) {
                              return inner.kind == Node::Kind::Leave || inner.kind == Node::Kind::Return;
                            });
    if (!onlyLeaves && !isChoiceOfOrder(scene, *place.node))
      words.insert("branchy");
  }
  for (const SceneLoop &loop : scene.loops)
    if (loop.leaves)
      words.insert("early-exit");
  // How often an inner loop runs is decided by data.
  for (const Occurrence &place : scene.occurrences)
    if (place.isOpenHeader() && scene.isData(*place.root) &&
        scene.loops[static_cast<std::size_t>(place.loop)].depth > 0)
      words.insert("branchy");
  // `while (a[i] != b[i])`: the condition itself is the exit of a search.
  for (const Occurrence &place : scene.occurrences)
    if (place.isOpenHeader() && scene.isData(*place.root) &&
        std::ranges::any_of(scene.accesses, [&](const SceneAccess &access) {
          return access.place == &place && scene.movesWith(access, place.loop);
        }))
      words.insert("early-exit");
}

/// An index that moves only under a condition on data: out[n++] = x.
void addCompaction(const Scene &scene, Words &words) {
  std::set<VariableId> conditional;
  std::map<VariableId, std::set<const Node *>> branches;
  for (const SceneUpdate &update : scene.updates) {
    const auto name = Scene::named(*update.target);
    if (!name || update.op != "+" || update.place->loop < 0)
      continue;
    const bool isByCondition =
        update.value && update.value->isInteger && scene.isData(*update.value) &&
        hasPart(*update.value, [](const Expression &part) { return isComparison(part) || part.type == "bool"; });
    if (scene.isUnderData(*update.place) || isByCondition) {
      conditional.insert(*name);
      for (const Node *node : update.place->inside)
        branches[*name].insert(node);
    }
  }
  std::set<VariableId> reading;
  bool writes = false;
  for (const SceneAccess &access : scene.accesses) {
    if (!access.subscript || access.place->loop < 0)
      continue;
    for (const moves::Symbol symbol : access.subscript->symbols()) {
      if (!conditional.contains(symbol))
        continue;
      if (access.writes && !access.isUpdate)
        writes = true;
      if (access.reads)
        reading.insert(symbol);
    }
  }
  if (writes && reading.empty())
    words.insert("compaction");
  // Two places in the input, of which one or the other moves on.
  const bool comparesElements = std::ranges::any_of(scene.occurrences, [&](const Occurrence &place) {
    return place.role == Role::Condition && hasPart(*place.root, [&](const Expression &part) {
             return isOrder(part) && !scene.arraysOf(part.operands[0]).empty() &&
                    !scene.arraysOf(part.operands[1]).empty();
           });
  });
  if (reading.size() >= 2 && comparesElements)
    words.insert("merge");
}

bool isSwap(const Scene &scene, const Node &branch) {
  std::map<std::string, int> written;
  for (const SceneAccess &access : scene.accesses)
    if (access.writes && std::ranges::find(access.place->inside, &branch) != access.place->inside.end())
      ++written[access.array];
  return std::ranges::any_of(written, [](const auto &entry) { return entry.second >= 2; });
}

void addSorting(const Scene &scene, Words &words) {
  bool callsSwap = scene.tree.calls.contains("iter_swap");
  forEachPart(scene, [&](const Occurrence &place, const Expression &part) {
    if (calledName(part) != "swap")
      return;
    const bool isOfElements = std::ranges::any_of(part.operands, [](const Expression &operand) {
      return hasPart(operand, [](const Expression &inner) { return inner.kind == Kind::Element; });
    });
    callsSwap |= isOfElements;
    const Node *branch = place.branch();
    if (!isOfElements && branch && branch->value && isOrder(bare(*branch->value)))
      words.insert("minmax");
  });
  for (const Occurrence &place : scene.occurrences) {
    if (!place.isTest())
      continue;
    const bool ordersElements = hasPart(*place.root, [&](const Expression &part) {
      if (!isOrder(part))
        return false;
      const std::set<std::string> left = scene.arraysOf(part.operands[0]), right = scene.arraysOf(part.operands[1]);
      return std::ranges::any_of(left, [&](const std::string &array) { return right.contains(array); });
    });
    if (!ordersElements)
      continue;
    if (place.role == Role::Condition && (isSwap(scene, *place.node) || callsSwap))
      words.insert("sorting");
    // Insertion: elements move up while they are larger.
    if (place.role == Role::Header)
      for (const SceneAccess &access : scene.accesses)
        if (access.writes && access.place->loop == place.loop && !access.isUpdate)
          words.insert("sorting");
  }
  // The middle of a small sorted array.
  if (words.contains("sorting"))
    for (const SceneAccess &access : scene.accesses)
      if (access.isLocal && access.reads && access.subscript && access.subscript->asConstant().value_or(0) > 0)
        words.insert("selection");
}

/// Elements change places around a value that they are compared with.
void addPartitions(const Scene &scene, Words &words) {
  std::map<std::pair<int, std::string>, std::set<const SceneAccess *>> moved; // copies within one array
  for (const SceneAssignment &assignment : scene.assignments) {
    if (assignment.op != "=" || bare(*assignment.target).kind != Kind::Element || assignment.place->loop < 0)
      continue;
    for (const SceneAccess &write : scene.accesses)
      if (write.element == &bare(*assignment.target) && scene.arraysOf(*assignment.value).contains(write.array))
        moved[{write.place->loop, write.array}].insert(&write);
  }
  for (const auto &[key, writes] : moved) {
    if (writes.size() < 2)
      continue;
    const std::string &array = key.second;
    const bool isSplit = std::ranges::any_of(scene.occurrences, [&](const Occurrence &place) {
      return place.isTest() && place.loop >= 0 && hasPart(*place.root, [&](const Expression &part) {
               if (!isOrder(part))
                 return false;
               const bool left =
                   bare(part.operands[0]).kind == Kind::Element && scene.arraysOf(part.operands[0]).contains(array);
               const bool right =
                   bare(part.operands[1]).kind == Kind::Element && scene.arraysOf(part.operands[1]).contains(array);
               return left != right;
             });
    });
    if (isSplit) {
      words.insert("sorting");
      words.insert("selection");
      words.insert("compaction");
    }
  }
}

/// What is compared lies in the middle of a range that is halved.
void addBinarySearch(const Scene &scene, Words &words) {
  const auto halves = [](const Expression &part) {
    const bool divides = isOperation(part, {"/"});
    return (divides || isOperation(part, {">>"})) && bare(part.operands[1]).value == (divides ? 2 : 1);
  };
  forEachPart(scene, [&](const Occurrence &place, const Expression &part) {
    if (place.loop < 0 || !isComparison(part))
      return;
    for (const SceneAccess *access : scene.accessesOf(part)) {
      const bool isWritten = std::ranges::any_of(
          scene.accesses, [&](const SceneAccess &other) { return other.writes && other.array == access->array; });
      if (isWritten || access->place->loop < 0)
        continue;
      const SceneLoop &loop = scene.loops[static_cast<std::size_t>(access->place->loop)];
      for (const Expression *index : access->indices) {
        const bool narrows = hasSource(scene, *index, [&](const Expression &source) {
          return source.variable && loop.assigned.contains(*source.variable) && !loop.walk.contains(*source.variable);
        });
        if (narrows && hasSource(scene, *index, halves))
          words.insert("binary-search");
      }
    }
  });
}

/// The best so far and its place.
void addArgmax(const Scene &scene, Words &words) {
  for (const SceneUpdate &best : scene.updates) {
    const Node *branch = best.place->branch();
    if ((best.op != "min" && best.op != "max") || !branch)
      continue;
    for (const SceneAssignment &other : scene.assignments) {
      const auto source = Scene::named(*other.value);
      if (other.op == "=" && other.place->branch() == branch && source &&
          (scene.isLoopVariable(*source) ||
           (best.place->loop >= 0 && scene.loops[static_cast<std::size_t>(best.place->loop)].walk.contains(*source))))
        words.insert("argmax");
    }
  }
  // if (a[i] > a[best]) best = i;
  for (const SceneAssignment &assignment : scene.assignments) {
    const auto target = Scene::named(*assignment.target), source = Scene::named(*assignment.value);
    const Node *branch = assignment.place->branch();
    if (!target || !source || assignment.op != "=" || !branch || !scene.isLoopVariable(*source))
      continue;
    if (branch->value && hasPart(*branch->value, [&](const Expression &part) {
          return part.kind == Kind::Element && moves::mentions(part.operands.back(), *target);
        }))
      words.insert("argmax");
  }
}

void addComparisons(const Scene &scene, Words &words) {
  forEachPart(scene, [&](const Occurrence &place, const Expression &part) {
    if (place.loop < 0 || !isComparison(part))
      return;
    const auto isElement = [&](const Expression &operand) {
      const std::vector<const SceneAccess *> accesses = scene.accessesOf(operand);
      return std::ranges::any_of(accesses,
                                 [](const SceneAccess *access) { return !access->isTable && !access->isIndex; });
    };
    const bool left = isElement(part.operands[0]), right = isElement(part.operands[1]);
    if (left && right && scene.arraysOf(part.operands[0]) != scene.arraysOf(part.operands[1]))
      words.insert("comparison");
  });
  // Room for one more digit: INT_MAX / 10 and the like.
  forEachPart(scene, [&](const Occurrence &, const Expression &part) {
    if (!isOrder(part))
      return;
    for (const Expression &operand : part.operands) {
      const Expression &plain = bare(operand);
      const bool isRoom = isBinary(plain, {"-", "/"}) && bare(plain.operands[0]).value.value_or(0) >= INT32_MAX;
      const bool isExtreme = plain.value && (*plain.value == INT32_MAX || *plain.value == INT64_MAX ||
                                             *plain.value == INT32_MIN || *plain.value == INT64_MAX / 10 ||
                                             *plain.value == INT32_MAX / 10 || *plain.value == 429496729);
      if (isRoom || isExtreme)
        words.insert("overflow-check");
    }
  });
}

} // namespace

void addControlWords(const Scene &scene, Words &words) {
  addBranches(scene, words);
  addCompaction(scene, words);
  addSorting(scene, words);
  addPartitions(scene, words);
  addBinarySearch(scene, words);
  addArgmax(scene, words);
  addComparisons(scene, words);
}

} // namespace agentic::features
