// agentic-kernel-runner GLUE.so KERNEL.so KERNELNAME PLAN RESULT
// agentic-kernel-runner --describe GLUE.so KERNELNAME (runner_describe.h)
//
// Calls a kernel as a plan says (tool/runner/wire.h), on guarded memory and a stack of its own, and writes down the
// results. It judges nothing: baseline and candidate run in processes of their own, and the parent compares. Exit
// status: runner_fail.h; unless it is 0, the results written so far count, and a kernel that ends the process leaves a
// result without its last record. The parent ends a kernel that hangs.
#include "tool/runner/runner_describe.h"
#include "tool/runner/runner_fail.h"
#include "tool/runner/runner_fault.h"
#include "tool/runner/runner_result.h"
#include "tool/runner/runner_step.h"

#include <cerrno>
#include <cfenv>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>

// Entries of hooks have a stack of their own; this makes them run directly, so that the runner's is watched
// (own_stack.h).
extern "C" __attribute__((visibility("default"))) char agentic_own_stack_off;
char agentic_own_stack_off = 1;

namespace agentic::runner {
namespace {

constexpr std::uint64_t kMaxPlanBytes = 8ull << 30;

/// Reads the whole file and closes it: the kernel finds no descriptor of it, and cannot write to the copy.
Span readWhole(const char *path) {
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  struct stat file;
  if (descriptor < 0 || ::fstat(descriptor, &file) != 0)
    fail(kBadInput, "the plan %s cannot be read: %s", path, std::strerror(errno));
  const auto size = static_cast<std::size_t>(file.st_size);
  if (!S_ISREG(file.st_mode) || size == 0 || size > kMaxPlanBytes)
    fail(kBadInput, "the plan %s is no file of 1 byte to 8 GiB", path);
  void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    fail(kNoResources, "no memory for the plan %s of %zu bytes", path, size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::read(descriptor, static_cast<char *>(memory) + done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      fail(kBadInput, "the plan %s cannot be read whole", path);
    done += static_cast<std::size_t>(count);
  }
  ::close(descriptor);
  ::mprotect(memory, size, PROT_READ);
  return {static_cast<const char *>(memory), size};
}

void *load(const char *what, const char *path, const std::string &symbol) {
  void *object = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *address = object ? ::dlsym(object, symbol.c_str()) : nullptr;
  if (!address)
    fail(kNotLoadable, "the %s cannot be loaded: %s", what, ::dlerror());
  return address;
}

const agentic_glue &loadGlue(const char *path, const std::string &kernel) {
  using Table = const agentic_glue *();
  const auto table = reinterpret_cast<Table *>(load("glue", path, "agentic_kernel_glue_" + kernel));
  const agentic_glue *glue = table();
  if (!glue || glue->version != AGENTIC_GLUE_VERSION || !glue->invoke)
    fail(kNotLoadable, "the glue %s is not of this version of the tool, or cannot call its kernel", path);
  return *glue;
}

void *loadKernel(const char *path, const std::string &kernel) {
  using Entry = void *(void *);
  const auto entry = reinterpret_cast<Entry *>(load("kernel", path, "agentic_kernel_entry_" + kernel));
  void *function = entry(nullptr);
  if (!function)
    fail(kNotLoadable, "the kernel %s has no function of its own", path);
  return function;
}

int run(char **arguments) {
  const std::string kernel = arguments[3];
  const Span text = readWhole(arguments[4]);
  Plan plan;
  if (const std::string problem = readPlan(text.data, text.bytes, plan); !problem.empty())
    fail(kBadInput, "the plan %s is broken: %s", arguments[4], problem.c_str());
  const agentic_glue &glue = loadGlue(arguments[1], kernel);
  if (const std::string problem = fitPlan(plan, glue); !problem.empty())
    fail(kBadInput, "the plan %s is not for kernel '%s': %s", arguments[4], kernel.c_str(), problem.c_str());
  const int result = openResult(arguments[5]);
  faultScene.descriptor = result;
  std::memset(arguments[4], 0, std::strlen(arguments[4])); // a kernel that reads its command line finds no paths
  std::memset(arguments[5], 0, std::strlen(arguments[5]));
  void *function = loadKernel(arguments[2], kernel);

  installFaultHandler();
  if (plan.header.roundsUp)
    std::fesetround(FE_UPWARD);
  StepRunner runner(plan, glue, function);
  for (std::uint64_t i = 0; i < plan.steps.size(); ++i) {
    StepOutcome outcome = runner.run(i);
    writeResult(result, outcome);
  }
  StepOutcome end;
  end.result.step = plan.steps.size();
  end.result.status = wire::StepStatus::End;
  end.result.disturbances = runner.lateDisturbances();
  writeResult(result, end);
  return kDone;
}

} // namespace
} // namespace agentic::runner

int main(int argc, char **argv) {
  if (argc == 4 && std::strcmp(argv[1], "--describe") == 0)
    ::_exit(agentic::runner::describe(argv[2], argv[3]));
  if (argc != 6)
    agentic::runner::fail(agentic::runner::kBadInput,
                          "usage: agentic-kernel-runner GLUE.so KERNEL.so KERNEL PLAN RESULT");
  // Threads that a kernel has left running must not meet destructors.
  ::_exit(agentic::runner::run(argv));
}
