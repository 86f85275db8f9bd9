// The prompts are written for C++; for a kernel in C the same words say C.
#pragma once

#include "tool/llm/chat.h"
#include "tool/model/kernel_spec.h"

#include <string>

namespace agentic {

/// Returns what a model has to know of the kernel's language; empty for C++.
std::string languageText(const KernelSpec &spec);

/// Returns a request whose texts, but for those of the model, ask for files in this language.
ChatRequest inLanguage(ChatRequest request, Language language);
std::string inLanguage(std::string text, Language language);

} // namespace agentic
