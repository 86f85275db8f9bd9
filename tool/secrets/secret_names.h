// Recognizes secrets by the name beside them: `DEPLOY_TOKEN=…`, `"api_key": "…"`, `--password …`.
#pragma once

#include <string>
#include <string_view>

namespace agentic {

inline constexpr std::string_view kRedacted = "[redacted]"; ///< replaces a secret

/// Returns whether a variable, an option or a macro with this name holds a secret. Whole words count, not parts of
/// them: DEPLOY_TOKEN and apiKey do, TOKENIZERS_PARALLELISM and monkey do not.
bool isSecretName(std::string_view name);

/// Like isSecretName, for a field of JSON or the dotted path to it. A key there is mostly a hash: `api_key` and
/// `DEPLOY_KEY` count, `kernel_key` does not.
bool isSecretField(std::string_view path);

/// Returns whether the argument is an option such as `--token`, whose secret is the next argument.
bool isSecretOption(std::string_view argument);

/// Returns the text with kRedacted in place of the values of such names, and of `user:password` in
/// `user:password@host`. A text that begins with an assignment (`-DDEPLOY_TOKEN=one two`) is one value up to its end.
std::string withoutNamedSecrets(std::string_view text);

} // namespace agentic
