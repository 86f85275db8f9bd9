// promote(p): keeps an array element that a loop updates in a variable while the loop runs.
//
//   for (size_t p = 0; p < K; ++p)          if (0 < K) {
//     C[i * N + j] += A[p] * B[p];            float c = C[i * N + j];
//                                       →     for (size_t p = 0; p < K; ++p)
//                                               c += A[p] * B[p];
//                                             C[i * N + j] = c;
//                                           }
//
// Precondition: the loop is understood and its bounds are plain; the subscript is the same in every iteration and made
// of names that exist in front of the loop; each iteration writes the element, whatever it computes (the `if` keeps a
// loop that does not run from touching it); all other accesses of the loop to the array are the same element or one at
// a constant distance from it; nothing in the loop reaches the array in another way. The variable has the element's
// type, so that every intermediate value is rounded or cut as before.
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"

#include <algorithm>
#include <cctype>

namespace agentic::moves {
namespace {

/// One element that stays in a variable.
struct Promotion {
  const Access *element = nullptr; ///< the first that writes it
  std::string type;
  std::vector<Range> uses;
};

struct Search {
  std::vector<Promotion> found;
  std::string reason; ///< of the first element that cannot be promoted; empty if there was none
};

/// Returns the node of the statement's trees at that range.
const Expression *nodeAt(const Statement &statement, const Range &range) {
  const Expression *node = nullptr;
  for (const auto *tree : {&statement.expression, &statement.value})
    if (*tree)
      forEachExpression(**tree, [&](const Expression &inner) {
        if (inner.kind == Expression::Kind::Element && inner.range == range && !node)
          node = &inner;
        return true;
      });
  return node;
}

class PromoteFinder {
public:
  PromoteFinder(const Nest &nest, const Loop &loop) : nest_(nest), loop_(loop), effects_(effectsOf(loop)) {}

  Search run() {
    Search search;
    if (std::ranges::none_of(effects_.accesses, &Access::writes))
      return search; // nothing to speak of
    search.reason = whyLoopIsNot();
    if (!search.reason.empty())
      return search;
    for (const Statement &statement : loop_.body) // each iteration executes these, unless they are branches
      for (const Access &access : statement.accesses)
        if (access.writes && !isKnown(search, access) && isSameInEachIteration(access)) {
          Promotion promotion;
          std::string reason = whyNot(statement, access, promotion);
          if (reason.empty())
            search.found.push_back(std::move(promotion));
          else if (search.reason.empty())
            search.reason = std::move(reason);
        }
    return search;
  }

private:
  std::string whyLoopIsNot() const {
    if (!loop_.problem.empty())
      return loop_.problem;
    return effects_.problem;
  }

  static bool isKnown(const Search &search, const Access &access) {
    return std::ranges::any_of(search.found, [&](const Promotion &promotion) {
      return promotion.element->base == access.base && promotion.element->subscript == access.subscript;
    });
  }

  bool isSameInEachIteration(const Access &access) const {
    return access.base && access.subscript && !effects_.declared.contains(*access.base) &&
           std::ranges::none_of(access.subscript->symbols(), [&](Symbol symbol) {
             return std::ranges::any_of(effects_.declared,
                                        [&](VariableId inner) { return nest_.symbolDependsOn(symbol, inner); });
           });
  }

  std::string whyNot(const Statement &statement, const Access &access, Promotion &promotion) const {
    const Expression *node = nodeAt(statement, access.range);
    if (statement.branch || !node || !isAlwaysWritten(statement, *node))
      return "'" + access.text + "' is not written in each iteration";
    if (!isUpdated(statement, access))
      return "'" + access.text + "' is written and not read";
    if (!node->isArithmetic())
      return "'" + access.text + "' is no number";
    promotion.element = &access;
    promotion.type = node->type;
    for (const Access *other : effects_.accesses)
      if (std::string reason = whyInTheWay(access, *other, promotion); !reason.empty())
        return reason;
    return whyUnknownBefore(*node);
  }

  /// Returns whether the statement is an assignment to it, or a step: no condition decides about it.
  static bool isAlwaysWritten(const Statement &statement, const Expression &node) {
    if (!statement.expression)
      return false;
    const Expression &whole = *statement.expression;
    const bool writes = whole.kind == Expression::Kind::Assign || isStep(whole);
    return writes && &whole.operands.front() == &node;
  }

  /// Returns whether it is `c[j] += x`, or its new value contains the old one.
  bool isUpdated(const Statement &statement, const Access &access) const {
    const Expression &whole = *statement.expression;
    return whole.op != "=" || std::ranges::any_of(statement.accesses, [&](const Access &other) {
             return !other.writes && other.base == access.base && other.subscript == access.subscript &&
                    whole.operands.back().range.contains(other.range);
           });
  }

  std::string whyInTheWay(const Access &element, const Access &other, Promotion &promotion) const {
    if (other.base != element.base)
      return mayBeSameArray(nest_, element.base, other.base)
                 ? "'" + other.text + "' may be the same memory as '" + element.text + "'"
                 : "";
    const auto distance = other.subscript ? Polynomial::subtract(*other.subscript, *element.subscript) : std::nullopt;
    const auto constant = distance ? distance->asConstant() : std::nullopt;
    constexpr std::int64_t kFar = std::int64_t{1} << 32; // times the size of an element it is still an address
    if (!constant || *constant > kFar || *constant < -kFar)
      return "'" + other.text + "' may be the element '" + element.text + "'";
    if (*constant != 0)
      return {};
    if (other.range.isEmpty())
      return "'" + element.text + "' is used in a macro";
    promotion.uses.push_back(other.range);
    return {};
  }

  /// Requires that the element is spelt with names that exist, and mean the same, in front of the loop.
  std::string whyUnknownBefore(const Expression &node) const {
    std::string reason;
    forEachExpression(node, [&](const Expression &inner) {
      if (inner.kind != Expression::Kind::Variable || !reason.empty())
        return true;
      const Variable &variable = nest_.variable(*inner.variable);
      if (effects_.declared.contains(*inner.variable))
        reason = "'" + variable.name + "' is declared in the loop";
      else if (effects_.assigned.contains(*inner.variable) || variable.escapes)
        reason = "the loop may change '" + variable.name + "'";
      return true;
    });
    return reason.empty() && !node.isPure ? "the subscript has a side effect" : reason;
  }

  const Nest &nest_;
  const Loop &loop_;
  LoopEffects effects_;
};

void offerPromote(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    Search search = PromoteFinder(context.nest, *loop).run();
    if (!search.found.empty())
      result.offers.push_back({"promote", loop->name, {}});
    else if (!search.reason.empty())
      result.refusals.push_back({"promote", loop->name, std::move(search.reason)});
  }
}

bool alwaysRuns(const Loop &loop) {
  return loop.lowerConstant && *loop.lowerConstant >= 0 && loop.upperValue.value &&
         *loop.lowerConstant < *loop.upperValue.value;
}

/// Returns `lower < upper` as the loop itself tests it at its start.
std::string startsText(const Nest &nest, const Loop &loop) {
  std::string lower(nest.slice(loop.lower));
  const bool isSameType = loop.upperValue.plain().type == loop.lowerValue.type;
  if (!isSameType || !loop.lowerConstant || *loop.lowerConstant < 0 || *loop.lowerConstant > loop.largest)
    lower = "static_cast<" + loop.lowerValue.type + ">(" + lower + ")";
  return lower + " < " + std::string(nest.slice(loop.upper));
}

/// "c" for C, "totalsValue" for totals.
std::string nameFor(const Nest &nest, const Promotion &promotion) {
  std::string name = nest.variable(*promotion.element->base).name;
  const bool isCapital = name.size() == 1 && std::isupper(static_cast<unsigned char>(name[0])) != 0;
  if (!isCapital)
    return name.substr(0, name.find_last_not_of('_') + 1) + "Value";
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return name;
}

Result<Rewrite> rewritePromote(const MoveContext &context, const MoveStep &step) {
  const auto target = TRY(targetLoop(context, step));
  const Loop &loop = *target;
  const Nest &nest = context.nest;
  const Search search = PromoteFinder(nest, loop).run();
  if (search.found.empty())
    return illegalStep(step, search.reason.empty() ? "it updates no element that is the same in each iteration"
                                                   : search.reason);
  FreshNames names(nest.surroundings + nest.text);
  Rewrite result;
  // A loop outside a block needs braces: else an `else` after it would belong to the new `if`.
  const bool isAlone = !isInBlock(nest.text, nest.bodyBegin, loop.range.begin), isGuarded = !alwaysRuns(loop);
  std::string before = isAlone ? "{\n" : "", after;
  if (isGuarded)
    before += "if (" + startsText(nest, loop) + ") {\n";
  for (const Promotion &promotion : search.found) {
    const std::string name = names.make(nameFor(nest, promotion)), &element = promotion.element->text;
    before += promotion.type + " " + name + " = " + element + ";\n";
    after += "\n" + element + " = " + name + ";";
    const auto isOutermost = [&](const Range &use) { // `row[0]` in `row[0][j]` is no use of its own
      return std::ranges::none_of(promotion.uses,
                                  [&](const Range &other) { return other.contains(use) && !(other == use); });
    };
    for (const Range &use : promotion.uses)
      if (isOutermost(use) && std::ranges::none_of(result.edits, [&](const Edit &edit) { return edit.range == use; }))
        result.edits.push_back({use, name});
    result.why.push_back("'" + element + "' is one element while '" + loop.name + "' runs, and stays in '" + name +
                         "' until its end.");
  }
  result.edits.push_back({{loop.range.begin, loop.range.begin}, before});
  result.edits.push_back({{loop.range.end, loop.range.end}, after + (isGuarded ? "\n}" : "") + (isAlone ? "\n}" : "")});
  return result;
}

} // namespace

const Move kPromote = {.name = "promote", .offer = offerPromote, .rewrite = rewritePromote};

} // namespace agentic::moves
