// The library that is loaded into a test or benchmark program to record calls of a kernel: see glue_abi.h for its
// interface and wire.h for its output.
//
// The program must not notice it: only the system reads memory (a bad extent is an error of write(), not a fault), and
// any failure ends the recording. Calls of other threads wait, for a while, while one is recorded (recorder_callers.h);
// all others run side by side as ever. When it compares calls instead (recorder_compare.h), it reads memory in place as
// well: a fault then ends that run alone. Only when it audits (recorder_audit.h) does the program itself run with the
// candidate.
#include "tool/runner/glue_abi.h"
#include "tool/runner/recorder_audit.h"
#include "tool/runner/recorder_call.h"
#include "tool/runner/recorder_callers.h"
#include "tool/runner/recorder_compare.h"
#include "tool/runner/recorder_file.h"
#include "tool/runner/recorder_heap.h"
#include "tool/runner/recorder_sampler.h"
#include "tool/runner/recorder_side.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace agentic::recorder {
namespace {

constexpr unsigned kMostArguments = 64, kMostBare = 4;
constexpr std::uint64_t kMostAddressable = std::uint64_t{1} << 48;

/// The known facts of one argument before the call.
struct Captured {
  wire::Argument header;
  const void *elements = nullptr;
};

/// Noticing: all calls that are wanted were taken, and only how threads call the kernel is still of interest.
enum class State { New, Opening, Recording, Noticing, Over };
std::atomic<State> state;
std::atomic<bool> isBusy; ///< some thread counts a call or records one, or writes to the file
Callers callers;
std::atomic<std::uint64_t> writtenCallers; ///< wire::callersWord() that the file has
std::atomic<bool> isUnwritable;            ///< the file is another process's, or a thread keeps it for ever
thread_local bool isInside __attribute__((tls_model("initial-exec"))) = false;
Sampler sampler;
RecordFile file;
const char *candidate = nullptr; ///< the shared object to compare with; null: calls are recorded
void *audited = nullptr; ///< the candidate's kernel, where the program runs with it; null: the program has the baseline
AuditChooser auditChooser;
unsigned bareCalls = 0;

void stopInChild() {
  state.store(State::Over);
  isUnwritable.store(true);
  resetHeapLocks();
}

/// Opens the file at the first call.
State currentState(const agentic_glue *glue, void *baseline) {
  State now = state.load(std::memory_order_acquire);
  if (now == State::New && state.compare_exchange_strong(now, State::Opening)) {
    const char *path = std::getenv("AGENTIC_KERNEL_RECORD");
    candidate = std::getenv("AGENTIC_KERNEL_COMPARE");
    wire::FileHeader header;
    __builtin_memcpy(header.magic, candidate ? wire::kComparisonsMagic : wire::kCallsMagic, sizeof header.magic);
    const bool isOpen = path && ::pthread_atfork(nullptr, nullptr, &stopInChild) == 0 && file.open(path) &&
                        file.append(&header, sizeof header) == RecordFile::Outcome::Written;
    const bool isAudit = isOpen && candidate && std::getenv("AGENTIC_KERNEL_AUDIT");
    isInside = true; // loading must not wait for itself
    audited = isAudit ? load(candidate, glue, baseline) : nullptr;
    isInside = false;
    now = isOpen && (audited || !isAudit) ? State::Recording : State::Over;
    state.store(now, std::memory_order_release);
  }
  while (now == State::Opening) { // until then nobody knows whose call it is
    ::sched_yield();
    now = state.load(std::memory_order_acquire);
  }
  return now;
}

std::uint64_t callersNow() {
  return wire::callersWord(callers.threads(), callers.areSideBySide());
}

/// Writes how threads call the kernel, if that is new.
void noteCallers() {
  constexpr int kYields = 2, kMost = 100'000; // ten seconds and more: the file's owner has left its call by a jump
  for (int tries = 0; callersNow() != writtenCallers.load() && !isUnwritable.load(); ++tries) {
    if (tries == kMost)
      isUnwritable.store(true);
    if (isBusy.exchange(true)) {
      if (tries < kYields)
        ::sched_yield();
      else
        ::usleep(100);
      continue;
    }
    const std::uint64_t word = callersNow();
    if (!file.rewrite(offsetof(wire::FileHeader, count), &word, sizeof word))
      isUnwritable.store(true);
    writtenCallers.store(word);
    isBusy.store(false, std::memory_order_release);
  }
}

wire::Role roleOf(int direction) {
  return direction == AGENTIC_DIRECTION_IN    ? wire::Role::In
         : direction == AGENTIC_DIRECTION_OUT ? wire::Role::Out
                                              : wire::Role::InOut;
}

void uncover(Captured &captured, wire::Reason reason) {
  captured.header.role = wire::Role::Uncovered;
  captured.header.reason = reason;
  captured.header.bytes = captured.header.hashAfter = 0;
}

void capturePointer(const agentic_parameter &parameter, void *const *arguments, const void *elements,
                    Captured &captured) {
  captured.header.address = reinterpret_cast<std::uintptr_t>(elements);
  captured.elements = elements;
  if (!elements) {
    captured.header.role = wire::Role::Null;
    return;
  }
  if (parameter.extent) {
    const long long count = parameter.extent(arguments);
    if (count < 0 ||
        __builtin_mul_overflow(static_cast<std::uint64_t>(count), parameter.elementSize, &captured.header.bytes) ||
        captured.header.bytes > kMostAddressable)
      uncover(captured, wire::Reason::BadExtent);
    return;
  }
  captured.header.bytes = heapRest(elements) / parameter.elementSize * parameter.elementSize;
  if (captured.header.bytes == 0)
    uncover(captured, wire::Reason::UnknownExtent);
}

void capture(const agentic_parameter &parameter, void *const *arguments, unsigned index, Captured &captured) {
  void *const argument = arguments[index];
  captured.header.role = roleOf(parameter.direction);
  if (parameter.kind == AGENTIC_OPAQUE)
    return uncover(captured, wire::Reason::Opaque);
  if (parameter.kind == AGENTIC_POINTER)
    return capturePointer(parameter, arguments, *static_cast<void *const *>(argument), captured);
  captured.elements = argument;
  captured.header.bytes = parameter.size;
  if (parameter.kind == AGENTIC_RANGE) {
    unsigned long count = 0;
    parameter.view(argument, &captured.elements, &count);
    captured.header.bytes = count * parameter.elementSize;
  } else if (!parameter.isReference) {
    captured.header.role = wire::Role::Value;
  }
  captured.header.address = reinterpret_cast<std::uintptr_t>(captured.elements);
}

/// One call being recorded; an exception takes it back.
class Recording {
public:
  Recording(const agentic_glue *glue, void *const *arguments, std::uint64_t sequence)
      : glue_(glue), arguments_(arguments), begin_(file.position()) {
    call_.argumentCount = glue->parameterCount;
    call_.sequence = sequence;
    call_.resultBytes = glue->result.size;
    for (unsigned i = 0; i < glue->parameterCount; ++i)
      capture(glue->parameters[i], arguments, i, captured_[i]);
  }
  ~Recording() {
    if (!isFinished_)
      file.rewind(begin_);
  }
  Recording(const Recording &) = delete;
  Recording &operator=(const Recording &) = delete;

  /// Call it before the kernel's call.
  void begin() {
    for (unsigned i = 0; i < glue_->parameterCount; ++i)
      if (captured_[i].header.role == wire::Role::Uncovered)
        return writeBare();
    if (size() > kMostCallBytes)
      return giveUp(wire::Reason::TooLarge);
    if (size() + sizeof call_ > file.room()) { // there are other records: nothing to report
      isBare_ = true;
      return;
    }
    const RecordFile::Outcome outcome = write();
    isGood_ = outcome == RecordFile::Outcome::Written;
    if (outcome != RecordFile::Outcome::Unreadable)
      return;
    file.rewind(begin_); // once more, without the argument that could not be read
    writeBare();
  }

  /// Returns whether the record holds only the reason why the call could not be recorded.
  bool isBare() const { return isBare_; }

  /// Call it after the kernel's call, with its result.
  void end(const void *result) {
    isFinished_ = true;
    if (!isGood_)
      return file.rewind(begin_);
    if (isBare_)
      return;
    std::uint64_t at = begin_ + sizeof call_;
    for (unsigned i = 0; i < glue_->parameterCount; ++i) {
      Captured &captured = captured_[i];
      if (wasResized(i)) {
        file.rewind(begin_);
        uncover(captured, wire::Reason::Resized);
        writeBare();
        return;
      }
      captured.header.hashAfter = wire::hashBytes(captured.elements, captured.header.bytes);
      if (!file.rewrite(at, &captured.header, sizeof captured.header))
        return file.rewind(begin_);
      at += sizeof captured.header + padded(captured.header.bytes);
    }
    if (file.appendPadded(result, call_.resultBytes) != RecordFile::Outcome::Written)
      file.rewind(begin_);
  }

private:
  /// Returns the size of everything after the call's header.
  std::uint64_t size() const {
    std::uint64_t size = isBare_ ? 0 : padded(call_.resultBytes);
    for (unsigned i = 0; i < glue_->parameterCount; ++i)
      if (__builtin_add_overflow(size, sizeof(wire::Argument) + padded(captured_[i].header.bytes), &size))
        return ~std::uint64_t{0};
    return size;
  }

  /// Records which argument could not be captured, without any payload.
  void giveUp(wire::Reason reason) {
    Captured *largest = &captured_[0];
    for (unsigned i = 0; i < glue_->parameterCount; ++i)
      if (captured_[i].header.bytes > largest->header.bytes)
        largest = &captured_[i];
    uncover(*largest, reason);
    writeBare();
  }

  void writeBare() {
    isBare_ = true;
    isGood_ = bareCalls++ < kMostBare && write() == RecordFile::Outcome::Written;
  }

  RecordFile::Outcome write() {
    call_.resultBytes = isBare_ ? 0 : glue_->result.size;
    for (unsigned i = 0; isBare_ && i < glue_->parameterCount; ++i)
      if (captured_[i].header.role != wire::Role::Value)
        captured_[i].header.bytes = 0;
    call_.bytes = size();
    RecordFile::Outcome outcome = file.append(&call_, sizeof call_);
    for (unsigned i = 0; i < glue_->parameterCount && outcome == RecordFile::Outcome::Written; ++i) {
      outcome = file.append(&captured_[i].header, sizeof captured_[i].header);
      if (outcome != RecordFile::Outcome::Written)
        return outcome;
      outcome = file.appendPadded(captured_[i].elements, captured_[i].header.bytes);
      if (outcome == RecordFile::Outcome::Unreadable)
        uncover(captured_[i], wire::Reason::BadExtent);
    }
    return outcome;
  }

  bool wasResized(unsigned i) const {
    if (glue_->parameters[i].kind != AGENTIC_RANGE)
      return false;
    const void *elements = nullptr;
    unsigned long count = 0;
    glue_->parameters[i].view(arguments_[i], &elements, &count);
    return elements != captured_[i].elements || count * glue_->parameters[i].elementSize != captured_[i].header.bytes;
  }

  const agentic_glue *glue_;
  void *const *arguments_;
  const std::uint64_t begin_;
  wire::Call call_;
  Captured captured_[kMostArguments];
  bool isGood_ = false, isBare_ = false, isFinished_ = false;
};

/// Excludes other threads: their calls meanwhile are not recorded.
class Turn {
public:
  Turn() { isInside = true; }
  ~Turn() { end(); }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;

  void end() {
    if (std::exchange(isMine_, false)) {
      isInside = false;
      isBusy.store(false, std::memory_order_release);
    }
  }

private:
  bool isMine_ = true;
};

/// A call of the kernel by the program, for as long as anybody asks how its threads call it. errno stays.
class CountedCall {
public:
  explicit CountedCall(State now)
      : isCounted_(now == State::Recording || (now == State::Noticing && !callers.areSideBySide())) {
    if (isCounted_)
      callers.enter();
  }
  ~CountedCall() {
    if (!isCounted_)
      return;
    const int error = errno;
    callers.leave();
    noteCallers();
    errno = error;
  }
  CountedCall(const CountedCall &) = delete;
  CountedCall &operator=(const CountedCall &) = delete;

private:
  const bool isCounted_;
};

/// Nobody else's call is in progress, unless they do not end.
class Alone {
public:
  Alone() : isIt_(callers.beAlone()) {}
  ~Alone() {
    if (isIt_)
      callers.endAlone();
  }
  Alone(const Alone &) = delete;
  Alone &operator=(const Alone &) = delete;

private:
  const bool isIt_;
};

/// A call where the program runs with the candidate, which does every call that no fork of an audit makes.
void callAudited(const agentic_glue *glue, void *baseline, void *const *arguments, void *result, int error) {
  if (state.load() == State::Recording && !isBusy.exchange(true)) {
    const Turn turn;
    const bool isMeant = auditChooser.wants() && (!glue->fulfils || glue->fulfils(arguments));
    const PendingCall call{glue, baseline, arguments, result, auditChooser.calls() - 1, error};
    if ((isMeant && !auditCall(file, candidate, call)) || auditChooser.isFull())
      state.store(State::Over);
  }
  errno = error;
  callThrough(glue, audited, arguments, result);
}

} // namespace
} // namespace agentic::recorder

using namespace agentic::recorder;

extern "C" __attribute__((visibility("default"))) void agentic_kernel_record(const agentic_glue *glue, void *function,
                                                                             void *const *arguments, void *result) {
  const int error = errno;
  const State now = isInside ? State::Over : currentState(glue, function);
  if (audited && !isInside)
    return callAudited(glue, function, arguments, result, error);
  const CountedCall counted(now);
  if (now != State::Recording || glue->parameterCount > kMostArguments || isBusy.exchange(true)) {
    errno = error;
    return callThrough(glue, function, arguments, result);
  }
  Turn turn;
  const bool isEarly = candidate && sampler.calls() < kComparedFirst;
  if ((!sampler.wants(shapeOf(glue, arguments)) && !isEarly) || (glue->fulfils && !glue->fulfils(arguments))) {
    if (sampler.isFull())
      state.store(State::Noticing);
    turn.end();
    errno = error;
    return callThrough(glue, function, arguments, result);
  }
  const Alone alone;
  if (candidate) {
    if (!compareCall(file, candidate, {glue, function, arguments, result, sampler.calls() - 1, error}))
      state.store(State::Over);
    return;
  }
  Recording recording(glue, arguments, sampler.calls() - 1);
  recording.begin();
  errno = error;
  callThrough(glue, function, arguments, result);
  const int after = errno;
  recording.end(result);
  if (recording.isBare())
    sampler.giveBack();
  errno = after;
}
