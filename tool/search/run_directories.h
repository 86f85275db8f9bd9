// The folders of runs: "<kernel>-<utc>[-n]", n numbers those that began in the same second.
#pragma once

#include <string>
#include <vector>

namespace agentic {

/// Returns the runs of a kernel (of all kernels if empty), oldest first.
std::vector<std::string> listRuns(const std::string &runsDir, const std::string &kernel);

/// Returns the first of these names in `parent` that does not exist yet.
std::string newRunDirectory(const std::string &parent, const std::string &kernel);

} // namespace agentic
