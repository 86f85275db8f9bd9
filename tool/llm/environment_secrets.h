// Which variables of an environment hold what must not be written. Programs that the tool starts inherit all of them
// and may print any: an agent that fails says "cannot log in with …".
#pragma once

#include "tool/llm/secrets.h"

#include <span>
#include <string>
#include <string_view>

namespace agentic {

/// The keys of providers and of servers given by their URL, and names that end like GITHUB_TOKEN or DB_PASSWORD.
bool namesSecret(std::string_view variable);

/// Loads the secrets of "NAME=value" entries. Of those that are known by their names' endings alone, only values of at
/// least twelve characters: shorter ones are words and numbers that stand elsewhere, too.
void addSecretsOf(std::span<const std::string> environment, Redactor &redactor);

} // namespace agentic
