// reorder(i): the statements of an iteration stand in the order in which elements pass between iterations.
//
//   for (i …) {                               for (i …) {
//     a[i] = b[i - 1] + c[i];                   b[i] = b[i + 1] * d[i];
//     b[i] = b[i + 1] * d[i];            →      a[i] = b[i - 1] + c[i];
//   }                                         }
//
//   for (i …) {                               for (i …) {
//     a[i] = b[i] * c[i];                       const float next = a[i + 1];
//     d[i] = a[i] + a[i + 1];            →      a[i] = b[i] * c[i];
//   }                                           d[i] = a[i] + next;
//                                             }
//
// Neither changes what is computed, and afterwards all that passes from one iteration to a later one passes to a
// statement further down: each statement can be done for many iterations before the next one is, in vectors or in loops
// of their own (distribute).
//
// Precondition: two statements change places only if they touch nothing in common within an iteration, one of them
// writing. An element is read at the begin of the iteration only if the statement reads it in any case, its place hangs
// on nothing that the iteration computes, and no statement before writes it in the same iteration.
#include "tool/base/text.h"
#include "tool/source/dependence/dependence.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>
#include <set>

namespace agentic::moves {
namespace {

using Order = Relation::Order;

constexpr std::size_t kMostStatements = 12; // each pair of them is asked three questions

/// An element that is read at the begin of the iteration.
struct EarlyRead {
  std::size_t statement = 0;
  const Access *access = nullptr;
  std::string type;
};

class Reordering {
public:
  Reordering(const Nest &nest, const Loop &loop) : nest_(nest), loop_(loop), body_(loop.body) { problem_ = plan(); }

  /// Returns why the statements stay as they are; empty if they do not.
  const std::string &problem() const { return problem_; }

  Edit edit() const {
    FreshNames names(nest_.surroundings + nest_.text);
    std::string text;
    std::vector<Edit> edits;
    for (const EarlyRead &read : reads_) {
      const std::string &array = nest_.variable(*read.access->base).name;
      const std::string name = names.make(array + "Ahead");
      text += "const " + read.type + " " + name + " = " + std::string(nest_.slice(read.access->range)) + ";\n";
      edits.push_back({read.access->range, name});
    }
    std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
    for (const std::size_t index : order_)
      text += std::string(trim(applyEdits(nest_.text, pieceOf(index), edits))) + "\n";
    return {bodyOf(nest_, loop_), "\n" + text};
  }

private:
  std::string plan() {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (body_.size() < 2 || body_.size() > kMostStatements)
      return "the loop '" + loop_.name + "' has no or too many statements to reorder";
    for (std::size_t i = 0; i < body_.size(); ++i) {
      if (body_[i].kind != Statement::Kind::Simple || !body_[i].problem.empty() || body_[i].sharesDeclaration ||
          !hasWholeBlocks(nest_.slice(pieceOf(i))))
        return "the loop '" + loop_.name + "' has more than simple statements";
      effects_.push_back(effectsOf(nest_, std::span(body_).subspan(i, 1), {&loop_}));
      if (!effects_.back().problem.empty())
        return effects_.back().problem;
    }
    collectReads();
    sort();
    const bool isSame = std::ranges::is_sorted(order_) && reads_.empty();
    return isSame ? "what passes between iterations of '" + loop_.name + "' passes downwards, or in circles" : "";
  }

  /// Returns the statement with the comments around it.
  Range pieceOf(std::size_t index) const {
    const std::size_t begin =
        index == 0 ? bodyOf(nest_, loop_).begin : endWithComment(nest_, body_[index - 1].range.end);
    return {begin, endWithComment(nest_, body_[index].range.end)};
  }

  bool touch(const Effects &first, const Effects &second, Order order) const {
    return !whyMemoryDepends(nest_, first, second, {{&loop_, &loop_, order}}).empty();
  }

  /// Finds elements that a later iteration of a statement further up writes.
  void collectReads() {
    for (std::size_t at = 1; at < body_.size(); ++at)
      for (const Instance &instance : effects_[at].instances) {
        EarlyRead read{at, instance.access, typeOf(body_[at], instance.access->range)};
        if (instance.access->writes || read.type.empty() || !isAlwaysRead(body_[at], instance.access->range) ||
            !hangsOnNothing(at, instance.access->range))
          continue;
        const Effects one{{instance}, {}, {}, {}, ""};
        bool isNeeded = false, isWritten = false;
        for (std::size_t before = 0; before < at; ++before) {
          const Effects writes = writesOf(effects_[before]);
          isNeeded |= touch(one, writes, Order::Before);
          isWritten |= touch(one, writes, Order::Same) || touch(writes, one, Order::Before);
        }
        if (isNeeded && !isWritten)
          reads_.push_back(std::move(read));
      }
    for (const EarlyRead &read : reads_) // it is no longer the statement's
      std::erase_if(effects_[read.statement].instances,
                    [&](const Instance &instance) { return instance.access == read.access; });
  }

  static Effects writesOf(Effects effects) {
    std::erase_if(effects.instances, [](const Instance &instance) { return !instance.access->writes; });
    return effects;
  }

  static std::string typeOf(const Statement &statement, Range range) {
    std::string type;
    forEachRoot(statement, [&](const Expression &root) {
      forEachExpression(root, [&](const Expression &part) {
        if (part.kind == Expression::Kind::Element && part.range == range && part.isArithmetic())
          type = part.type;
        return true;
      });
    });
    return type;
  }

  static bool isAlwaysRead(const Statement &statement, Range range) {
    return std::ranges::any_of(statement.parts, [&](const SubExpression &part) { return part.range == range; });
  }

  /// The place of the element is known at the begin of the iteration.
  bool hangsOnNothing(std::size_t at, Range range) const {
    return std::ranges::none_of(body_[at].references, [&](const Reference &reference) {
      return range.contains({reference.offset, reference.offset + reference.length}) &&
             std::ranges::any_of(effects_, [&](const Effects &effects) {
               return effects.written.contains(reference.variable); // declared, too
             });
    });
  }

  bool mustPrecede(const Effects &first, const Effects &second) const {
    return !sharedVariable(nest_, first, second).empty() || touch(first, second, Order::Same);
  }

  /// Orders the statements; the present order is kept where nothing asks for another one, or a circle forbids it.
  void sort() {
    const std::size_t count = body_.size();
    std::vector<std::set<std::size_t>> before(count); // those that come first
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count; ++j) {
        if (mustPrecede(effects_[i], effects_[j]) || touch(effects_[i], effects_[j], Order::Before))
          before[j].insert(i);
        if (touch(effects_[j], effects_[i], Order::Before))
          before[i].insert(j);
      }
    while (order_.size() < count) {
      const auto isPlaced = [&](std::size_t index) { return std::ranges::find(order_, index) != order_.end(); };
      std::size_t next = count;
      for (std::size_t i = count; i-- > 0;)
        if (!isPlaced(i) && std::ranges::all_of(before[i], isPlaced))
          next = i;
      if (next == count) { // a circle
        order_.clear();
        for (std::size_t i = 0; i < count; ++i)
          order_.push_back(i);
        return;
      }
      order_.push_back(next);
    }
  }

  const Nest &nest_;
  const Loop &loop_;
  const std::vector<Statement> &body_;
  std::vector<Effects> effects_; ///< of each statement
  std::vector<EarlyRead> reads_;
  std::vector<std::size_t> order_;
  std::string problem_;
};

void offerReorder(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops)
    if (Reordering(context.nest, *loop).problem().empty())
      result.offers.push_back({"reorder", loop->name, {}});
}

Result<Rewrite> rewriteReorder(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const Reordering reordering(context.nest, *loop);
  if (!reordering.problem().empty())
    return illegalStep(step, reordering.problem());
  return Rewrite{{reordering.edit()},
                 {"What passes from one iteration of '" + loop->name +
                  "' to a later one passes downwards; statements that changed places touch nothing in common within an "
                  "iteration."}};
}

} // namespace

const Move kReorder = {"reorder", offerReorder, nullptr, rewriteReorder, MoveRole::Form};

} // namespace agentic::moves
