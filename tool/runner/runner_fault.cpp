#include "tool/runner/runner_fault.h"

#include "tool/runner/runner_fail.h"
#include "tool/runner/runner_slot.h"
#include "tool/runner/runner_stack.h"
#include "tool/runner/runner_watch.h"

#include <ucontext.h>

namespace agentic::runner {

FaultScene faultScene;

namespace {

constexpr std::size_t kAlternateBytes = 128u << 10;

bool isWriteAccess([[maybe_unused]] const ucontext_t *context) {
#if defined(__x86_64__)
  return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#elif defined(__aarch64__)
  // Records of {magic, size, …}; the record of the exception syndrome: "ESR", bit 6 = write.
  const unsigned char *record = reinterpret_cast<const unsigned char *>(context->uc_mcontext.__reserved);
  const unsigned char *end = record + sizeof context->uc_mcontext.__reserved;
  while (end - record >= 16) {
    std::uint32_t magic, size;
    std::uint64_t syndrome;
    std::memcpy(&magic, record, 4);
    std::memcpy(&size, record + 4, 4);
    std::memcpy(&syndrome, record + 8, 8);
    if (magic == 0x45535201)
      return (syndrome & 64) != 0;
    if (magic == 0 || size < 16 || size > static_cast<std::size_t>(end - record))
      break;
    record += size;
  }
  return false;
#else
  return false;
#endif
}

void onFault(int signal, siginfo_t *info, void *context) {
  wire::StepResult result;
  result.step = faultScene.step;
  result.status = wire::StepStatus::Fault;
  result.signal = static_cast<std::uint32_t>(signal);
  // 128: the operating system reports no address (for a non-canonical one, for instance).
  const bool hasAddress = (signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0 && info->si_code != 128;
  if (hasAddress) {
    const char *address = static_cast<const char *>(info->si_addr);
    result.isWrite = isWriteAccess(static_cast<const ucontext_t *>(context));
    if (signal == SIGSEGV && faultScene.outputs && faultScene.outputs->onAccess(address, result.isWrite))
      return; // the access is done again
    if (faultScene.stack && faultScene.stack->isOverflow(address))
      result.status = wire::StepStatus::StackOverflow;
    else if (faultScene.slot)
      faultScene.slot->locate(address, result.argument, result.offset);
  }
  if (::write(faultScene.descriptor, &result, sizeof result) != sizeof result)
    ::_exit(kNoResources);
  ::_exit(kKernelFault);
}

} // namespace

void installFaultHandler() {
  stack_t alternate = {};
  const Region region = mapRegion(kAlternateBytes, pageBytes());
  alternate.ss_sp = region.open;
  alternate.ss_size = region.openBytes;
  struct sigaction action = {};
  action.sa_sigaction = &onFault;
  // It stays installed, for watched outputs; a fault inside it finds all signals blocked and ends the process.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  bool isInstalled = ::sigaltstack(&alternate, nullptr) == 0;
  for (const int signal : kFaultSignals)
    isInstalled = isInstalled && ::sigaction(signal, &action, nullptr) == 0;
  if (!isInstalled)
    fail(kNoResources, "no handler for crashes of the kernel can be installed");
}

} // namespace agentic::runner
