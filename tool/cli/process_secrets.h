// The secrets that this process must not write, in any command.
#pragma once

#include "tool/secrets/redactor.h"

#include <memory>
#include <string>

namespace agentic {

/// Returns the process's redactor: it knows the secrets of the environment from the start, and every key loaded later.
const std::shared_ptr<Redactor> &processSecrets();

} // namespace agentic
