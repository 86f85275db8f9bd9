// The main program under MemorySanitizer: calls a kernel as a plan says (wire.h) and finds out whether its behaviour or
// its results depend on an unset value.
//
// MemorySanitizer's runtime must be in the main program, and code that is not instrumented sets values that it does not
// see. So clang compiles this text, after the headers below, with -fsanitize=memory when it is needed, like glue and
// kernel, and it uses no C++ library. It judges contents alone: the runner checks guards, stacks and disturbances.
//
//   memory-driver GLUE.so BASELINE.so|- KERNEL.so NAME PLAN SECONDS STEPS [set]
//
// Inputs are set, outputs and the bytes beside them are not; with the word "set", outputs are. Steps with the same call
// and contents are done once, one of every call before all others; it ends after STEPS of them, or SECONDS of CPU time.
// With a BASELINE.so, output bytes that the baseline leaves unset are not required of the kernel. Bytes of structs
// count where a whole element is unset: padding cannot be told from members. A use of unset values in the kernel itself
// ends the process in MemorySanitizer's way. On stdout:
//
// unset ARGUMENT        an output byte was not set; the number of the parameter, -1: the result
// done STEPS BYTES      all steps passed; this many output bytes were unset in the baseline as well
//   problem TEXT          it could not do its work
#include "tool/runner/memory_call.h"

#include <dlfcn.h>
#include <time.h>

namespace agentic {
namespace {

double secondsUsed() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

struct Work {
  const agentic_glue &glue;
  void *baseline; ///< null: it sets all outputs
  void *kernel;
  size_t unsetInBaseline = 0;

  void step(const PlannedCall &call, const PlannedPatch *patches, size_t patchCount) {
    unsigned char **permitted = allocate<unsigned char *>(call.count + 1);
    size_t *sizes = allocate<size_t>(call.count + 1);
    memset(permitted, 0, (call.count + 1) * sizeof *permitted);
    memset(sizes, 0, (call.count + 1) * sizeof *sizes);
    if (baseline) {
      Memory memory(glue, call, patches, patchCount);
      if (memory.fulfils())
        memory.call(baseline);
      for (size_t i = 0; i < memory.outputCount(); ++i) {
        const Output output = memory.output(i);
        permitted[i] = unsetBytes(output);
        sizes[i] = output.size;
        for (size_t j = 0; permitted[i] && j < output.size; ++j)
          unsetInBaseline += permitted[i][j];
      }
    }
    Memory memory(glue, call, patches, patchCount);
    if (memory.fulfils()) {
      memory.call(kernel);
      for (size_t i = 0; i < memory.outputCount(); ++i)
        check(memory.output(i), permitted[i], sizes[i]);
    }
    for (size_t i = 0; i <= call.count; ++i)
      free(permitted[i]);
    free(permitted);
    free(sizes);
  }

  static void check(const Output &output, const unsigned char *permitted, size_t permittedSize) {
    unsigned char *unset = unsetBytes(output);
    for (size_t i = 0; unset && i < output.size; ++i)
      if (unset[i] && !(permitted && i < permittedSize && permitted[i])) {
        printf("unset %ld", output.argument);
        end("");
      }
    free(unset);
  }
};

void *load(const char *path, const char *prefix, const char *name) {
  char symbol[512];
  snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *address = object ? dlsym(object, symbol) : nullptr;
  if (!address) {
    const char *reason = dlerror();
    problem(reason ? reason : "a shared object cannot be loaded");
  }
  return address;
}

/// Loads the kernel. The entry's own code is not instrumented: its results count as set.
void *kernelOf(const char *path, const char *name) {
  void *entry = load(path, "agentic_kernel_entry_", name);
  void *function = reinterpret_cast<void *(*)(void *)>(entry)(nullptr);
  __msan_unpoison(&function, sizeof function);
  return function;
}

void run(char **arguments) {
  const char *name = arguments[4];
  void *table = load(arguments[1], "agentic_kernel_glue_", name);
  const agentic_glue *glue = reinterpret_cast<const agentic_glue *(*)()>(table)();
  if (!glue || glue->version != AGENTIC_GLUE_VERSION || !glue->invoke)
    problem("the glue cannot call its kernel");
  void *baseline = arguments[2][0] == '-' ? nullptr : kernelOf(arguments[2], name);
  Work work{*glue, baseline, kernelOf(arguments[3], name)};

  Reader reader = open(arguments[5]);
  const wire::FileHeader file = reader.take<wire::FileHeader>();
  const wire::PlanHeader header = reader.take<wire::PlanHeader>();
  if (memcmp(file.magic, wire::kPlanMagic, sizeof file.magic) != 0 ||
      header.callCount > size_t(reader.end - reader.at) || file.count > size_t(reader.end - reader.at))
    problem("the plan is damaged");
  PlannedCall *calls = allocate<PlannedCall>(header.callCount);
  for (size_t i = 0; i < header.callCount; ++i) {
    calls[i] = readCall(reader);
    if (calls[i].count != glue->parameterCount)
      problem("the plan is not for this kernel");
  }
  const double last = atof(arguments[6]);
  const size_t most = strtoul(arguments[7], nullptr, 10);
  uint64_t *seen = allocate<uint64_t>(file.count);
  bool *isCallDone = allocate<bool>(header.callCount);
  memset(isCallDone, 0, header.callCount);
  size_t done = 0;
  const Reader steps = reader;
  for (int pass = 0; pass < 2; ++pass) {
    const bool isFirst = pass == 0;
    reader = steps;
    for (size_t i = 0; i < file.count && done < most && secondsUsed() < last; ++i) {
      const wire::Step step = reader.take<wire::Step>();
      const char *begin = reader.at;
      PlannedPatch *patches = allocate<PlannedPatch>(step.patchCount);
      for (size_t p = 0; p < step.patchCount; ++p) {
        patches[p].header = reader.take<wire::Patch>();
        patches[p].bytes = reader.padded(patches[p].header.bytes);
      }
      const uint64_t contents = wire::hashMix(wire::hashBytes(begin, size_t(reader.at - begin)), step.call);
      bool isNew = step.call < header.callCount && !(isFirst && isCallDone[step.call]);
      for (size_t s = 0; s < done && isNew; ++s)
        isNew = seen[s] != contents;
      if (isNew) {
        seen[done++] = contents;
        isCallDone[step.call] = true;
        work.step(calls[step.call], patches, step.patchCount);
      }
      free(patches);
    }
  }
  printf("done %zu %zu", done, work.unsetInBaseline);
  end("");
}

} // namespace
} // namespace agentic

int main(int argc, char **argv) {
  if (argc != 8 && argc != 9)
    agentic::problem("usage: memory-driver GLUE.so BASELINE.so|- KERNEL.so NAME PLAN SECONDS STEPS [set]");
  agentic::outputsAreSet = argc == 9;
  agentic::run(argv);
}
