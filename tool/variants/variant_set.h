// VARIANT_DIR's change from one set of a kernel's generated files to the next: a build, a reader or a crash sees the
// old set or the new one.
#pragma once

#include "tool/base/error.h"
#include "tool/model/generated_file.h"

#include <functional>
#include <string>
#include <vector>

namespace agentic {

struct VariantSetChange {
  std::string folder;                ///< VARIANT_DIR; made if it is missing
  std::string scratch;               ///< the next set is made here if that is on the same file system, else beside it
  std::vector<GeneratedFile> files;  ///< the lock last
  std::vector<std::string> removed;  ///< names that are not to be there any more
  std::function<void()> afterChange; ///< called after each change on disk, for tests
};

/// Paths of the files that are new or have another text; identical ones keep their time stamps, others in the folder
/// stay. The folder as a whole is exchanged for one that was prepared beside it. That is not done to a folder that is a
/// symbolic link, or that holds anything but generated files and files whose names begin with a dot, and cannot be done
/// on file systems without renameat2: there each file is replaced on its own, variants first, the lock last, and who
/// reads meanwhile finds the variants stale. Writers wait for each other. What others put into the folder during the
/// exchange is carried over. Errors: the system's, with nothing half-written but in that last case.
Result<std::vector<std::string>> changeVariantSet(const VariantSetChange &change);

} // namespace agentic
