#include "tool/evaluate/programs/own_program.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <algorithm>

namespace agentic {

void showProgram(const std::string &program, Sandbox::View &view) {
  view.readOnly.push_back(program);
  const auto maps = readFile("/proc/self/maps");
  if (!maps)
    return;
  for (const std::string &line : split(*maps, '\n')) {
    const std::size_t slash = line.find('/');
    const std::string file = slash == std::string::npos ? std::string() : line.substr(slash);
    if (file.find(".so") != std::string::npos && !file.starts_with("/usr/") && !file.starts_with("/lib") &&
        !file.starts_with("/opt/") && std::ranges::find(view.readOnly, file) == view.readOnly.end())
      view.readOnly.push_back(file);
  }
}

} // namespace agentic
