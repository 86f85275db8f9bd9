#include "tool/evaluate/remote/task_parts.h"

#include <algorithm>
#include <string_view>

namespace agentic {

using nlohmann::json;

bool isHash(const std::string &text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::vector<std::string> withCarriedLibraries(std::vector<std::string> environment) {
  std::string folders(kCarriedLibraries);
  for (const std::string &entry : environment)
    if (entry.starts_with(kLibraryPath))
      folders += ":" + entry.substr(kLibraryPath.size());
  environment.push_back(std::string(kLibraryPath) + folders);
  return environment;
}

json filesJson(const std::vector<TaskFile> &files) {
  json out = json::array();
  for (const TaskFile &file : files)
    out.push_back({{"path", file.path}, {"hash", file.hash}});
  return out;
}

Result<Sandbox::View> viewOf(const json &description, const std::string &store) {
  Sandbox::View view;
  view.tasks = static_cast<Tasks>(description.at("tasks").get<int>());
  view.folders = description.at("folders").get<std::vector<std::string>>();
  for (const json &file : description.at("files")) {
    const std::string hash = file.at("hash"), path = file.at("path");
    if (!isHash(hash) || !path.starts_with('/'))
      return userError("a task's file has no place", "send it again: the connection or the sender is broken");
    view.placed.push_back({store + "/" + hash, path});
  }
  return view;
}

json errorResult(const Error &error) {
  return {{"error", {{"kind", static_cast<int>(error.kind)}, {"message", error.message}, {"next", error.next}}}};
}

Result<void> checkedResult(const json &result) {
  const auto error = result.find("error");
  if (error == result.end())
    return {};
  const int kind = error->value("kind", static_cast<int>(ErrorKind::Bug));
  return std::unexpected(Error{.kind = kind == static_cast<int>(ErrorKind::Interrupted) ? ErrorKind::Interrupted
                                       : kind == static_cast<int>(ErrorKind::User)      ? ErrorKind::User
                                                                                        : ErrorKind::Bug,
                               .message = error->value("message", "it ended without a reason"),
                               .next = error->value("next", "")});
}

std::unexpected<Error> noResult(const std::string &problem) {
  return userError("its result is not understood: " + problem, "look whether the worker there has this tool's version");
}

} // namespace agentic
