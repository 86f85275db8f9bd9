// The language of a kernel: that of SOURCE, as the project's build compiles it. What the tool writes for a kernel (the
// candidate unit, the dispatcher, variants, what a move makes) is in this language. Decided in one place, from the
// compile command: languageOf(); everything else asks KernelSpec::language.
#pragma once

#include <string_view>

namespace agentic {

struct CompileCommand;

enum class Language { Cxx, C };

const char *languageName(Language language); ///< "C++" or "C", for people and models

/// Returns the ending of a file in this language: ".cpp" or ".c".
const char *fileEnding(Language language);

/// Returns what `-x` takes: "c++" or "c".
const char *driverLanguage(Language language);

/// Returns the language that a compile command compiles its file in: a last `-x` decides, else C is a file that ends
/// with ".c" and is given to a C compiler (g++ and clang++ take it for C++). Pure.
Language languageOf(const CompileCommand &command);

} // namespace agentic
