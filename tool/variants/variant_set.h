// Changes VARIANT_DIR from one set of a kernel's generated files to the next: a build, a reader or a crash sees the old
// set or the new one.
#pragma once

#include "tool/base/error.h"
#include "tool/model/generated_file.h"

#include <functional>
#include <string>
#include <vector>

namespace agentic {

struct VariantSetChange {
  std::string folder;                ///< VARIANT_DIR; made if it is missing
  std::string scratch;               ///< holds the next set if on the same file system; else it is made beside `folder`
  std::vector<GeneratedFile> files;  ///< the lock last
  std::vector<std::string> removed;  ///< names to remove
  std::function<void()> afterChange; ///< called after each change on disk, for tests
};

/// Returns the paths of the files that are new or have another text; identical files keep their time stamps, others in
/// the folder stay. The folder as a whole is exchanged for one that was prepared beside it. A folder that is a symbolic
/// link, or that holds anything but generated files and files whose names begin with a dot, is not exchanged, nor is
/// one on a file system without renameat2: there each file is replaced on its own, variants first, the lock last, and a
/// reader meanwhile finds the variants stale. Writers wait for each other. Files that others put into the folder during
/// the exchange are carried over. Errors: the system's, with nothing half-written but in that last case.
Result<std::vector<std::string>> changeVariantSet(const VariantSetChange &change);

} // namespace agentic
