#include "tool/runner/recorder_audit.h"

#include "tool/runner/recorder_compare.h"
#include "tool/runner/recorder_outputs.h"
#include "tool/runner/recorder_random.h"
#include "tool/runner/recorder_side.h"

#include <utility>

namespace agentic::recorder {
namespace {

enum Exit { kGoesOn = 0, kIsOver = 1, kNothingToChange = 2 };

/// What happens before the call that is compared.
enum class Change { None, Inputs, PiecesOfOutputs, Outputs };

struct Audit {
  RecordFile &file;
  const char *candidate;
  PendingCall call;
  Change change;
  const Outputs *outputs; ///< null: none are to be overwritten
};

/// Returns whether there was something to change, and the call is still one that the contract permits.
bool prepare(Change change, const Outputs *outputs, PendingCall &call) {
  if (change == Change::None)
    return true;
  if (change == Change::Inputs)
    call.changed = changeInputs(call);
  else
    call.overwritten = outputs->overwrite(change == Change::Outputs);
  return call.changed + call.overwritten > 0 && (!call.glue->fulfils || call.glue->fulfils(call.arguments));
}

int compareInFork(void *closure) {
  auto &[file, candidate, call, change, outputs] = *static_cast<Audit *>(closure);
  if (!prepare(change, outputs, call))
    return kNothingToChange;
  try {
    return compareCall(file, candidate, call) ? kGoesOn : kIsOver;
  } catch (...) { // the baseline's: it is recorded
    return kIsOver;
  }
}

/// Returns whether further calls are to be audited.
bool compareAside(RecordFile &file, const char *candidate, const PendingCall &call, Change change,
                  const Outputs *outputs = nullptr) {
  const std::uint64_t before = file.position();
  Audit audit{file, candidate, call, change, outputs};
  const int status = runAside(&compareInFork, &audit);
  if (status >= 0)
    return file.catchUp() && status != kIsOver;
  file.rewind(before); // nothing is known: the unchanged kernel did not get through
  return true;
}

} // namespace

bool AuditChooser::wants() {
  if (calls_ == 0)
    next_ = 1 + randomWord() % 2; // the first call finds nothing of the candidate's own
  const bool wanted = calls_++ == next_ && !isFull();
  if (wanted) {
    ++taken_;
    next_ = calls_ + randomWord() % (4 * calls_);
  }
  return wanted;
}

bool auditCall(RecordFile &file, const char *candidate, const PendingCall &call) {
  static bool isFirst = true; // finding what a call writes is dear
  if (!compareAside(file, candidate, call, Change::None) || !compareAside(file, candidate, call, Change::Inputs))
    return false;
  if (!std::exchange(isFirst, false))
    return true;
  const Outputs outputs(call);
  return compareAside(file, candidate, call, Change::PiecesOfOutputs, &outputs) &&
         compareAside(file, candidate, call, Change::Outputs, &outputs);
}

} // namespace agentic::recorder
