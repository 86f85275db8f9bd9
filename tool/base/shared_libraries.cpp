#include "tool/base/shared_libraries.h"

#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace agentic {
namespace {

/// The parts of glibc: a program loads those of the machine that it runs on.
bool isGlibc(std::string_view name) {
  constexpr std::array kParts = {"libc.so",      "libm.so",    "libmvec.so", "libdl.so", "libpthread.so", "librt.so",
                                 "libresolv.so", "libutil.so", "libanl.so",  "ld-linux", "linux-vdso",    "libnss_"};
  return std::ranges::any_of(kParts, [&](const char *part) { return name.starts_with(part); });
}

} // namespace

Result<std::map<std::string, std::string>>
sharedLibraries(const std::string &program, const std::function<Result<ProcessResult>(const ProcessSpec &)> &run) {
  ProcessSpec spec;
  spec.argv = {"ldd", program};
  const ProcessResult listed = TRY(run(spec));
  std::map<std::string, std::string> libraries;
  if (!listed.ok())
    return libraries;
  for (const std::string &line : split(listed.out, '\n')) {
    const std::string_view text = trim(line);
    const std::size_t arrow = text.find(" => ");
    if (arrow == std::string_view::npos || isGlibc(text))
      continue;
    const std::string name(text.substr(0, arrow));
    const std::string_view rest = text.substr(arrow + 4);
    if (!rest.starts_with('/'))
      return userError("'" + program + "' needs the library '" + name + "', which is not found",
                       "build the project again");
    libraries.emplace(name, rest.substr(0, rest.find(" (")));
  }
  return libraries;
}

} // namespace agentic
