#include "tool/source/features/features.h"

#include "tool/base/text.h"
#include "tool/source/dependence/legality.h"
#include "tool/source/features/build_tree.h"
#include "tool/source/features/rules.h"
#include "tool/source/nest/ast.h"
#include "tool/source/parse/kernel_parse.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

using namespace features;
using Kind = Expression::Kind;

constexpr double kMemoryBound = 1; // operations a byte: below that, memory is the likelier limit

std::string nameOf(const SceneUpdate &update) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"+", "sum"},       {"-", "sum"}, {"*", "product"}, {"min", "minimum"},
      {"max", "maximum"}, {"&", "and"}, {"|", "or"},      {"^", "exclusive or"}};
  for (const auto &[op, name] : kNames)
    if (op == update.op)
      return std::string(name);
  return {};
}

/// Arithmetic of one expression; what only counts elements is none.
double operationsOf(const Expression &expression) {
  double count = 0;
  moves::forEachExpression(expression, [&](const Expression &part) {
    if (part.kind == Kind::Element)
      return false;
    count += (part.kind == Kind::Binary && part.op != ",") || part.kind == Kind::Call ||
                     part.kind == Kind::Conditional || (part.kind == Kind::Assign && part.op != "=") ||
                     (part.kind == Kind::Unary && part.op != "+")
                 ? 1
                 : 0;
    return true;
  });
  return count;
}

class Describer {
public:
  Describer(const Scene &scene, const moves::Nest &nest) : scene_(scene), nest_(nest) {}

  KernelFeatures run() {
    addMemoryWords(scene_, words_);
    addArithmeticWords(scene_, words_);
    addControlWords(scene_, words_);
    addCarriedWords(scene_, words_);
    addByteWords(scene_, words_);
    addShapeWords(scene_, words_);
    KernelFeatures result;
    result.words.assign(words_.begin(), words_.end());
    result.calls.assign(scene_.tree.calls.begin(), scene_.tree.calls.end());
    addArrays(result);
    for (std::size_t i = 0; i < scene_.loops.size(); ++i)
      result.loops.push_back(describe(static_cast<int>(i)));
    for (const Occurrence &place : scene_.occurrences) {
      const bool isChoice = place.role == Occurrence::Role::Condition;
      result.dataBranches += isChoice && scene_.isDataBranch(*place.node) ? 1 : 0;
    }
    result.earlyExits = exitsIn(scene_.tree.nodes, false);
    result.likelyBounds = boundsOf(result);
    return result;
  }

private:
  static int exitsIn(const std::vector<Node> &nodes, bool isInLoop) {
    int count = 0;
    for (const Node &node : nodes) {
      const bool isExit = node.kind == Node::Kind::Leave || node.kind == Node::Kind::Return;
      count += isExit && isInLoop ? 1 : 0;
      const bool inside = isInLoop || node.kind == Node::Kind::Loop;
      count += exitsIn(node.body, inside) + exitsIn(node.otherwise, inside);
    }
    return count;
  }

  void addArrays(KernelFeatures &result) const {
    std::set<std::string> types, tables;
    for (const SceneAccess &access : scene_.accesses) {
      types.insert(access.element->type);
      if (access.isTable && tables.insert(scene_.variable(access.base).name).second)
        result.tables.push_back({scene_.variable(access.base).name, scene_.variable(access.base).bytes});
    }
    result.elementTypes.assign(types.begin(), types.end());
  }

  LoopFeatures describe(int index) const {
    const SceneLoop &loop = scene_.loops[static_cast<std::size_t>(index)];
    LoopFeatures result;
    result.name = loop.node->name;
    result.depth = loop.depth;
    result.isInnermost = loop.isInnermost;
    result.isCounted = loop.node->variable.has_value();
    result.trips = loop.trips;
    result.mayEndEarly = loop.leaves;
    for (const moves::Loop *own : nest_.loops)
      if (own->range.begin == loop.node->offset && own->range.end != 0)
        result.carried = own->problem.empty() ? moves::whyNotParallel(nest_, *own) : own->problem;
    for (const SceneUpdate &update : scene_.updates) {
      const auto name = Scene::named(*update.target);
      if (!name || update.place->loop != index || !scene_.isCarried(*name, index) || loop.walk.contains(*name) ||
          nameOf(update).empty())
        continue;
      const std::string text =
          fmt::format("{} of '{}' ({})", nameOf(update), scene_.variable(*name).name, scene_.variable(*name).type);
      if (std::ranges::find(result.reductions, text) == result.reductions.end())
        result.reductions.push_back(text);
    }
    for (const SceneAccess &access : scene_.accesses)
      if (access.place->loop == index)
        add(access, index, result);
    for (const Occurrence &place : scene_.occurrences)
      if (place.loop == index && !(place.role == Occurrence::Role::Header && loop.node->variable))
        result.operations += operationsOf(*place.root);
    return result;
  }

  void add(const SceneAccess &access, int loop, LoopFeatures &result) const {
    const auto stride = access.isIndexedByData ? std::nullopt : scene_.stride(access, loop);
    if (!access.isLocal && !access.isTable && stride.value_or(1) != 0)
      result.bytes += access.element->bits / 8.0 * (access.reads && access.writes ? 2 : 1);
    for (ArrayUse &use : result.arrays)
      if (use.array == access.array && use.stride == stride && use.isIndexedByData == access.isIndexedByData) {
        use.reads |= access.reads;
        use.writes |= access.writes;
        return;
      }
    result.arrays.push_back(
        {access.array, access.element->type, access.reads, access.writes, stride, access.isIndexedByData});
  }

  /// What the form suggests; measuring knows better.
  std::vector<std::string> boundsOf(const KernelFeatures &features) const {
    std::vector<std::string> bounds;
    const auto has = [&](std::initializer_list<std::string_view> any) {
      return std::ranges::any_of(any, [&](std::string_view word) { return words_.contains(word); });
    };
    const bool isFloating = has({"float", "double"});
    if (has({"recurrence", "state-machine", "pointer-chasing", "prefix-scan", "checksum"}) ||
        (has({"reduction"}) && isFloating))
      bounds.emplace_back("latency");
    if (has({"branchy", "compaction", "merge", "sorting"}) || (has({"early-exit"}) && has({"byte", "comparison"})))
      bounds.emplace_back("branches");
    if (has({"transcendental", "small-calls"}))
      bounds.emplace_back("calls");
    double bytes = 0, operations = 0;
    for (const LoopFeatures &loop : features.loops)
      if (loop.isInnermost) {
        bytes += loop.bytes;
        operations += loop.operations;
      }
    const bool isReused = has({"matrix-product", "convolution", "constant-trip"});
    if (bytes > 0 && operations < bytes * kMemoryBound && !isReused)
      bounds.emplace_back("memory");
    if (bounds.empty() || (operations >= bytes * kMemoryBound && bytes > 0) || isReused)
      bounds.emplace_back("compute");
    return bounds;
  }

  const Scene &scene_;
  const moves::Nest &nest_;
  Words words_;
};

} // namespace

Result<KernelFeatures> featuresOf(const KernelSpec &spec) {
  KernelFeatures result;
  TRY(parseKernel(spec, spec.text, "a description of the kernel", [&](const ParsedKernel &kernel) {
    const Tree tree = buildTree(kernel.context, kernel.function, spec.text, kernel.begin);
    const auto nest = moves::buildNest(kernel.context, kernel.function, kernel.unit, spec.text, kernel.begin);
    result = Describer(Scene(tree, kernel.function.param_size()), *nest).run();
  }));
  return result;
}

} // namespace agentic
