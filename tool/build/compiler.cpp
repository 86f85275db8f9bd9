#include "tool/build/manifests.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/model/json.h"

#include <charconv>
#include <filesystem>
#include <map>

namespace agentic {
namespace {

using Macros = std::map<std::string, std::string, std::less<>>;

Result<std::string> ask(const std::string &compiler, std::vector<std::string> arguments) {
  ProcessSpec spec;
  spec.argv = std::move(arguments);
  spec.argv.insert(spec.argv.begin(), compiler);
  spec.addedEnvironment = {{"LC_ALL", "C"}};
  spec.timeoutSeconds = 20;
  auto result = TRY(runProcess(spec));
  if (!result.ok())
    return userError("the compiler '" + compiler + "' does not work: '" + join(spec.argv, " ") + "' " +
                         result.describe() + ": " + std::string(trim(result.err.substr(0, 400))),
                     "check the compiler, then configure the build tree again");
  return std::move(result.out);
}

/// "#define NAME VALUE" lines.
Macros parseMacros(std::string_view text) {
  Macros macros;
  for (const std::string &line : split(text, '\n')) {
    const std::string_view define = "#define ";
    if (!line.starts_with(define))
      continue;
    const std::size_t space = line.find(' ', define.size());
    const std::string name = line.substr(define.size(), space == std::string::npos ? space : space - define.size());
    macros[name] = space == std::string::npos ? "" : line.substr(space + 1);
  }
  return macros;
}

std::string value(const Macros &macros, std::string_view name) {
  const auto found = macros.find(name);
  return found == macros.end() ? std::string() : found->second;
}

std::string languageStandard(const Macros &macros) {
  const std::string text = value(macros, "__cplusplus");
  long year = 0;
  std::from_chars(text.data(), text.data() + text.size(), year);
  const char *name = year <= 199711L   ? "98"
                     : year <= 201103L ? "11"
                     : year <= 201402L ? "14"
                     : year <= 201703L ? "17"
                     : year <= 202002L ? "20"
                                       : "23";
  return std::string(macros.contains("__STRICT_ANSI__") ? "-std=c++" : "-std=gnu++") + name;
}

std::string languageStandardC(const Macros &macros) {
  const std::string text = value(macros, "__STDC_VERSION__");
  long year = 0;
  std::from_chars(text.data(), text.data() + text.size(), year);
  const char *name = year < 199901L    ? "89"
                     : year <= 199901L ? "99"
                     : year <= 201112L ? "11"
                     : year <= 201710L ? "17"
                                       : "2x";
  return std::string(macros.contains("__STRICT_ANSI__") ? "-std=c" : "-std=gnu") + name;
}

Result<Compiler> askAll(const std::string &path) {
  const auto version = TRY(ask(path, {"--version"}));
  const auto dumpC = TRY(ask(path, {"-dM", "-E", "-x", "c", "/dev/null"}));
  const auto dump = ask(path, {"-dM", "-E", "-x", "c++", "/dev/null"}); // gcc may be installed without g++
  const auto machine = TRY(ask(path, {"-dumpmachine"}));
  const Macros macros = parseMacros(dumpC);
  const bool clang = macros.contains("__clang__");
  if (!clang && !macros.contains("__GNUC__"))
    return userError("'" + path + "' is neither Clang nor GCC", "configure with clang or gcc");
  Compiler out;
  out.path = path;
  out.family = clang ? Family::Clang : Family::Gcc;
  const std::string major = value(macros, clang ? "__clang_major__" : "__GNUC__");
  out.version = major + "." + value(macros, clang ? "__clang_minor__" : "__GNUC_MINOR__") + "." +
                value(macros, clang ? "__clang_patchlevel__" : "__GNUC_PATCHLEVEL__");
  std::from_chars(major.data(), major.data() + major.size(), out.major);
  out.description = trim(std::string_view(version).substr(0, version.find('\n')));
  if (dump)
    out.defaultStd = languageStandard(parseMacros(*dump));
  out.defaultStdC = languageStandardC(macros);
  out.machine = trim(machine);
  return out;
}

/// Changes when the compiler behind the path does.
std::string identity(const std::string &path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const auto size = fs::file_size(real, error);
  const auto time = fs::last_write_time(real, error).time_since_epoch().count();
  return HashBuilder().add("3").add(path).add(real.string()).add(std::to_string(size)).add(std::to_string(time)).hex();
}

} // namespace

Result<Compiler> identifyCompiler(const std::string &path, const std::string &cacheDir) {
  const auto resolved = findProgram(path);
  if (!resolved)
    return userError("the compiler '" + path + "' does not exist or is not executable",
                     "reconfigure the build tree with a compiler that is installed");
  const std::string key = identity(*resolved);
  const fs::path file = fs::path(cacheDir) / ("compiler-" + key.substr(0, 32) + ".json");
  if (const auto text = readFile(file))
    if (auto cached = parseJson<Compiler>(*text, file.string()))
      return cached;
  auto compiler = askAll(*resolved);
  // A cache that cannot be written costs two child processes next time, nothing else.
  if (compiler)
    (void)writeFileAtomic(file, dumpJson(*compiler));
  return compiler;
}

Result<Compiler> compilerOf(const Manifest &manifest) {
  return identifyCompiler(manifest.compiler, manifest.buildDir + "/_agentic/cache");
}

} // namespace agentic
