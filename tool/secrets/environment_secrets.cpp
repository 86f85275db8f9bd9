#include "tool/secrets/environment_secrets.h"

#include "tool/base/text.h"
#include "tool/secrets/secret_names.h"

#include <algorithm>
#include <string_view>

namespace agentic {
namespace {

constexpr std::size_t kShortestUnknown = 12;

} // namespace

void addSecretsOf(std::span<const std::string> environment, std::span<const std::string> keyNames, Redactor &redactor) {
  for (const std::string &entry : environment) {
    const std::size_t equals = entry.find('=');
    const std::string_view name = std::string_view(entry).substr(0, equals);
    if (equals == std::string::npos)
      continue;
    const std::string_view value = trim(std::string_view(entry).substr(equals + 1));
    const bool isKey = std::ranges::find(keyNames, name) != keyNames.end();
    if (isKey || (isSecretName(name) && value.size() >= kShortestUnknown))
      redactor.add(value);
  }
}

} // namespace agentic
