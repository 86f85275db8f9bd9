#include "tool/evaluate/differential/replay.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <cstring>

namespace agentic {
namespace {

constexpr int kBrokenPlan = 2, kNotLoadable = 4; ///< the runner's exit statuses
constexpr std::size_t kResultCap = std::size_t{2} << 30;
constexpr std::size_t kMessageCap = 2048;
constexpr std::uint64_t kReplayMemory = std::uint64_t{8} << 30; ///< guards are address space, not memory

std::string folderOf(const std::string &file) {
  return fs::path(file).parent_path().string();
}

} // namespace

ReplayOutcome parseReplay(std::string file, std::size_t stepCount) {
  ReplayOutcome outcome;
  outcome.file = std::make_shared<const std::string>(std::move(file));
  const std::string &text = *outcome.file;
  const std::byte *bytes = reinterpret_cast<const std::byte *>(text.data());
  wire::FileHeader header;
  if (text.size() < sizeof header || std::memcmp(text.data(), wire::kResultMagic, sizeof header.magic) != 0)
    return outcome;
  std::size_t at = sizeof header;
  while (text.size() - at >= sizeof(wire::StepResult)) {
    wire::StepResult step;
    std::memcpy(&step, bytes + at, sizeof step);
    at += sizeof step;
    if (step.status == wire::StepStatus::End) {
      outcome.atEnd = step.disturbances;
      outcome.isComplete = outcome.steps.size() == stepCount && at == text.size();
      return outcome;
    }
    if (step.step != outcome.steps.size() || outcome.steps.size() >= stepCount || step.bytes > text.size() - at ||
        wire::padded(step.bytes) > text.size() - at || step.status > wire::StepStatus::End)
      return outcome;
    outcome.steps.push_back({step, std::span(bytes + at, std::size_t(step.bytes))});
    at += wire::padded(step.bytes);
  }
  return outcome;
}

Result<ReplayOutcome> replay(const ReplayContext &context, const std::string &planFile, std::size_t stepCount,
                             const std::string &sharedObject, double timeoutSeconds) {
  ScratchDirectory directory = TRY(ScratchDirectory::create(context.scratchDirectory, "replay-"));
  const std::string resultFile = directory.path() / "result";
  ProcessSpec spec;
  spec.argv = {context.runner, context.glueLibrary, sharedObject, context.kernel, planFile, resultFile};
  spec.workingDirectory = directory.path();
  spec.environment = std::vector<std::string>();
  spec.timeoutSeconds = timeoutSeconds;
  spec.outputCapBytes = kMessageCap;
  spec.mergeOutput = true;
  spec.limits.addressSpaceBytes = kReplayMemory;
  spec.limits.fileSizeBytes = kResultCap;
  spec.cancelled = context.cancelled;
  Sandbox::View view = context.view;
  for (const std::string &file : {context.runner, context.glueLibrary, sharedObject})
    view.readOnly.push_back(folderOf(file));
  view.readOnly.push_back(planFile);
  view.writable.push_back(directory.path());
  view.tasks = Tasks::None;
  context.added.addTo(spec, view);
  ProcessResult process = TRY(context.sandbox->run(std::move(spec), view));
  if (process.end == ProcessResult::End::Cancelled)
    return interruptedError();
  const std::string message(trim(process.out));
  if (process.end == ProcessResult::End::Exited && process.code == kBrokenPlan)
    return bugError("the runner does not understand its plan: " + message);

  ReplayOutcome outcome = parseReplay(readUntrusted(resultFile, kResultCap).value_or(std::string()), stepCount);
  outcome.timedOut = process.end == ProcessResult::End::TimedOut;
  outcome.isNotLoadable = process.end == ProcessResult::End::Exited && process.code == kNotLoadable;
  outcome.message = outcome.isNotLoadable && !message.empty() ? message : process.describe();
  return outcome;
}

} // namespace agentic
