#include "tool/evaluate/instruments/sanitize_reports.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kReportCap = 1u << 20, kMostFiles = 16;

} // namespace

Result<ReportFolder> ReportFolder::create(const std::string &parent) {
  ScratchDirectory folder = TRY(ScratchDirectory::create(parent, "reports-"));
  return ReportFolder(std::move(folder));
}

RunAdditions ReportFolder::additions(const std::vector<std::string> &runtimes) const {
  const std::string path = folder_.path();
  // Checks that need all code to be instrumented are off, as are options that would start programs. The path is quoted,
  // because a blank or a colon would end it and make the rest an unknown option.
  const std::string options = "log_path='" + path +
                              "/report':symbolize=0:external_symbolizer_path=:detect_leaks=0:"
                              "detect_odr_violation=0:detect_container_overflow=0:alloc_dealloc_mismatch=0:"
                              "verify_asan_link_order=0:allocator_may_return_null=1:quarantine_size_mb=16:"
                              "detect_stack_use_after_return=0:print_stacktrace=0";
  RunAdditions added;
  added.preload = runtimes;
  added.environment = {"ASAN_OPTIONS=" + options, "MSAN_OPTIONS=" + options, "UBSAN_OPTIONS=" + options};
  if (runtimes.size() > 1)
    added.environment.insert(added.environment.end(), {"AGENTIC_KERNEL_SANITIZER=" + runtimes.back(),
                                                       "AGENTIC_KERNEL_REPORT=" + path + "/second"});
  added.writable = {path};
  added.hasShadowMemory = true;
  return added;
}

std::vector<std::string> ReportFolder::logs() const {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder_.path(), error), end; !error && entry != end; entry.increment(error))
    files.push_back(entry->path());
  std::ranges::sort(files);
  files.resize(std::min(files.size(), kMostFiles));
  std::vector<std::string> texts;
  for (const std::string &file : files)
    texts.push_back(readUntrusted(file, kReportCap).value_or(std::string()));
  return texts;
}

std::vector<SanitizerReport> ReportFolder::reports(const std::string &sharedObject) const {
  std::vector<SanitizerReport> all;
  for (const std::string &log : logs())
    for (SanitizerReport &report : parseSanitizerReports(log, sharedObject))
      all.push_back(std::move(report));
  return all;
}

SanitizerReport ReportFolder::report(const std::string &sharedObject) const {
  std::vector<SanitizerReport> all = reports(sharedObject);
  return all.empty() ? SanitizerReport() : std::move(all.front());
}

std::string ReportFolder::text() const {
  std::string all;
  for (const std::string &log : logs())
    all += log;
  all.resize(std::min(all.size(), kReportCap));
  return all;
}

} // namespace agentic
