// Words for how a kernel walks through memory.
#include "tool/source/features/rules.h"

#include <algorithm>

namespace agentic::features {
namespace {

using Kind = Expression::Kind;

constexpr std::int64_t kShortTrips = 64;

bool isParameterArray(const Scene &scene, const SceneAccess &access) {
  return !access.isLocal && !access.isTable && scene.variable(access.base).kind != moves::Variable::Kind::Scalar;
}

void addIndexedWords(const Scene &scene, Words &words) {
  for (const SceneAccess &access : scene.accesses) {
    if (!access.isIndexedByData || access.isInHeader)
      continue;
    if (access.isTable || access.isIndexedByByte || (access.isLocal && access.reads && !access.writes))
      words.insert(access.writes ? "scatter" : "table-lookup");
    else if (access.writes)
      words.insert("scatter");
    if (access.reads && !access.writes && !access.isTable && !access.isLocal && !access.isIndexedByByte)
      words.insert("gather");
    if (access.writes && access.isUpdate && access.place->loop >= 0)
      words.insert("histogram");
  }
  const bool hasLookup = words.contains("gather");
  const bool hasBounds = std::ranges::any_of(scene.accesses, [&](const SceneAccess &access) {
    return access.isInHeader && access.element->isInteger && access.place->loop >= 0 &&
           scene.loops[static_cast<std::size_t>(access.place->loop)].depth > 0 &&
           scene.loops[static_cast<std::size_t>(access.place->loop)].node->variable;
  });
  if (hasLookup && hasBounds)
    words.insert("sparse");
}

/// Accesses of one array in one loop, by how they lie to each other.
void addStrideWords(const Scene &scene, Words &words) {
  bool hasUnit = false;
  for (std::size_t loop = 0; loop < scene.loops.size(); ++loop) {
    std::map<std::pair<std::string, std::int64_t>, std::set<std::int64_t>> parts; // (array, stride) → offsets
    for (const SceneAccess &access : scene.accesses) {
      if (access.place->loop != static_cast<int>(loop) || access.isInHeader)
        continue;
      const auto stride = scene.stride(access, static_cast<int>(loop));
      if (!stride && access.subscript && !access.isIndexedByData && scene.loops[loop].isInnermost &&
          scene.movesWith(access, static_cast<int>(loop)) && isParameterArray(scene, access))
        words.insert("strided");
      if (!stride || !isParameterArray(scene, access))
        continue;
      hasUnit |= scene.loops[loop].isInnermost && (*stride == 1 || *stride == -1);
      if (std::abs(*stride) >= 2) {
        if (scene.loops[loop].isInnermost)
          words.insert("strided");
        if (access.subscript)
          parts[{access.array, std::abs(*stride)}].insert(access.subscript->constantTerm());
      }
    }
    for (const auto &[key, offsets] : parts)
      if (offsets.size() >= 2 && offsets.size() <= 8 && *offsets.rbegin() - *offsets.begin() < key.second)
        words.insert("interleaved");
  }
  if (hasUnit)
    words.insert("streaming");
}

void addInPlace(const Scene &scene, Words &words) {
  std::map<std::string, std::pair<bool, bool>> uses;
  for (const SceneAccess &access : scene.accesses) {
    if (access.place->loop < 0 || !isParameterArray(scene, access) || access.isIndexedByData)
      continue;
    if (!scene.movesWith(access, access.place->loop))
      continue; // a sum in memory
    uses[access.array].first |= access.reads;
    uses[access.array].second |= access.writes;
  }
  for (const auto &[array, use] : uses)
    if (use.first && use.second)
      words.insert("in-place");
}

/// Loops beside each other that go over the same array.
void addPasses(const Scene &scene, Words &words) {
  std::map<int, std::map<int, std::set<std::string>>> arrays; // parent → loop → arrays below
  for (const SceneAccess &access : scene.accesses) {
    if (!isParameterArray(scene, access) || access.isIndexedByData)
      continue;
    for (int at = access.place->loop; at >= 0; at = scene.loops[static_cast<std::size_t>(at)].parent)
      if (const SceneLoop &loop = scene.loops[static_cast<std::size_t>(at)];
          !loop.trips && scene.stride(access, access.place->loop) != 0)
        arrays[loop.parent][at].insert(access.array);
  }
  for (const auto &[parent, loops] : arrays) {
    std::set<std::string> seen;
    for (const auto &[loop, names] : loops)
      for (const std::string &name : names)
        if (!seen.insert(name).second)
          words.insert("multi-pass");
  }
}

void addFloating(const Expression &part, Words &words) {
  if (part.isFloating && (part.bits == 32 || part.bits == 64))
    words.insert(part.bits == 32 ? "float" : "double");
}

void addTypes(const Scene &scene, Words &words) {
  for (const SceneAccess &access : scene.accesses) {
    const Expression &element = *access.element;
    if (element.isInteger && element.bits == 8 && !access.isTable)
      words.insert("byte");
    if (element.isInteger && element.bits > 8 && !access.isIndex && !access.isInHeader && !access.isTable)
      words.insert("integer");
    if (element.isFloating)
      words.insert(element.bits == 32 ? "float" : element.bits == 64 ? "double" : "mixed-precision");
  }
  forEachPart(scene, [&](const Occurrence &place, const Expression &part) {
    if (place.role == Occurrence::Role::Header || part.kind != Kind::Binary)
      return;
    addFloating(part, words);
  });
  for (const SceneUpdate &update : scene.updates) // `sum += x` is no binary operation
    addFloating(*update.target, words);
  for (const Occurrence &place : scene.occurrences) // arithmetic on data, subscripts excepted
    moves::forEachExpression(*place.root, [&](const Expression &part) {
      if (part.kind == Kind::Element || place.role == Occurrence::Role::Header)
        return false;
      if (part.isInteger && isBinary(part, {"+", "-", "*", "<<", ">>", "&", "|", "^"}) && scene.isData(part))
        words.insert("integer");
      return true;
    });
  if (words.contains("float") && words.contains("double"))
    words.insert("mixed-precision");
}

} // namespace

void addMemoryWords(const Scene &scene, Words &words) {
  addTypes(scene, words);
  addIndexedWords(scene, words);
  addStrideWords(scene, words);
  addInPlace(scene, words);
  addPasses(scene, words);
  for (const SceneLoop &loop : scene.loops) {
    if (loop.depth > 0)
      words.insert("nested-loops");
    if (loop.isInnermost && loop.trips && *loop.trips <= kShortTrips)
      words.insert("constant-trip");
  }
  // A plain copy of elements.
  for (const SceneAssignment &assignment : scene.assignments) {
    const Expression &target = bare(*assignment.target), &value = bare(*assignment.value);
    if (assignment.op == "=" && target.kind == Kind::Element && value.kind == Kind::Element && target.isArithmetic() &&
        assignment.place->loop >= 0)
      words.insert("copying");
  }
}

} // namespace agentic::features
