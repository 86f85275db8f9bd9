// masked-store(i, lanes=32): conditions that decide what an iteration stores become masks: every part of the body runs
// for a block of iterations, one part after the other, in loops that have one condition at most. Compilers make masked
// loads and stores of them, where branches within each other, or a `switch`, would stop them.
//
//   for (i …)                          for (i0 …; i0 += kLanesI) {
//     switch (k[i]) {                    int isCase[kLanesI], isCase_2[kLanesI];
//     case 1: c[i] = a[i]; break;   →    for (ii …) isCase[ii] = k[i0 + ii] == 1, isCase_2[ii] = k[i0 + ii] == 4;
//     case 4: d[i] += b[i]; break;       for (ii …) if (isCase[ii]) c[i0 + ii] = a[i0 + ii];
//     }                                  for (ii …) if (isCase_2[ii]) d[i0 + ii] += b[i0 + ii];
//                                      }
//
// A local number, and an element that every iteration writes whatever its conditions say, is chosen instead and stored
// once:
//
//   cLane[ii] = isTaken[ii] ? static_cast<float>(a[i]) : cLane[ii];
//
// Precondition: no iteration touches what another one writes, and none leaves the loop. Then a part of the body may run
// for later iterations before the next part runs for this one; the order within an iteration stays, and what the loop
// as written does not read, compute or store, is not touched now, either.
#include "tool/source/moves/masked_store.h"
#include "tool/base/text.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/move.h"
#include "tool/source/moves/speculation.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr int kMostStoreLanes = 128;
constexpr std::size_t kMostMaskBytes = 8192; ///< of masks and values: they stay in the first cache

class MaskedStoreWriting {
public:
  MaskedStoreWriting(const Nest &nest, const Loop &loop, const MaskedBody &plan, int lanes, bool forGcc)
      : nest_(nest), loop_(loop), plan_(plan), forGcc_(forGcc), names_(nest.surroundings + nest.text),
        cut_(cutLoop(nest, loop, lanes, "kLanes", "iterations side by side", names_)),
        lane_(laneName(nest, loop, names_)) {}

  std::string text() {
    for (const VariableId local : plan_.locals) {
      const Variable &variable = nest_.variable(local);
      const std::string array = this->array(variable.type, variable.name + "Lane");
      rename(nest_, loop_.body, bodyOf(nest_, loop_), local, at(array), edits_);
      arrays_[local] = array;
    }
    std::string last;
    for (const auto &[array, element] : plan_.elements) {
      const std::string copy = this->array(element.type, nest_.variable(array).name + "Lane");
      for (const Range &use : element.uses)
        edits_.push_back({use, at(copy)});
      const std::string place(nest_.slice(element.uses.front()));
      add("", at(copy) + " = " + place + ";");
      last += place + " = " + at(copy) + ";\n";
    }
    std::ranges::sort(edits_, {}, [](const Edit &edit) { return std::pair(edit.range.begin, -edit.range.end); });
    addBody(loop_.body, "");
    if (!last.empty())
      add("", last);
    return "{\n" + cut_.declarations + cut_.blockHeader + " {\n" + declarations_ + laneLoops() + "}\n" + cut_.rest +
           "}";
  }

private:
  struct Part {
    std::string guard, text;             ///< the mask under which it runs; none: always
    std::string sets;                    ///< an array of masks or values
    std::vector<std::string> needs = {}; ///< arrays that an earlier loop must have set
  };

  std::string at(const std::string &array) const { return array + "[" + lane_ + "]"; }
  std::string edited(Range range) const { return applyEdits(nest_.text, range, edits_); }
  void add(const std::string &guard, std::string text) { parts_.push_back({guard, std::move(text), {}, {guard}}); }
  void set(const std::string &array, const std::string &value, std::vector<std::string> needs = {}) {
    parts_.push_back({{}, at(array) + " = " + value + ";", array, std::move(needs)});
  }
  std::string array(const std::string &type, const std::string &wish) {
    const std::string name = names_.make(wish);
    declarations_ += type + " " + name + "[" + cut_.size + "];\n";
    return name;
  }
  /// Masks have as many bits as what they decide about: then a vector of them fits.
  std::string mask(const std::string &wish) {
    return array(plan_.bits == 8    ? "signed char"
                 : plan_.bits == 16 ? "short"
                 : plan_.bits == 64 ? "long long"
                                    : "int",
                 wish);
  }
  /// Returns whether a value is 0 or 1.
  static bool isTruth(const Expression &condition) {
    constexpr std::array<std::string_view, 9> kTruths = {"<", ">", "<=", ">=", "==", "!=", "&&", "||", "!"};
    return (condition.kind == Kind::Binary || condition.kind == Kind::Unary) &&
           std::ranges::find(kTruths, condition.op) != kTruths.end();
  }

  void addBody(const std::vector<Statement> &body, const std::string &mask) {
    for (const Statement &statement : body)
      if (statement.declares)
        addDeclaration(statement, mask);
      else if (statement.branch)
        addBranch(*statement.branch, mask);
      else if (statement.selection)
        addSelection(*statement.selection, mask);
      else
        addChange(statement, mask);
  }

  /// A number without a value has one here: it may be chosen where it is not set.
  void addDeclaration(const Statement &statement, const std::string &mask) {
    add(mask, at(arrays_[*statement.declares]) + " = " + (statement.value ? edited(statement.initializer) : "0") + ";");
  }

  void addChange(const Statement &statement, const std::string &mask) {
    const Expression &whole = *statement.expression, &target = whole.operands[0];
    const bool isLocal = target.kind == Kind::Variable && arrays_.contains(*target.variable);
    const bool isOwn = std::ranges::any_of(
        plan_.elements, [&](const auto &entry) { return std::ranges::count(entry.second.uses, target.range) > 0; });
    const bool isWritten = whole.kind == Kind::Unary ||
                           (!whole.operands[1].range.isEmpty() && target.range.end <= whole.operands[1].range.begin);
    const bool isStore = !isLocal && !isOwn && whole.kind == Kind::Unary;
    if (mask.empty() || !isWritten || isStore)
      return add(mask, edited(statement.range));
    const std::string place = edited(target.range);
    const std::string next = forGcc_ ? computedAhead(whole, mask, isLocal || isOwn) : "";
    if (!isLocal && !isOwn)
      return parts_.push_back(
          {mask, next.empty() ? edited(statement.range) : place + " = " + at(next) + ";", {}, {mask, next}});
    const std::string value = next.empty() ? castTo(target.type, valueOf(whole, place, edits_)) : at(next);
    parts_.push_back({{}, place + " = " + at(mask) + " ? " + value + " : " + place + ";", {}, {mask, next}});
  }

  /// Returns the value that an assignment or a step stores.
  std::string valueOf(const Expression &whole, const std::string &before, const std::vector<Edit> &edits) const {
    if (whole.kind == Kind::Unary)
      return before + (whole.op.ends_with("++") ? " + 1" : " - 1");
    const std::string value = applyEdits(nest_.text, whole.operands[1].range, edits);
    return whole.op == "=" ? value : before + " " + whole.op.substr(0, whole.op.size() - 1) + " (" + value + ")";
  }

  /// gcc respects the exception flags, and moves floating-point arithmetic into conditions, never out of them: reads
  /// stay under the mask, what is computed of them does not. Returns the array of the values; empty where nothing is
  /// computed, or it may not be.
  std::string computedAhead(const Expression &whole, const std::string &mask, bool isLane) {
    if (whole.kind != Kind::Assign)
      return {};
    const Expression &target = whole.operands[0], &value = whole.operands[1];
    if (target.isInteger && value.isFloating)
      return {}; // what no integer can hold is not converted
    bool computes = whole.op != "=" && target.isFloating;
    std::vector<const Expression *> reads;
    if (!isLane && whole.op != "=")
      reads.push_back(&target);
    forEachExpression(value, [&](const Expression &part) {
      computes |= part.kind == Kind::Binary && part.isFloating;
      if (part.kind == Kind::Element)
        reads.push_back(&part);
      return part.kind != Kind::Element;
    });
    const auto isPlain = [](const Expression &read) { return read.isArithmetic() && !read.range.isEmpty(); };
    const auto isRead = [](const Expression &element) {
      return std::string(element.kind == Kind::Element ? "" : "a field");
    };
    if (!computes || !target.isArithmetic() ||
        !std::ranges::all_of(reads, isPlain, [](const Expression *read) -> const Expression & { return *read; }) ||
        !whyNotSpeculative(nest_, value, "under a mask", isRead).empty())
      return {};
    std::vector<Edit> edits = edits_;
    std::map<std::string, std::string> arrays;
    std::vector<std::string> needs;
    for (const Expression *read : reads) {
      const std::string text = edited(read->range);
      if (std::ranges::any_of(edits_, [&](const Edit &edit) { return edit.range == read->range; }))
        continue; // it is in the lanes already
      const auto [found, isNew] = arrays.try_emplace(text);
      if (isNew) {
        found->second = array(read->type, "read");
        needs.push_back(found->second);
        set(found->second, at(mask) + " ? " + text + " : 0", {mask});
      }
      edits.push_back({read->range, at(found->second)});
    }
    std::ranges::sort(edits, {}, [](const Edit &edit) { return std::pair(edit.range.begin, -edit.range.end); });
    const std::string next = array(target.type, "next");
    set(next, castTo(target.type, valueOf(whole, applyEdits(nest_.text, target.range, edits), edits)), needs);
    return next;
  }

  void addBranch(const Branch &branch, const std::string &around) {
    const std::string taken = mask("isTaken");
    const std::string condition = edited(branch.condition.range);
    set(taken,
        !around.empty()             ? at(around) + " && (" + condition + ")"
        : isTruth(branch.condition) ? condition
                                    : "(" + condition + ") != 0",
        {around});
    std::string other;
    if (!branch.elseBody.empty()) {
      other = mask("isOther");
      set(other, (around.empty() ? "" : at(around) + " & ") + "!" + at(taken));
    }
    addBody(branch.thenBody, taken);
    addBody(branch.elseBody, other);
  }

  void addSelection(const Selection &selection, const std::string &around) {
    const std::string chosen = array(selection.value.type, "chosen");
    add(around, at(chosen) + " = " + edited(selection.value.range) + ";");
    std::vector<std::string> masks;
    std::string others;
    for (const Selection::Case &one : selection.cases) {
      masks.push_back(mask("isCase"));
      if (one.isDefault)
        continue; // of any number that no other case has
      std::vector<std::string> tests;
      for (const std::int64_t value : one.values)
        tests.push_back(at(chosen) + " == " + std::to_string(value));
      const std::string condition = tests.size() == 1 ? tests.front() : "(" + join(tests, ") | (") + ")";
      set(masks.back(), around.empty() ? condition : at(around) + " && (" + condition + ")", {around});
      others += (others.empty() ? "" : " | ") + at(masks.back());
    }
    for (std::size_t i = 0; i < masks.size(); ++i)
      if (selection.cases[i].isDefault)
        set(masks[i], others.empty() ? around.empty() ? "1" : at(around)
                                     : (around.empty() ? "" : at(around) + " & ") + "!(" + others + ")");
    for (std::size_t i = 0; i < masks.size(); ++i)
      addBody(selection.cases[i].body, masks[i]);
  }

  /// A mask is set in one loop and decides in the next: else compilers see the condition that it holds, and branch.
  std::string laneLoops() const {
    std::string text, body, guard;
    std::set<std::string> set;
    const auto endGuard = [&](const std::string &next) {
      if (guard == next)
        return;
      body += (guard.empty() ? "" : "}\n") + (next.empty() ? std::string() : "if (" + at(next) + ") {\n");
      guard = next;
    };
    for (const Part &part : parts_) {
      if (std::ranges::any_of(part.needs, [&](const std::string &array) { return set.contains(array); })) {
        endGuard("");
        text += laneLoop(body);
        body.clear();
        set.clear();
      }
      endGuard(part.guard);
      body += part.text + "\n";
      if (!part.sets.empty())
        set.insert(part.sets);
    }
    endGuard("");
    return text + laneLoop(body);
  }

  std::string laneLoop(const std::string &body) const {
    const std::string &variable = nest_.variable(loop_.variable).name;
    std::string text =
        "for (" + cut_.type + " " + lane_ + " = 0; " + lane_ + " < " + cut_.size + "; ++" + lane_ + ") {\n";
    if (mentionsName(body, variable))
      text += "const " + cut_.type + " " + variable + " = " + cut_.start + " + " + lane_ + ";\n";
    return text + body + "}\n";
  }

  const Nest &nest_;
  const Loop &loop_;
  const MaskedBody &plan_;
  bool forGcc_;
  FreshNames names_;
  BlockCut cut_;
  std::string lane_, declarations_;
  std::map<VariableId, std::string> arrays_;
  std::vector<Edit> edits_;
  std::vector<Part> parts_;
};

std::string whyNotLanes(const Nest &nest, const Loop &loop, const MaskedBody &plan, int lanes) {
  if (plan.bytes(lanes) > kMostMaskBytes)
    return "the masks and values of " + std::to_string(lanes) + " iterations do not fit in the first cache";
  return whyNotCut(nest, loop, lanes);
}

bool hasConditions(const Loop &loop) {
  return std::ranges::any_of(loop.body,
                             [](const Statement &statement) { return statement.branch || statement.selection; });
}

void offerMaskedStore(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    if (!hasConditions(*loop))
      continue; // nothing to speak of
    const MaskedBody plan = planMaskedStore(context.nest, *loop);
    std::string reason = plan.problem;
    if (reason.empty() && isRestOfBlocks(context.nest, *loop))
      reason = "it only does what blocks left over";
    std::vector<int> lanes;
    std::string tooMany;
    for (const int count : plan.bits == 8 ? std::vector{64, 128, 32, 16} : std::vector{32, 64, 128, 16}) {
      tooMany = reason.empty() ? whyNotLanes(context.nest, *loop, plan, count) : reason;
      if (tooMany.empty())
        lanes.push_back(count);
    }
    if (lanes.empty())
      result.refusals.push_back({"masked-store", loop->name, std::move(tooMany)});
    else
      result.offers.push_back({"masked-store", loop->name, {{"lanes", std::move(lanes)}}});
  }
}

Result<Rewrite> rewriteMaskedStore(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto lanes = TRY(parameterOf(step, "lanes", 2, kMostStoreLanes));
  const MaskedBody plan = planMaskedStore(context.nest, *loop);
  if (!plan.problem.empty())
    return illegalStep(step, plan.problem);
  if (const std::string reason = whyNotLanes(context.nest, *loop, plan, lanes); !reason.empty())
    return illegalStep(step, reason);
  return Rewrite{{{loop->range, MaskedStoreWriting(context.nest, *loop, plan, lanes, context.forGcc).text()}},
                 {"No iteration of '" + loop->name + "' touches what another one writes: each part of it runs for " +
                      "a block of iterations,",
                  "under masks that hold what its conditions say; nothing else is read or stored."}};
}

} // namespace

const Move kMaskedStore = {"masked-store", offerMaskedStore, nullptr, rewriteMaskedStore};

} // namespace agentic::moves
