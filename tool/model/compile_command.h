// The command by which the project's own compiler compiles one translation unit, and the identity of that compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct CompileCommand {
  std::string directory;
  std::string file;                   ///< absolute
  std::vector<std::string> arguments; ///< compiler first; includes -c FILE, -o OUT and dependency options as recorded
  std::string output;                 ///< may be empty
};

enum class Family { Clang, Gcc };

struct Compiler {
  std::string path; ///< argv[0] of the compile command, resolved
  Family family = Family::Clang;
  std::string version; ///< "19.1.7"
  int major = 0;
  std::string description; ///< first line of --version
  std::string defaultStd;  ///< "-std=gnu++17": the compiler's default when a command has no -std; "" if it has no C++
  std::string defaultStdC; ///< "-std=gnu17": the same for C
  std::string machine;     ///< "aarch64-linux-gnu": -dumpmachine; a command's own --target= goes before it
};

const char *familyName(Family family);     ///< "clang" or "gcc"
Family familyNamed(std::string_view name); ///< inverse of familyName(); every name but "clang" is gcc, as in locks

} // namespace agentic
