// Prepares the arguments of one call under MemorySanitizer (memory_driver.cpp), and finds the unset bytes of its
// outputs. Part of that program's text: uses no C++ library.
#pragma once

#include "tool/runner/glue_abi.h"
#include "tool/runner/memory_plan.h"

extern "C" {
void __msan_unpoison(const volatile void *memory, size_t bytes);
void __msan_poison(const volatile void *memory, size_t bytes);
intptr_t __msan_test_shadow(const volatile void *memory, size_t bytes); // offset of the first unset byte; -1: none
}

namespace agentic {
namespace {

struct Argument {
  const agentic_parameter *parameter;
  const PlannedArgument *planned;
  bool hasMemory, isWritten;
  char *placed; // null without memory
  void *object; // object of a range
  char *pointer;
};

struct Output {
  const char *bytes;
  size_t size, element; // element > 0: a struct of that many bytes
  long argument;
};

/// Whether outputs count as set before a call.
bool outputsAreSet = false;

class Memory {
public:
  Memory(const agentic_glue &glue, const PlannedCall &call, const PlannedPatch *patches, size_t patchCount)
      : glue_(glue), patches_(patches), patchCount_(patchCount), count_(call.count),
        arguments_(allocate<Argument>(call.count)), handed_(allocate<void *>(call.count + 1)),
        blocks_(allocate<void *>(3 * call.count + 1)) {
    for (size_t i = 0; i < count_; ++i)
      arguments_[i] = describe(glue.parameters[i], call.arguments[i]);
    place();
    // Where arguments overlap, the content of inputs wins.
    for (size_t i = 0; i < count_; ++i)
      if (arguments_[i].placed && arguments_[i].planned->header.role != wire::Role::Out)
        fill(i, arguments_[i].placed);
    for (size_t i = 0; i < count_ && outputsAreSet; ++i)
      if (arguments_[i].placed)
        __msan_unpoison(arguments_[i].placed, arguments_[i].planned->header.bytes);
    for (size_t i = 0; i < count_; ++i)
      handed_[i] = hand(i);
    handed_[count_] = nullptr;
    result_ = keep(allocate<char>(glue.result.size, glue.result.alignment));
    __msan_poison(result_, glue.result.size ? glue.result.size : 1);
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() {
    for (size_t i = 0; i < count_; ++i)
      if (arguments_[i].object)
        arguments_[i].parameter->destroy(arguments_[i].object);
    for (size_t i = 0; i < blockCount_; ++i)
      free(blocks_[i]);
    free(blocks_);
    free(handed_);
    free(arguments_);
  }

  bool fulfils() const { return !glue_.fulfils || glue_.fulfils(handed_) != 0; }
  void call(void *function) { glue_.invoke(function, handed_, glue_.result.size ? result_ : nullptr); }

  size_t outputCount() const { return count_ + 1; }
  Output output(size_t number) const {
    if (number == count_)
      return {result_, glue_.result.size, glue_.result.element == AGENTIC_BYTES ? glue_.result.size : 0, -1};
    const Argument &argument = arguments_[number];
    Output output{argument.placed, argument.placed ? size_t(argument.planned->header.bytes) : 0, 0, long(number)};
    if (!argument.isWritten)
      return {nullptr, 0, 0, long(number)};
    if (argument.object) {
      const void *elements = nullptr;
      unsigned long count = 0;
      argument.parameter->view(argument.object, &elements, &count);
      output.bytes = static_cast<const char *>(elements);
      output.size = count * argument.parameter->elementSize;
    }
    if (argument.parameter->element == AGENTIC_BYTES)
      output.element = argument.parameter->elementSize ? argument.parameter->elementSize : argument.parameter->size;
    return output;
  }

private:
  static Argument describe(const agentic_parameter &parameter, const PlannedArgument &planned) {
    const wire::Role role = planned.header.role;
    const bool hasMemory = role != wire::Role::Null && (parameter.kind == AGENTIC_POINTER ||
                                                        parameter.kind == AGENTIC_RANGE || parameter.isReference);
    return {&parameter, &planned, hasMemory, role == wire::Role::Out || role == wire::Role::InOut,
            nullptr,    nullptr,  nullptr};
  }

  /// Keeps arguments with overlapping recorded memory together; each begins at its recorded place within its page.
  void place() {
    size_t *order = allocate<size_t>(count_);
    size_t known = 0;
    const auto address = [&](size_t i) { return arguments_[i].planned->header.address; };
    const auto bytes = [&](size_t i) { return arguments_[i].planned->header.bytes; };
    for (size_t i = 0; i < count_; ++i) {
      if (!arguments_[i].hasMemory)
        continue;
      size_t at = known++;
      for (; at > 0 && address(order[at - 1]) > address(i); --at)
        order[at] = order[at - 1];
      order[at] = i;
    }
    for (size_t first = 0, last; first < known; first = last) {
      const uint64_t begin = address(order[first]);
      uint64_t size = bytes(order[first]);
      for (last = first + 1; last < known && begin > 0 && bytes(order[last]) > 0 && address(order[last]) - begin < size;
           ++last)
        if (address(order[last]) - begin + bytes(order[last]) > size)
          size = address(order[last]) - begin + bytes(order[last]);
      const size_t whole = kPage + size_t(begin % kPage) + size_t(size) + kPage;
      char *block = keep(allocate<char>(whole, kPage));
      memset(block, 0xa5, whole);
      __msan_poison(block, whole);
      for (size_t i = first; i < last; ++i)
        arguments_[order[i]].placed = block + kPage + begin % kPage + (address(order[i]) - begin);
    }
    free(order);
  }

  void fill(size_t number, char *to) const {
    memcpy(to, arguments_[number].planned->payload, arguments_[number].planned->header.bytes);
    for (size_t i = 0; i < patchCount_; ++i)
      if (patches_[i].header.argument == number)
        memcpy(to + patches_[i].header.offset, patches_[i].bytes, patches_[i].header.bytes);
  }

  void *hand(size_t number) {
    Argument &argument = arguments_[number];
    const agentic_parameter &parameter = *argument.parameter;
    if (parameter.kind == AGENTIC_RANGE && argument.placed) {
      argument.object = keep(allocate<char>(parameter.size, parameter.alignment));
      parameter.make(argument.object, argument.placed, argument.planned->header.bytes / parameter.elementSize);
      return argument.object;
    }
    if (parameter.kind == AGENTIC_POINTER) {
      argument.pointer = argument.placed;
      return &argument.pointer;
    }
    if (argument.placed)
      return argument.placed;
    char *value = keep(allocate<char>(parameter.size, parameter.alignment));
    fill(number, value);
    return value;
  }

  template <class T> T *keep(T *block) {
    blocks_[blockCount_++] = block;
    return block;
  }

  const agentic_glue &glue_;
  const PlannedPatch *patches_;
  size_t patchCount_, count_;
  Argument *arguments_;
  void **handed_;
  void **blocks_;
  size_t blockCount_ = 0;
  char *result_ = nullptr;
};

/// Returns a byte for each byte of an output; 1: unset. Null if all are set.
unsigned char *unsetBytes(const Output &output) {
  intptr_t at = output.size ? __msan_test_shadow(output.bytes, output.size) : -1;
  if (at < 0)
    return nullptr;
  unsigned char *unset = allocate<unsigned char>(output.size);
  memset(unset, 0, output.size);
  for (size_t i = size_t(at); i < output.size; ++i)
    unset[i] = __msan_test_shadow(output.bytes + i, 1) >= 0;
  const size_t element = output.element ? output.element : 1;
  for (size_t i = 0; i + element <= output.size; i += element) {
    size_t count = 0;
    for (size_t j = 0; j < element; ++j)
      count += unset[i + j];
    if (count < element)
      memset(unset + i, 0, element);
  }
  return unset;
}

} // namespace
} // namespace agentic
