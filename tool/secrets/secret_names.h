// Secrets that are told by the name beside them: `DEPLOY_TOKEN=…`, `"api_key": "…"`, `--password …`.
#pragma once

#include <string>
#include <string_view>

namespace agentic {

inline constexpr std::string_view kRedacted = "[redacted]"; ///< what stands where a secret was

/// Whether a variable, an option or a macro with this name holds a secret. Words count, not parts of them: DEPLOY_TOKEN
/// and apiKey do, TOKENIZERS_PARALLELISM and monkey do not.
bool isSecretName(std::string_view name);

/// The same of a field of JSON, or the dotted path to it. What is called a key there is mostly a hash: `api_key` and
/// `DEPLOY_KEY` count, `kernel_key` does not.
bool isSecretField(std::string_view path);

/// Whether this is an option alone, `--token`, whose secret is the argument behind it.
bool isSecretOption(std::string_view argument);

/// The text with what stands behind such names, and the `user:password` of `user:password@host`, replaced by
/// kRedacted. A text that begins with an assignment (`-DDEPLOY_TOKEN=one two`) is its value up to the end.
std::string withoutNamedSecrets(std::string_view text);

} // namespace agentic
