// Parts that the descriptions and results of all tasks have.
#pragma once

#include "tool/base/error.h"
#include "tool/build/sandbox.h"
#include "tool/farm/task.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace agentic {

/// Where a task's programs find the shared libraries that it brings along; glibc's are the host's.
inline constexpr std::string_view kCarriedLibraries = "/agentic-libraries";
inline constexpr std::string_view kLibraryPath = "LD_LIBRARY_PATH=";

/// Returns the environment with the libraries that the task brought along before all others.
std::vector<std::string> withCarriedLibraries(std::vector<std::string> environment);

/// Names come from the other side: nothing but a hash may become a part of a path.
bool isHash(const std::string &text);

nlohmann::json filesJson(const std::vector<TaskFile> &files);

/// Places the files of a description, which lie by their hashes in `store`, where its programs name them. Error: one
/// has no place. Throws nlohmann::json::exception.
Result<Sandbox::View> viewOf(const nlohmann::json &description, const std::string &store);

nlohmann::json errorResult(const Error &error);
/// Returns the error that the work ended with.
Result<void> checkedResult(const nlohmann::json &result);
std::unexpected<Error> noResult(const std::string &problem);

} // namespace agentic
