// Grants as few tasks as the baseline needs. Its programs first run in the same sandbox as candidates; if they fail,
// threads are granted, then processes. A failure that remains, but does not occur outside the sandbox, is explained.
#pragma once

#include "tool/base/error.h"
#include "tool/build/sandbox.h"
#include "tool/evaluate/programs/program_run.h"

#include <string>

namespace agentic {

/// Starts with `tasks` and raises it until `learn(context)` succeeds. Fails like `learn` with everything granted; if
/// that passes outside the sandbox, the error says so and names what was denied. Costs another run for each grant; a
/// program that hangs is not run again. Only the baseline may be run this way: it is the user's own code.
template <class Learn> auto withFewestTasks(Tasks &tasks, RunContext context, Learn learn) -> decltype(learn(context));

/// "candidates may start threads"; empty if no grant.
std::string describeGrant(Tasks tasks);

/// Adds to `failed` what the sandbox denied.
std::unexpected<Error> deniedBySandbox(const Error &failed, const Sandbox &outside);

template <class Learn> auto withFewestTasks(Tasks &tasks, RunContext context, Learn learn) -> decltype(learn(context)) {
  while (true) {
    context.view.tasks = tasks;
    auto learned = learn(context);
    if (learned || learned.error().kind != ErrorKind::User || learned.error().isTimeout || !context.sandbox->confines())
      return learned;
    if (tasks != Tasks::Processes) {
      tasks = tasks == Tasks::None ? Tasks::Threads : Tasks::Processes;
      continue;
    }
    const Sandbox outside = Sandbox::watching();
    context.sandbox = &outside;
    if (learn(context))
      return deniedBySandbox(learned.error(), outside);
    return learned;
  }
}

} // namespace agentic
