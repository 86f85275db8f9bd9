#include "tool/evaluate/candidate/precompiled_prefix.h"

#include "tool/base/files.h"
#include "tool/build/code_hash.h"
#include "tool/evaluate/candidate/candidate_build.h"
#include "tool/evaluate/candidate/candidate_link.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr const char *kName = "agentic-kernel-prefix"; // in a folder of the include path; no project has that header

} // namespace

std::string includesOf(const std::string &unit) {
  std::size_t end = 0, behindInclude = 0;
  while (end < unit.size()) {
    const std::size_t newline = std::min(unit.find('\n', end), unit.size() - 1);
    const std::string_view line = std::string_view(unit).substr(end, newline - end);
    const bool isInclude = line.starts_with("#include");
    if ((!isInclude && !line.empty() && !line.starts_with("//")) || line.ends_with('\\'))
      break;
    end = newline + 1;
    if (isInclude)
      behindInclude = end;
  }
  return unit.substr(0, behindInclude);
}

Result<CompileOutcome> compileBehindPrefix(const PrecompiledPrefix &prefix, CompileRequest request,
                                           const std::string &unit) {
  if (!unit.starts_with(prefix.text))
    return CompileOutcome{};
  const auto lines = static_cast<std::size_t>(std::ranges::count(prefix.text, '\n'));
  if (Result<void> written =
          writeFileAtomic(request.unitFile, std::string(lines, '\n') + unit.substr(prefix.text.size()), Flush::Later);
      !written)
    return std::unexpected(written.error());
  request.more.insert(request.more.end(), prefix.flags.begin(), prefix.flags.end());
  return compileUnit(request);
}

Result<std::optional<PrecompiledPrefix>> precompilePrefix(const BuildContext &context, const std::string &baseline,
                                                          const std::string &objectHash, const std::string &directory) {
  const std::optional<PrecompiledPrefix> none;
  PrecompiledPrefix prefix{.text = includesOf(baseline), .flags = {"-iquote", directory}};
  if (prefix.text.empty() || context.compiler->family != Family::Clang)
    return none;
  const std::string header = directory + "/" + kName + ".h", precompiled = directory + "/" + kName + ".pch";
  TRY(writeFileAtomic(header, prefix.text, Flush::Later));
  CompileRequest request = candidateCompile(context, header, precompiled, context.cancelled);
  request.more = prefix.flags;
  request.more.insert(request.more.end(), {"-x", driverLanguage(context.spec->language) + std::string("-header")});
  Result<CompileOutcome> compiled = compileUnit(request);
  if (!compiled)
    return std::unexpected(compiled.error());
  if (!compiled->ok)
    return none;
  prefix.flags.insert(prefix.flags.end(), {"-include-pch", precompiled});

  const std::string object = directory + "/baseline.o";
  compiled = compileBehindPrefix(prefix,
                                 candidateCompile(context, directory + "/baseline" + fileEnding(context.spec->language),
                                                  object, context.cancelled),
                                 baseline);
  if (!compiled)
    return std::unexpected(compiled.error());
  if (!compiled->ok)
    return none;
  const Result<ElfFile> elf = readElf(object);
  return elf && codeHash(*elf) == objectHash ? std::optional(std::move(prefix)) : none;
}

} // namespace agentic
