#include "tool/hot/paste_lines.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <algorithm>

namespace agentic {
namespace {

/// The source folder of a target: CMake gives each folder of the project one of the same name in the build tree.
fs::path sourceFolderOf(const HotProject &project, const LinkedTarget *target) {
  std::error_code ignored;
  const fs::path relative = target ? fs::path(target->folder).lexically_relative(project.buildDir) : fs::path(".");
  const fs::path folder = (fs::path(project.sourceDir) / relative).lexically_normal();
  const bool isFolder =
      !relative.empty() && *relative.begin() != ".." && fs::exists(folder / "CMakeLists.txt", ignored);
  return isFolder ? folder : fs::path(project.sourceDir);
}

std::string cmakeQuoted(const std::string &word) {
  const bool isPlain = word.find_first_of(" ;\"()#$\\") == std::string::npos;
  return isPlain ? word : "\"" + replaceAll(replaceAll(word, "\\", "\\\\"), "\"", "\\\"") + "\"";
}

/// Programs that call code of `target`, as far as links tell, and are linked with the library.
std::vector<std::string> programsOf(const HotProject &project, const LinkedTarget *target, std::string_view library) {
  std::vector<std::string> names;
  for (const LinkedTarget &program : project.linked)
    if (target && program.kind == LinkedTarget::Kind::Program && program.uses(*target) && program.usesLibrary(library))
      names.push_back(cmakeQuoted(program.name));
  return names;
}

std::string programsLine(const std::string &keyword, const std::vector<std::string> &names,
                         const std::string &missing) {
  return names.empty() ? "  # " + keyword + " " + missing : "  " + keyword + " " + join(names, " ");
}

std::string functionLine(const std::string &function) {
  return "  FUNCTION " + cmakeQuoted(function);
}

} // namespace

void nameFunctions(const std::vector<PasteLines *> &all) {
  for (PasteLines *paste : all) {
    const auto isBeside = [&](const PasteLines *other) { return other->markerFile == paste->markerFile; };
    const auto source =
        std::ranges::find_if(paste->cmakeLines, [](const std::string &line) { return line.starts_with("  SOURCE "); });
    if (std::ranges::count_if(all, isBeside) > 1 && source != paste->cmakeLines.end() &&
        std::ranges::find(paste->cmakeLines, functionLine(paste->function)) == paste->cmakeLines.end())
      paste->cmakeLines.insert(source + 1, functionLine(paste->function));
  }
}

PasteLines pasteLines(const HotProject &project, const Prospect &prospect, const std::string &kernel,
                      const std::string &file, const std::string &target) {
  PasteLines paste;
  paste.markerFile = file;
  paste.markerLine = prospect.line;
  paste.function = prospect.function;
  if (prospect.needsDefinition)
    paste.markerLines = {"#ifndef AGENTIC_KERNEL", "#define AGENTIC_KERNEL", "#endif"};
  if (prospect.column == 1)
    paste.markerLines.emplace_back("AGENTIC_KERNEL");
  else
    paste.markerColumn = prospect.column;

  const LinkedTarget *linked = project.linkedTarget(target);
  const fs::path folder = sourceFolderOf(project, linked);
  paste.cmakeFile = (folder / "CMakeLists.txt").string();
  if (!project.hasPackage)
    paste.cmakeLines.emplace_back("find_package(AgenticKernel CONFIG REQUIRED)");
  paste.cmakeLines.push_back("add_agentic_kernel(" + kernel);
  paste.cmakeLines.push_back("  TARGET " + cmakeQuoted(target));
  paste.cmakeLines.push_back("  SOURCE " + cmakeQuoted(fs::path(file).lexically_relative(folder).string()));
  if (prospect.needsName)
    paste.cmakeLines.push_back(functionLine(prospect.function));
  paste.cmakeLines.push_back(
      programsLine("TESTS", programsOf(project, linked, "gtest"), "<target of a GoogleTest program that calls it>"));
  paste.cmakeLines.push_back(programsLine("BENCHMARKS", programsOf(project, linked, "benchmark"),
                                          "<target of a Google Benchmark program that calls it>"));
  paste.cmakeLines.emplace_back(")");
  const std::string tree = " -B " + shellQuoted(project.buildDir) + " -k " + kernel;
  paste.command = prospect.kind == Prospect::Kind::Wrapper ? "agentic-kernel wrap" + tree + " --write"
                                                           : "agentic-kernel optimize" + tree;
  return paste;
}

} // namespace agentic
