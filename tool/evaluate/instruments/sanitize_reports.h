// The folder in which processes under sanitizers leave their reports.
#pragma once

#include "tool/base/error.h"
#include "tool/base/files.h"
#include "tool/evaluate/instruments/sanitize_report.h"
#include "tool/evaluate/programs/program_run.h"

#include <string>
#include <vector>

namespace agentic {

/// A private folder that one candidate's processes may write to; removed with the object.
class ReportFolder {
public:
  static Result<ReportFolder> create(const std::string &parent);

  /// Returns the additions that make a run's reports arrive here.
  RunAdditions additions(const std::vector<std::string> &runtimes) const;

  /// All reports, or the first; hostile input. Empty summary: no report.
  std::vector<SanitizerReport> reports(const std::string &sharedObject) const;
  SanitizerReport report(const std::string &sharedObject) const;
  /// The reports as they were written, for a person; at most 1 MiB.
  std::string text() const;

private:
  std::vector<std::string> logs() const;

  explicit ReportFolder(ScratchDirectory folder) : folder_(std::move(folder)) {}
  ScratchDirectory folder_;
};

} // namespace agentic
