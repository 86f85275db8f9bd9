// A model whose errors and answers hold no secrets, whatever their source: a server that sends our key back, a program
// that prints its environment when it fails. So no text made from them holds one either.
#pragma once

#include "tool/llm/chat.h"
#include "tool/secrets/redactor.h"

#include <memory>

namespace agentic {

/// Removes everything that looks like a secret from errors. A model's text stays as it came, as far as
/// Redactor::forRecords() leaves it. `onText` gets the text as it streams in.
std::unique_ptr<ChatModel> redactingModel(std::unique_ptr<ChatModel> model, std::shared_ptr<const Redactor> redactor);

} // namespace agentic
