#include "tool/build/manifests.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/cmake_cache.h"
#include "tool/model/json.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace agentic {
namespace {

std::string quotedList(const std::vector<std::string> &names) {
  std::string out;
  for (const std::string &name : names)
    out += (out.empty() ? "'" : ", '") + name + "'";
  return out;
}

/// Files of the manifest folder, sorted, so that errors do not depend on the file system.
std::vector<fs::path> manifestFiles(const std::string &buildDir) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(fs::path(buildDir) / "_agentic" / "manifests", error))
    if (entry.path().extension() == ".json")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::vector<Manifest>> readAll(const std::string &buildDir) {
  std::error_code error;
  if (!fs::is_directory(buildDir, error))
    return userError("'" + buildDir + "' is not a folder", "configure the project: cmake -S <source> -B " + buildDir);
  if (!fs::exists(fs::path(buildDir) / "CMakeCache.txt", error))
    return userError("'" + buildDir + "' is not a CMake build tree: it has no CMakeCache.txt",
                     "configure the project: cmake -S <source> -B " + buildDir);
  std::vector<Manifest> all;
  for (const fs::path &file : manifestFiles(buildDir)) {
    auto text = TRY(readFile(file));
    auto manifest = TRY(parseJson<Manifest>(text, "manifest " + file.string()));
    if (manifest.schema != 1)
      return userError("manifest '" + file.string() + "' has schema " + std::to_string(manifest.schema) +
                           ", but this tool reads 1",
                       "use the AgenticKernel.cmake that belongs to this tool and configure again");
    all.push_back(std::move(manifest));
  }
  return all;
}

/// Returns the position in `arguments` of a compiler that CMake was configured with.
std::size_t compilerPosition(const std::vector<std::string> &arguments, const std::vector<std::string> &compilers) {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "-c" && arguments[i] != "-o"; ++i)
    if (!arguments[i].empty() && std::ranges::count(compilers, arguments[i]) > 0)
      return i;
  std::size_t i = 0;
  const std::set<std::string> launchers = {"ccache", "sccache", "distcc", "icecc", "buildcache"};
  while (i + 1 < arguments.size() && launchers.contains(fs::path(arguments[i]).filename().string()))
    ++i;
  return i;
}

std::string absolutePath(const std::string &directory, const std::string &file) {
  const fs::path path = fs::path(file).is_absolute() ? fs::path(file) : fs::path(directory) / file;
  return path.lexically_normal().string();
}

/// Makefiles may put include folders into a file of their own: `@CMakeFiles/k.dir/includes_CXX.rsp`.
void expandResponseFiles(CompileCommand &command) {
  std::vector<std::string> arguments;
  for (std::string &argument : command.arguments) {
    const auto text = argument.starts_with("@") ? readFile(absolutePath(command.directory, argument.substr(1)))
                                                : Result<std::string>(std::unexpected(Error{}));
    if (!text) {
      arguments.push_back(std::move(argument));
      continue;
    }
    for (std::string &word : splitCommandLine(replaceAll(*text, "\n", " ")))
      arguments.push_back(std::move(word));
  }
  command.arguments = std::move(arguments);
}

/// CMake does not quote the object's path, which in a folder with a blank in its name falls apart: what follows `-o` up
/// to the next option or SOURCE is one path.
void joinObjectPath(CompileCommand &command, const std::string &file) {
  std::vector<std::string> &words = command.arguments;
  const auto output = std::find(words.begin(), words.end(), "-o");
  if (words.end() - output < 3)
    return;
  const auto isNext = [&](const std::string &word) {
    return word.starts_with("-") || absolutePath(command.directory, word) == file;
  };
  const auto begin = output + 1, end = std::find_if(begin + 1, words.end(), isNext);
  *begin = join(std::vector<std::string>(begin, end), " ");
  words.erase(begin + 1, end);
}

/// Rates how well a command fits `manifest`: other targets may compile the same file with other flags, and a
/// Multi-Config tree has a command per configuration. Of several targets the first is the one to tune for.
int fitOf(const CompileCommand &command, const Manifest &manifest) {
  int fit = 0;
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const std::string &argument = command.arguments[i];
    if (argument == "-DCMAKE_INTDIR=\"" + manifest.config + "\"")
      ++fit;
    if (argument == "-o" && i + 1 < command.arguments.size())
      for (std::size_t t = 0; t < manifest.targets.size(); ++t)
        if (("/" + command.arguments[i + 1]).find("/CMakeFiles/" + manifest.targets[t] + ".dir/") != std::string::npos)
          fit += 2 * int(manifest.targets.size() - t);
  }
  return fit;
}

/// The command that compiles one of `files` and fits `manifest` best; the first of several equals.
Result<CompileCommand> bestCommand(const std::string &buildDir, const std::vector<std::string> &files,
                                   const Manifest &manifest) {
  const fs::path database = fs::path(buildDir) / "compile_commands.json";
  auto text = readFile(database);
  if (!text)
    return userError("'" + database.string() + "' cannot be read",
                     "configure with the Ninja or Makefiles generator and "
                     "CMAKE_EXPORT_COMPILE_COMMANDS=ON");
  auto commands = TRY(parseJson<std::vector<CompileCommand>>(*text, database.string()));
  CompileCommand *best = nullptr;
  for (const std::string &file : files)
    for (CompileCommand &command : commands) {
      const std::string compiled = absolutePath(command.directory, command.file);
      if (file.empty() || compiled != absolutePath(buildDir, file) || command.arguments.empty())
        continue;
      joinObjectPath(command, compiled);
      if (!best || fitOf(command, manifest) > fitOf(*best, manifest))
        best = &command;
    }
  if (!best)
    return userError("'" + files[0] + "' is not compiled in '" + buildDir + "'",
                     "check that SOURCE belongs to TARGET and configure again");
  best->file = absolutePath(best->directory, best->file);
  const std::string cacheText = readFile(fs::path(buildDir) / "CMakeCache.txt").value_or(std::string());
  const auto cache = parseCMakeCache(cacheText);
  const std::size_t compiler = compilerPosition(
      best->arguments, {cacheValue(cache, "CMAKE_CXX_COMPILER"), cacheValue(cache, "CMAKE_C_COMPILER")});
  best->arguments.erase(best->arguments.begin(), best->arguments.begin() + static_cast<std::ptrdiff_t>(compiler));
  expandResponseFiles(*best);
  return std::move(*best);
}

/// A tree with one configuration at a time keeps the manifests of those it had before: they are out of date.
void dropFormerConfigurations(std::vector<Manifest> &all, const std::string &buildDir) {
  const auto cache = parseCMakeCache(readFile(fs::path(buildDir) / "CMakeCache.txt").value_or(std::string()));
  const std::string current = cacheValue(cache, "CMAKE_BUILD_TYPE");
  const bool isCurrent =
      std::any_of(all.begin(), all.end(), [&](const Manifest &manifest) { return manifest.config == current; });
  if (cacheValue(cache, "CMAKE_CONFIGURATION_TYPES").empty() && isCurrent)
    std::erase_if(all, [&](const Manifest &manifest) { return manifest.config != current; });
}

} // namespace

Result<std::vector<Manifest>> loadManifests(const std::string &buildDir, const std::string &config) {
  auto all = TRY(readAll(buildDir));
  if (config.empty())
    dropFormerConfigurations(all, buildDir);
  if (all.empty())
    return userError("no kernel is declared in '" + buildDir + "'",
                     "add add_agentic_kernel() to a CMakeLists.txt and configure again");
  std::set<std::string> configs;
  for (const Manifest &manifest : all)
    configs.insert(manifest.config);
  const std::vector<std::string> names(configs.begin(), configs.end());
  if (!config.empty() && !configs.contains(config))
    return userError("'" + buildDir + "' has no configuration '" + config + "'", "choose one of " + quotedList(names));
  if (config.empty() && configs.size() > 1)
    return userError("'" + buildDir + "' has several configurations", "choose one with --config: " + quotedList(names));
  if (!config.empty())
    std::erase_if(all, [&](const Manifest &manifest) { return manifest.config != config; });
  std::sort(all.begin(), all.end(), [](const Manifest &a, const Manifest &b) { return a.kernel < b.kernel; });
  return all;
}

Result<Manifest> loadManifest(const std::string &buildDir, const std::string &kernel, const std::string &config) {
  auto all = TRY(loadManifests(buildDir, config));
  std::vector<std::string> names;
  for (Manifest &manifest : all) {
    if (manifest.kernel == kernel || (kernel.empty() && all.size() == 1))
      return std::move(manifest);
    names.push_back(manifest.kernel);
  }
  if (kernel.empty())
    return userError("'" + buildDir + "' has several kernels: " + quotedList(names), "name one with --kernel");
  return userError("no kernel named '" + kernel + "' in '" + buildDir + "'; there is " + quotedList(names),
                   meantOr(kernel, names, "name one of these"));
}

Result<std::vector<Manifest>> chosenManifests(const std::string &buildDir, const std::string &kernel,
                                              const std::string &config) {
  if (kernel.empty())
    return loadManifests(buildDir, config);
  auto one = TRY(loadManifest(buildDir, kernel, config));
  return std::vector{std::move(one)};
}

Result<CompileCommand> compileCommandFor(const std::string &buildDir, const std::string &file) {
  return bestCommand(buildDir, {file}, {});
}

Result<CompileCommand> sourceCommand(const Manifest &manifest, const std::string &buildDir) {
  return bestCommand(buildDir, {manifest.source, manifest.compiledSource}, manifest);
}

} // namespace agentic
