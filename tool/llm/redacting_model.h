// A model whose errors and answers hold no secrets, whoever they come from: a server that sends our key back, a program
// that prints its environment when it fails. So nothing that is made of them holds one either.
#pragma once

#include "tool/llm/chat.h"
#include "tool/secrets/redactor.h"

#include <memory>

namespace agentic {

/// Errors are cleaned of all that looks like a secret. What a model wrote stays as it came, as far as
/// Redactor::forRecords() leaves it. `onText` sees the text as it streams in.
std::unique_ptr<ChatModel> redactingModel(std::unique_ptr<ChatModel> model, std::shared_ptr<const Redactor> redactor);

} // namespace agentic
