#include "tool/evaluate/remote/host_refusal.h"

#include "tool/base/text.h"
#include "tool/base/version.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <algorithm>
#include <cstring>

namespace agentic {

std::string refusalOf(const HostFacts &facts, const std::vector<std::string> &features) {
  if (facts.version != kVersion)
    return fmt::format("its worker is of version {}, this tool of {}", facts.version, kVersion);
  if (!facts.isConfined)
    return fmt::format("its sandbox is '{}', and candidates are run there under bubblewrap alone: install the package "
                       "'bubblewrap' and allow unprivileged user namespaces",
                       facts.sandbox);
  // "2.9" is older than "2.36": compared number by number.
  if (::strverscmp(facts.glibc.c_str(), ::gnu_get_libc_version()) < 0)
    return fmt::format("its glibc {} is older than the {} that the programs are linked with", facts.glibc,
                       ::gnu_get_libc_version());
  std::vector<std::string> lacked;
  for (const std::string &feature : features)
    if (std::ranges::find(facts.features, feature) == facts.features.end())
      lacked.push_back(feature);
  return lacked.empty() ? "" : fmt::format("its CPU ({}) lacks {}", facts.cpu, join(lacked, ", "));
}

} // namespace agentic
