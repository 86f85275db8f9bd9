// Words for texts and packed formats: what is done with bytes.
#include "tool/source/features/rules.h"

#include <algorithm>

namespace agentic::features {
namespace {

using Role = Occurrence::Role;

bool isByte(const SceneAccess &access) {
  return access.element->isInteger && access.element->bits == 8 && !access.isTable;
}

bool comesFromBytes(const Scene &scene, const Expression &expression) {
  const std::vector<const SceneAccess *> accesses = scene.accessesOf(expression);
  return std::ranges::any_of(accesses, [](const SceneAccess *access) { return isByte(*access) && !access->isIndex; });
}

/// One byte against each of a set: only one side moves in the inner loop.
bool isMembership(const Scene &scene) {
  bool found = false, other = false;
  forEachPart(scene, [&](const Occurrence &place, const Expression &part) {
    if (place.loop <= 0 || !isBinary(part, {"==", "!="}))
      return;
    const auto moves = [&](const Expression &side) {
      const std::vector<const SceneAccess *> accesses = scene.accessesOf(side);
      return std::ranges::any_of(accesses,
                                 [&](const SceneAccess *access) { return scene.movesWith(*access, place.loop); });
    };
    if (scene.arraysOf(part.operands[0]).empty() || scene.arraysOf(part.operands[1]).empty())
      return;
    (moves(part.operands[0]) != moves(part.operands[1]) ? found : other) = true;
  });
  return found && !other;
}

/// Comparisons of bytes with constants, by what is compared.
void addClassification(const Scene &scene, Words &words) {
  int comparisons = 0, equalities = 0;
  std::set<std::int64_t> constants;
  forEachPart(scene, [&](const Occurrence &place, const Expression &part) {
    if (place.loop < 0 || !isComparison(part))
      return;
    const auto constant = bare(part.operands[1]).value ? bare(part.operands[1]).value : bare(part.operands[0]).value;
    if (!comesFromBytes(scene, part.operands[0]) && !comesFromBytes(scene, part.operands[1]))
      return;
    if (constant) {
      ++comparisons;
      constants.insert(*constant);
    }
    equalities += part.op == "==" || part.op == "!=" ? 1 : 0;
  });
  const bool isLookup = std::ranges::any_of(scene.accesses, [](const SceneAccess &access) {
    return access.isIndexedByByte && access.isTable && access.reads;
  });
  const bool isSwitch = std::ranges::any_of(scene.occurrences, [&](const Occurrence &place) {
    return place.role == Role::Condition && place.node->kind == Node::Kind::Switch && place.loop >= 0 &&
           comesFromBytes(scene, *place.root);
  });
  if (constants.size() >= 2 || isLookup || isSwitch)
    words.insert("byte-classification");
  if (!words.contains("early-exit") || !words.contains("byte"))
    return;
  // A search compares bytes; one of strings has a second loop that goes on comparing.
  const bool comparesArrays = words.contains("comparison");
  const bool isNested = std::ranges::any_of(scene.loops, [](const SceneLoop &loop) { return loop.depth > 0; });
  if (comparesArrays && isNested && isMembership(scene)) {
    words.insert("byte-search");
    words.insert("byte-classification");
  } else if (comparesArrays && isNested)
    words.insert("string-search");
  else if ((equalities > 0 || isLookup) && !comparesArrays)
    words.insert("byte-search");
}

/// Bytes that are made from, or make, a number of another size of bytes.
void addCodes(const Scene &scene, Words &words) {
  for (std::size_t loop = 0; loop < scene.loops.size(); ++loop) {
    std::int64_t in = 0, out = 0;
    bool lookups = false, movesByData = false;
    std::set<std::string> arraysIn, arraysOut;
    for (const SceneAccess &access : scene.accesses) {
      if (access.place->loop != static_cast<int>(loop) || access.isInHeader)
        continue;
      if (access.isTable || access.isIndexedByData) {
        lookups |= access.isTable && access.reads && access.isIndexedByData;
        continue;
      }
      if (!isByte(access))
        continue;
      if (access.writes)
        ++out;
      else
        ++in;
      (access.writes ? arraysOut : arraysIn).insert(access.array);
    }
    for (const SceneUpdate &update : scene.updates)
      if (const auto name = Scene::named(*update.target);
          name && update.place->loop == static_cast<int>(loop) && update.op == "+" && update.value &&
          scene.isData(*update.value) && scene.variable(*name).kind != moves::Variable::Kind::Other)
        movesByData |= std::ranges::any_of(scene.accesses, [&](const SceneAccess &access) {
          return access.subscript && access.subscript->mentions(*name);
        });
    const bool hasBits = words.contains("bit-manipulation") || words.contains("bit-unpacking");
    if (hasBits && in > 0 && out > 0 && in != out && arraysIn != arraysOut && (lookups || std::max(in, out) >= 3))
      words.insert(out > in ? "encoding" : "decoding");
    if (movesByData && in > 0)
      words.insert("decoding");
  }
  // A variable-length number: seven bits a byte.
  for (const SceneUpdate &update : scene.updates) {
    if (update.place->loop < 0 || !update.value)
      continue;
    const bool isShiftedIn = (update.op == "|" || update.op == "+") && isBinary(bare(*update.value), {"<<"}) &&
                             comesFromBytes(scene, *update.value) && !bare(bare(*update.value).operands[1]).value;
    if (isShiftedIn)
      words.insert("decoding");
    const Node &around = *scene.loops[static_cast<std::size_t>(update.place->loop)].node;
    if (update.op == ">>" && !around.variable && bare(*update.value).value.value_or(0) >= 4 &&
        std::ranges::any_of(scene.accesses, [&](const SceneAccess &access) {
          return access.writes && isByte(access) && access.place->loop == update.place->loop;
        }))
      words.insert("encoding");
  }
  // Decimal digits: n = n * 10 + (c - '0').
  for (const SceneAssignment &assignment : scene.assignments) {
    const auto name = Scene::named(*assignment.target);
    if (name && assignment.op == "=" && comesFromBytes(scene, *assignment.value) &&
        hasPart(*assignment.value, [&](const Expression &part) {
          return isBinary(part, {"*"}) && moves::mentions(part, *name) &&
                 std::ranges::any_of(part.operands, [](const Expression &operand) {
                   return bare(operand).value == 10 || bare(operand).value == 16;
                 });
        })) {
      words.insert("decoding");
      if (hasPart(*assignment.value, [](const Expression &part) {
            return isBinary(part, {"*"}) && (bare(part.operands[0]).value == 10 || bare(part.operands[1]).value == 10);
          }))
        words.insert("decimal");
    }
  }
  // And back: '0' + n % 10, n /= 10.
  bool divides = false;
  forEachPart(scene, [&](const Occurrence &place, const Expression &part) {
    divides |= place.loop >= 0 && isOperation(part, {"/"}) && part.isInteger &&
               (bare(part.operands[1]).value == 10 || bare(part.operands[1]).value == 100);
  });
  if (divides &&
      std::ranges::any_of(scene.accesses, [](const SceneAccess &access) { return access.writes && isByte(access); })) {
    words.insert("encoding");
    words.insert("decimal");
  }
}

} // namespace

void addByteWords(const Scene &scene, Words &words) {
  addClassification(scene, words);
  addCodes(scene, words);
}

} // namespace agentic::features
