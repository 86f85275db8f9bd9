#include "tool/run/surroundings.h"

#include <utility>

namespace agentic {

std::string Surroundings::cacheFile(const std::string &name, const std::string &buildDir) const {
  for (const auto &[variable, folder] : {std::pair("XDG_CACHE_HOME", ""), std::pair("HOME", "/.cache")})
    if (const auto value = environment(variable); value && value->starts_with('/'))
      return *value + folder + "/agentic-kernel/" + name;
  return buildDir + "/_agentic/cache/" + name;
}

std::function<std::string(std::string line)> Surroundings::redact() const {
  return [secrets = secrets](const std::string &line) { return secrets->forRecords(line); };
}

} // namespace agentic
