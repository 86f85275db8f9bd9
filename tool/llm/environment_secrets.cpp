#include "tool/llm/environment_secrets.h"

#include "tool/base/text.h"
#include "tool/llm/providers.h"

#include <algorithm>
#include <array>

namespace agentic {
namespace {

constexpr std::size_t kShortestUnknown = 12;
constexpr std::array<std::string_view, 6> kEndings = {"API_KEY", "ACCESS_KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD"};

bool isProvidersKey(std::string_view variable) {
  return variable == kUrlKeyName ||
         (!variable.empty() &&
          std::ranges::find(providerTable(), variable, &ProviderRow::keyName) != providerTable().end());
}

} // namespace

bool namesSecret(std::string_view variable) {
  return isProvidersKey(variable) ||
         std::ranges::any_of(kEndings, [&](std::string_view ending) { return variable.ends_with(ending); });
}

void addSecretsOf(std::span<const std::string> environment, Redactor &redactor) {
  for (const std::string &entry : environment) {
    const std::size_t equals = entry.find('=');
    const std::string_view name = std::string_view(entry).substr(0, equals);
    if (equals == std::string::npos || !namesSecret(name))
      continue;
    const std::string_view value = trim(std::string_view(entry).substr(equals + 1));
    if (isProvidersKey(name) || value.size() >= kShortestUnknown)
      redactor.add(value);
  }
}

} // namespace agentic
