#include "tool/build/build_flags.h"

#include <initializer_list>
#include <string_view>

namespace agentic {
namespace {

bool isInstrumentation(std::string_view argument) {
  for (std::string_view prefix :
       {"-fsanitize=", "--coverage", "-ftest-coverage", "-fprofile-arcs", "-fprofile-generate",
        "-fprofile-instr-generate", "-fcoverage-mapping", "-finstrument-functions"})
    if (argument.starts_with(prefix))
      return true;
  return argument == "-pg";
}

} // namespace

std::string unsuitableFlags(const CompileCommand &command, const std::string &buildType) {
  std::string level = "none";
  std::string instrumentation;
  for (const std::string &argument : command.arguments) {
    if (argument.starts_with("-O"))
      level = argument;
    else if (argument == "-fno-sanitize=all")
      instrumentation.clear();
    else if (isInstrumentation(argument))
      instrumentation = argument;
  }
  if (!instrumentation.empty())
    return "compiled with " + instrumentation;
  const std::string type = buildType.empty() ? "empty build type" : "build type '" + buildType + "'";
  if (level == "none")
    return "compiled without optimisation (" + type + ", no -O option)";
  if (level == "-O0" || level == "-Og")
    return "compiled without optimisation (" + type + ", " + level + ")";
  return {};
}

} // namespace agentic
