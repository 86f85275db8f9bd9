// Which variables of an environment hold what must not be written. Programs that the tool starts inherit all of them
// and may print any: an agent that fails says "cannot log in with …".
#pragma once

#include "tool/secrets/redactor.h"

#include <span>
#include <string>

namespace agentic {

/// Loads the secrets of "NAME=value" entries: the values of the variables that `keyNames` lists (whose values are keys,
/// however short), and what has a secret's name (secret_names.h). Of the latter only values of at least twelve
/// characters: shorter ones are words and numbers that stand elsewhere, too.
void addSecretsOf(std::span<const std::string> environment, std::span<const std::string> keyNames, Redactor &redactor);

} // namespace agentic
