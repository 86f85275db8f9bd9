// continue-to-else(i): what a `continue` skips stands in an `else`, where other moves can see what decides about it.
//
//   for (…) {                      for (…) {
//     if (x == 0) {                  if (x == 0) {
//       out[x] = 0;            →       out[x] = 0;
//       continue;                    } else {
//     }                                out[x] = in[x - 1] + in[x];
//     out[x] = in[x - 1] + in[x];    }
//   }                              }
//
// Always legal: the rest of the loop's body runs in the same iterations as before. The last `continue` of a body comes
// first, so that none is behind another.
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
namespace {

/// One `if` that ends in a `continue`, and the rest of the body.
struct Skip {
  const Statement *statement = nullptr;
  Range rest; ///< what stands behind it, up to the brace of the body
  std::string problem;
};

bool endsInContinue(const Statement &statement) {
  const Branch *branch = statement.branch.get();
  return branch && !branch->hasElse && !branch->thenBody.empty() &&
         branch->thenBody.back().exit == Statement::Exit::Continue;
}

/// `statement` is null if no `if` of the body ends in a `continue`.
Skip lastSkip(const Nest &nest, const Loop &loop) {
  Skip skip;
  const auto found = std::find_if(loop.body.rbegin(), loop.body.rend(), endsInContinue);
  if (found == loop.body.rend())
    return skip;
  skip.statement = &*found;
  const Range body = bodyOf(nest, loop);
  skip.rest = {found->range.end, body.end};
  if (!loop.tiedDown.empty())
    skip.problem = loop.tiedDown;
  else if (nest.text[loop.range.end - 1] != '}' || !body.contains(found->range))
    skip.problem = "the body of the loop '" + loop.name + "' has no braces";
  else if (found->branch->condition.range.isEmpty() || found->branch->thenBody.back().range.isEmpty())
    skip.problem = "a 'continue' of the loop '" + loop.name + "' comes from a macro";
  else if (std::ranges::any_of(nest.loops, [&](const Loop *inner) { return skip.rest.contains(inner->range); }))
    skip.problem = "a loop stands behind the 'continue': in an 'else' no move would see it";
  else if (mentionsName(nest.text, "goto"))
    skip.problem = "the function jumps: a 'goto'";
  else if (!hasWholeBlocks(nest.slice(skip.rest)) || !hasWholeBlocks(nest.slice({body.begin, found->range.begin})))
    skip.problem = "a 'continue' of the loop '" + loop.name + "' stands in a block of its own";
  return skip;
}

std::vector<Edit> editsOf(const Nest &nest, const Skip &skip) {
  const Branch &branch = *skip.statement->branch;
  const Range whole = skip.statement->range, last = branch.thenBody.back().range;
  const bool isAll = branch.thenBody.size() == 1;
  const bool hasRest = nest.slice(skip.rest).find_first_not_of(" \t\n") != std::string_view::npos;
  if (!hasRest)
    return {{isAll ? whole : last, isAll ? std::string(nest.slice(branch.condition.range)) + ";" : ""}};
  if (!isAll)
    return {{last, ""}, {{whole.end, whole.end}, " else {"}, {{skip.rest.end, skip.rest.end}, "}\n"}};
  return {{whole, "if (!(" + std::string(nest.slice(branch.condition.range)) + ")) {"},
          {{skip.rest.end, skip.rest.end}, "}\n"}};
}

void offerContinueToElse(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    Skip skip = lastSkip(context.nest, *loop);
    if (skip.statement) // else there is nothing to speak of
      result.add({"continue-to-else", loop->name, {}}, std::move(skip.problem));
  }
}

Result<Rewrite> rewriteContinueToElse(const MoveContext &context, const MoveStep &step) {
  const Loop *loop = TRY(targetLoop(context, step));
  const Skip skip = lastSkip(context.nest, *loop);
  if (!skip.statement)
    return illegalStep(step, "no 'if' of its body ends in a 'continue'");
  if (!skip.problem.empty())
    return illegalStep(step, skip.problem);
  Rewrite result;
  result.edits = editsOf(context.nest, skip);
  result.why = {"What a 'continue' in the loop '" + step.target + "' skips stands in an 'else'."};
  return result;
}

} // namespace

const Move kContinueToElse = {"continue-to-else", offerContinueToElse, nullptr, rewriteContinueToElse, MoveRole::Form};

} // namespace agentic::moves
