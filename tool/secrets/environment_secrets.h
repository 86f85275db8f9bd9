// Finds the variables of an environment that hold secrets. Programs that the tool starts inherit all of them and may
// print any: a failing agent says "cannot log in with …".
#pragma once

#include "tool/secrets/redactor.h"

#include <span>
#include <string>

namespace agentic {

/// Loads the secrets of "NAME=value" entries: the values of the variables that `keyNames` lists (whose values are keys,
/// however short), and of variables with a secret's name (secret_names.h). The latter count from twelve characters on:
/// shorter values are words and numbers that also appear elsewhere.
void addSecretsOf(std::span<const std::string> environment, std::span<const std::string> keyNames, Redactor &redactor);

} // namespace agentic
