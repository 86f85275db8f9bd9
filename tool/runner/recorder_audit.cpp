#include "tool/runner/recorder_audit.h"

#include "tool/runner/recorder_compare.h"
#include "tool/runner/recorder_random.h"
#include "tool/runner/recorder_side.h"

namespace agentic::recorder {
namespace {

enum Exit { kGoesOn = 0, kIsOver = 1, kNothingToChange = 2 };

struct Audit {
  RecordFile &file;
  const char *candidate;
  PendingCall call;
  bool isChanged;
};

int compareInFork(void *closure) {
  auto &[file, candidate, call, isChanged] = *static_cast<Audit *>(closure);
  if (isChanged) {
    call.changed = changeInputs(call);
    if (call.changed == 0 || (call.glue->fulfils && !call.glue->fulfils(call.arguments)))
      return kNothingToChange;
  }
  try {
    return compareCall(file, candidate, call) ? kGoesOn : kIsOver;
  } catch (...) { // the baseline's: it is recorded
    return kIsOver;
  }
}

/// Returns whether further calls are to be audited.
bool compareAside(RecordFile &file, const char *candidate, const PendingCall &call, bool isChanged) {
  const std::uint64_t before = file.position();
  Audit audit{file, candidate, call, isChanged};
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
  return compareAside(file, candidate, call, false) && compareAside(file, candidate, call, true);
}

} // namespace agentic::recorder
