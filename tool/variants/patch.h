// Generated files as a patch, for checkouts that cannot be written.
#pragma once

#include "tool/base/error.h"
#include "tool/model/generated_file.h"

#include <string>
#include <vector>

namespace agentic {

/// Unified diff (by diff(1)) from what stands in `directory` to `files`, with paths relative to `root`:
/// `patch -p1` or `git apply` in `root` takes it. Empty if nothing differs.
Result<std::string> makePatch(const std::string &directory, const std::string &root,
                              const std::vector<GeneratedFile> &files, const std::string &scratchParent);

} // namespace agentic
