#include "tool/build/glue.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"

#include <filesystem>

namespace agentic {
namespace {

std::string keyOf(const GlueRequest &request) {
  HashBuilder key;
  key.add(request.text).add(request.cacheKey).add(request.kernel);
  CompileRequest compile = request.compile;
  compile.unitFile = compile.objectFile = {};
  for (const std::string &argument : compileArguments(compile))
    key.add(argument);
  return key.hex().substr(0, 16);
}

/// Returns it with its place, if that is in a header.
std::string firstError(const std::string &diagnostics) {
  for (const std::string &line : split(diagnostics, '\n'))
    if (const std::size_t at = line.find("error: "); at != std::string::npos) {
      const std::string place = fs::path(line.substr(0, at)).filename();
      return (place.find(".h") == std::string::npos ? "" : place) + line.substr(at + 7);
    }
  return std::string(trim(firstLine(diagnostics)));
}

struct Compiled {
  std::string object;
  std::string problem; ///< why there is no object
};

Result<Compiled> compileIn(const GlueRequest &request, const fs::path &scratch) {
  CompileRequest compile = request.compile;
  compile.unitFile = scratch / "unit.cpp";
  compile.objectFile = scratch / "unit.o";
  TRY(writeFileAtomic(compile.unitFile, request.text));
  CompileOutcome outcome = TRY(compileUnit(compile));
  if (!outcome.ok)
    return Compiled{{}, firstError(outcome.diagnostics)};
  return Compiled{compile.objectFile, {}};
}

/// Atomic: a concurrent process makes the same file.
Result<void> moveInto(const std::string &from, const std::string &to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error)
    return userError("cannot write '" + to + "': " + error.message(), "check the free space and permissions there");
  return {};
}

bool exists(const std::string &path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// `made` beside a text that says why it could not be made: neither is tried again. In C a header of which nothing is
/// used, and which is no part of the key therefore, may be what is no C++: that is looked at again.
Result<BuiltGlue> cachedOr(const GlueRequest &request, const std::string &file,
                           Result<Compiled> (*make)(const GlueRequest &, const fs::path &)) {
  const std::string failure = file + ".problem";
  if (exists(file))
    return BuiltGlue{file, {}};
  if (Result<std::string> text = readFile(failure); text && !request.needsCxxLibrary)
    return BuiltGlue{{}, std::string(trim(*text))};
  ScratchDirectory scratch = TRY(ScratchDirectory::create(request.directory, "glue-"));
  Compiled made = TRY(make(request, scratch.path()));
  if (made.object.empty()) {
    TRY(writeFileAtomic(failure, made.problem + "\n"));
    return BuiltGlue{{}, made.problem};
  }
  TRY(moveInto(made.object, file));
  return BuiltGlue{file, {}};
}

Result<Compiled> compileAndLink(const GlueRequest &request, const fs::path &scratch) {
  Result<Compiled> compiled = compileIn(request, scratch);
  if (!compiled || compiled->object.empty())
    return compiled;
  SharedObjectRequest link;
  link.objects = {compiled->object};
  link.exports = {"agentic_kernel_glue_" + request.kernel, "agentic_kernel_entry_" + request.kernel};
  link.sharedObject = scratch / "glue.so";
  link.name = "glue";
  link.cacheDir = scratch;
  link.compiler = request.compile.command.arguments.at(0);
  link.needsCxxLibrary = request.needsCxxLibrary;
  link.sandbox = request.compile.sandbox;
  link.cancelled = request.compile.cancelled;
  CompileOutcome linked = TRY(linkSharedObject(link));
  return linked.ok ? Compiled{link.sharedObject, {}} : Compiled{{}, firstError(linked.diagnostics)};
}

} // namespace

Result<BuiltGlue> buildGlue(const GlueRequest &request) {
  return cachedOr(request, request.directory + "/glue-" + keyOf(request) + ".so", &compileAndLink);
}

Result<std::string> buildEntry(const GlueRequest &request) {
  BuiltGlue built = TRY(cachedOr(request, request.directory + "/entry-" + keyOf(request) + ".o", &compileIn));
  return built.library;
}

Result<std::string> helperFile(std::string_view name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path file = program.parent_path().parent_path() / "libexec/agentic-kernel" / name;
  if (error || !fs::exists(file, error))
    return userError("'" + file.string() + "', which belongs to agentic-kernel, is missing",
                     "install or build agentic-kernel completely");
  return file.string();
}

} // namespace agentic
