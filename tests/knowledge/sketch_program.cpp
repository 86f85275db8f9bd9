#include "tests/knowledge/sketch_program.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/host.h"

#include <algorithm>
#include <set>

namespace agentic::test {
namespace {

constexpr std::string_view kSizes = "0 1 2 3 5 7 8 9 15 16 17 31 32 33 63 64 65 100 127 129 255 257 1000 4099";

/// Of a sketch, the statements that compare it.
std::string comparison(const PatternText &pattern, const std::string &space) {
  const auto given = [&](const std::string &key, std::string_view otherwise) {
    const std::string value = pattern.directive(key);
    return value.empty() ? std::string(otherwise) : value;
  };
  std::string text = "  {\n    sketches::Settings s;\n";
  text += "    s.sizes = {" + replaceAll(given("sizes", kSizes), " ", ", ") + "};\n";
  text += "    s.tolerance = " + given("tolerance", "0") + ";\n";
  if (const std::vector<std::string> ends = splitCommandLine(pattern.directive("values")); ends.size() == 2)
    text += "    s.isRanged = true;\n    s.low = " + ends[0] + ";\n    s.high = " + ends[1] + ";\n";
  if (pattern.directive("order") == "ascending")
    text += "    s.isAscending = true;\n";
  for (const std::string &count : split(given("elements", "n"), ','))
    text += "    s.elements.push_back([](std::size_t n) -> std::size_t { return n * 0 + (" + count + "); });\n";
  return text + "    sketches::compare(\"" + pattern.name + "\", s, &" + space + "::before, &" + space +
         "::after);\n  }\n";
}

/// The sketch without its includes, whose lines stay.
std::string body(const PatternText &pattern) {
  std::string text;
  for (const std::string &line : split(pattern.sketch, '\n'))
    text += (line.starts_with("#include") ? "" : line) + "\n";
  return text;
}

std::vector<std::string> flagsOf(const Level *level) {
  std::vector<std::string> flags;
  if (level && level->target.starts_with("arch="))
    flags.push_back("-m" + std::string(level->target));
  else if (level)
    for (const std::string &feature : split(level->target, ','))
      flags.push_back("-m" + feature);
  return flags;
}

} // namespace

std::string programOf(const std::vector<PatternText> &patterns) {
  std::set<std::string> includes{"#include \"sketch_driver.h\""};
  std::string sketches, comparisons;
  for (const PatternText &pattern : patterns) {
    const std::string space = "sketch_" + replaceAll(pattern.name, "-", "_");
    std::ranges::copy(pattern.includes(), std::inserter(includes, includes.end()));
    sketches += "namespace " + space + " {\n#line " + std::to_string(pattern.sketchLine) + " \"" + pattern.name +
                ".md\"\n" + body(pattern) + "} // namespace " + space + "\n";
    comparisons += comparison(pattern, space);
  }
  std::string text;
  for (const std::string &line : includes)
    text += line + "\n";
  return text + sketches + "#line 1 \"comparisons\"\nint main() {\n" + comparisons +
         "  return sketches::failures != 0;\n}\n";
}

SketchCompiler sketchCompiler(const std::string &name, const Level *level) {
  SketchCompiler compiler{.name = name, .command = {name}};
  const std::vector<const Level *> own = levelsOf(hostCpu().processor);
  const bool isForeign = level && std::ranges::find(own, level) == own.end();
  const bool isArm = isForeign && level->processor.contains("aarch64");
  compiler.canRun = !level || hasLevel(hostCpu(), *level);
  if (!findProgram(name))
    compiler.whyNot = name + " is not installed";
  else if (isForeign && !(isArm && findProgram("aarch64-linux-gnu-g++")))
    compiler.whyNot = "no compiler of level " + std::string(level->name) + " is installed";
  if (!compiler.whyNot.empty()) {
    compiler.command.clear();
    compiler.canRun = false;
    return compiler;
  }
  if (isArm) {
    compiler.command = name.starts_with("clang") ? std::vector<std::string>{name, "--target=aarch64-linux-gnu"}
                                                 : std::vector<std::string>{"aarch64-linux-gnu-g++"};
    compiler.command.push_back("-static");
    compiler.canRun = findProgram("qemu-aarch64").has_value();
    compiler.emulator = {"qemu-aarch64", "-cpu", "max"};
    compiler.whyNot = compiler.canRun ? "" : "qemu-aarch64 is not installed";
  } else {
    // Accesses beside arrays and undefined behaviour end the program; one family shows them, and is quick enough.
    if (name.starts_with("clang"))
      compiler.command.insert(compiler.command.end(), {"-fsanitize=address,undefined", "-fno-sanitize-recover=all"});
    if (!compiler.canRun)
      compiler.whyNot = "this CPU lacks " + join(lackedFeatures(hostCpu(), *level), ", ");
  }
  std::ranges::copy(flagsOf(level), std::back_inserter(compiler.command));
  // The headers of g++ 12 for 512 bits read variables that they do not set on purpose, and it says so.
  if (!name.starts_with("clang") && level && level->target.contains("avx512"))
    compiler.command.insert(compiler.command.end(), {"-Wno-uninitialized", "-Wno-maybe-uninitialized"});
  return compiler;
}

SketchOutcome compileAndRun(const std::string &program, const SketchCompiler &compiler) {
  const auto folder = ScratchDirectory::create(std::filesystem::temp_directory_path(), "agentic-sketches-");
  if (!folder || !writeScratch(folder->path() / "sketches.cpp", program))
    return {.output = "no scratch folder"};
  ProcessSpec compile{.argv = compiler.command, .workingDirectory = folder->path().string(), .timeoutSeconds = 600};
  // Without contraction results are the same bits where a sketch says so; -Wno-psabi: vectors are passed below AVX.
  for (const char *flag : {"-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-ffp-contract=off",
                           "-I" AGENTIC_TEST_DATA, "sketches.cpp", "-o", "sketches"})
    compile.argv.emplace_back(flag);
  if (!compiler.canRun)
    compile.argv.insert(compile.argv.end(), {"-c"});
  const auto compiled = runProcess(compile);
  if (!compiled || !compiled->ok())
    return {.output =
                compiled ? compiled->describe() + "\n" + compiled->err.substr(0, 8000) : compiled.error().message};
  if (!compiler.canRun)
    return {.isRight = true};
  ProcessSpec start{.argv = compiler.emulator, .workingDirectory = folder->path().string(), .timeoutSeconds = 600};
  start.argv.push_back("./sketches");
  const auto result = runProcess(start);
  if (!result)
    return {.output = result.error().message};
  const std::string &log = result->err; // its last lines name the sketch that a sanitizer ended
  return {.isRight = result->ok(),
          .hasRun = true,
          .output = result->describe() + "\n" + result->out.substr(0, 4000) +
                    (result->ok() ? "" : log.substr(log.size() - std::min<std::size_t>(log.size(), 6000)))};
}

} // namespace agentic::test
