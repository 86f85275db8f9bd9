// agentic-kernel-worker FOLDER: measures on this machine what a run on another one asks for, over its standard input
// and output. Nobody starts it by hand: `optimize --farm` sends it to a host and starts it there.
#include "tool/worker/worker.h"

#include "tool/build/machine_fingerprint.h"

#include <string>
#include <unistd.h>

namespace {

int fail(const std::string &message) {
  const std::string text = "agentic-kernel-worker: " + message + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  return 1;
}

} // namespace

int main(int count, char **words) {
  if (count != 2)
    return fail("it is started by 'agentic-kernel optimize --farm', with its folder");
  const auto store = agentic::WorkerStore::open(words[1], agentic::machineIdentity());
  if (!store)
    return fail(store.error().message);
  const auto served = agentic::serve(*store, STDIN_FILENO, STDOUT_FILENO);
  return served ? 0 : fail(served.error().message);
}
