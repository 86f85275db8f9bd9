#include "tool/evaluate/programs/task_grants.h"

#include "tool/base/text.h"

namespace agentic {

std::string describeGrant(Tasks tasks) {
  switch (tasks) {
  case Tasks::None:
    break;
  case Tasks::Threads:
    return "the tests or benchmarks need threads: candidates may start threads, too";
  case Tasks::Processes:
    return "the tests or benchmarks start processes: candidates may start processes, too";
  }
  return {};
}

std::unexpected<Error> deniedBySandbox(const Error &failed, const Sandbox &outside) {
  const std::vector<std::string> denied = outside.wouldBeDenied();
  const std::string reason = denied.empty() ? "a system call or a limit that no path shows" : join(denied, ", ");
  return userError(failed.message + "\n  It passes outside the sandbox, which denied: " + reason,
                   "name the files and folders that it reads as TEST_DATA in add_agentic_kernel(); let it write below "
                   "$TMPDIR only, and use no network");
}

} // namespace agentic
