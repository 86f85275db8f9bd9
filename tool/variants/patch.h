// Makes a patch of generated files, for checkouts that cannot be written.
#pragma once

#include "tool/base/error.h"
#include "tool/model/generated_file.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns a unified diff (by diff(1)) from the files in `directory` to `files`, with paths relative to `root`, for
/// `patch -p1` or `git apply` in `root`. Empty if nothing differs.
Result<std::string> makePatch(const std::string &directory, const std::string &root,
                              const std::vector<GeneratedFile> &files, const std::string &scratchParent);

} // namespace agentic
