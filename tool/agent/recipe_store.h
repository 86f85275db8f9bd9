// What won before: recipes by the shape of the kernel they won on, in one small file that all projects of a user share.
//
// A line of JSON per result, appended under a lock; a torn or foreign line is skipped. It only decides what is tried
// first: everything is evaluated again.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"

#include <string>
#include <vector>

namespace agentic {

/// The loops as they are written, with level and family: stays the same while a kernel's computations are edited, and
/// for kernels that are built alike.
std::string shapeOf(const KernelSpec &spec, const std::string &level, const std::string &family);

class RecipeStore {
public:
  /// `path`: the file; created by the first remember(). Empty: nothing is remembered.
  explicit RecipeStore(std::string path) : path_(std::move(path)) {}

  /// The recipes that won on this shape, by speedup; at most four. Unreadable = none.
  std::vector<std::string> recall(const std::string &shape) const;

  /// Keeps the file below some 2,000 lines: the newest stay.
  Result<void> remember(const std::string &shape, const std::string &kernel, const std::string &recipe,
                        double ratio) const;

private:
  std::string path_;
};

} // namespace agentic
