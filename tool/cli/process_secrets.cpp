#include "tool/cli/process_secrets.h"

#include "tool/llm/providers.h"
#include "tool/secrets/environment_secrets.h"

#include <unistd.h>
#include <vector>

namespace agentic {

const std::shared_ptr<Redactor> &processSecrets() {
  static const std::shared_ptr<Redactor> secrets = [] {
    std::vector<std::string> entries;
    for (char **entry = environ; entry && *entry; ++entry)
      entries.emplace_back(*entry);
    auto made = std::make_shared<Redactor>();
    addSecretsOf(entries, keyVariables(), *made);
    return made;
  }();
  return secrets;
}

} // namespace agentic
