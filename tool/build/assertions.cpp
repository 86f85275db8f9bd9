#include "tool/build/assertions.h"

#include "tool/build/elf.h"

#include <algorithm>

namespace agentic {

bool definesNdebug(const CompileCommand &command) {
  bool defines = false;
  for (const std::string &argument : command.arguments)
    if (argument == "-DNDEBUG" || argument.starts_with("-DNDEBUG="))
      defines = true;
    else if (argument == "-UNDEBUG")
      defines = false;
  return defines;
}

bool holdsAssertions(const std::string &program) {
  const Result<ElfFile> file = readElf(program);
  return !file || std::ranges::any_of(file->sections, [](const ElfSection &section) {
    return (section.name == ".dynstr" || section.name == ".strtab") &&
           section.bytes.find("__assert_fail") != std::string_view::npos;
  });
}

} // namespace agentic
