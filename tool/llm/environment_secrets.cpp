#include "tool/llm/environment_secrets.h"

#include "tool/base/text.h"
#include "tool/llm/providers.h"
#include "tool/llm/secret_names.h"

#include <algorithm>
#include <string_view>

namespace agentic {
namespace {

constexpr std::size_t kShortestUnknown = 12;

bool isProvidersKey(std::string_view variable) {
  return variable == kUrlKeyName ||
         (!variable.empty() &&
          std::ranges::find(providerTable(), variable, &ProviderRow::keyName) != providerTable().end());
}

} // namespace

void addSecretsOf(std::span<const std::string> environment, Redactor &redactor) {
  for (const std::string &entry : environment) {
    const std::size_t equals = entry.find('=');
    const std::string_view name = std::string_view(entry).substr(0, equals);
    if (equals == std::string::npos)
      continue;
    const std::string_view value = trim(std::string_view(entry).substr(equals + 1));
    if (isProvidersKey(name) || (isSecretName(name) && value.size() >= kShortestUnknown))
      redactor.add(value);
  }
}

} // namespace agentic
