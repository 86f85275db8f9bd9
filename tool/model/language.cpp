#include "tool/model/language.h"

#include "tool/model/compile_command.h"

namespace agentic {
namespace {

bool isCxxDriver(std::string_view compiler) {
  const std::size_t slash = compiler.rfind('/');
  return compiler.substr(slash == std::string_view::npos ? 0 : slash + 1).find("++") != std::string_view::npos;
}

} // namespace

const char *languageName(Language language) {
  return language == Language::C ? "C" : "C++";
}

const char *fileEnding(Language language) {
  return language == Language::C ? ".c" : ".cpp";
}

const char *driverLanguage(Language language) {
  return language == Language::C ? "c" : "c++";
}

Language languageOf(const CompileCommand &command) {
  const std::vector<std::string> &arguments = command.arguments;
  std::string_view said;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "-x" && i + 1 < arguments.size())
      said = arguments[i + 1];
    else if (arguments[i].starts_with("-xc"))
      said = std::string_view(arguments[i]).substr(2);
  }
  if (!said.empty() && said != "none")
    return said == "c" ? Language::C : Language::Cxx;
  const bool isCxx = !command.file.ends_with(".c") || (!arguments.empty() && isCxxDriver(arguments.front()));
  return isCxx ? Language::Cxx : Language::C;
}

} // namespace agentic
