// distribute(i, at=2): the loop's first two statements and the rest get loops of their own.
//
//   for (i …) {                      for (i …) a[i] = b[i] * 2;
//     a[i] = b[i] * 2;          →    for (i …) s += a[i];
//     s += a[i];
//   }
//
// Precondition: nothing that the second part touches in an iteration is touched by the first part in a later one, one
// of them writing; no variable from outside the loop passes between the parts. A declaration of the first part that the
// second one uses is repeated if it only computes with values and memory that do not change; else it becomes an array
// with one element for each iteration, if these are few and known.
#include "tool/base/text.h"
#include "tool/source/dependence/dependence.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>
#include <set>

namespace agentic::moves {
namespace {

constexpr std::int64_t kLargestArray = 64;

struct Split {
  const Loop *loop = nullptr;
  std::span<const Statement> first, second;
  std::vector<const Statement *> repeated, expanded; ///< declarations of the first part, in order
  std::int64_t trips = 0;
};

/// Collects the values that pass between the parts. Empty, or why they cannot.
std::string whyValuesStay(const Nest &nest, Split &split, const Effects &first, Effects second) {
  for (std::size_t i = split.first.size(); i-- > 0;) {
    const Statement &statement = split.first[i];
    if (!statement.declares || !second.referenced.contains(*statement.declares))
      continue;
    const Variable &variable = nest.variable(*statement.declares);
    if (isRepeatable(nest, statement, first) && isRepeatable(nest, statement, second)) {
      split.repeated.insert(split.repeated.begin(), &statement);
      for (const Reference &reference : statement.references)
        second.referenced.insert(reference.variable);
      continue;
    }
    if (variable.kind != Variable::Kind::Scalar || statement.sharesDeclaration)
      return "'" + variable.name + "' passes from the first part to the second and is no plain number";
    if (split.trips == 0)
      return "'" + variable.name + "' passes from the first part to the second, and the loop '" + split.loop->name +
             "' runs too often, or it is not known how often, to keep all its values";
    split.expanded.insert(split.expanded.begin(), &statement);
  }
  using Two = std::pair<const Effects *, const Effects *>;
  for (const auto &[writer, user] : {Two{&first, &second}, Two{&second, &first}})
    for (const VariableId written : writer->written)
      if (user->referenced.contains(written) && !first.declared.contains(written))
        return "'" + nest.variable(written).name + "' passes between the two parts";
  return {};
}

std::string whyNotDistribute(const Nest &nest, const Loop &loop, std::size_t at, Split &split) {
  if (!loop.problem.empty() || loop.header.end == 0)
    return loop.problem;
  const auto upper = loop.upperBound ? loop.upperBound->asConstant() : std::nullopt;
  if (upper && loop.lowerConstant && *upper > *loop.lowerConstant && *upper <= kLargestArray &&
      *loop.lowerConstant >= -kLargestArray && *upper - *loop.lowerConstant <= kLargestArray)
    split.trips = *upper - *loop.lowerConstant;
  split.loop = &loop;
  if (!hasWholeBlocks(nest.slice({bodyOf(nest, loop).begin, loop.body[at - 1].range.end})))
    return "the two parts would share a block";
  split.first = std::span(loop.body).first(at);
  split.second = std::span(loop.body).subspan(at);
  const Effects first = effectsOf(nest, split.first, {&loop}), second = effectsOf(nest, split.second, {&loop});
  for (const Effects *effects : {&first, &second})
    if (!effects->problem.empty())
      return effects->problem;
  const std::string &name = nest.variable(loop.variable).name;
  for (const Effects *effects : {&first, &second})
    for (const VariableId declared : effects->declared)
      if (nest.variable(declared).name == name)
        return "another variable is called '" + name + "', too";
  if (std::string reason = whyValuesStay(nest, split, first, second); !reason.empty())
    return reason;
  const std::string reason = whyMemoryDepends(nest, second, first, {{&loop, &loop, Relation::Order::Before}});
  return reason.empty() ? "" : reason + ": the second part needs it before the first part goes on";
}

bool doesSomething(std::span<const Statement> statements) {
  return std::ranges::any_of(statements, [](const Statement &statement) { return !statement.declares; });
}

bool isCandidate(const Loop &loop, std::size_t at) {
  return at > 0 && at < loop.body.size() && doesSomething(std::span(loop.body).first(at)) &&
         doesSomething(std::span(loop.body).subspan(at));
}

void offerDistribute(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    std::vector<int> places;
    std::string reason;
    for (std::size_t at = 1; at < loop->body.size(); ++at) {
      Split split;
      if (!isCandidate(*loop, at))
        continue;
      if (std::string why = whyNotDistribute(context.nest, *loop, at, split); why.empty())
        places.push_back(static_cast<int>(at));
      else
        reason = std::move(why);
    }
    if (!places.empty())
      result.offers.push_back({"distribute", loop->name, {{"at", std::move(places)}}});
    else if (!reason.empty())
      result.refusals.push_back({"distribute", loop->name, std::move(reason)});
  }
}

/// Removes repeated declarations that the first part no longer uses.
std::vector<Edit> removals(const Split &split) {
  std::set<VariableId> used;
  std::vector<Edit> edits;
  for (std::size_t i = split.first.size(); i-- > 0;) {
    const Statement &statement = split.first[i];
    const bool isRepeated = std::ranges::find(split.repeated, &statement) != split.repeated.end();
    if (isRepeated && !used.contains(*statement.declares)) {
      edits.push_back({statement.range, ""});
      continue;
    }
    const auto note = [&](const Statement &inner) {
      for (const Reference &reference : inner.references)
        used.insert(reference.variable);
      if (inner.loop)
        for (const Reference &reference : inner.loop->boundReferences)
          used.insert(reference.variable);
    };
    note(statement);
    if (statement.loop)
      forEachStatement(statement.loop->body, note);
    if (statement.declares)
      used.erase(*statement.declares);
  }
  return edits;
}

/// Turns the declaration into an assignment to its element, and its uses into uses of that. False if a use is hidden.
bool expand(const Nest &nest, const Split &split, const Statement &declaration, const std::string &element,
            std::vector<Edit> &edits) {
  std::vector<Edit> uses;
  if (!rename(nest, split.loop->body, bodyOf(nest, *split.loop), *declaration.declares, element, uses))
    return false;
  const bool hasValue = !declaration.initializer.isEmpty();
  const Range name{declaration.range.begin, hasValue ? declaration.initializer.begin : declaration.range.end};
  std::erase_if(uses, [&](const Edit &edit) { return name.contains(edit.range); });
  edits.insert(edits.end(), uses.begin(), uses.end());
  edits.push_back({name, hasValue ? element + " = " : declaration.isZeroed ? element + " = 0;" : ""});
  if (hasValue)
    edits.push_back({{declaration.initializer.end, declaration.range.end}, ";"});
  return true;
}

Result<Rewrite> rewriteDistribute(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto at = TRY(parameterOf(step, "at", 1, 1000));
  const Nest &nest = context.nest;
  if (!isCandidate(*loop, static_cast<std::size_t>(at)))
    return illegalStep(step, "one of the two parts would do nothing");
  Split split;
  if (const std::string reason = whyNotDistribute(nest, *loop, static_cast<std::size_t>(at), split); !reason.empty())
    return illegalStep(step, reason);

  FreshNames names(nest.surroundings + nest.text);
  std::string arrays, again;
  std::vector<Edit> edits;
  const std::int64_t lower = loop->lowerConstant.value_or(0);
  const std::string offset = lower == 0  ? ""
                             : lower > 0 ? " - " + std::to_string(lower)
                                         : " + " + std::to_string(-lower);
  for (const Statement *declaration : split.expanded) {
    const Variable &variable = nest.variable(*declaration->declares);
    const std::string array = names.make(variable.name + "s");
    arrays += variable.type + " " + array + "[" + std::to_string(split.trips) + "];\n";
    if (!expand(nest, split, *declaration, array + "[" + nest.variable(loop->variable).name + offset + "]", edits))
      return illegalStep(step, "not every '" + variable.name + "' in the loop is the variable");
  }
  std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
  const std::vector<Edit> removed = removals(split);
  for (const Statement *declaration : split.repeated)
    again += applyEdits(nest.text, declaration->range, edits) + "\n";
  std::erase_if(edits, [&](const Edit &edit) {
    return std::ranges::any_of(removed, [&](const Edit &gone) { return gone.range.contains(edit.range); });
  });
  edits.insert(edits.end(), removed.begin(), removed.end());
  std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
  const Range body = bodyOf(nest, *loop);
  const std::size_t cut = endWithComment(nest, split.first.back().range.end);
  const std::string header(nest.slice(loop->header));
  const std::string first = applyEdits(nest.text, {body.begin, cut}, edits);
  const std::string second = again + std::string(trim(applyEdits(nest.text, {cut, body.end}, edits)));
  std::string text = arrays + header + " {\n" + std::string(trim(first)) + "\n}\n" + header + " {\n" + second + "\n}";
  if (!arrays.empty() || !isInBlock(nest.text, nest.bodyBegin, loop->range.begin))
    text = "{\n" + text + "\n}";
  return Rewrite{{{loop->range, text}},
                 {"The loop '" + loop->name +
                  "' is split in two: nothing that its second part touches is touched later by the first."}};
}

} // namespace

const Move kDistribute = {"distribute", offerDistribute, nullptr, rewriteDistribute, MoveRole::Enabler};

} // namespace agentic::moves
