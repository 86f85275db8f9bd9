// Words for whole shapes: products of matrices, filters, transpositions.
#include "tool/source/features/rules.h"

#include <algorithm>
#include <cstdlib>

namespace agentic::features {
namespace {

using Kind = Expression::Kind;
using moves::Polynomial;

constexpr std::int64_t kSmallTrips = 16;
constexpr std::size_t kStencilReads = 3;

/// The loop variables in a subscript, with the loops that they belong to, outermost first.
std::vector<VariableId> loopVariablesOf(const Scene &scene, const SceneAccess &access) {
  std::vector<VariableId> found;
  if (!access.subscript)
    return found;
  for (const SceneLoop &loop : scene.loops) {
    if (!scene.isInLoop(access.place->loop, static_cast<int>(&loop - scene.loops.data())))
      continue;
    if (loop.node->variable) {
      if (scene.namesIn(access, *loop.node->variable))
        found.push_back(*loop.node->variable);
    } else { // `while (i < n) { …; ++i; }`
      for (const auto &[variable, step] : loop.walk)
        if (step != 0 && scene.namesIn(access, variable) && std::ranges::find(found, variable) == found.end())
          found.push_back(variable);
    }
  }
  return found;
}

const SceneLoop *loopOf(const Scene &scene, VariableId variable) {
  for (const SceneLoop &loop : scene.loops)
    if (loop.node->variable == variable || (!loop.node->variable && loop.walk.contains(variable)))
      return &loop;
  return nullptr;
}

/// Whether the outer variable goes on by what the inner one counts: blocks beside each other, no window.
bool isBlocked(const Scene &scene, VariableId outer, VariableId inner) {
  const SceneLoop *around = loopOf(scene, outer), *block = loopOf(scene, inner);
  if (!around || !block)
    return false;
  const auto step = around->walk.find(outer);
  return step != around->walk.end() && std::abs(step->second) > 1 && std::abs(step->second) >= block->trips.value_or(2);
}

/// in[… + (x + j)]: an outer and an inner variable advance the same index.
bool isWindow(const Scene &scene, const SceneAccess &access) {
  const std::vector<VariableId> variables = loopVariablesOf(scene, access);
  for (std::size_t outer = 0; outer < variables.size(); ++outer)
    for (std::size_t inner = outer + 1; inner < variables.size(); ++inner) {
      const auto first = access.subscript->linearIn(variables[outer]),
                 second = access.subscript->linearIn(variables[inner]);
      if (first && second && first->coefficient == second->coefficient &&
          !isBlocked(scene, variables[outer], variables[inner]))
        return true;
    }
  return false;
}

/// The factors of the products that a sum adds up, with what they come from.
void addProducts(const Scene &scene, Words &words) {
  for (const SceneUpdate &update : scene.updates) {
    if ((update.op != "+" && update.op != "-") || !update.value || update.place->loop < 0)
      continue;
    const Expression *product = nullptr;
    scene.forEachSource(*update.value, [&](const Expression &source) {
      moves::forEachExpression(source, [&](const Expression &part) {
        if (!product && isBinary(part, {"*"}) && !scene.arraysOf(part.operands[0]).empty() &&
            !scene.arraysOf(part.operands[1]).empty())
          product = &part;
        return product == nullptr;
      });
    });
    if (!product) {
      const std::vector<const SceneAccess *> summed = scene.accessesOf(*update.value);
      if (std::ranges::any_of(summed, [&](const SceneAccess *access) {
            return !access->isIndex && !access->isTable && isWindow(scene, *access);
          }))
        words.insert("stencil");
      continue;
    }
    std::vector<const SceneAccess *> left = scene.accessesOf(product->operands[0]);
    std::vector<const SceneAccess *> right = scene.accessesOf(product->operands[1]);
    const auto isIndex = [](const SceneAccess *access) { return access->isIndex; };
    std::erase_if(left, isIndex);
    std::erase_if(right, isIndex);
    if (left.empty() || right.empty())
      continue;
    const SceneLoop &loop = scene.loops[static_cast<std::size_t>(update.place->loop)];
    if (isWindow(scene, *left.front()) || isWindow(scene, *right.front())) {
      words.insert("convolution");
      words.insert("stencil");
      continue;
    }
    const std::vector<VariableId> first = loopVariablesOf(scene, *left.front()),
                                  second = loopVariablesOf(scene, *right.front());
    // Two arrays, three loops: each has one of its own, and both have the one that is summed over.
    std::set<VariableId> all(first.begin(), first.end());
    all.insert(second.begin(), second.end());
    std::size_t shared = 0;
    for (const VariableId variable : first)
      shared += std::ranges::find(second, variable) != second.end() ? 1 : 0;
    const bool isMatrix = loop.depth >= 2 && all.size() >= 3 && shared >= 1 && shared < all.size() &&
                          left.front()->array != right.front()->array;
    if (isMatrix) {
      words.insert("matrix-product");
      if (std::ranges::all_of(all, [&](VariableId variable) {
            const SceneLoop *own = loopOf(scene, variable);
            return own && own->trips && *own->trips <= kSmallTrips;
          }))
        words.insert("small-matrix");
    }
    // x[i] -= L[i][j] * x[j] for j < i.
    const bool isBoundedByOuter =
        loop.node->upper && std::ranges::any_of(scene.loops, [&](const SceneLoop &outer) {
          return outer.node->variable && outer.depth < loop.depth &&
                 (moves::mentions(*loop.node->upper, *outer.node->variable) ||
                  (loop.node->lower && moves::mentions(*loop.node->lower, *outer.node->variable)));
        });
    if (isBoundedByOuter && std::ranges::any_of(scene.accesses, [&](const SceneAccess &write) {
          return write.writes && (write.array == left.front()->array || write.array == right.front()->array);
        }))
      words.insert("triangular-solve");
  }
}

/// Several reads of one array around a place.
void addStencils(const Scene &scene, Words &words) {
  for (std::size_t loop = 0; loop < scene.loops.size(); ++loop) {
    std::map<std::string, std::vector<const SceneAccess *>> reads;
    for (const SceneAccess &access : scene.accesses)
      if (access.reads && !access.writes && access.place->loop == static_cast<int>(loop) && access.subscript &&
          !access.isIndexedByData && !access.isTable && !access.isLocal &&
          std::abs(scene.stride(access, static_cast<int>(loop)).value_or(9)) == 1)
        reads[access.array].push_back(&access);
    for (const auto &[array, list] : reads) {
      std::vector<Polynomial> different;
      for (const SceneAccess *access : list)
        if (std::ranges::find(different, *access->subscript) == different.end())
          different.push_back(*access->subscript);
      if (different.size() >= kStencilReads)
        words.insert("stencil");
    }
  }
  for (const SceneAccess &access : scene.accesses) { // v[k++] = x[i + j] for a few j
    const int loop = access.place->loop;
    if (access.reads && !access.writes && !access.isTable && !access.isLocal && !access.isIndex && loop > 0 &&
        scene.loops[static_cast<std::size_t>(loop)].trips.value_or(kSmallTrips + 1) <= kSmallTrips &&
        isWindow(scene, access))
      words.insert("stencil");
  }
}

void addTranspositions(const Scene &scene, Words &words) {
  for (const SceneAssignment &assignment : scene.assignments) {
    const Expression &target = bare(*assignment.target), &value = bare(*assignment.value);
    if (assignment.op != "=" || target.kind != Kind::Element || value.kind != Kind::Element)
      continue;
    const SceneAccess *write = nullptr, *read = nullptr;
    for (const SceneAccess &access : scene.accesses) {
      if (access.element == &target)
        write = &access;
      if (access.element == &value)
        read = &access;
    }
    if (!write || !read || !write->subscript || !read->subscript)
      continue;
    const auto unitOf = [&](const SceneAccess &access) -> std::optional<VariableId> {
      for (const VariableId variable : loopVariablesOf(scene, access))
        if (const auto linear = access.subscript->linearIn(variable);
            linear && linear->coefficient.asConstant().value_or(0) == 1)
          return variable;
      return std::nullopt;
    };
    const auto written = unitOf(*write), wasRead = unitOf(*read);
    if (written && wasRead && *written != *wasRead && write->subscript->mentions(*wasRead) &&
        read->subscript->mentions(*written))
      words.insert("transposition");
  }
}

} // namespace

void addShapeWords(const Scene &scene, Words &words) {
  addProducts(scene, words);
  addStencils(scene, words);
  addTranspositions(scene, words);
  if (words.contains("transposition"))
    words.erase("copying");
  if (words.contains("matrix-product"))
    words.erase("in-place"); // C[i] += …
}

} // namespace agentic::features
