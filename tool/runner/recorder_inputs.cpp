// The change of a call's inputs for recorder_audit.h.
#include "tool/runner/recorder_audit.h"
#include "tool/runner/recorder_random.h"

#include <cstring>

namespace agentic::recorder {
namespace {

constexpr std::uint32_t kMostChanges = 4;
constexpr unsigned kTries = 64;

struct Elements {
  unsigned char *begin;
  std::size_t size, count; ///< bytes of one; how many
};

/// Returns no elements where nothing declares their number: a heap block may hold more than the call reads, and what
/// lies in the rest is of no use as an input.
Elements elementsOf(const PendingCall &call, unsigned index) {
  const agentic_parameter &parameter = call.glue->parameters[index];
  const void *begin = nullptr;
  unsigned long count = 0;
  if (parameter.kind == AGENTIC_RANGE) {
    parameter.view(call.arguments[index], &begin, &count);
  } else if (parameter.kind == AGENTIC_POINTER) {
    begin = *static_cast<void *const *>(call.arguments[index]);
    const long long declared = begin && parameter.extent ? parameter.extent(call.arguments) : 0;
    count = declared > 0 ? static_cast<unsigned long>(declared) : 0;
  }
  return {static_cast<unsigned char *>(const_cast<void *>(begin)), parameter.elementSize, begin ? count : 0};
}

/// Returns whether an element now has another value.
bool copyOne(const Elements &elements) {
  for (unsigned i = 0; i < kTries && elements.count > 1; ++i) {
    unsigned char *const to = elements.begin + randomWord() % elements.count * elements.size;
    const unsigned char *const from = elements.begin + randomWord() % elements.count * elements.size;
    if (std::memcmp(to, from, elements.size) == 0)
      continue;
    std::memcpy(to, from, elements.size);
    return true;
  }
  return false;
}

/// Changes elements of all arguments that have this direction.
std::uint32_t changeAll(const PendingCall &call, int direction) {
  std::uint32_t changes = 0;
  for (unsigned i = 0; i < call.glue->parameterCount; ++i) {
    if (call.glue->parameters[i].direction != direction)
      continue;
    const Elements elements = elementsOf(call, i);
    for (std::uint32_t tried = 0; tried < kMostChanges; ++tried)
      changes += copyOne(elements);
  }
  return changes;
}

} // namespace

std::uint32_t changeInputs(const PendingCall &call) {
  std::uint32_t changes = changeAll(call, AGENTIC_DIRECTION_IN);
  // Where the call also reads its outputs, what the candidate left there stays: recognising it is the trick to find.
  if (changes == 0)
    changes = changeAll(call, AGENTIC_DIRECTION_INOUT);
  const unsigned char garbage = static_cast<unsigned char>(0x81u | randomWord());
  for (unsigned i = 0; changes > 0 && i < call.glue->parameterCount; ++i)
    if (call.glue->parameters[i].direction == AGENTIC_DIRECTION_OUT) {
      const Elements elements = elementsOf(call, i);
      std::memset(elements.begin, garbage, elements.size * elements.count);
    }
  return changes;
}

} // namespace agentic::recorder
