#include "tool/evaluate/differential/recorded_calls_run.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/evaluate/differential/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

namespace agentic {
namespace {

constexpr double kReplaySeconds = 120;

class CallRecorder {
public:
  explicit CallRecorder(const RecordingRequest &request) : request_(request) {}

  Result<TakenCalls> run() {
    Result<void> done = runRecorded(request_, {}, [this](std::string_view bytes, bool isBenchmark) {
      take(bytes, isBenchmark);
      return true;
    });
    if (!done)
      return std::unexpected(done.error());
    return TakenCalls{std::move(calls_), callers_};
  }

private:
  void take(std::string_view bytes, bool isBenchmark) {
    callers_ = together(callers_, callersIn(bytes));
    // Nonsense counts as nothing: anything can have gone wrong in the process that wrote the file.
    Result<std::vector<RecordedCall>> calls = readCalls(bytes);
    if (!calls)
      return;
    for (RecordedCall &call : *calls) {
      if (!fits(call))
        continue;
      call.header.isBenchmark = isBenchmark;
      calls_.push_back(std::move(call));
    }
    calls_ = chooseCalls(std::move(calls_), kMostRecordedCalls, kMostRecordedBytes);
  }

  /// Returns whether it is a call of this kernel, judged by its sizes.
  bool fits(const RecordedCall &call) const {
    const std::vector<GlueParameter> &parameters = request_.kernel->parameters;
    if (call.arguments.size() != parameters.size())
      return false;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const RecordedArgument &argument = call.arguments[i];
      const bool isWhole =
          parameters[i].kind == GlueParameter::Kind::Scalar || parameters[i].kind == GlueParameter::Kind::Object;
      if (argument.header.role == wire::Role::Uncovered || argument.header.role == wire::Role::Null)
        continue;
      if ((isWhole && argument.bytes.size() != parameters[i].size) ||
          (!isWhole && (parameters[i].elementSize == 0 || argument.bytes.size() % parameters[i].elementSize != 0)) ||
          (argument.header.role == wire::Role::Value && !isWhole))
        return false;
    }
    return !isCovered(call) || call.result.size() == request_.kernel->result.size;
  }

  const RecordingRequest &request_;
  std::vector<RecordedCall> calls_;
  CallingThreads callers_;
};

bool isWritten(const wire::Argument &argument) {
  return argument.role == wire::Role::Out || argument.role == wire::Role::InOut;
}

/// Replays calls with the outputs' old values in place.
Result<ReplayOutcome> replayAsRecorded(const ReplayContext &context, const std::vector<RecordedCall> &calls,
                                       const std::string &baseline) {
  Plan plan;
  for (const RecordedCall &call : calls) {
    PlanStep step;
    step.header.call = plan.calls.size();
    step.header.prefill = wire::Prefill::Recorded;
    plan.steps.push_back(step);
    plan.calls.push_back({call, false, {}});
  }
  ScratchDirectory scratch = TRY(ScratchDirectory::create(context.scratchDirectory, "recorded-"));
  const std::string file = scratch.path() / "plan";
  TRY(writeScratch(file, plan.bytes()));
  return replay(context, file, plan.steps.size(), baseline, kReplaySeconds);
}

/// Replays calls until all that are left succeed.
class ReplayChecker {
public:
  ReplayChecker(const ReplayContext &context, const GlueDescription &kernel, std::vector<RecordedCall> calls)
      : context_(context), kernel_(kernel), waiting_(std::move(calls)) {}

  Result<ReplayCheck> run(const std::string &baseline, const OtherBaseline &unfused) {
    TRY(replayAll(baseline));
    std::string other;
    if (unfused && !differing_.empty())
      other = TRY(unfused());
    if (!other.empty()) {
      check_.incomplete -= differing_.size();
      waiting_ = std::exchange(differing_, {});
      TRY(replayAll(other));
    }
    if (check_.calls.empty() && check_.notReplayable.empty())
      check_.notReplayable = check_.incomplete == 0
                                 ? "no call was recorded whose arguments are all known"
                                 : "the kernel's result depends on something that its arguments do not hold, such as "
                                   "pointers inside of objects or global data" +
                                       reason_;
    return std::move(check_);
  }

private:
  Result<void> replayAll(const std::string &baseline) {
    while (!waiting_.empty()) {
      ReplayOutcome outcome = TRY(replayAsRecorded(context_, waiting_, baseline));
      if (outcome.isNotLoadable) {
        check_.notReplayable = "the kernel cannot be loaded on its own: " + outcome.message;
        break;
      }
      take(outcome);
    }
    return {};
  }

  /// Takes what is known now: the calls that ended, and the one that ended the process.
  void take(const ReplayOutcome &outcome) {
    std::size_t done = 0;
    for (; done < outcome.steps.size() && outcome.steps[done].header.status == wire::StepStatus::Done; ++done) {
      const bool isSame = isReproduced(waiting_[done], outcome.steps[done]);
      if (!isSame)
        ++check_.incomplete;
      (isSame ? check_.calls : differing_).push_back(std::move(waiting_[done]));
    }
    if (done < waiting_.size()) { // it died, hung or wrote nonsense
      const bool isFault = done < outcome.steps.size();
      keepIf(isFault && breaksContract(outcome.steps[done].header), waiting_[done]);
      if (!isFault && reason_.empty())
        reason_ = ": " + outcome.message;
      ++done;
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + std::ptrdiff_t(done));
  }

  void keepIf(bool isGood, RecordedCall &call) {
    if (isGood)
      check_.calls.push_back(std::move(call));
    else
      ++check_.incomplete;
  }

  bool breaksContract(const wire::StepResult &fault) const {
    return fault.argument >= 0 && static_cast<std::size_t>(fault.argument) < kernel_.parameters.size() &&
           kernel_.parameters[static_cast<std::size_t>(fault.argument)].hasExtent;
  }

  static bool isReproduced(const RecordedCall &call, const ReplayedStep &step) {
    std::size_t at = 0;
    for (const RecordedArgument &argument : call.arguments) {
      if (!isWritten(argument.header))
        continue;
      const std::size_t size = argument.bytes.size();
      if (size > step.outputs.size() - at)
        return false;
      if (wire::hashBytes(step.outputs.data() + at, size) != argument.header.hashAfter)
        return false;
      at = std::min<std::size_t>(wire::padded(at + size), step.outputs.size());
    }
    return step.outputs.size() - at >= call.result.size() &&
           (call.result.empty() || std::memcmp(step.outputs.data() + at, call.result.data(), call.result.size()) == 0);
  }

  const ReplayContext &context_;
  const GlueDescription &kernel_;
  std::vector<RecordedCall> waiting_, differing_; ///< `differing_`: done, with another result
  ReplayCheck check_;
  std::string reason_;
};

/// Cuts what a written pointer of unknown extent leads to behind the last element that the call changed; `outputs` are
/// the written arguments after it. Returns whether anything was cut.
bool cutEnds(const GlueDescription &kernel, std::span<const std::byte> outputs, RecordedCall &call) {
  constexpr std::size_t kLeastElements = 16;
  bool isCut = false;
  std::size_t at = 0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    RecordedArgument &argument = call.arguments[i];
    if (!isWritten(argument.header))
      continue;
    const std::size_t size = argument.bytes.size();
    if (size > outputs.size() - std::min(at, outputs.size()))
      return false;
    const std::span<const std::byte> after = outputs.subspan(at, size);
    at = static_cast<std::size_t>(wire::padded(at + size));
    const GlueParameter &parameter = kernel.parameters[i];
    if (parameter.kind != GlueParameter::Kind::Pointer || parameter.hasExtent || parameter.elementSize == 0)
      continue;
    std::size_t end = size;
    while (end > 0 && after[end - 1] == argument.bytes[end - 1])
      --end;
    end = (end + parameter.elementSize - 1) / parameter.elementSize * parameter.elementSize;
    if (end == 0 || (size - end) / parameter.elementSize < kLeastElements || size - end < size / 4)
      continue;
    argument.bytes.resize(end);
    argument.header.bytes = end;
    argument.header.hashAfter = wire::hashBytes(after.data(), end);
    isCut = true;
  }
  return isCut;
}

std::string whyUncovered(wire::Reason reason, const std::string &name) {
  switch (reason) {
  case wire::Reason::BadExtent:
    return "there is no memory for all of the extent that the contract declares";
  case wire::Reason::TooLarge:
    return "the call holds more than 64 MiB";
  case wire::Reason::Resized:
    return "the kernel changes its size";
  case wire::Reason::Opaque:
    return "its type cannot be copied as bytes";
  case wire::Reason::None:
  case wire::Reason::UnknownExtent:
    break;
  }
  return "how many elements stand behind it is not known; declare it: AGENTIC_IN, AGENTIC_OUT or AGENTIC_INOUT(" +
         name + ", …)";
}

std::optional<std::int64_t> integerOf(const GlueParameter &parameter, const RecordedArgument &argument) {
  const bool isSigned = parameter.element == GlueParameter::Element::Signed;
  if (parameter.kind != GlueParameter::Kind::Scalar || argument.bytes.size() > 8 || argument.bytes.empty() ||
      (!isSigned && parameter.element != GlueParameter::Element::Unsigned))
    return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, argument.bytes.data(), argument.bytes.size());
  const unsigned shift = static_cast<unsigned>(64 - 8 * argument.bytes.size());
  return isSigned ? static_cast<std::int64_t>(value << shift) >> shift : static_cast<std::int64_t>(value);
}

} // namespace

Result<TakenCalls> recordCalls(const RecordingRequest &request) {
  return CallRecorder(request).run();
}

Result<ReplayCheck> checkReplay(const ReplayContext &context, const GlueDescription &kernel,
                                std::vector<RecordedCall> calls, const std::string &baseline,
                                const OtherBaseline &unfused) {
  std::erase_if(calls, [](const RecordedCall &call) { return !isCovered(call); });
  return ReplayChecker(context, kernel, std::move(calls)).run(baseline, unfused);
}

Result<std::vector<RecordedCall>> callsWithEnds(const ReplayContext &context, const GlueDescription &kernel,
                                                const std::vector<RecordedCall> &calls, const std::string &baseline) {
  constexpr std::size_t kMostCalls = 8, kMostBytes = std::size_t{32} << 20;
  std::vector<RecordedCall> covered;
  std::ranges::copy_if(calls, std::back_inserter(covered), isCovered);
  covered = chooseCalls(std::move(covered), kMostRecordedCalls, kMostBytes);
  const ReplayOutcome outcome = TRY(replayAsRecorded(context, covered, baseline));
  std::vector<RecordedCall> cut;
  for (std::size_t i = 0; i < std::min(covered.size(), outcome.steps.size()); ++i)
    if (outcome.steps[i].header.status == wire::StepStatus::Done && cut.size() < kMostCalls &&
        cutEnds(kernel, outcome.steps[i].outputs, covered[i]))
      cut.push_back(std::move(covered[i]));
  if (cut.empty())
    return cut;
  ReplayCheck check = TRY(checkReplay(context, kernel, std::move(cut), baseline));
  return std::move(check.calls);
}

std::vector<std::string> uncoveredSentences(const GlueDescription &kernel, const std::vector<RecordedCall> &calls) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const std::string &name = kernel.parameters[i].name;
    const auto isUncovered = [&](const RecordedCall &call) {
      return call.arguments[i].header.role == wire::Role::Uncovered;
    };
    const auto first = std::ranges::find_if(calls, isUncovered);
    if (kernel.parameters[i].kind == GlueParameter::Kind::Opaque)
      sentences.push_back("parameter '" + name + "' cannot be captured: its type cannot be copied as bytes");
    else if (first != calls.end())
      sentences.push_back(fmt::format("parameter '{}' was not captured in {} calls: {}", name,
                                      std::ranges::all_of(calls, isUncovered) ? "all" : "some",
                                      whyUncovered(first->arguments[i].header.reason, name)));
  }
  return sentences;
}

std::vector<AliasPair> overlapsOf(const GlueDescription &kernel, const std::vector<RecordedCall> &calls) {
  const auto isShared = [&](const wire::Argument &one, const wire::Argument &other) {
    return one.address != 0 && other.address != 0 && one.bytes > 0 && (isWritten(one) || isWritten(other)) &&
           one.address - other.address < other.bytes; // `one` begins in `other`
  };
  std::vector<AliasPair> pairs;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    for (std::size_t j = i + 1; j < kernel.parameters.size(); ++j)
      if (std::ranges::any_of(calls, [&](const RecordedCall &call) {
            const wire::Argument &one = call.arguments[i].header, &other = call.arguments[j].header;
            return isShared(one, other) || isShared(other, one);
          }))
        pairs.push_back({kernel.parameters[i].name, kernel.parameters[j].name});
  return pairs;
}

std::vector<std::string> shapeTexts(const GlueDescription &kernel, const std::vector<RecordedCall> &calls,
                                    bool ofBenchmarks) {
  std::vector<std::string> texts;
  for (const RecordedCall &call : calls) {
    if ((call.header.isBenchmark != 0) != ofBenchmarks)
      continue;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < kernel.parameters.size() && i < call.arguments.size(); ++i) {
      const GlueParameter &parameter = kernel.parameters[i];
      if (std::optional<std::int64_t> value = integerOf(parameter, call.arguments[i]))
        words.push_back(fmt::format("{}={}", parameter.name, *value));
      else if (parameter.kind == GlueParameter::Kind::Range && parameter.elementSize > 0)
        words.push_back(
            fmt::format("{}.size()={}", parameter.name, call.arguments[i].bytes.size() / parameter.elementSize));
    }
    const std::string text = join(words, " ");
    if (!text.empty() && std::ranges::find(texts, text) == texts.end())
      texts.push_back(text);
  }
  return texts;
}

} // namespace agentic
