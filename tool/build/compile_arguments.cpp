#include "tool/base/text.h"
#include "tool/build/compile.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace agentic {
namespace {

/// Options of the unit's own compilation that belong to the build system or would write files or stop the compile.
/// Debug information goes too: it costs time and does not change the code.
bool isDropped(std::string_view argument) {
  if (isOneOf(argument, {"-c",
                         "-MD",
                         "-MMD",
                         "-MP",
                         "-MG",
                         "-M",
                         "-MM",
                         "-fPIC",
                         "-fPIE",
                         "-fpie",
                         "-fpic",
                         "--coverage",
                         "-pedantic-errors",
                         "-Winvalid-pch",
                         "-fpch-instantiate-templates",
                         "-fpch-preprocess",
                         "-ftest-coverage",
                         "-ftime-trace",
                         "-fcoverage-mapping",
                         "-emit-llvm",
                         "-pg",
                         "-S",
                         "-E"}))
    return true;
  if (argument.starts_with("-g") && !argument.starts_with("-gcc-"))
    return true;
  return startsWithAny(argument, {"-Werror", "-flto", "-fno-lto", "-ffat-lto", "-fuse-linker-plugin", "-save-temps",
                                  "--save-temps", "-fdiagnostics-color", "-fcolor-diagnostics", "-fsanitize",
                                  "-fprofile-", "-fcs-profile", "-fsave-optimization-record", "-fmodule-mapper",
                                  "-fwhole-program-vtables", "-ftime-trace="}) ||
         (argument.starts_with("@") && argument.ends_with(".modmap"));
}

/// Options of isDropped's kind that carry a value in the next argument.
bool isDroppedWithValue(std::string_view argument) {
  return isOneOf(argument, {"-o", "-MF", "-MT", "-MQ", "-MJ", "-dumpbase", "-dumpdir", "-aux-info"});
}

bool isPrecompiledHeader(std::string_view file) {
  return file.find("cmake_pch.h") != std::string_view::npos || file.ends_with(".pch") || file.ends_with(".gch");
}

/// `-m…` options that do not choose instructions: ABI and code model stay for the generic build.
bool isIsaOption(std::string_view argument) {
  if (!argument.starts_with("-m") || argument == "-mllvm")
    return false;
  return !isOneOf(argument, {"-m64", "-m32", "-mx32", "-mred-zone", "-mno-red-zone", "-mstackrealign"}) &&
         !startsWithAny(argument, {"-mcmodel=", "-mabi=", "-mfloat-abi=", "-mlong-double-",
                                   "-mpreferred-stack-boundary=", "-mtls-", "-mrelax", "-mno-relax"});
}

/// Returns how many arguments from `i` on belong together and are dropped; 0 = keep the argument.
std::size_t droppedAt(const std::vector<std::string> &arguments, std::size_t i, const CompileRequest &request) {
  const std::string &argument = arguments[i];
  const auto next = [&](std::size_t ahead) {
    return i + ahead < arguments.size() ? arguments[i + ahead] : std::string();
  };
  if (isDroppedWithValue(argument))
    return 2;
  if (argument == "-include" && isPrecompiledHeader(next(1)))
    return 2;
  if (argument == "-include-pch")
    return 2;
  if (argument == "-Xclang") {
    // -Xclang -include-pch -Xclang FILE, and the same with -include and -target-feature
    const std::string option = next(1);
    if (option == "-include-pch" || (option == "-include" && isPrecompiledHeader(next(3))) ||
        (request.withoutIsaFlags && (option == "-target-feature" || option == "-target-cpu")))
      return 4;
    if (option == "-emit-pch" || option == "-fno-pch-timestamp" || option == "-fno-validate-pch")
      return 2;
    return 0;
  }
  if (isDropped(argument) || (argument.starts_with("-MF") && argument.size() > 3) ||
      (argument.starts_with("-o") && argument.size() > 2 && !argument.starts_with("-objc")))
    return 1;
  return request.withoutIsaFlags && isIsaOption(argument) ? 1 : 0;
}

/// Returns whether the next argument is this argument's value, and so no file to compile.
bool takesValue(std::string_view argument) {
  return isOneOf(argument, {"-I",
                            "-isystem",
                            "-iquote",
                            "-idirafter",
                            "-D",
                            "-U",
                            "-include",
                            "-imacros",
                            "-x",
                            "-Xclang",
                            "-Xpreprocessor",
                            "-Xassembler",
                            "-mllvm",
                            "-target",
                            "-arch",
                            "-isysroot",
                            "--sysroot",
                            "--param",
                            "-B",
                            "-std",
                            "-cxx-isystem",
                            "-stdlib++-isystem",
                            "-iprefix",
                            "-iwithprefix",
                            "-imultilib"});
}

bool isSource(const CompileCommand &command, const std::string &argument) {
  if (argument == command.file)
    return true;
  // compile_commands.json may hold a path relative to `directory` in one of the two places
  return !argument.empty() && argument[0] != '-' && !command.file.empty() &&
         (command.directory + "/" + argument == command.file);
}

} // namespace

std::vector<std::string> compileArguments(const CompileRequest &request) {
  const std::vector<std::string> &given = request.command.arguments;
  if (given.empty())
    return {};
  std::vector<std::string> out = {given[0]};
  if (!request.quoteDirectory.empty())
    out.insert(out.end(), {"-iquote", request.quoteDirectory});
  for (std::size_t i = 1; i < given.size(); ++i) {
    if (const std::size_t dropped = droppedAt(given, i, request); dropped > 0) {
      i += dropped - 1;
    } else if (takesValue(given[i]) && i + 1 < given.size()) {
      out.insert(out.end(), {given[i], given[i + 1]});
      ++i;
    } else if (!isSource(request.command, given[i]) && given[i] != "--") {
      out.push_back(given[i]);
    }
  }
  out.insert(out.end(), request.more.begin(), request.more.end());
  out.insert(out.end(), {"-fPIC", "-falign-functions=64", "-falign-loops=64", "-pipe", "-fdiagnostics-color=never",
                         "-o", request.objectFile});
  if (request.unitFile.ends_with(fileEnding(Language::C))) // clang++ would take it for C++
    out.insert(out.end(), {"-x", driverLanguage(Language::C)});
  out.insert(out.end(), {"-c", request.unitFile});
  return out;
}

CompileCommand commandInCxx(CompileCommand command) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const std::string &argument = command.arguments[i];
    if (i > 0 && argument == "-x")
      ++i;
    else if (i == 0 || !(isOneOf(argument, {"-ansi", "-fgnu89-inline"}) || startsWithAny(argument, {"-std=", "-x"})))
      kept.push_back(argument);
  }
  // C throws nothing.
  kept.insert(kept.end(), {"-std=gnu++17", "-fno-exceptions", "-fno-rtti"});
  command.arguments = std::move(kept);
  return command;
}

std::vector<std::string> targetOptions(const CompileCommand &command) {
  std::vector<std::string> out;
  for (std::size_t i = 1; i < command.arguments.size(); ++i) {
    const std::string &argument = command.arguments[i];
    if (startsWithAny(argument, {"--target=", "--sysroot=", "--gcc-toolchain=", "--gcc-install-dir=", "-mabi="}))
      out.push_back(argument);
    else if (isOneOf(argument, {"-target", "--sysroot", "-isysroot"}) && i + 1 < command.arguments.size())
      out.insert(out.end(), {argument, command.arguments[++i]});
  }
  return out;
}

std::string codeFlags(const std::vector<std::string> &arguments) {
  std::vector<std::string> flags;
  for (const std::string &argument : arguments)
    if (startsWithAny(argument, {"-O", "-m", "-std", "-f"}) && !argument.contains('/'))
      flags.push_back(argument);
  return join(flags, " ");
}

} // namespace agentic
