// What this process must write nowhere, whichever command runs.
#pragma once

#include "tool/secrets/redactor.h"

#include <memory>
#include <string>

namespace agentic {

/// One for the process: it knows the secrets of the environment from the start, and every key that is loaded later.
const std::shared_ptr<Redactor> &processSecrets();

} // namespace agentic
