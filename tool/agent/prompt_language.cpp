#include "tool/agent/prompt_language.h"

#include "tool/base/text.h"

#include <utility>

namespace agentic {

std::string languageText(const KernelSpec &spec) {
  if (spec.language == Language::Cxx)
    return {};
  std::string standard;
  for (const std::string &argument : spec.parseArguments)
    if (argument.starts_with("-std=") || argument == "-ansi")
      standard = argument;
  return "\nThe file is C, compiled by a C compiler" + (standard.empty() ? "" : " with " + standard) +
         ", not C++: no namespaces, templates, references, lambdas, constexpr or named casts. `bool` needs "
         "<stdbool.h>; the length of an array is a literal or an enumerator, since a `const int` is no constant; "
         "helper "
         "functions and tables are `static`; `restrict` says what does not overlap.\n";
}

std::string inLanguage(std::string text, Language language) {
  if (language == Language::Cxx)
    return text;
  constexpr std::pair<const char *, const char *> kWords[] = {
      {"```cpp name.cpp", "```c name.c"},     {"```cpp", "```c"},
      {"one C++ function", "one C function"}, {"complete C++ file", "complete C file"},
      {"has no C++ file", "has no C file"},   {"such as unrolled.cpp", "such as unrolled.c"}};
  for (const auto &[cxx, c] : kWords)
    text = replaceAll(text, cxx, c);
  return text;
}

ChatRequest inLanguage(ChatRequest request, Language language) {
  for (ChatMessage &message : request.messages)
    if (message.role != ChatRole::Assistant)
      message.text = inLanguage(std::move(message.text), language);
  for (ToolDescription &tool : request.tools) {
    tool.description = inLanguage(std::move(tool.description), language);
    tool.schema = inLanguage(std::move(tool.schema), language);
  }
  return request;
}

} // namespace agentic
