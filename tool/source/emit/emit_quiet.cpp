#include "tool/source/emit/emit_quiet.h"

#include <fmt/format.h>

namespace agentic {
namespace {

// Only generated text may raise these warnings; the baseline in between keeps the project's own.
constexpr const char *kQuiet = R"(#pragma GCC diagnostic push
#if defined(__clang__)
#pragma clang diagnostic ignored "-Weverything"
#else
#pragma GCC diagnostic ignored "-Wpragmas"
)";
constexpr const char *kQuietGcc[] = {"-Waggregate-return",
                                     "-Wcast-function-type",
                                     "-Wconditionally-supported",
                                     "-Wconversion",
                                     "-Weffc++",
                                     "-Wfloat-equal",
                                     "-Wextra",
                                     "-Winline",
                                     "-Wlong-long",
                                     "-Wmissing-declarations",
                                     "-Wnamespaces",
                                     "-Wnoexcept",
                                     "-Wnoexcept-type",
                                     "-Wnull-dereference",
                                     "-Wold-style-cast",
                                     "-Wpadded",
                                     "-Wpedantic",
                                     "-Wredundant-decls",
                                     "-Wshadow",
                                     "-Wsign-conversion",
                                     "-Wsuggest-attribute=cold",
                                     "-Wsuggest-attribute=const",
                                     "-Wsuggest-attribute=malloc",
                                     "-Wsuggest-attribute=noreturn",
                                     "-Wsuggest-attribute=pure",
                                     "-Wsuggest-attribute=format",
                                     "-Wunused",
                                     "-Wundef",
                                     "-Wunused-const-variable",
                                     "-Wuseless-cast",
                                     "-Wzero-as-null-pointer-constant"};

// In C besides: what generated code needs, and what a compiler for C++ or an older C would say.
constexpr const char *kQuietGccC[] = {"-Wbad-function-cast",      "-Wc++-compat",
                                      "-Wc11-c2x-compat",         "-Wc90-c99-compat",
                                      "-Wc99-c11-compat",         "-Wdeclaration-after-statement",
                                      "-Wmissing-prototypes",     "-Wnested-externs",
                                      "-Wstrict-prototypes",      "-Wtraditional",
                                      "-Wtraditional-conversion", "-Wvla"};

} // namespace

std::string emitQuiet(Language language) {
  std::string text = kQuiet;
  for (const char *option : kQuietGcc)
    text += fmt::format("#pragma GCC diagnostic ignored \"{}\"\n", option);
  if (language == Language::C)
    for (const char *option : kQuietGccC)
      text += fmt::format("#pragma GCC diagnostic ignored \"{}\"\n", option);
  return text + "#endif\n";
}

} // namespace agentic
