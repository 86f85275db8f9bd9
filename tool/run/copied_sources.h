// Whether a candidate copies lines of the sources that the user has indexed. A flag for a reviewer: it refuses nothing.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/model/manifest.h"
#include "tool/run/surroundings.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns a note for each of the longest copies from sources under a licence that the project does not list, neither
/// in AGENTIC_KERNEL_LICENCES nor by its own licence file; one that says why, if the index cannot be read. Empty at
/// once where nothing was indexed.
std::vector<std::string> copyRemarks(const Manifest &manifest, const KernelSpec &spec, const std::string &text,
                                     const Surroundings &surroundings);

} // namespace agentic
