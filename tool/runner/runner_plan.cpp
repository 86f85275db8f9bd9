#include "tool/runner/runner_plan.h"

#include <algorithm>
#include <cstring>

namespace agentic::runner {
namespace {

constexpr std::uint64_t kMaxStackBytes = 64u << 20, kMaxGuardBytes = 64u << 20;
constexpr double kMaxSeconds = 3600;

class Reader {
public:
  Reader(const char *text, std::size_t bytes) : begin_(text), at_(text), end_(text + bytes) {}

  template <class T> bool take(T &value) {
    if (left() < sizeof value)
      return false;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return true;
  }

  /// Takes the payload and its padding.
  bool take(std::uint64_t bytes, const char *&payload) {
    const std::uint64_t padding = (8 - bytes % 8) % 8;
    if (bytes > left() || padding > left() - bytes)
      return false;
    payload = at_;
    at_ += bytes + padding;
    return true;
  }

  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }

private:
  const char *begin_, *at_, *end_;
};

std::string at(const char *what, std::uint64_t number, const char *reason) {
  return std::string(what) + " " + std::to_string(number) + " " + reason;
}

std::string readHeader(Reader &reader, wire::FileHeader &file, wire::PlanHeader &header) {
  if (!reader.take(file) || std::memcmp(file.magic, wire::kPlanMagic, sizeof file.magic) != 0)
    return "it does not begin like a plan of this version";
  if (!reader.take(header))
    return "it ends within its header";
  if (header.stackBytes < 4096 || header.stackBytes > kMaxStackBytes)
    return "its stack is not of 4 KiB to 64 MiB";
  if (header.guardBytes > kMaxGuardBytes)
    return "its guards are larger than 64 MiB";
  if (header.callCount > reader.left() / sizeof(wire::Call) || file.count > reader.left() / sizeof(wire::Step))
    return "it is too short for the number of calls and steps that it announces";
  return "";
}

std::string readCall(Reader &reader, std::uint64_t number, PlannedCall &planned) {
  wire::Call call;
  if (!reader.take(call))
    return at("call", number, "is cut off");
  const std::size_t begin = reader.offset();
  if (call.argumentCount > reader.left() / sizeof(wire::Argument))
    return at("call", number, "has more arguments than the file has room for");
  planned.arguments.resize(call.argumentCount);
  for (PlannedArgument &argument : planned.arguments) {
    if (!reader.take(argument.header) || !reader.take(argument.header.bytes, argument.payload))
      return at("call", number, "is cut off within an argument");
    if (argument.header.role > wire::Role::Uncovered)
      return at("call", number, "has an argument of unknown role");
    if (argument.header.address > UINT64_MAX - argument.header.bytes)
      return at("call", number, "has an argument beyond the end of memory");
  }
  const char *result = nullptr;
  if (!reader.take(call.resultBytes, result) || reader.offset() - begin != call.bytes)
    return at("call", number, "is not as long as it says");
  return "";
}

std::string readStep(Reader &reader, std::uint64_t number, const Plan &plan, PlannedStep &planned) {
  wire::Step &step = planned.header;
  if (!reader.take(step))
    return at("step", number, "is cut off");
  if (step.call >= plan.calls.size())
    return at("step", number, "is of a call that the plan does not have");
  if (step.layout > wire::Layout::AsRecorded || step.prefill > wire::Prefill::Previous)
    return at("step", number, "has an unknown layout or prefill");
  if (!(step.timeSeconds >= 0 && step.timeSeconds <= kMaxSeconds))
    return at("step", number, "is to be timed for no sensible time");
  if (step.patchCount > reader.left() / sizeof(wire::Patch))
    return at("step", number, "has more patches than the file has room for");
  const std::vector<PlannedArgument> &arguments = plan.calls[step.call].arguments;
  planned.patches.resize(step.patchCount);
  for (PlannedPatch &patch : planned.patches) {
    if (!reader.take(patch.header) || !reader.take(patch.header.bytes, patch.bytes))
      return at("step", number, "is cut off within a patch");
    if (patch.header.argument >= arguments.size())
      return at("step", number, "patches an argument that its call does not have");
    const std::uint64_t size = arguments[patch.header.argument].header.bytes;
    if (patch.header.offset > size || patch.header.bytes > size - patch.header.offset)
      return at("step", number, "patches bytes beyond an argument's end");
  }
  return "";
}

bool isElements(wire::Role role) {
  return role == wire::Role::In || role == wire::Role::Out || role == wire::Role::InOut;
}

std::string fitArgument(const PlannedArgument &argument, const agentic_parameter &parameter) {
  const wire::Role role = argument.header.role;
  const std::uint64_t bytes = argument.header.bytes;
  switch (parameter.kind) {
  case AGENTIC_SCALAR:
  case AGENTIC_OBJECT:
    if (role != wire::Role::Value && !(parameter.isReference && isElements(role)))
      return "is a value, but has another role";
    return bytes == parameter.size ? "" : "has another size than the kernel's parameter";
  case AGENTIC_POINTER:
    if (role == wire::Role::Null)
      return bytes == 0 ? "" : "is null, but has a payload";
    [[fallthrough]];
  case AGENTIC_RANGE:
    if (!isElements(role))
      return role == wire::Role::Uncovered ? "is not covered: such a call cannot be replayed"
                                           : "is elements, but has another role";
    if (parameter.elementSize == 0 || bytes % parameter.elementSize != 0)
      return "is not a whole number of elements";
    return parameter.kind == AGENTIC_RANGE && (!parameter.make || !parameter.view || !parameter.destroy)
               ? "is a range that the glue cannot make"
               : "";
  default:
    return "is of a type that cannot be replayed";
  }
}

/// Groups arguments by recorded address; those without an address, or without bytes, form groups of their own.
void formGroups(PlannedCall &call, const agentic_glue &glue) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < call.arguments.size(); ++i)
    if (hasMemory(glue.parameters[i], call.arguments[i]))
      order.push_back(i);
  const auto header = [&](std::uint32_t i) -> const wire::Argument & { return call.arguments[i].header; };
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(header(i).address, i); });
  for (const std::uint32_t i : order) {
    const wire::Argument &argument = header(i);
    Group *last = call.groups.empty() ? nullptr : &call.groups.back();
    const bool overlaps = last && argument.bytes > 0 && argument.address > 0 && last->address > 0 && last->bytes > 0 &&
                          argument.address - last->address < last->bytes;
    if (!overlaps) {
      call.groups.push_back({{i}, argument.address, argument.bytes});
      continue;
    }
    last->arguments.push_back(i);
    last->bytes = std::max(last->bytes, argument.address - last->address + argument.bytes);
  }
}

} // namespace

bool hasMemory(const agentic_parameter &parameter, const PlannedArgument &argument) {
  return argument.header.role != wire::Role::Null &&
         (parameter.kind == AGENTIC_POINTER || parameter.kind == AGENTIC_RANGE || parameter.isReference);
}

std::string readPlan(const char *text, std::size_t bytes, Plan &plan) {
  Reader reader(text, bytes);
  wire::FileHeader file;
  std::string problem = readHeader(reader, file, plan.header);
  for (std::uint64_t i = 0; problem.empty() && i < plan.header.callCount; ++i)
    problem = readCall(reader, i, plan.calls.emplace_back());
  for (std::uint64_t i = 0; problem.empty() && i < file.count; ++i)
    problem = readStep(reader, i, plan, plan.steps.emplace_back());
  if (problem.empty() && reader.left() != 0)
    problem = "something follows its last step";
  return problem;
}

std::string fitPlan(Plan &plan, const agentic_glue &glue) {
  for (std::size_t c = 0; c < plan.calls.size(); ++c) {
    PlannedCall &call = plan.calls[c];
    if (call.arguments.size() != glue.parameterCount)
      return at("call", c, "has another number of arguments than the kernel");
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (const std::string problem = fitArgument(call.arguments[i], glue.parameters[i]); !problem.empty())
        return at("call", c, "does not fit the kernel: argument ") + std::to_string(i) + " " + problem;
    formGroups(call, glue);
  }
  if (glue.result.kind == AGENTIC_OPAQUE && glue.result.size != 0)
    return "its kernel's result is of a type that cannot be replayed";
  return "";
}

} // namespace agentic::runner
